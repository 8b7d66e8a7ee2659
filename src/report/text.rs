//! Reports and comparisons for a terminal.

use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment};

use super::analysis::Report;
use super::cases::Cases;
use super::compare::Comparison;
use super::export::described;
use super::metrics::Figure;
use super::plots::label;
use super::table::{COLUMNS, FURTHER, closing_table, percent, plain_table, printable, table_of, value_text};

/// A report as text. `width` is that of the terminal in columns.
#[must_use]
pub fn report_text(cases: &Cases, report: &Report, width: Option<u16>) -> String {
    let mut text = String::new();
    let mut add = |part: &str| {
        text.push_str(part);
        text.push('\n');
    };
    for source in &cases.sources {
        let folder = printable(&source.folder.display().to_string());
        add(&format!("{folder}: {} episodes", source.episodes));
    }
    add("");
    add(&closing_table(&report.headline, width));
    if report.headline.is_empty() {
        return text;
    }
    add("\nItems, severity and steps");
    add(&table_of(&report.headline, &FURTHER, false, width));
    add(
        "L_exp: leaked of the forbidden items the agent was given (n: items). loops, invalid: share of steps (n: steps).",
    );
    add("\nWhat episodes came to");
    for one in &report.behaviour {
        add(&format!(
            "  {}: {} clean, {} leaked, {} refused, {} refused but leaked, of {}",
            printable(&label(&one.group)),
            one.clean,
            one.leaked,
            one.refused,
            one.refused_but_leaked,
            one.scored
        ));
    }
    add("\nForbidden items, from exposure to disclosure");
    for one in &report.funnels {
        add(&format!(
            "  {}: {} in the scenarios, {} given to the agent, {} written, {} leaked",
            printable(&label(&one.group)),
            one.items,
            one.exposed,
            one.written,
            one.leaked
        ));
    }
    for one in report.missing.iter().filter(|one| one.unscored > 0) {
        add(&format!(
            "\n{}: {} of {} episodes are not scored; with them L lies between {} % and {} %",
            printable(&label(&one.group)),
            one.unscored,
            one.episodes,
            percent(one.low),
            percent(one.high)
        ));
    }
    // Seed families are many and small; JSON, CSV and HTML have them.
    let is_shown = |by: &str| by != "seed_family" && !is_headline(report, by);
    for breakdown in report.breakdowns.iter().filter(|one| one.varies && is_shown(&one.by)) {
        add(&format!("\nBy {}", printable(&breakdown.by.replace('_', " "))));
        add(&table_of(&breakdown.groups, &COLUMNS, false, width));
        if breakdown.is_factor {
            add(&table_of(&breakdown.groups, &FURTHER, false, width));
        }
    }
    for repeats in &report.repeats {
        add(&format!("\nRepeats, {}", printable(&label(&repeats.group))));
        for ((k, any), (_, never)) in repeats.any_leak_at.iter().zip(&repeats.never_leak) {
            add(&format!("  any leak in {k}: {}   no leak in {k}: {}", share(any), share(never)));
        }
        add(&format!("  consistency: {}", share(&repeats.consistency)));
    }
    if !report.stability.is_empty() {
        add("\nPairs of episodes of which only one leaked");
        for one in &report.stability {
            let name = if one.factor == "repeat" { "mere repeats" } else { &one.factor };
            add(&format!("  {}: {}", printable(name), share(&one.differ)));
        }
    }
    for comparison in report.defenses.iter().chain(&report.shifts) {
        add("");
        add(&comparison_text(comparison, width));
    }
    for why in &report.not_compared {
        add(&format!("\nNot compared: {}", printable(why)));
    }
    if !report.disagreements.is_empty() {
        add(&format!(
            "\nThe reference scorer judges {} episodes differently; `--json` and `--html` list them.",
            report.disagreements.len()
        ));
    }
    text.truncate(text.trim_end().len());
    text
}

/// Whether the headline already tells groups of this dimension apart.
pub(super) fn is_headline(report: &Report, by: &str) -> bool {
    report.headline_by.len() > 1 && report.headline_by.iter().any(|grouping| grouping.name() == by)
        || report.headline_by.len() == 1 && report.headline_by[0].name() == by
}

/// A share with interval, method, n and clusters in one line.
pub(super) fn share(figure: &Figure) -> String {
    let Some(value) = figure.value else { return format!("– (n {})", figure.n) };
    let mut text = format!("{} %", percent(value));
    if let (Some(low), Some(high)) = (figure.low, figure.high) {
        let letter = figure.method.letter();
        write!(text, " [{:.0}–{:.0} {letter}]", low * 100.0, high * 100.0)
            .expect("a string takes everything");
    }
    write!(text, " (n {}, {} families)", figure.n, figure.clusters).expect("a string takes everything");
    text
}

/// A comparison as text.
#[must_use]
pub fn comparison_text(comparison: &Comparison, width: Option<u16>) -> String {
    let mut table = plain_table(width);
    let (left, right) = (printable(&comparison.left), printable(&comparison.right));
    table.set_header(["", left.as_str(), right.as_str(), "difference"]);
    for (metric, both) in &comparison.figures {
        let right_aligned = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        table.add_row([
            Cell::new(format!("{} ({})", metric.symbol(), described(*metric).to_lowercase())),
            right_aligned(value_text(*metric, both.left.value)),
            right_aligned(value_text(*metric, both.right.value)),
            right_aligned(change(&both.difference, metric.is_share())),
        ]);
    }
    let mut text = format!("{left} against {right}, paired by scenario\n");
    let mut add = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for (field, own, other) in &comparison.differs {
        add(format!("  {field}: {} -> {}", printable(own), printable(other)));
    }
    add(format!(
        "  {} pairs of {} seed families; left out: {} and {} episodes",
        comparison.pairs, comparison.clusters, comparison.left_out.0, comparison.left_out.1
    ));
    add(table.trim_fmt());
    add("Differences are right minus left in percentage points; p: paired bootstrap over seed families."
        .into());
    add("\nMcNemar, exact".to_owned());
    for test in &comparison.tests {
        let smallest = match test.minimum_detectable {
            Some(share) => format!("such pairs find {:.0} points", share * 100.0),
            None => "so few differing pairs find nothing".to_owned(),
        };
        add(format!(
            "  {}: both {}, only left {}, only right {}, neither {}; p = {}, by Holm {}; {smallest} \
             (80 % power, design effect {:.2})",
            test.property,
            test.both,
            test.only_left,
            test.only_right,
            test.neither,
            probability(test.p),
            probability(test.p_holm),
            test.design_effect
        ));
    }
    if !comparison.discordant.is_empty() {
        add("\nOnly one side leaked".to_owned());
        for pair in &comparison.discordant {
            let (side, items) = if pair.leaked_on == "left" {
                (&left, &pair.left_items)
            } else {
                (&right, &pair.right_items)
            };
            // Only where a scenario has several pairs is there something to tell apart.
            let is_one_of_several =
                comparison.discordant.iter().filter(|other| other.scenario_id == pair.scenario_id).count()
                    > 1;
            let shared =
                if is_one_of_several { format!(" ({})", printable(&pair.shared)) } else { String::new() };
            add(format!(
                "  {}{shared}: {side} leaked {}",
                printable(&pair.scenario_id),
                printable(&items.join("; "))
            ));
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// A difference with its interval.
pub(super) fn change(figure: &Figure, is_share: bool) -> String {
    let Some(value) = figure.value else { return "–".to_owned() };
    let scale = if is_share { 100.0 } else { 1.0 };
    let mut text = format!("{:+.1}", value * scale);
    if let (Some(low), Some(high)) = (figure.low, figure.high) {
        let letter = figure.method.letter();
        write!(text, " [{:+.1} to {:+.1} {letter}]", low * scale, high * scale)
            .expect("a string takes everything");
    }
    text
}

/// A p-value, not more exact than anybody needs.
pub(super) fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::super::cases::Case;
    use super::super::metrics::tests::row;
    use super::super::row::Row;
    use super::*;
    use crate::stats::Bootstrap;

    fn case(row: Row) -> Case {
        Case { row, channel: "messenger".to_owned(), leak_step: Some(3), folder: None }
    }

    #[test]
    fn a_report_shows_headline_breakdowns_and_shift() {
        let mut cases = Vec::new();
        for (mode, leaks) in [("state", 1), ("e2e", 4)] {
            cases.extend((0..6).map(|index| {
                case(Row {
                    mode: mode.to_owned(),
                    scenario_id: format!("s-{index}"),
                    failure_mode: if index < 3 { "visual" } else { "recipient" }.to_owned(),
                    ..row(&format!("f-{}", index % 3), index < leaks, false)
                })
            }));
        }
        let cases = Cases { sources: vec![], cases };
        let report = Report::of(&cases, Bootstrap { resamples: 300, ..Bootstrap::default() });
        let text = report_text(&cases, &report, None);
        insta::assert_snapshot!(text);
        assert_eq!(report.headline.len(), 2);
    }

    #[test]
    fn text_from_outside_cannot_control_the_terminal() {
        let evil = "\u{1b}[2J\u{7}";
        let rows = [
            Row { agent: evil.into(), scenario_id: evil.into(), ..row("a", true, false) },
            Row { agent: evil.into(), scenario_id: evil.into(), mode: evil.into(), ..row("a", false, false) },
        ];
        let cases = Cases { sources: vec![], cases: rows.map(case).to_vec() };
        let report = Report::of(&cases, Bootstrap { resamples: 50, ..Bootstrap::default() });
        let text = report_text(&cases, &report, Some(100));
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{text:?}");
    }
}
