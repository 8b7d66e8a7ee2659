//! Figures computed without this library: `scripts/statistics_reference.py`.

use serde_json::Value;

use super::*;

fn figures(group: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../../tests/corpus/statistics.json")).unwrap();
    let cases = all[group].as_array().unwrap().clone();
    assert!(!cases.is_empty());
    cases
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn close(found: f64, expected: &Value, tolerance: f64, case: &Value) {
    assert!((found - number(expected)).abs() < tolerance, "{found} is not {expected} in {case}");
}

fn cluster(pair: &Value) -> Cluster {
    Cluster { numerator: number(&pair[0]), denominator: number(&pair[1]) }
}

#[test]
fn wilson_is_scipys() {
    for case in figures("wilson") {
        let interval = wilson(count(&case["successes"]), count(&case["n"])).unwrap();
        close(interval.low, &case["low"], 1e-9, &case);
        close(interval.high, &case["high"], 1e-9, &case);
    }
}

#[test]
fn mcnemar_is_scipys() {
    for case in figures("mcnemar") {
        let discordance =
            Discordance { only_first: count(&case["only_first"]), only_second: count(&case["only_second"]) };
        close(mcnemar_exact(discordance), &case["p"], 1e-9, &case);
    }
}

#[test]
fn holm_is_that_of_statsmodels() {
    for case in figures("holm") {
        let raw: Vec<f64> = case["raw"].as_array().unwrap().iter().map(number).collect();
        for (found, expected) in holm(&raw).into_iter().zip(case["adjusted"].as_array().unwrap()) {
            close(found, expected, 1e-12, &case);
        }
    }
}

#[test]
fn repeats_are_counted_as_by_listing_every_choice() {
    for case in figures("repeats") {
        let (n, leaks, k) = (count(&case["n"]), count(&case["leaks"]), count(&case["k"]));
        close(any_leak_at(n, leaks, k).unwrap(), &case["any"], 1e-12, &case);
        close(1.0 - never_leak(n, leaks, k).unwrap(), &case["any"], 1e-12, &case);
    }
}

#[test]
fn random_resamples_come_near_all_resamples() {
    for case in figures("bootstrap") {
        let clusters: Vec<Cluster> = case["clusters"].as_array().unwrap().iter().map(cluster).collect();
        let interval = ratio_interval(&clusters, Bootstrap::default()).unwrap();
        close(interval.low, &case["low"], 0.02, &case);
        close(interval.high, &case["high"], 0.02, &case);
    }
    for case in figures("paired") {
        let pair = |pair: &Value| PairedCluster { first: cluster(&pair[0]), second: cluster(&pair[1]) };
        let clusters: Vec<PairedCluster> = case["clusters"].as_array().unwrap().iter().map(pair).collect();
        let interval = paired_interval(&clusters, Bootstrap::default()).unwrap();
        close(interval.low, &case["low"], 0.02, &case);
        close(interval.high, &case["high"], 0.02, &case);
    }
}

#[test]
fn the_smallest_difference_is_that_of_scipys_root_finder() {
    for case in figures("power") {
        let plan = PairedPlan {
            pairs: count(&case["pairs"]),
            discordant: number(&case["discordant"]),
            design_effect: number(&case["design_effect"]),
            level: 0.05,
            power: 0.8,
        };
        close(minimum_detectable(plan).unwrap(), &case["difference"], 1e-9, &case);
    }
}

#[test]
fn the_design_effect_is_that_of_the_analysis_of_variance() {
    for case in figures("design_effect") {
        let families: Vec<Vec<f64>> = case["families"]
            .as_array()
            .unwrap()
            .iter()
            .map(|family| family.as_array().unwrap().iter().map(number).collect())
            .collect();
        let clusters: Vec<Cluster> = families
            .iter()
            .map(|family| Cluster { numerator: family.iter().sum(), denominator: family.len() as f64 })
            .collect();
        let squares = families.iter().flatten().map(|value| value * value).sum();
        close(design_effect(&clusters, squares), &case["effect"], 1e-9, &case);
    }
}
