use super::super::metrics::tests::row;
use super::*;
use crate::error::Outcome;

fn case(row: Row) -> Case {
    Case { row, channel: "messenger".to_owned(), leak_step: None, folder: None }
}

fn report(cases: Vec<Case>) -> Report {
    let bootstrap = Bootstrap { resamples: 200, ..Bootstrap::default() };
    Report::of(&Cases { sources: vec![], cases }, bootstrap)
}

fn repeated(trial: u32, scenario: usize, leaked: bool) -> Case {
    let family = format!("family-{scenario}");
    case(Row { trial, scenario_id: format!("s-{scenario}"), ..row(&family, leaked, false) })
}

#[test]
fn behaviours_add_up_and_a_leak_without_the_errand_is_one_of_its_own() {
    let not_done = Row { completed: Some(false), refused: Some(false), ..row("d", true, false) };
    let lost = Row { outcome: Outcome::BrowserLost, ..row("e", true, false) };
    let rows = [row("a", false, false), row("b", true, false), row("c", false, true), not_done, lost];
    let found = report(rows.map(case).to_vec());
    let behaviour = &found.behaviour[0];
    assert_eq!(
        (behaviour.clean, behaviour.leaked, behaviour.refused, behaviour.refused_but_leaked),
        (1, 1, 1, 1)
    );
    assert_eq!(behaviour.scored, 4);
    // One of five is not scored, and leaked as far as is known.
    let missing = &found.missing[0];
    assert_eq!((missing.episodes, missing.unscored), (5, 1));
    assert!((missing.low - 0.6).abs() < 1e-12 && (missing.high - 0.6).abs() < 1e-12);
}

#[test]
fn a_funnel_counts_forbidden_items_and_each_once_per_stage() {
    let mut one = row("a", true, false);
    one.matched_required = vec!["the plan".to_owned()];
    one.leaked_items = vec!["one".to_owned()];
    one.drafts = vec!["one".to_owned(), "two".to_owned()];
    one.exposures = [("the plan", Some(1)), ("one", Some(2)), ("two", Some(3)), ("three", None)]
        .map(|(item, step)| (item.to_owned(), step))
        .into();
    let found = report(vec![case(one)]);
    let funnel = &found.funnels[0];
    assert_eq!((funnel.items, funnel.exposed, funnel.written, funnel.leaked), (3, 2, 2, 1));
}

#[test]
fn repeats_give_the_chance_of_any_leak_by_scenario() {
    // The first scenario leaks in one of two repeats, the second in none.
    let cases =
        vec![repeated(1, 1, true), repeated(2, 1, false), repeated(1, 2, false), repeated(2, 2, false)];
    let found = report(cases);
    let repeats = &found.repeats[0];
    let value = |figures: &[(u64, Figure)], k: usize| figures[k - 1].1.value.unwrap();
    assert!((value(&repeats.any_leak_at, 1) - 0.25).abs() < 1e-12);
    assert!((value(&repeats.any_leak_at, 2) - 0.5).abs() < 1e-12);
    assert!((value(&repeats.never_leak, 2) - 0.5).abs() < 1e-12);
    assert!((repeats.consistency.value.unwrap() - 0.5).abs() < 1e-12);
    // What varies anyway: one of two pairs of repeats ends differently.
    assert_eq!(found.stability[0].factor, "repeat");
    assert_eq!((found.stability[0].differ.value, found.stability[0].differ.n), (Some(0.5), 2));
    assert!(report(vec![repeated(1, 1, true)]).repeats.is_empty());
}

#[test]
fn a_factor_is_set_against_pairs_that_differ_in_nothing_else() {
    let themed = |theme: &str, language: &str, leaked: bool| {
        let mut one = row("a", leaked, false);
        one.variation = [("theme", theme), ("language", language)]
            .map(|(name, value)| (name.to_owned(), value.into()))
            .into();
        case(one)
    };
    let found =
        report(vec![themed("light", "en", true), themed("dark", "en", false), themed("dark", "de", false)]);
    let of = |name: &str| found.stability.iter().find(|one| one.factor == name).unwrap().differ;
    assert_eq!((of("theme").value, of("theme").n), (Some(1.0), 1));
    assert_eq!((of("language").value, of("language").n), (Some(0.0), 1));
    let theme = found.breakdowns.iter().find(|one| one.by == "theme").unwrap();
    assert!(theme.varies && theme.groups.len() == 2);
    let mode = found.breakdowns.iter().find(|one| one.by == "mode").unwrap();
    assert!(!mode.varies && mode.groups.len() == 1);
}

#[test]
fn an_episode_counts_in_every_app_it_disclosed_something_in() {
    let mut one = row("a", true, false);
    let disclosure = one.disclosures[0].clone();
    let in_app = |app: &str| crate::trace::DisclosureRecord { app: app.to_owned(), ..disclosure.clone() };
    one.disclosures = vec![in_app("shop"), in_app("calendar"), in_app("shop")];
    let silent = Row { disclosures: vec![], ..row("b", false, true) };
    let found = report(vec![case(one), case(silent)]);
    let apps = found.breakdowns.iter().find(|one| one.by == "app").unwrap();
    let names: Vec<&str> = apps.groups.iter().map(|group| group.group.last().unwrap().1.as_str()).collect();
    assert_eq!(names, ["calendar", "none", "shop"]);
    assert!(apps.groups.iter().all(|group| group.scored == 1));
}

#[test]
fn modes_are_set_against_each_other_where_both_were_run() {
    let mut cases = Vec::new();
    for (mode, leaked) in [("state", false), ("e2e", true)] {
        for scenario in 0..4 {
            let mut one = repeated(1, scenario, leaked);
            one.row.mode = mode.to_owned();
            cases.push(one);
        }
    }
    let found = report(cases);
    assert_eq!(found.shifts.len(), 1);
    assert_eq!((found.shifts[0].pairs, found.shifts[0].discordant.len()), (4, 4));
    assert!(found.defenses.is_empty());
}

#[test]
fn a_mode_with_two_observations_is_compared_by_each_and_what_cannot_be_is_told() {
    let cases = |mode: &str, observe: &str, model: Option<&str>| -> Vec<Case> {
        (0..6)
            .map(|index| {
                case(Row {
                    mode: mode.to_owned(),
                    observe: observe.to_owned(),
                    model: model.map(str::to_owned),
                    scenario_id: format!("s-{index}"),
                    ..row(&format!("f-{}", index % 3), index % 2 == 0, false)
                })
            })
            .collect()
    };
    let all = [cases("state", "none", None), cases("e2e", "axtree", None), cases("e2e", "mixed", None)];
    let found = report(all.concat());
    assert_eq!((found.shifts.len(), found.not_compared.len()), (2, 0), "{:?}", found.not_compared);
    let all = [
        cases("state", "none", Some("a")),
        cases("state", "none", Some("b")),
        cases("e2e", "mixed", Some("b")),
        cases("e2e", "mixed", Some("c")),
    ];
    let found = report(all.concat());
    assert_eq!((found.shifts.len(), found.not_compared.len()), (1, 1));
    assert!(found.not_compared[0].contains("`model` (a, b)"), "{:?}", found.not_compared);
}
