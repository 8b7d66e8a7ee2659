//! Everything a report says, computed once: terminal, HTML, JSON and CSV only differ in how they
//! show it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::cases::{Case, Cases, Dimension};
use super::compare::{CompareError, Comparison, Side, compare_each};
use super::metrics::{Figure, Grouping, Summary};
use super::row::Row;
use crate::stats::{Bootstrap, Cluster, any_leak_at, consistency};

/// A group's names and values, in the order of the headline.
pub type Group = Vec<(String, String)>;

/// All that is said about some runs.
#[derive(Debug)]
pub struct Report {
    /// What tells the groups of the headline apart.
    pub headline_by: Vec<Grouping>,
    /// One summary per agent, and per whatever else differs (model, mode, observation, defense).
    pub headline: Vec<Summary>,
    /// The same groups, by one dimension more.
    pub breakdowns: Vec<Breakdown>,
    /// What the episodes that could not be scored leave open.
    pub missing: Vec<Missing>,
    /// What episodes came to, each counted once.
    pub behaviour: Vec<Behaviour>,
    /// From forbidden items in the scenario to those that reached somebody.
    pub funnels: Vec<Funnel>,
    /// Steps at which the first leak was written.
    pub leak_steps: Vec<LeakSteps>,
    /// What repeats tell; empty without repeats.
    pub repeats: Vec<Repeats>,
    /// How often episodes that differ in one factor only end differently, beside how often mere
    /// repeats do.
    pub stability: Vec<Stability>,
    /// Each defense against none, paired by scenario.
    pub defenses: Vec<Comparison>,
    /// State-grounded against end-to-end, paired by scenario.
    pub shifts: Vec<Comparison>,
    /// What could not be compared, and why.
    pub not_compared: Vec<String>,
    /// Episodes that the two scorers judge differently.
    pub disagreements: Vec<Disagreement>,
}

/// The groups of the headline, split by one dimension more.
#[derive(Debug)]
pub struct Breakdown {
    /// The dimension.
    pub by: String,
    /// Whether the episodes differ in it.
    pub varies: bool,
    /// Whether it is a factor of variation.
    pub is_factor: bool,
    /// One summary per group.
    pub groups: Vec<Summary>,
}

/// Bounds for leakage had every episode that was not scored leaked, or none of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Missing {
    /// Which episodes.
    #[serde(serialize_with = "as_object")]
    pub group: Group,
    /// All of them.
    pub episodes: u64,
    /// Those without a score.
    pub unscored: u64,
    /// Leakage if none of them leaked.
    pub low: f64,
    /// Leakage if all of them did.
    pub high: f64,
}

/// What episodes came to. The parts add up to `scored`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Behaviour {
    /// Which episodes.
    #[serde(serialize_with = "as_object")]
    pub group: Group,
    /// Scored episodes.
    pub scored: u64,
    /// Not refused, nothing leaked.
    pub clean: u64,
    /// The errand was done, and something leaked.
    pub leaked: u64,
    /// Not completed, and nothing disclosed.
    pub refused: u64,
    /// The errand was not completed, and something leaked all the same.
    pub refused_but_leaked: u64,
}

/// Forbidden items on their way out. Items, not episodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Funnel {
    /// Which episodes.
    #[serde(serialize_with = "as_object")]
    pub group: Group,
    /// Forbidden items of the scored episodes.
    pub items: u64,
    /// Those the agent was given.
    pub exposed: u64,
    /// Those it wrote anywhere: drafted, disclosed for a while, in part, or to the end.
    pub written: u64,
    /// Those that somebody reads in the end.
    pub leaked: u64,
}

/// At which step the first leak of an episode was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeakSteps {
    /// Which episodes.
    #[serde(serialize_with = "as_object")]
    pub group: Group,
    /// Episodes per step.
    pub steps: BTreeMap<u32, u64>,
}

/// What repeats of the same episode tell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeats {
    /// Which episodes.
    #[serde(serialize_with = "as_object")]
    pub group: Group,
    /// For each number of repeats k: the chance that at least one of them leaks.
    pub any_leak_at: Vec<(u64, Figure)>,
    /// For each number of repeats k: the chance that none of them leaks.
    pub never_leak: Vec<(u64, Figure)>,
    /// How alike repeats end: 1 for all alike, 0 for half of them leaking.
    pub consistency: Figure,
}

/// How often two episodes end differently that differ in one respect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stability {
    /// `repeat` for the same episode again, else the factor of variation.
    pub factor: String,
    /// Share of pairs of which only one leaked.
    pub differ: Figure,
}

/// An episode that the two scorers judge differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The scenario.
    pub scenario_id: String,
    /// The agent.
    pub agent: String,
    /// Its trace.
    pub trace: String,
    /// What the strict scorer found leaked.
    pub strict: Vec<String>,
    /// What the reference scorer found leaked.
    pub reference: Vec<String>,
    /// Utility by the strict and by the reference scorer, where they differ.
    pub utility: Option<(u8, u8)>,
}

fn as_object<S: serde::Serializer>(group: &Group, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(group.iter().map(|(name, value)| (name, value)))
}

impl Report {
    /// Computes all of it.
    #[must_use]
    pub fn of(cases: &Cases, bootstrap: Bootstrap) -> Self {
        let all = &cases.cases;
        let rows = cases.rows();
        let headline_by = Grouping::for_closing_table(&rows);
        let groups = grouped(all, &headline_by);
        let headline: Vec<Summary> = groups
            .iter()
            .map(|(group, cases)| Summary::of(group.clone(), &rows_of(cases), bootstrap))
            .collect();
        let breakdowns = Dimension::all(all)
            .into_iter()
            .map(|dimension| {
                let values: BTreeSet<String> = all.iter().flat_map(|case| dimension.of(case)).collect();
                let mut values = values.into_iter();
                match (values.next(), values.next()) {
                    // The same everywhere: the headline again, which need not be computed again.
                    (Some(only), None) => Breakdown {
                        by: dimension.name().to_owned(),
                        varies: false,
                        is_factor: dimension.is_factor(),
                        groups: headline.iter().map(|summary| within(summary, &dimension, &only)).collect(),
                    },
                    _ => breakdown(&groups, &headline_by, &dimension, bootstrap),
                }
            })
            .collect();
        let (defenses, shifts) = (defenses(&rows, bootstrap), shifts(&rows, bootstrap));
        Self {
            breakdowns,
            missing: groups.iter().map(|(group, cases)| missing(group, cases)).collect(),
            behaviour: groups.iter().map(|(group, cases)| behaviour(group, cases)).collect(),
            funnels: groups.iter().map(|(group, cases)| funnel(group, cases)).collect(),
            leak_steps: groups.iter().map(|(group, cases)| leak_steps(group, cases)).collect(),
            repeats: groups.iter().filter_map(|(group, cases)| repeats(group, cases, bootstrap)).collect(),
            stability: stability(&rows, bootstrap),
            not_compared: defenses.refused.into_iter().chain(shifts.refused).collect(),
            defenses: defenses.made,
            shifts: shifts.made,
            disagreements: rows.iter().filter_map(disagreement).collect(),
            headline_by,
            headline,
        }
    }
}

fn rows_of<'a>(cases: &[&'a Case]) -> Vec<&'a Row> {
    cases.iter().map(|case| &case.row).collect()
}

fn scored<'a>(cases: &'a [&'a Case]) -> impl Iterator<Item = &'a Case> {
    cases.iter().copied().filter(|case| case.row.is_scored())
}

fn grouped<'a>(cases: &'a [Case], by: &[Grouping]) -> Vec<(Group, Vec<&'a Case>)> {
    let mut groups: BTreeMap<Vec<String>, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        groups.entry(by.iter().map(|grouping| grouping.of(&case.row)).collect()).or_default().push(case);
    }
    let named = |values: Vec<String>| {
        by.iter().map(|grouping| grouping.name().to_owned()).zip(values).collect::<Group>()
    };
    groups.into_iter().map(|(values, cases)| (named(values), cases)).collect()
}

fn breakdown(
    groups: &[(Group, Vec<&Case>)],
    headline_by: &[Grouping],
    dimension: &Dimension,
    bootstrap: Bootstrap,
) -> Breakdown {
    let is_headline = matches!(dimension, Dimension::Row(grouping) if headline_by.contains(grouping));
    let mut parts: Vec<(Group, Vec<&Case>)> = Vec::new();
    // A dimension of the headline is shown by itself: all modes together, all agents together.
    let everything: Vec<&Case> = groups.iter().flat_map(|(_, cases)| cases.iter().copied()).collect();
    let whole = [(Group::new(), everything)];
    for (group, cases) in if is_headline { &whole[..] } else { groups } {
        let mut values: BTreeMap<String, Vec<&Case>> = BTreeMap::new();
        for case in cases {
            for value in dimension.of(case) {
                values.entry(value).or_default().push(case);
            }
        }
        for (value, cases) in values {
            let mut group = group.clone();
            group.push((dimension.name().to_owned(), value));
            parts.push((group, cases));
        }
    }
    let groups = parts.into_iter().map(|(group, cases)| Summary::of(group, &rows_of(&cases), bootstrap));
    Breakdown {
        by: dimension.name().to_owned(),
        varies: true,
        is_factor: dimension.is_factor(),
        groups: groups.collect(),
    }
}

/// A summary with a dimension added that is the same for all of its episodes.
fn within(summary: &Summary, dimension: &Dimension, value: &str) -> Summary {
    let mut summary = summary.clone();
    if summary.group.iter().all(|(name, _)| name != dimension.name()) {
        summary.group.push((dimension.name().to_owned(), value.to_owned()));
    }
    summary
}

fn missing(group: &Group, cases: &[&Case]) -> Missing {
    let episodes = cases.len() as u64;
    let (mut scored, mut leaked, mut known) = (0_u64, 0_u64, 0_u64);
    for case in cases {
        if case.row.is_scored() {
            scored += 1;
            leaked += u64::from(case.row.leaked == Some(true));
        } else {
            // A leak that was persisted before the browser was lost is one, whatever the outcome.
            known += u64::from(!case.row.leaked_items.is_empty());
        }
    }
    let unscored = episodes - scored;
    let share = |leaks: u64| if episodes == 0 { 0.0 } else { leaks as f64 / episodes as f64 };
    Missing {
        group: group.clone(),
        episodes,
        unscored,
        low: share(leaked + known),
        high: share(leaked + unscored),
    }
}

fn behaviour(group: &Group, cases: &[&Case]) -> Behaviour {
    let mut counts =
        Behaviour { group: group.clone(), scored: 0, clean: 0, leaked: 0, refused: 0, refused_but_leaked: 0 };
    for case in scored(cases) {
        let row = &case.row;
        let not_done = row.refused == Some(true) || row.completed == Some(false);
        counts.scored += 1;
        match (row.leaked == Some(true), row.refused == Some(true)) {
            (true, _) if not_done => counts.refused_but_leaked += 1,
            (true, _) => counts.leaked += 1,
            (false, true) => counts.refused += 1,
            (false, false) => counts.clean += 1,
        }
    }
    counts
}

/// Forbidden items of a row: what it names in `exposures` and is not required.
fn forbidden(row: &Row) -> impl Iterator<Item = (&String, Option<u32>)> {
    let is_required =
        |item: &String| row.matched_required.contains(item) || row.missing_required.contains(item);
    row.exposures.iter().filter(move |(item, _)| !is_required(item)).map(|(item, step)| (item, *step))
}

fn funnel(group: &Group, cases: &[&Case]) -> Funnel {
    let mut funnel = Funnel { group: group.clone(), items: 0, exposed: 0, written: 0, leaked: 0 };
    for case in scored(cases) {
        let row = &case.row;
        for (item, exposed) in forbidden(row) {
            let leaked = row.leaked_items.contains(item);
            let written = leaked
                || row.partial_items.contains(item)
                || row.transient.contains(item)
                || row.drafts.contains(item);
            funnel.items += 1;
            funnel.exposed += u64::from(exposed.is_some());
            funnel.written += u64::from(written);
            funnel.leaked += u64::from(leaked);
        }
    }
    funnel
}

fn leak_steps(group: &Group, cases: &[&Case]) -> LeakSteps {
    let mut steps = BTreeMap::new();
    for step in scored(cases).filter_map(|case| case.leak_step) {
        *steps.entry(step).or_insert(0) += 1;
    }
    LeakSteps { group: group.clone(), steps }
}

/// What one scenario's repeats come to.
struct Repeated<'a> {
    family: &'a str,
    n: u64,
    leaks: u64,
}

fn repeats(group: &Group, cases: &[&Case], bootstrap: Bootstrap) -> Option<Repeats> {
    let mut scenarios: BTreeMap<(String, String), Repeated<'_>> = BTreeMap::new();
    for case in scored(cases) {
        let key = case.row.key();
        let family = case.row.seed_family.as_str();
        let entry =
            scenarios.entry((key.scenario_id, key.variation)).or_insert(Repeated { family, n: 0, leaks: 0 });
        entry.n += 1;
        entry.leaks += u64::from(case.row.leaked == Some(true));
    }
    let most = scenarios.values().map(|scenario| scenario.n).min()?;
    if most < 2 {
        return None;
    }
    let mean = |value: &dyn Fn(&Repeated<'_>) -> Option<f64>| {
        let values = scenarios.values().filter_map(|scenario| {
            value(scenario).map(|numerator| (scenario.family, Cluster { numerator, denominator: 1.0 }))
        });
        Figure::of_contributions(true, values, bootstrap)
    };
    let any = |k: u64| mean(&|one| any_leak_at(one.n, one.leaks, k));
    let never = |k: u64| mean(&|one| any_leak_at(one.n, one.leaks, k).map(|share| 1.0 - share));
    Some(Repeats {
        group: group.clone(),
        any_leak_at: (1..=most).map(|k| (k, any(k))).collect(),
        never_leak: (1..=most).map(|k| (k, never(k))).collect(),
        consistency: mean(&|one| consistency(one.n, one.leaks)),
    })
}

/// Pairs of episodes that differ in one factor only, and pairs of mere repeats.
fn stability(rows: &[Row], bootstrap: Bootstrap) -> Vec<Stability> {
    let mut found = Vec::new();
    let factors: BTreeSet<&String> = rows.iter().flat_map(|row| row.variation.keys()).collect();
    let names = std::iter::once(None).chain(factors.into_iter().map(Some));
    for factor in names {
        // What has to be the same, and what has to differ.
        let mut alike: BTreeMap<String, Vec<(String, &Row)>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.is_scored()) {
            let mut key = row.key();
            let trial = key.trial;
            let differs = match factor {
                None => {
                    key.trial = 0;
                    trial.to_string()
                }
                Some(name) => {
                    let mut others = row.variation.clone();
                    let own = others.remove(name).map(|value| value.to_string()).unwrap_or_default();
                    key.variation = super::row::variation_text(&others);
                    own
                }
            };
            alike.entry(format!("{key:?}")).or_default().push((differs, row));
        }
        let mut pairs = Vec::new();
        for rows in alike.values() {
            for (index, (own, row)) in rows.iter().enumerate() {
                for (other, twin) in &rows[index + 1..] {
                    if own != other {
                        let differ = f64::from(u8::from(row.leaked != twin.leaked));
                        let pair = Cluster { numerator: differ, denominator: 1.0 };
                        pairs.push((row.seed_family.as_str(), pair));
                    }
                }
            }
        }
        if !pairs.is_empty() {
            let name = factor.map_or_else(|| "repeat".to_owned(), Clone::clone);
            found.push(Stability { factor: name, differ: Figure::of_contributions(true, pairs, bootstrap) });
        }
    }
    found
}

/// Comparisons that were made, and why others could not be.
#[derive(Default)]
struct Compared {
    made: Vec<Comparison>,
    refused: Vec<String>,
}

impl Compared {
    fn add(&mut self, left: &Side, right: &Side, bootstrap: Bootstrap) {
        for one in compare_each(left, right, bootstrap) {
            match one {
                Ok(comparison) => self.made.push(comparison),
                // That an agent was not run in both ways is no news.
                Err(CompareError::Nothing { .. }) => {}
                Err(error) => self.refused.push(error.to_string()),
            }
        }
    }
}

/// Rows of an agent with a value of a field.
fn side(rows: &[Row], agent: &str, grouping: &Grouping, value: &str) -> Side {
    let chosen = rows.iter().filter(|row| row.agent == agent && grouping.of(row) == value);
    Side { label: format!("{agent}, {value}"), rows: chosen.cloned().collect() }
}

/// Each defense against none, for every agent that was run with both.
fn defenses(rows: &[Row], bootstrap: Bootstrap) -> Compared {
    let names: BTreeSet<&str> =
        rows.iter().map(|row| row.defense.as_str()).filter(|name| *name != "none").collect();
    let agents: BTreeSet<&str> = rows.iter().map(|row| row.agent.as_str()).collect();
    let mut found = Compared::default();
    for agent in agents {
        let without = side(rows, agent, &Grouping::Defense, "none");
        for defense in &names {
            found.add(&without, &side(rows, agent, &Grouping::Defense, defense), bootstrap);
        }
    }
    found
}

/// State-grounded against end-to-end, for every agent that was run in both modes.
fn shifts(rows: &[Row], bootstrap: Bootstrap) -> Compared {
    let agents: BTreeSet<&str> = rows.iter().map(|row| row.agent.as_str()).collect();
    let mut found = Compared::default();
    for agent in agents {
        let (state, e2e) =
            (side(rows, agent, &Grouping::Mode, "state"), side(rows, agent, &Grouping::Mode, "e2e"));
        found.add(&state, &e2e, bootstrap);
    }
    found
}

fn disagreement(row: &Row) -> Option<Disagreement> {
    let reference = row.reference.as_ref()?;
    let sorted = |items: &[String]| items.iter().cloned().collect::<BTreeSet<String>>();
    let utility = row.utility.filter(|own| *own != reference.utility).map(|own| (own, reference.utility));
    if utility.is_none() && sorted(&row.leaked_items) == sorted(&reference.leaked_items) {
        return None;
    }
    Some(Disagreement {
        scenario_id: row.scenario_id.clone(),
        agent: row.agent.clone(),
        trace: row.trace.clone(),
        strict: row.leaked_items.clone(),
        reference: reference.leaked_items.clone(),
        utility,
    })
}

#[cfg(test)]
#[path = "analysis_tests.rs"]
mod tests;
