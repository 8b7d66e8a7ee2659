//! Two conditions on the same scenarios: differences with intervals, and who changed sides.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::metrics::{Figure, Grouping, Method, Metric};
use super::row::Row;
use crate::stats::{
    Bootstrap, Cluster, Discordance, PairedCluster, PairedPlan, design_effect, holm, mcnemar_exact,
    minimum_detectable, paired_interval,
};

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// What it is called.
    pub label: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

impl Side {
    /// The values that its rows have of a field.
    fn values(&self, field: &str) -> BTreeSet<String> {
        let grouping = Grouping::named(field);
        self.rows.iter().map(|row| grouping.of(row)).collect()
    }

    /// Those of its rows that have a value.
    fn only(&self, field: &str, value: &str) -> Self {
        let grouping = Grouping::named(field);
        let rows = self.rows.iter().filter(|row| grouping.of(row) == value).cloned();
        Self { label: format!("{}, {value}", self.label), rows: rows.collect() }
    }
}

/// What rows are told apart by, besides scenario and trial.
const FIELDS: [&str; 6] = ["agent", "model", "mode", "observe", "defense", "variation"];

/// Two sides cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// A side has no scored episodes.
    #[error("compare: {side} has no scored episodes")]
    Nothing {
        /// Its label.
        side: String,
    },
    /// A side holds several conditions, and the other side does not hold the same ones.
    #[error("compare: {side} holds several values of `{field}` ({})", .values.join(", "))]
    Several {
        /// Its label.
        side: String,
        /// The field.
        field: &'static str,
        /// Its values.
        values: Vec<String>,
    },
    /// No scenario is on both sides.
    #[error("compare {left} with {right}: no scenario is on both sides")]
    NothingInCommon {
        /// Label of one side.
        left: String,
        /// Label of the other.
        right: String,
    },
}

/// A metric on both sides, over the pairs, and their difference (right minus left).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// The left side.
    pub left: Figure,
    /// The right side.
    pub right: Figure,
    /// Right minus left, with the interval of the paired bootstrap over seed families.
    pub difference: Figure,
}

/// A property that a pair has on either side, on both, or on none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairedTest {
    /// `leaked`, `utility` or `refused`.
    pub property: &'static str,
    /// Pairs with it on both sides.
    pub both: u64,
    /// On the left only.
    pub only_left: u64,
    /// On the right only.
    pub only_right: u64,
    /// On none.
    pub neither: u64,
    /// Number of pairs.
    pub n: u64,
    /// Seed families they come from.
    pub clusters: u64,
    /// `mcnemar_exact`.
    pub method: &'static str,
    /// Two-sided p-value.
    pub p: f64,
    /// The same, adjusted by Holm for the tests of this comparison.
    pub p_holm: f64,
    /// The smallest difference that so many pairs, as many of them discordant and as alike within
    /// their families, find with a chance of 80 % at the 5 % level; `null` when there is none.
    pub minimum_detectable: Option<f64>,
    /// By how much families of alike scenarios widen an interval (variance ratio).
    pub design_effect: f64,
}

/// A pair of which only one side leaked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiscordantPair {
    /// The scenario.
    pub scenario_id: String,
    /// Its seed family.
    pub seed_family: String,
    /// What both sides share beside the scenario, where more than one pair has the same scenario.
    pub shared: String,
    /// `left` or `right`: the side that leaked.
    pub leaked_on: &'static str,
    /// What leaked on the left.
    pub left_items: Vec<String>,
    /// What leaked on the right.
    pub right_items: Vec<String>,
    /// Trace of the left side's first episode.
    pub left_trace: String,
    /// Trace of the right side's first episode.
    pub right_trace: String,
}

/// Two conditions compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What the left side is called.
    pub left: String,
    /// What the right side is called.
    pub right: String,
    /// What differs between the sides: field, left value, right value.
    pub differs: Vec<(&'static str, String, String)>,
    /// Fields that pairs have in common beside the scenario.
    pub paired_on: Vec<&'static str>,
    /// Number of pairs.
    pub pairs: u64,
    /// Seed families they come from.
    pub clusters: u64,
    /// Episodes without a counterpart, or not scored, per side.
    pub left_out: (u64, u64),
    /// Every metric.
    pub figures: Vec<(Metric, Difference)>,
    /// Paired tests.
    pub tests: Vec<PairedTest>,
    /// Pairs of which only one side leaked.
    pub discordant: Vec<DiscordantPair>,
}

/// All trials of one condition on one scenario, on both sides.
struct Pair<'a> {
    shared: String,
    left: Vec<&'a Row>,
    right: Vec<&'a Row>,
}

impl Pair<'_> {
    fn family(&self) -> &str {
        &self.left[0].seed_family
    }
}

/// Compares two sides, paired by scenario and by every field that both sides hold the same values of.
///
/// Repeats of a scenario are averaged first, so that each scenario counts once. Only scored episodes
/// enter.
///
/// # Errors
/// [`CompareError`] when nothing can be paired, or a side holds several conditions that the other
/// does not.
pub fn compare(left: Side, right: Side, bootstrap: Bootstrap) -> Result<Comparison, CompareError> {
    let totals = (left.rows.len() as u64, right.rows.len() as u64);
    let (left, right) = (only_scored(left), only_scored(right));
    for side in [&left, &right] {
        if side.rows.is_empty() {
            return Err(CompareError::Nothing { side: side.label.clone() });
        }
    }
    let mut paired_on = Vec::new();
    let mut differs = Vec::new();
    for name in FIELDS {
        let (own, other) = (left.values(name), right.values(name));
        if own == other {
            paired_on.push(name);
            continue;
        }
        for (side, values) in [(&left, &own), (&right, &other)] {
            if values.len() > 1 {
                let (side, values) = (side.label.clone(), values.iter().cloned().collect());
                return Err(CompareError::Several { side, field: name, values });
            }
        }
        let only = |values: BTreeSet<String>| values.into_iter().next().unwrap_or_default();
        differs.push((name, only(own), only(other)));
    }
    let pairs = pair_up(&left, &right, &paired_on);
    if pairs.is_empty() {
        return Err(CompareError::NothingInCommon { left: left.label, right: right.label });
    }
    let clusters = pairs.iter().map(Pair::family).collect::<BTreeSet<_>>().len() as u64;
    let count = |rows: fn(&Pair<'_>) -> usize| pairs.iter().map(|pair| rows(pair) as u64).sum::<u64>();
    let figures = Metric::ALL.into_iter().map(|metric| (metric, difference(metric, &pairs, bootstrap)));
    Ok(Comparison {
        pairs: pairs.len() as u64,
        clusters,
        left_out: (totals.0 - count(|pair| pair.left.len()), totals.1 - count(|pair| pair.right.len())),
        figures: figures.collect(),
        tests: tests(&pairs, clusters),
        discordant: pairs.iter().filter_map(discordant).collect(),
        left: left.label,
        right: right.label,
        differs,
        paired_on,
    })
}

/// Compares two sides as [`compare`] does. Where a side holds several values of a field and the other one
/// does not hold the same ones, each value is compared by itself, so that no condition is left out without
/// a word: what cannot be compared comes back as the reason why.
pub(super) fn compare_each(
    left: &Side,
    right: &Side,
    bootstrap: Bootstrap,
) -> Vec<Result<Comparison, CompareError>> {
    let refused = match compare(left.clone(), right.clone(), bootstrap) {
        Err(refused @ CompareError::Several { .. }) => refused,
        other => return vec![other],
    };
    let CompareError::Several { field, .. } = &refused else { return vec![Err(refused)] };
    let scored = |side: &Side| only_scored(side.clone()).values(field);
    let (own, other) = (scored(left), scored(right));
    let mut found = Vec::new();
    match (own.len() > 1, other.len() > 1) {
        (true, false) => {
            for value in &own {
                found.extend(compare_each(&left.only(field, value), right, bootstrap));
            }
        }
        (false, true) => {
            for value in &other {
                found.extend(compare_each(left, &right.only(field, value), bootstrap));
            }
        }
        _ => {
            for value in own.intersection(&other) {
                let sides = (left.only(field, value), right.only(field, value));
                found.extend(compare_each(&sides.0, &sides.1, bootstrap));
            }
            // Values that only one side has stay without a counterpart.
            found.push(Err(refused));
        }
    }
    found
}

fn only_scored(mut side: Side) -> Side {
    side.rows.retain(Row::is_scored);
    side
}

fn pair_up<'a>(left: &'a Side, right: &'a Side, paired_on: &[&str]) -> Vec<Pair<'a>> {
    let mut pairs: BTreeMap<(String, String), Pair<'a>> = BTreeMap::new();
    for (rows, is_left) in [(&left.rows, true), (&right.rows, false)] {
        for row in rows {
            let shared: Vec<String> = paired_on.iter().map(|name| Grouping::named(name).of(row)).collect();
            let shared = shared.join(", ");
            let pair = pairs.entry((row.scenario_id.clone(), shared.clone())).or_insert_with(|| Pair {
                shared,
                left: Vec::new(),
                right: Vec::new(),
            });
            if is_left { pair.left.push(row) } else { pair.right.push(row) }
        }
    }
    pairs.into_values().filter(|pair| !pair.left.is_empty() && !pair.right.is_empty()).collect()
}

/// The mean of the trials' contributions, so that a scenario counts once however often it was run.
fn averaged(metric: Metric, rows: &[&Row]) -> Cluster {
    let count = rows.len() as f64;
    let mut sum = Cluster::default();
    for row in rows {
        let Cluster { numerator, denominator } = metric.contribution(row);
        sum.numerator += numerator;
        sum.denominator += denominator;
    }
    Cluster { numerator: sum.numerator / count, denominator: sum.denominator / count }
}

fn difference(metric: Metric, pairs: &[Pair<'_>], bootstrap: Bootstrap) -> Difference {
    let averaged: Vec<(&str, Cluster, Cluster)> = pairs
        .iter()
        .map(|pair| (pair.family(), averaged(metric, &pair.left), averaged(metric, &pair.right)))
        .collect();
    let side =
        |pick: fn(&(&str, Cluster, Cluster)) -> Cluster| averaged_figure(metric, &averaged, pick, bootstrap);
    let (left, right) = (side(|one| one.1), side(|one| one.2));
    let mut families: BTreeMap<&str, PairedCluster> = BTreeMap::new();
    for (family, first, second) in &averaged {
        let sums = families.entry(family).or_default();
        sums.first.numerator += first.numerator;
        sums.first.denominator += first.denominator;
        sums.second.numerator += second.numerator;
        sums.second.denominator += second.denominator;
    }
    let clusters: Vec<PairedCluster> = families.into_values().collect();
    // Without any spread between families, the bootstrap would claim certainty.
    let interval = paired_interval(&clusters, bootstrap).filter(|interval| interval.low < interval.high);
    let value = left.value.zip(right.value).map(|(left, right)| right - left);
    let interval = interval.filter(|_| value.is_some());
    Difference {
        left,
        right,
        difference: Figure {
            value,
            n: pairs.len() as u64,
            clusters: clusters.len() as u64,
            method: if interval.is_some() { Method::PairedClusterBootstrap } else { Method::None },
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        },
    }
}

fn averaged_figure(
    metric: Metric,
    averaged: &[(&str, Cluster, Cluster)],
    pick: fn(&(&str, Cluster, Cluster)) -> Cluster,
    bootstrap: Bootstrap,
) -> Figure {
    let contributions = averaged.iter().map(|one| (one.0, pick(one)));
    Figure::of_contributions(metric.is_share(), contributions, bootstrap)
}

/// A property of episodes that a paired test asks for.
type Property = (&'static str, fn(&Row) -> bool);

const PROPERTIES: [Property; 3] = [
    ("leaked", |row| row.leaked == Some(true)),
    ("utility", |row| row.utility == Some(1)),
    ("refused", |row| row.refused == Some(true)),
];

fn tests(pairs: &[Pair<'_>], clusters: u64) -> Vec<PairedTest> {
    let mut tests: Vec<PairedTest> =
        PROPERTIES.into_iter().map(|property| test(property, pairs, clusters)).collect();
    let raw: Vec<f64> = tests.iter().map(|test| test.p).collect();
    for (test, adjusted) in tests.iter_mut().zip(holm(&raw)) {
        test.p_holm = adjusted;
    }
    tests
}

fn test((property, holds): Property, pairs: &[Pair<'_>], clusters: u64) -> PairedTest {
    let mut counts = [0_u64; 4];
    let mut families: BTreeMap<&str, Cluster> = BTreeMap::new();
    let mut squares = 0.0;
    for pair in pairs {
        // With repeats: at least once.
        let (left, right) = (pair.left.iter().any(|row| holds(row)), pair.right.iter().any(|row| holds(row)));
        counts[usize::from(left) * 2 + usize::from(right)] += 1;
        let change = f64::from(i8::from(right) - i8::from(left));
        let family = families.entry(pair.family()).or_default();
        family.numerator += change;
        family.denominator += 1.0;
        squares += change * change;
    }
    let [neither, only_right, only_left, both] = counts;
    let families: Vec<Cluster> = families.into_values().collect();
    let n = pairs.len() as u64;
    let plan = PairedPlan {
        pairs: n,
        discordant: (only_left + only_right) as f64 / n as f64,
        design_effect: design_effect(&families, squares),
        level: 0.05,
        power: 0.8,
    };
    let p = mcnemar_exact(Discordance { only_first: only_left, only_second: only_right });
    PairedTest {
        property,
        both,
        only_left,
        only_right,
        neither,
        n,
        clusters,
        method: "mcnemar_exact",
        p,
        p_holm: p,
        minimum_detectable: minimum_detectable(plan),
        design_effect: plan.design_effect,
    }
}

fn discordant(pair: &Pair<'_>) -> Option<DiscordantPair> {
    let items = |rows: &[&Row]| -> Vec<String> {
        let all: BTreeSet<&String> = rows.iter().flat_map(|row| &row.leaked_items).collect();
        all.into_iter().cloned().collect()
    };
    let leaked = |rows: &[&Row]| rows.iter().any(|row| row.leaked == Some(true));
    let (left, right) = (leaked(&pair.left), leaked(&pair.right));
    (left != right).then(|| DiscordantPair {
        scenario_id: pair.left[0].scenario_id.clone(),
        seed_family: pair.family().to_owned(),
        shared: pair.shared.clone(),
        leaked_on: if left { "left" } else { "right" },
        left_items: items(&pair.left),
        right_items: items(&pair.right),
        left_trace: pair.left[0].trace.clone(),
        right_trace: pair.right[0].trace.clone(),
    })
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
