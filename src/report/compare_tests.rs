use super::super::metrics::tests::row;
use super::*;

fn quick() -> Bootstrap {
    Bootstrap { resamples: 400, ..Bootstrap::default() }
}

/// Scenarios of six families; which of them leak is given by number.
fn side(label: &str, mode: &str, leaks: impl Fn(usize) -> bool) -> Side {
    let rows = (0..24).map(|index| Row {
        scenario_id: format!("scenario-{index:02}"),
        mode: mode.to_owned(),
        ..row(&format!("family-{}", index % 6), leaks(index), false)
    });
    Side { label: label.to_owned(), rows: rows.collect() }
}

#[test]
fn the_sides_are_paired_by_scenario_and_the_difference_is_right_minus_left() {
    let left = side("state", "state", |index| index < 4);
    let right = side("e2e", "e2e", |index| index < 12 && index != 0);
    let found = compare(left, right, quick()).unwrap();
    assert_eq!((found.pairs, found.clusters, found.left_out), (24, 6, (0, 0)));
    assert_eq!(found.differs, [("mode", "state".to_owned(), "e2e".to_owned())]);
    let leakage = found.figures.iter().find(|(metric, _)| *metric == Metric::Leakage).unwrap().1;
    assert!((leakage.left.value.unwrap() - 4.0 / 24.0).abs() < 1e-12);
    assert!((leakage.difference.value.unwrap() - 7.0 / 24.0).abs() < 1e-12);
    assert_eq!(leakage.difference.method, Method::PairedClusterBootstrap);
    let test = &found.tests[0];
    assert_eq!((test.both, test.only_left, test.only_right, test.neither), (3, 1, 8, 12));
    // R: binom.test(1, 9)$p.value
    assert!((test.p - 0.039_062_5).abs() < 1e-12 && test.p_holm >= test.p);
    assert_eq!(found.discordant.len(), 9);
    assert_eq!(
        (found.discordant[0].scenario_id.as_str(), found.discordant[0].leaked_on),
        ("scenario-00", "left")
    );
}

#[test]
fn repeats_are_averaged_before_anything_is_compared() {
    let left = side("one", "e2e", |_| false);
    let mut right = side("two", "state", |_| true);
    // Nine more clean repeats of the first scenario: it still counts once.
    let first = Row { leaked: Some(false), leaked_items: vec![], ..right.rows[0].clone() };
    right.rows.extend((2..=10).map(|trial| Row { trial, ..first.clone() }));
    let found = compare(left, right, quick()).unwrap();
    assert_eq!(found.pairs, 24);
    let leakage = found.figures.iter().find(|(metric, _)| *metric == Metric::Leakage).unwrap().1;
    assert!((leakage.right.value.unwrap() - 23.1 / 24.0).abs() < 1e-9, "{leakage:?}");
}

#[test]
fn what_has_no_counterpart_is_counted_and_left_out() {
    let left = side("one", "e2e", |_| true);
    let mut right = side("two", "state", |_| true);
    right.rows.truncate(20);
    right.rows[0].outcome = crate::error::Outcome::BrowserLost;
    let found = compare(left, right, quick()).unwrap();
    assert_eq!((found.pairs, found.left_out), (19, (5, 1)));
    // All leak on both sides: no difference, and no interval that would claim certainty.
    let leakage = found.figures.iter().find(|(metric, _)| *metric == Metric::Leakage).unwrap().1;
    assert_eq!((leakage.difference.value, leakage.difference.method), (Some(0.0), Method::None));
    assert_eq!((found.tests[0].p, found.tests[0].minimum_detectable), (1.0, None));
}

#[test]
fn a_side_with_several_conditions_is_refused_by_name() {
    let left = side("one", "e2e", |_| true);
    let mut right = side("two", "e2e", |_| true);
    right.rows[3].agent = "another".to_owned();
    let error = compare(left.clone(), right, quick()).unwrap_err();
    assert!(matches!(error, CompareError::Several { field: "agent", .. }), "{error}");
    let nothing = Side { label: "none".to_owned(), rows: vec![] };
    assert!(matches!(compare(left.clone(), nothing, quick()), Err(CompareError::Nothing { .. })));
    let mut other = side("other", "state", |_| true);
    for row in &mut other.rows {
        row.scenario_id.push('x');
    }
    assert!(matches!(compare(left, other, quick()), Err(CompareError::NothingInCommon { .. })));
}

#[test]
fn the_same_conditions_on_both_sides_are_paired_with_each_other() {
    let both = |label: &str, leaks: bool| {
        let mut rows = side(label, "e2e", |_| leaks).rows;
        rows.extend(side(label, "state", |_| !leaks).rows);
        Side { label: label.to_owned(), rows }
    };
    let found = compare(both("before", false), both("after", true), quick()).unwrap();
    assert_eq!(found.pairs, 48);
    assert!(found.paired_on.contains(&"mode") && found.differs.is_empty());
    assert_eq!((found.tests[0].only_left, found.tests[0].only_right), (24, 24));
}

#[test]
fn several_conditions_are_compared_each_by_itself_and_none_vanishes() {
    let left = side("state", "state", |_| false);
    let mut right = side("e2e", "e2e", |_| true);
    let seen: Vec<Row> =
        right.rows.iter().map(|row| Row { observe: "screenshot".into(), ..row.clone() }).collect();
    right.rows.extend(seen);
    let found = compare_each(&left, &right, quick());
    let labels: Vec<&str> = found.iter().map(|one| one.as_ref().unwrap().right.as_str()).collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(labels[1] == "e2e, screenshot" && labels[0].starts_with("e2e, "), "{labels:?}");
    assert!(found.iter().all(|one| one.as_ref().unwrap().pairs == 24));

    // Both hold several: what both hold is compared, what only one holds is told.
    let with = |side: &Side, models: [&str; 2]| Side {
        label: side.label.clone(),
        rows: models
            .iter()
            .flat_map(|model| {
                side.rows.iter().map(|row| Row { model: Some((*model).to_owned()), ..row.clone() })
            })
            .collect(),
    };
    let right = side("e2e", "e2e", |_| true);
    let found = compare_each(&with(&left, ["a", "b"]), &with(&right, ["b", "c"]), quick());
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].as_ref().unwrap().left, "state, b");
    let told = found[1].as_ref().unwrap_err().to_string();
    assert!(told.contains("several values of `model`"), "{told}");
}
