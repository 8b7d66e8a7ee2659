//! From a report to the values of its template.

use base64::Engine as _;
use minijinja::value::Serde;
use minijinja::{Environment, Value as Shown, context};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::report::analysis::Report;
use crate::report::cases::Cases;
use crate::report::compare::Comparison;
use crate::report::export::{comparison_json, described};
use crate::report::metrics::{Metric, Summary};
use crate::report::plots::{self, label};
use crate::report::style;
use crate::report::table::{COLUMNS, CellText, FURTHER, cell_text, percent, value_text};
use crate::report::text::{change, is_headline, probability, share};

/// A report could not be written as HTML: a fault of its template.
#[derive(Debug, thiserror::Error)]
#[error("write the report as HTML")]
pub struct HtmlError(#[from] minijinja::Error);

impl crate::error::Explain for HtmlError {
    fn fault(&self) -> crate::error::Fault {
        crate::error::Fault::Harness
    }
}

/// The templates with the style, whose hash the page's policy names.
fn environment() -> Result<Environment<'static>, HtmlError> {
    let mut environment = Environment::new();
    environment.add_template("parts.html", include_str!("parts.html"))?;
    environment.add_template("frame.html", include_str!("frame.html"))?;
    environment.add_template("report.html", include_str!("report.html"))?;
    environment.add_template("compare.html", include_str!("compare.html"))?;
    let style = format!("{}{}", style::tokens(), include_str!("report.css"));
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(style.as_bytes()));
    environment.add_global("style_hash", format!("sha256-{hash}"));
    environment.add_global("style", Shown::from_safe_string(style));
    environment.add_global("version", env!("CARGO_PKG_VERSION"));
    Ok(environment)
}

/// Values for a template, which escapes every text among them.
fn values(value: &impl serde::Serialize) -> Shown {
    Shown::from(Serde(value))
}

/// A report as one HTML file.
///
/// # Errors
/// [`HtmlError`], which a test rules out for any runs.
pub fn report_html(cases: &Cases, report: &Report) -> Result<String, HtmlError> {
    let environment = environment()?;
    let draw = |drawing: String| Shown::from_safe_string(drawing);
    let modes = report.breakdowns.iter().find(|breakdown| breakdown.by == "failure_mode");
    let modes = modes.map(|breakdown| breakdown.groups.as_slice()).unwrap_or_default();
    let shown: Vec<Value> = report
        .breakdowns
        .iter()
        .filter(|one| one.varies && !is_headline(report, &one.by))
        .map(|one| json!({ "name": one.by.replace('_', " "), "table": table(&one.groups, &Metric::ALL) }))
        .collect();
    let same: Vec<String> = report
        .breakdowns
        .iter()
        .filter(|one| !one.varies)
        .filter_map(|one| {
            let value = one.groups.first()?.group.iter().find(|(name, _)| *name == one.by)?;
            Some(format!("{} {}", one.by.replace('_', " "), value.1))
        })
        .collect();
    let missing: Vec<Value> = report
        .missing
        .iter()
        .filter(|one| one.unscored > 0)
        .map(|one| {
            json!({
                "name": label(&one.group), "episodes": one.episodes, "unscored": one.unscored,
                "low": percent(one.low), "high": percent(one.high),
            })
        })
        .collect();
    let repeats: Vec<Value> = report
        .repeats
        .iter()
        .map(|one| {
            let pairs = one.any_leak_at.iter().zip(&one.never_leak);
            let rows: Vec<Value> = pairs
                .map(|((k, any), (_, never))| json!({ "k": k, "any": share(any), "never": share(never) }))
                .collect();
            json!({ "name": label(&one.group), "consistency": share(&one.consistency), "rows": rows })
        })
        .collect();
    let stability: Vec<Value> = report
        .stability
        .iter()
        .map(|one| {
            let name = if one.factor == "repeat" { "nothing: mere repeats" } else { &one.factor };
            json!({ "name": name, "share": share(&one.differ) })
        })
        .collect();
    let disagreements: Vec<Value> = report
        .disagreements
        .iter()
        .map(|one| {
            json!({
                "scenario_id": one.scenario_id, "agent": one.agent, "trace": one.trace,
                "strict": one.strict, "reference": one.reference,
                "utility": one.utility.map(|(strict, reference)| format!("strict {strict}, reference {reference}")),
            })
        })
        .collect();
    let runs: Vec<Value> = cases
        .sources
        .iter()
        .map(|source| {
            json!({
                "run_id": source.manifest.run_id,
                "folder": source.folder.display().to_string(),
                "created": source.manifest.created.strftime("%Y-%m-%d %H:%M UTC").to_string(),
                "browser": source.manifest.browser.as_deref().unwrap_or("no browser"),
                "episodes": source.episodes,
                "results": source.results,
            })
        })
        .collect();
    Ok(environment.get_template("report.html")?.render(context! {
        title => "Leakage report",
        episodes => cases.cases.len(),
        runs => values(&runs),
        tiles => values(&report.headline.iter().map(tile).collect::<Vec<_>>()),
        headline => values(&table(&report.headline, &COLUMNS)),
        further => values(&table(&report.headline, &FURTHER)),
        missing => values(&missing),
        plots => context! {
            quadrants => draw(plots::quadrants(&report.headline)),
            behaviours => draw(plots::behaviours(&report.behaviour)),
            modes => draw(plots::bars("Leakage by failure mode", Metric::Leakage, modes)),
            funnels => draw(plots::funnels(&report.funnels)),
            steps => draw(plots::leak_steps(&report.leak_steps)),
            defenses => draw(plots::defense_effects(&report.defenses)),
        },
        defenses => values(&report.defenses.iter().map(comparison).collect::<Vec<_>>()),
        shifts => values(&report.shifts.iter().map(comparison).collect::<Vec<_>>()),
        not_compared => values(&report.not_compared),
        repeats => values(&repeats),
        stability => values(&stability),
        breakdowns => values(&shown),
        same => values(&same),
        disagreements => values(&disagreements),
    })?)
}

/// A comparison as one HTML file.
///
/// # Errors
/// [`HtmlError`], which a test rules out for any runs.
pub fn comparison_html(one: &Comparison) -> Result<String, HtmlError> {
    let environment = environment()?;
    let title = format!("{} against {}", one.left, one.right);
    Ok(environment
        .get_template("compare.html")?
        .render(context! { title, one => values(&comparison(one)) })?)
}

/// The two figures that matter most, and what masks them.
fn tile(summary: &Summary) -> Value {
    let value = |metric: Metric| value_text(metric, summary.figure(metric).and_then(|figure| figure.value));
    let refusal = summary.figure(Metric::Refusal).and_then(|figure| figure.value).unwrap_or_default();
    let sentence = if summary.scored == 0 {
        "No episode could be scored.".to_owned()
    } else if refusal >= 0.995 {
        "It refused every time, so it had no chance to leak.".to_owned()
    } else if refusal > 0.0 {
        format!("Refused {}; of the rest {} leaked.", value(Metric::Refusal), value(Metric::EngagedLeakage))
    } else {
        "Never refused.".to_owned()
    };
    let sentence = format!("{sentence} n {} of {} families.", summary.scored, summary.clusters);
    json!({
        "name": label(&summary.group),
        "utility": value(Metric::Utility),
        "leakage": value(Metric::Leakage),
        "sentence": sentence,
    })
}

/// A table of figures, ready to be shown.
fn table(summaries: &[Summary], metrics: &[Metric]) -> Value {
    let names: Vec<String> = summaries
        .first()
        .map(|first| first.group.iter().map(|(name, _)| name.replace('_', " ")).collect())
        .unwrap_or_default();
    let rows: Vec<Value> = summaries
        .iter()
        .map(|summary| {
            let cells: Vec<Value> = metrics.iter().map(|metric| figure_cell(*metric, summary)).collect();
            json!({
                "group": summary.group.iter().map(|(_, value)| value).collect::<Vec<_>>(),
                "scored": summary.scored,
                "clusters": summary.clusters,
                "unscored": summary.episodes - summary.scored,
                "cells": cells,
            })
        })
        .collect();
    let metrics: Vec<&str> = metrics.iter().map(|metric| metric.symbol()).collect();
    json!({ "names": names, "metrics": metrics, "rows": rows })
}

fn figure_cell(metric: Metric, summary: &Summary) -> Value {
    let CellText { value, interval, n } = cell_text(metric, summary);
    json!({ "value": value, "interval": interval, "n": n })
}

/// A metric in words, with its symbol where that is something else.
fn metric_name(metric: Metric) -> String {
    let (words, symbol) = (described(metric), metric.symbol());
    if words.eq_ignore_ascii_case(symbol) { words.to_owned() } else { format!("{words} ({symbol})") }
}

/// A comparison, ready to be shown.
fn comparison(one: &Comparison) -> Value {
    let mut value = comparison_json(one);
    let rows: Vec<Value> = one
        .figures
        .iter()
        .map(|(metric, both)| {
            json!({
                "name": metric_name(*metric),
                "left": value_text(*metric, both.left.value),
                "right": value_text(*metric, both.right.value),
                "difference": change(&both.difference, metric.is_share()),
            })
        })
        .collect();
    let tests: Vec<Value> = one
        .tests
        .iter()
        .map(|test| {
            json!({
                "property": test.property, "both": test.both, "only_left": test.only_left,
                "only_right": test.only_right, "neither": test.neither,
                "p": probability(test.p), "p_holm": probability(test.p_holm),
                "detectable": test.minimum_detectable
                    .map_or_else(|| "none".to_owned(), |share| format!("{:.0} points", share * 100.0)),
            })
        })
        .collect();
    let discordant: Vec<Value> = one
        .discordant
        .iter()
        .map(|pair| {
            let is_left = pair.leaked_on == "left";
            json!({
                "scenario_id": pair.scenario_id,
                "side": if is_left { &one.left } else { &one.right },
                "items": if is_left { pair.left_items.join("; ") } else { pair.right_items.join("; ") },
                "left_trace": pair.left_trace,
                "right_trace": pair.right_trace,
            })
        })
        .collect();
    value["rows"] = rows.into();
    value["tests"] = tests.into();
    value["discordant"] = discordant.into();
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::analysis::Report;
    use crate::report::cases::Case;
    use crate::report::compare::{Side, compare};
    use crate::report::metrics::tests::row;
    use crate::report::row::Row;
    use crate::stats::Bootstrap;

    const EVIL: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7 * 7 }}";

    fn case(row: Row) -> Case {
        Case { row, channel: EVIL.to_owned(), leak_step: Some(2), folder: None }
    }

    fn hostile(mode: &str, leaked: bool) -> Row {
        Row {
            agent: EVIL.into(),
            scenario_id: EVIL.into(),
            failure_mode: EVIL.into(),
            defense: if leaked { EVIL.into() } else { "none".into() },
            trace: EVIL.into(),
            leaked_items: if leaked { vec![EVIL.into()] } else { vec![] },
            variation: [(EVIL.to_owned(), EVIL.into())].into(),
            mode: mode.into(),
            ..row(EVIL, leaked, false)
        }
    }

    fn bootstrap() -> Bootstrap {
        Bootstrap { resamples: 50, ..Bootstrap::default() }
    }

    #[test]
    fn nothing_from_outside_becomes_markup() {
        let rows = [hostile("state", false), hostile("e2e", true), hostile("e2e", false)];
        let cases = Cases { sources: vec![], cases: rows.clone().map(case).to_vec() };
        let html = report_html(&cases, &Report::of(&cases, bootstrap())).unwrap();
        let side = |row: &Row| Side { label: EVIL.to_owned(), rows: vec![row.clone()] };
        let compared = compare(side(&rows[0]), side(&rows[1]), bootstrap()).unwrap();
        for html in [html, comparison_html(&compared).unwrap()] {
            assert!(html.contains("&lt;script&gt;"), "it is shown");
            assert!(!html.contains("<script") && !html.contains("<img"), "and is no markup");
            assert!(html.contains("{{ 7 * 7 }}"), "and is no template");
            assert!(html.contains("default-src &#x27;none&#x27;") || html.contains("default-src 'none'"));
            assert!(!html.contains("http://") && !html.contains("https://"), "and asks for nothing");
        }
    }

    #[test]
    fn a_report_of_nothing_says_so() {
        let cases = Cases::default();
        let html = report_html(&cases, &Report::of(&cases, bootstrap())).unwrap();
        assert!(html.contains("No episodes") && html.contains("Nothing leaked."));
    }
}
