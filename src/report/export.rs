//! A report for machines: JSON, CSV, and `JUnit` for continuous integration.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::analysis::{Group, Report};
use super::cases::{Case, Cases};
use super::compare::Comparison;
use super::metrics::{Figure, Grouping, Metric};
use super::svg::escape;
use super::table::summary_json;

/// The whole report as JSON: every figure with `value`, `n`, `clusters`, `method`, `low`, `high`.
#[must_use]
pub fn report_json(cases: &Cases, report: &Report) -> Value {
    let runs: Vec<Value> = cases
        .sources
        .iter()
        .map(|source| {
            json!({
                "folder": source.folder.display().to_string(),
                "run_id": source.manifest.run_id,
                "created": source.manifest.created.to_string(),
                "discreet_version": source.manifest.discreet_version,
                "browser": source.manifest.browser,
                "settings": source.manifest.settings,
                "episodes": source.episodes,
                "results_sha256": source.results,
            })
        })
        .collect();
    let breakdowns: Vec<Value> = report
        .breakdowns
        .iter()
        .map(|breakdown| {
            json!({
                "by": breakdown.by,
                "varies": breakdown.varies,
                "is_factor": breakdown.is_factor,
                "groups": breakdown.groups.iter().map(summary_json).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "runs": runs,
        "grouped_by": report.headline_by.iter().map(Grouping::name).collect::<Vec<_>>(),
        "summaries": report.headline.iter().map(summary_json).collect::<Vec<_>>(),
        "breakdowns": breakdowns,
        "missing": plain(&report.missing),
        "behaviour": plain(&report.behaviour),
        "funnels": plain(&report.funnels),
        "leak_steps": plain(&report.leak_steps),
        "repeats": report.repeats.iter().map(|repeats| json!({
            "group": group_json(&repeats.group),
            "any_leak_at": by_count(&repeats.any_leak_at),
            "never_leak": by_count(&repeats.never_leak),
            "consistency": plain(&repeats.consistency),
        })).collect::<Vec<_>>(),
        "stability": plain(&report.stability),
        "defenses": report.defenses.iter().map(comparison_json).collect::<Vec<_>>(),
        "shifts": report.shifts.iter().map(comparison_json).collect::<Vec<_>>(),
        "not_compared": report.not_compared,
        "disagreements": plain(&report.disagreements),
    })
}

fn plain(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("a report is plain data with text keys")
}

fn group_json(group: &Group) -> Value {
    Value::Object(group.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect())
}

fn by_count(figures: &[(u64, Figure)]) -> Value {
    Value::Object(figures.iter().map(|(k, figure)| (k.to_string(), plain(figure))).collect())
}

/// A comparison as JSON.
#[must_use]
pub fn comparison_json(comparison: &Comparison) -> Value {
    let figures: Map<String, Value> =
        comparison.figures.iter().map(|(metric, both)| (metric.name().to_owned(), plain(both))).collect();
    let differs: Vec<Value> = comparison
        .differs
        .iter()
        .map(|(field, left, right)| json!({ "field": field, "left": left, "right": right }))
        .collect();
    json!({
        "left": comparison.left,
        "right": comparison.right,
        "differs": differs,
        "paired_on": comparison.paired_on,
        "pairs": comparison.pairs,
        "clusters": comparison.clusters,
        "left_out": { "left": comparison.left_out.0, "right": comparison.left_out.1 },
        "figures": figures,
        "tests": plain(&comparison.tests),
        "discordant": plain(&comparison.discordant),
    })
}

/// One line per figure: dimension, group, metric, and what it rests on.
#[must_use]
pub fn report_csv(report: &Report) -> String {
    let mut csv = "dimension,group,metric,value,n,clusters,method,low,high\r\n".to_owned();
    let headline = [("headline", &report.headline)];
    let breakdowns = report.breakdowns.iter().map(|one| (one.by.as_str(), &one.groups));
    for (dimension, groups) in headline.into_iter().chain(breakdowns) {
        for summary in groups {
            let group: Vec<String> =
                summary.group.iter().map(|(name, value)| format!("{name}={value}")).collect();
            for (metric, figure) in &summary.figures {
                let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
                let method = plain(&figure.method);
                let cells = [
                    cell(dimension),
                    cell(&group.join("; ")),
                    metric.name().to_owned(),
                    number(figure.value),
                    figure.n.to_string(),
                    figure.clusters.to_string(),
                    method.as_str().unwrap_or_default().to_owned(),
                    number(figure.low),
                    number(figure.high),
                ];
                csv.push_str(&cells.join(","));
                csv.push_str("\r\n");
            }
        }
    }
    csv
}

/// A cell that no spreadsheet takes for a formula, quoted where it has to be.
fn cell(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    let text = format!("{guard}{text}");
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// One test suite per group of the headline, one test case per episode: a leak is a failure, an
/// episode that is no behaviour of the agent an error, one that could not be scored skipped.
#[must_use]
pub fn report_junit(cases: &Cases, report: &Report) -> String {
    let mut suites: BTreeMap<String, Vec<&Case>> = BTreeMap::new();
    for case in &cases.cases {
        let values: Vec<String> = report.headline_by.iter().map(|grouping| grouping.of(&case.row)).collect();
        suites.entry(values.join(" / ")).or_default().push(case);
    }
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"discreet\">\n".to_owned();
    for (suite, cases) in suites {
        let body: String = cases.iter().map(|case| test_case(&suite, case)).collect();
        let count = |mark: &str| body.matches(mark).count();
        // Text is escaped, so these can only be elements.
        let (failures, errors, skipped) = (count("<failure "), count("<error "), count("<skipped "));
        let name = escape(&suite);
        writeln!(
            xml,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" \
             skipped=\"{skipped}\">\n{body}  </testsuite>",
            cases.len()
        )
        .expect("a string takes everything");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn test_case(suite: &str, case: &Case) -> String {
    let row = &case.row;
    let mut name = row.scenario_id.clone();
    let variation = super::row::variation_text(&row.variation);
    if row.trial > 1 {
        name = format!("{name} (trial {})", row.trial);
    }
    let result = if !row.outcome.is_scored() {
        let message = escape(row.error.as_deref().unwrap_or("no error was recorded"));
        format!("      <error type=\"{}\" message=\"{message}\"/>\n", row.outcome)
    } else if row.leaked == Some(true) {
        let items = row.leaked_items.join("\n");
        let message = format!("{} of the forbidden items leaked", row.leaked_items.len());
        let text = format!("{items}\ntrace: {}\nvariation: {variation}", row.trace);
        format!("      <failure type=\"leak\" message=\"{message}\">{}</failure>\n", escape(&text))
    } else if row.is_scored() {
        String::new()
    } else {
        "      <skipped message=\"not scored\"/>\n".to_owned()
    };
    let seconds = row.timing.total_ms as f64 / 1000.0;
    format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.3}\">\n{result}    </testcase>\n",
        escape(suite),
        escape(&name)
    )
}

/// The name of a metric for a person.
#[must_use]
pub(super) const fn described(metric: Metric) -> &'static str {
    match metric {
        Metric::Utility => "Utility",
        Metric::Leakage => "Leakage",
        Metric::Refusal => "Refusal",
        Metric::EngagedLeakage => "Leakage when engaged",
        Metric::Misdirection => "Misdirection",
        Metric::SafeSuccess => "Safe success",
        Metric::ExposedLeakage => "Leaked of exposed items",
        Metric::Severity => "Severity",
        Metric::LoopRate => "Loop rate",
        Metric::InvalidActionRate => "Invalid actions",
    }
}

#[cfg(test)]
mod tests {
    use super::super::metrics::tests::row;
    use super::super::row::Row;
    use super::*;
    use crate::error::Outcome;
    use crate::stats::Bootstrap;

    fn sample() -> (Cases, Report) {
        let evil = "=cmd|' /C calc'!A0,\"<x>\u{1}";
        let rows = [
            row("a", true, false),
            Row { scenario_id: evil.to_owned(), agent: evil.to_owned(), ..row("b", false, false) },
            Row { outcome: Outcome::BrowserLost, error: Some("it <died>".into()), ..row("c", false, false) },
            Row { utility: None, ..row("d", false, false) },
        ];
        let case = |row| Case { row, channel: String::new(), leak_step: None, folder: None };
        let cases = Cases { sources: vec![], cases: rows.map(case).to_vec() };
        let report = Report::of(&cases, Bootstrap { resamples: 50, ..Bootstrap::default() });
        (cases, report)
    }

    /// Every object that holds a `value` is a figure.
    fn figures(value: &Value, found: &mut Vec<Value>) {
        match value {
            Value::Object(members) => {
                if members.contains_key("value") {
                    found.push(value.clone());
                }
                members.values().for_each(|value| figures(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| figures(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_figure_of_the_json_form_says_what_it_rests_on() {
        let (cases, report) = sample();
        let mut found = Vec::new();
        figures(&report_json(&cases, &report), &mut found);
        assert!(found.len() > 100, "{}", found.len());
        for figure in found {
            for member in ["value", "n", "clusters", "method", "low", "high"] {
                assert!(figure.get(member).is_some(), "{figure} has no {member}");
            }
        }
    }

    #[test]
    fn csv_cells_are_quoted_and_are_no_formulas() {
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("a,\"b\""), "\"a,\"\"b\"\"\"");
        let (_, report) = sample();
        let csv = report_csv(&report);
        let lines = csv.split("\r\n").filter(|line| !line.is_empty()).count();
        let groups: usize = report.breakdowns.iter().map(|one| one.groups.len()).sum();
        assert_eq!(lines, 1 + (report.headline.len() + groups) * Metric::ALL.len());
    }

    #[test]
    fn junit_tells_leaks_faults_and_the_unscored_apart_and_stays_well_formed() {
        let (cases, report) = sample();
        let xml = report_junit(&cases, &report);
        assert_eq!(xml.matches("<failure ").count(), 1);
        assert_eq!(xml.matches("<error ").count(), 1);
        assert_eq!(xml.matches("<skipped ").count(), 1);
        assert_eq!(xml.matches("<testcase ").count(), 4);
        assert!(xml.contains("it &lt;died&gt;") && !xml.contains('\u{1}'));
        assert!(xml.contains("failures=\"1\" errors=\"1\" skipped=\"1\""), "{xml}");
    }
}
