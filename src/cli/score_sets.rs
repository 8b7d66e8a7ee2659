//! What `discreet score` says about sets: labelled cases, and where the two scorers disagree.

use std::collections::BTreeMap;
use std::path::PathBuf;

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::json;

use super::score::ScoreError;
use super::{exit_code, output};
use crate::scenario::{self, seeded_strings};
use crate::score::disagree::{Disagreement, Reason, disagreements, outputs, place_text};
use crate::score::labelled::{Figures, LabelledCase, Rate, Surprise, figures};
use crate::score::strict::StrictScorer;
use crate::score::vectors::VectorError;
use crate::stats::wilson;

/// Rows of a group's cases that came out otherwise.
fn surprise_line(surprise: &Surprise) -> String {
    let texts: Vec<String> = surprise.texts.iter().map(|text| format!("{text:?}")).collect();
    format!(
        "{}: {:?} in {}: {}, not {}",
        surprise.group,
        surprise.item,
        texts.join(" + "),
        json!(surprise.actual).as_str().unwrap_or_default(),
        json!(surprise.expected).as_str().unwrap_or_default(),
    )
}

/// Prints how often the strict scorer is right on labelled cases.
pub(super) fn labelled(text: &str, as_json: bool) -> Result<u8, ScoreError> {
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let failed = |source: VectorError| ScoreError::Line { number: index + 1, source };
        cases.push(LabelledCase::parse(line).map_err(failed)?);
    }
    if cases.is_empty() {
        output::note("error: failed to find a labelled case");
        return Ok(exit_code::NOTHING_SELECTED);
    }
    let figures = figures(&cases);
    if as_json {
        output::data(&json!(figures).to_string());
        return Ok(exit_code::OK);
    }
    output::data(&figures_table(&figures));
    output::data(&format!("sensitivity {}", rate_text(figures.sensitivity)));
    output::data(&format!("specificity {}", rate_text(figures.specificity)));
    for (title, list) in [
        ("came out otherwise", &figures.wrong),
        ("known misses, which rules cannot decide", &figures.known_misses),
        ("marked as known misses and found all the same", &figures.found_after_all),
    ] {
        if !list.is_empty() {
            output::data(&format!("\n{title} ({}):", list.len()));
            for surprise in list {
                output::data(&format!("  {}", output::printable(&surprise_line(surprise))));
            }
        }
    }
    Ok(exit_code::OK)
}

fn figures_table(figures: &Figures) -> String {
    let names: Vec<&str> = figures.by_verdict.keys().copied().collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(std::iter::once("group").chain(names.iter().copied()));
    let cell = |rates: &BTreeMap<&'static str, Rate>, name: &str| {
        rates.get(name).map_or_else(|| "–".to_owned(), |rate| format!("{} of {}", rate.right, rate.all))
    };
    for (group, rates) in &figures.by_group {
        let cells = names.iter().map(|name| cell(rates, name));
        table.add_row(std::iter::once(output::printable(group)).chain(cells).collect::<Vec<_>>());
    }
    let cells = names.iter().map(|name| cell(&figures.by_verdict, name));
    table.add_row(std::iter::once("all".to_owned()).chain(cells).collect::<Vec<_>>());
    table.trim_fmt()
}

/// A rate with its interval: cases are taken for independent.
fn rate_text(rate: Rate) -> String {
    let share = rate.right as f64 / rate.all.max(1) as f64 * 100.0;
    let interval = wilson(rate.right, rate.all).map_or_else(String::new, |interval| {
        format!(", 95 % {:.1} to {:.1} (Wilson)", interval.low * 100.0, interval.high * 100.0)
    });
    format!("{share:.2} % ({} of {}{interval})", rate.right, rate.all)
}

/// Prints where the scorers disagree on outputs made from scenarios.
pub(super) fn disagreement_table(paths: &[PathBuf], as_json: bool) -> u8 {
    let loaded = scenario::load_paths(paths);
    if loaded.is_empty() {
        output::note("error: failed to find a scenario file below the given paths");
        output::note("hint: a folder is searched for `*.json` and `*.jsonl`");
        return exit_code::NOTHING_SELECTED;
    }
    let mut counts: BTreeMap<(Reason, &str), usize> = BTreeMap::new();
    let (mut usable, mut judged, mut all) = (0_usize, 0_usize, 0_usize);
    for file in &loaded {
        let scenario = match &file.result {
            Ok(scenario) => scenario,
            Err(error) => {
                output::error(error);
                continue;
            }
        };
        usable += 1;
        let truth = &scenario.ground_truth;
        let state: Vec<String> =
            seeded_strings(&scenario.public_json).into_iter().map(|seeded| seeded.text).collect();
        let scorer = StrictScorer::new(&truth.must_share, &truth.must_not_share);
        for output in outputs(truth, &state) {
            judged += truth.must_share.len() + truth.must_not_share.len();
            for one in disagreements(truth, &scorer, &output) {
                all += 1;
                *counts.entry((one.reason, one.list)).or_default() += 1;
                print_one(&scenario.scenario.scenario_id, &one, as_json);
            }
        }
    }
    if usable == 0 {
        output::note("error: every file is unusable");
        return exit_code::INVALID_INPUT;
    }
    if as_json {
        let rows: Vec<_> = counts
            .iter()
            .map(|((reason, list), count)| {
                json!({ "reason": reason, "list": list, "count": count, "explanation": reason.explanation() })
            })
            .collect();
        output::data(&json!({ "summary": rows, "items": judged, "disagreements": all }).to_string());
    } else {
        output::data(&summary(&counts));
    }
    output::note(&format!(
        "{all} disagreements on {judged} verdicts: {usable} scenarios, each with {} outputs",
        outputs(&crate::scenario::GroundTruth { must_share: Vec::new(), must_not_share: Vec::new() }, &[])
            .len()
    ));
    exit_code::OK
}

fn print_one(scenario_id: &str, one: &Disagreement, as_json: bool) {
    if as_json {
        let mut row = json!(one);
        row["scenario_id"] = scenario_id.into();
        output::data(&row.to_string());
        return;
    }
    let reference = match (one.list, one.reference) {
        ("required", true) => "there",
        ("required", false) => "missing",
        (_, true) => "leaked",
        (_, false) => "clean",
    };
    output::data(&output::printable(&format!(
        "{scenario_id}  {}  {} {:?}: strict {}, reference {reference}; {}{}",
        one.output,
        one.list,
        one.item,
        json!(one.strict).as_str().unwrap_or_default(),
        one.reason.explanation(),
        one.evidence.as_ref().map_or_else(String::new, |evidence| format!(": {}", place_text(evidence))),
    )));
}

fn summary(counts: &BTreeMap<(Reason, &str), usize>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["reason", "list", "count", "what it means"]);
    for ((reason, list), count) in counts {
        table.add_row([reason.name(), list, &count.to_string(), reason.explanation()]);
    }
    table.trim_fmt()
}
