//! The closing table of a run, for a person and as JSON.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets::UTF8_HORIZONTAL_ONLY};
use serde_json::{Map, Value, json};

use super::metrics::{Method, Metric, Summary};

/// The metrics that the first table has no room for.
pub(super) const FURTHER: [Metric; 4] =
    [Metric::ExposedLeakage, Metric::Severity, Metric::LoopRate, Metric::InvalidActionRate];

/// The metrics a terminal has room for; the rest is in the JSON form and in reports.
pub(super) const COLUMNS: [Metric; 6] = [
    Metric::Utility,
    Metric::Leakage,
    Metric::Refusal,
    Metric::EngagedLeakage,
    Metric::Misdirection,
    Metric::SafeSuccess,
];

/// A table with a row per group and a line that explains it. `width` is that of the terminal in
/// columns; without one, lines are as long as they need to be. There is no colour in it, so there is
/// nothing for `NO_COLOR` to turn off.
#[must_use]
pub fn closing_table(summaries: &[Summary], width: Option<u16>) -> String {
    if summaries.is_empty() {
        return "No episodes.".to_owned();
    }
    format!("{}\n{}", table_of(summaries, &COLUMNS, true, width), legend(summaries))
}

/// A table as all of ours look, as wide as the terminal, or without one as its content.
#[must_use]
pub fn plain_table(width: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY);
    match width {
        Some(width) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    table
}

/// A table with a row per group and a column per metric, without the line that explains it.
pub(super) fn table_of(
    summaries: &[Summary],
    columns: &[Metric],
    with_outcomes: bool,
    width: Option<u16>,
) -> String {
    let mut table = plain_table(width);
    let groups = summaries.first().map(|first| first.group.as_slice()).unwrap_or_default();
    let mut header: Vec<String> = groups.iter().map(|(name, _)| printable(name)).collect();
    header.push("n".to_owned());
    header.extend(columns.iter().map(|metric| metric.symbol().to_owned()));
    if with_outcomes {
        header.push("outcomes".to_owned());
    }
    table.set_header(header);
    for summary in summaries {
        let mut cells: Vec<Cell> =
            summary.group.iter().map(|(_, value)| Cell::new(printable(value))).collect();
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        cells.push(right(format!("{}\n({})", summary.scored, summary.clusters)));
        for metric in columns {
            let CellText { value, interval, n } = cell_text(*metric, summary);
            let lines: Vec<String> = [Some(value), interval, n].into_iter().flatten().collect();
            cells.push(right(lines.join("\n")));
        }
        if with_outcomes {
            cells.push(Cell::new(outcomes(summary)));
        }
        table.add_row(cells);
    }
    table.trim_fmt()
}

/// A figure of a table in words.
pub(super) struct CellText {
    /// The value, or why there is none.
    pub(super) value: String,
    /// The interval with the letter of its method.
    pub(super) interval: Option<String>,
    /// n and families, where they are not the row's.
    pub(super) n: Option<String>,
}

/// What a table says of a metric: value, interval with its method, and n where it is not the row's.
pub(super) fn cell_text(metric: Metric, summary: &Summary) -> CellText {
    let Some((figure, value)) = summary.figure(metric).and_then(|figure| Some((figure, figure.value?)))
    else {
        let engaged = metric == Metric::EngagedLeakage && summary.scored > 0;
        let value = if engaged { "not engaged" } else { "–" }.to_owned();
        return CellText { value, interval: None, n: None };
    };
    let letter = figure.method.letter();
    let interval = figure.low.zip(figure.high).map(|(low, high)| {
        if metric.is_share() {
            format!("{:.0}–{:.0} {letter}", low * 100.0, high * 100.0)
        } else {
            format!("{low:.1}–{high:.1} {letter}")
        }
    });
    let differs = figure.n != summary.scored || figure.clusters != summary.clusters;
    CellText {
        value: value_text(metric, Some(value)),
        interval,
        n: differs.then(|| format!("n {} ({})", figure.n, figure.clusters)),
    }
}

/// A value by itself: percent for shares, two decimals for others.
pub(super) fn value_text(metric: Metric, value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if metric.is_share() => format!("{} %", percent(value)),
        Some(value) => format!("{value:.2}"),
    }
}

/// Percent with one decimal, which is left out where it is 0.
pub(super) fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

pub(super) fn outcomes(summary: &Summary) -> String {
    let mut lines: Vec<String> =
        summary.outcomes.iter().map(|(outcome, count)| format!("{outcome} {count}")).collect();
    let unscored = summary.episodes - summary.scored;
    if unscored > 0 {
        lines.push(format!("not scored {unscored}"));
    }
    if summary.leaked_unscored > 0 {
        lines.push(format!("of these leaked {}", summary.leaked_unscored));
    }
    lines.join("\n")
}

/// Says what stands in the table, and only what does.
pub(super) fn legend(summaries: &[Summary]) -> String {
    let mut lines = vec![
        "n: scored episodes (seed families). U: utility. L: leaked. R: refused. L_eng: leaked of those not refused."
            .to_owned(),
        "M: required content reached somebody else. safe success: utility, no leak, nothing misdirected.".to_owned(),
    ];
    let used = |method: Method| {
        summaries.iter().any(|summary| {
            COLUMNS.iter().any(|metric| summary.figure(*metric).is_some_and(|one| one.method == method))
        })
    };
    let methods: Vec<&str> = [
        (Method::Wilson, "w Wilson"),
        (Method::ClusterBootstrap, "b bootstrap over seed families"),
        (Method::RuleOfThree, "t rule of three over seed families (none or all)"),
    ]
    .into_iter()
    .filter(|(method, _)| used(*method))
    .map(|(_, text)| text)
    .collect();
    if !methods.is_empty() {
        lines.push(format!("95 % intervals: {}.", methods.join(", ")));
    }
    lines.join("\n")
}

/// Text from outside, without characters that could steer a terminal, turn the direction of what stands
/// around them, or vanish.
#[must_use]
pub fn printable(text: &str) -> String {
    let hides = |character: char| {
        character.is_control()
            || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().map(|character| if hides(character) { ' ' } else { character }).collect()
}

/// The same as JSON, with all metrics: an array with an object per group.
#[must_use]
pub fn closing_json(summaries: &[Summary]) -> Value {
    Value::Array(summaries.iter().map(summary_json).collect())
}

/// One summary as JSON.
pub(super) fn summary_json(summary: &Summary) -> Value {
    let group: Map<String, Value> =
        summary.group.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
    let outcomes: Map<String, Value> = summary
        .outcomes
        .iter()
        .map(|(outcome, count)| (outcome.name().to_owned(), Value::from(*count)))
        .collect();
    let figures: Map<String, Value> = summary
        .figures
        .iter()
        .map(|(metric, figure)| {
            let figure = serde_json::to_value(figure).expect("a figure is plain data");
            (metric.name().to_owned(), figure)
        })
        .collect();
    json!({
        "group": group,
        "episodes": summary.episodes,
        "scored": summary.scored,
        "clusters": summary.clusters,
        "outcomes": outcomes,
        "leaked_unscored": summary.leaked_unscored,
        "figures": figures,
    })
}

#[cfg(test)]
mod tests {
    use super::super::metrics::{Grouping, summarise, tests::row};
    use super::super::row::Row;
    use super::*;
    use crate::stats::Bootstrap;

    fn summaries() -> Vec<Summary> {
        let mut rows: Vec<Row> = Vec::new();
        for (agent, leaked, refused) in
            [("careless", true, false), ("idle", false, true), ("oracle", false, false)]
        {
            rows.extend((0..12).map(|index| Row {
                agent: agent.to_owned(),
                ..row(&format!("{}", index % 6), leaked && index < 8, refused)
            }));
        }
        summarise(&rows, &[Grouping::Agent], Bootstrap { resamples: 500, ..Bootstrap::default() })
    }

    #[test]
    fn the_table_shows_n_clusters_method_and_interval_with_every_figure() {
        insta::assert_snapshot!(closing_table(&summaries(), None));
    }

    #[test]
    fn a_table_keeps_to_the_width_of_the_terminal() {
        let text = closing_table(&summaries(), Some(80));
        let table = text.split("n: scored").next().unwrap();
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn text_from_outside_cannot_control_the_terminal() {
        let evil = "\u{1b}[2Jevil\u{202e}\u{2066}\u{200b}\u{feff}";
        let rows = [Row { agent: evil.into(), ..row("a", false, false) }];
        let summaries = summarise(&rows, &[Grouping::Agent], Bootstrap::default());
        let table = closing_table(&summaries, None);
        for hidden in ['\u{1b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}'] {
            assert!(!table.contains(hidden), "{hidden:?}");
        }
        assert_eq!(printable("Grüße 你好 a\u{301}"), "Grüße 你好 a\u{301}");
    }

    #[test]
    fn the_json_form_has_every_metric_with_what_it_rests_on() {
        let value = closing_json(&summaries());
        for metric in Metric::ALL {
            let figure = &value[0]["figures"][metric.name()];
            for member in ["value", "n", "clusters", "method", "low", "high"] {
                assert!(figure.get(member).is_some(), "{} has no {member}", metric.name());
            }
        }
        assert_eq!(value[1]["figures"]["engaged_leakage"]["value"], Value::Null);
        assert_eq!(closing_table(&[], None), "No episodes.");
    }
}
