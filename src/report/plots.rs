//! The drawings of a report. Each says in words what it shows, labels its parts directly, and does not
//! rely on colour.

use super::analysis::{Behaviour, Funnel, Group, LeakSteps};
use super::compare::Comparison;
use super::metrics::{Figure, Metric, Summary};
use super::svg::{Anchor, Svg, shortened};
use super::table::percent;

/// Width of the drawings.
const WIDTH: f64 = 760.0;
/// Room for labels on the left of bars.
const LABELS: f64 = 190.0;
/// Room for figures on the right of bars.
const FIGURES: f64 = 110.0;

/// A group's values, without their names.
pub(super) fn label(group: &Group) -> String {
    // In state mode there is one way to observe, which is called as the mode is.
    let is_said = |name: &str, value: &str| name != "observe" || value != "state" || group.len() == 1;
    let values: Vec<&str> =
        group.iter().filter(|(name, value)| is_said(name, value)).map(|(_, value)| value.as_str()).collect();
    if values.is_empty() { "all".to_owned() } else { values.join(" · ") }
}

fn value_of(summary: &Summary, metric: Metric) -> Option<(f64, Figure)> {
    let figure = *summary.figure(metric)?;
    Some((figure.value?, figure))
}

/// What is written at a mark of the plane.
struct MarkLabel {
    mark: (f64, f64),
    text: String,
    /// On which side it is tried first.
    leftwards: bool,
}

/// Finds room for labels: inside the plane, and on nothing that stands there already.
struct Room {
    /// Left, top, right, bottom.
    bounds: [f64; 4],
    taken: Vec<[f64; 4]>,
}

/// Height of a line of text.
const LINE: f64 = 17.0;

impl Room {
    /// How wide a text is, about, at the size of labels.
    fn width(text: &str) -> f64 {
        text.chars().map(|character| if character < '\u{1100}' { 7.3 } else { 13.5 }).sum()
    }

    /// Takes the place of a text that starts (or ends) somewhere.
    fn take(&mut self, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        self.taken.push(Self::frame((x, y), anchor, text));
    }

    fn frame((x, y): (f64, f64), anchor: Anchor, text: &str) -> [f64; 4] {
        let width = Self::width(text);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        [left, y - LINE + 4.0, left + width, y + 4.0]
    }

    fn is_free(&self, frame: [f64; 4]) -> bool {
        let [left, top, right, bottom] = self.bounds;
        frame[0] >= left
            && frame[1] >= top
            && frame[2] <= right
            && frame[3] <= bottom
            && self.taken.iter().all(|other| {
                frame[2] <= other[0] || frame[0] >= other[2] || frame[3] <= other[1] || frame[1] >= other[3]
            })
    }

    /// The free place that is nearest to a mark, beside it; `None` when the plane is full.
    fn place(&mut self, label: &MarkLabel) -> Option<((f64, f64), Anchor)> {
        let sides = [(14.0, Anchor::Start), (-14.0, Anchor::End)];
        let sides = if label.leftwards { [sides[1], sides[0]] } else { sides };
        let down = [0.0].into_iter().chain((1..24).flat_map(|lines| {
            let lines = f64::from(lines) * LINE;
            [lines, -lines]
        }));
        let places = down.flat_map(|down| sides.map(|(across, anchor)| (across, down, anchor)));
        for (across, down, anchor) in places {
            let at = (label.mark.0 + across, label.mark.1 + 5.0 + down);
            if self.is_free(Self::frame(at, anchor, &label.text)) {
                self.take(at, anchor, &label.text);
                return Some((at, anchor));
            }
        }
        None
    }
}

/// Utility against leakage: who does the job, and who talks.
pub(super) fn quadrants(summaries: &[Summary]) -> String {
    let (left, top, width, height) = (64.0, 16.0, 640.0, 380.0);
    let at = |x: f64, y: f64| (left + x * width, top + (1.0 - y) * height);
    let names = [
        (0.015, 0.955, Anchor::Start, "harmful: leaks and does not do the errand"),
        (0.985, 0.955, Anchor::End, "careless: capable, and leaks"),
        (0.015, 0.02, Anchor::Start, "useless: keeps quiet, does not do it"),
        (0.985, 0.02, Anchor::End, "discreet: does it, and keeps quiet"),
    ];
    let mut room =
        Room { bounds: [left + 4.0, top + 2.0, left + width - 4.0, top + height - 2.0], taken: Vec::new() };
    for (x, y, anchor, text) in names {
        room.take(at(x, y), anchor, text);
    }
    let shown: Vec<(usize, Figure, Figure, MarkLabel)> = summaries
        .iter()
        .enumerate()
        .filter_map(|(index, summary)| {
            let (utility, across) = value_of(summary, Metric::Utility)?;
            let (leakage, up) = value_of(summary, Metric::Leakage)?;
            let name = shortened(&label(&summary.group), 30);
            let text = format!("{name} (U {} %, L {} %)", percent(utility), percent(leakage));
            let own = MarkLabel { mark: at(utility, leakage), text, leftwards: utility > 0.6 };
            Some((index, across, up, own))
        })
        .collect();
    for (.., own) in &shown {
        let (x, y) = own.mark;
        room.taken.push([x - 8.0, y - 8.0, x + 8.0, y + 8.0]);
    }
    let placed: Vec<Option<((f64, f64), Anchor)>> = shown.iter().map(|(.., own)| room.place(own)).collect();
    let homeless = placed.iter().filter(|place| place.is_none()).count() as f64;
    let mut svg = Svg::new(
        WIDTH,
        top + height + 56.0 + homeless * LINE,
        "Utility against leakage",
        "Each mark is a group of episodes: to the right it does more errands, upwards it leaks more. \
         Lines are 95 % intervals.",
    );
    svg.rect((left, top), (width, height), "plane");
    svg.rect(at(0.5, 0.5), (width / 2.0, height / 2.0), "plane-good");
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let strong = if (share - 0.5_f64).abs() < 1e-9 { "axis" } else { "grid" };
        svg.line(at(share, 0.0), at(share, 1.0), strong);
        svg.line(at(0.0, share), at(1.0, share), strong);
        let text = format!("{:.0} %", share * 100.0);
        let (x, y) = at(share, 0.0);
        svg.text((x, y + 18.0), Anchor::Middle, "tick", &text);
        let (x, y) = at(0.0, share);
        svg.text((x - 8.0, y + 4.0), Anchor::End, "tick", &text);
    }
    let (x, y) = at(0.5, 0.0);
    svg.text((x, y + 40.0), Anchor::Middle, "axis-name", "Utility: errands done →");
    for (x, y, anchor, text) in names {
        svg.text(at(x, y), anchor, "quadrant", text);
    }
    svg.text((left, top - 4.0), Anchor::Start, "axis-name", "↑ Leakage");
    // Intervals and the lines to labels lie below marks and names.
    for (_, across, up, own) in &shown {
        let (x, y) = own.mark;
        if let (Some(low), Some(high)) = (across.low, across.high) {
            svg.line((at(low, 0.0).0, y), (at(high, 0.0).0, y), "whisker");
        }
        if let (Some(low), Some(high)) = (up.low, up.high) {
            svg.line((x, at(0.0, low).1), (x, at(0.0, high).1), "whisker");
        }
    }
    let mut below = top + height + 60.0;
    for ((index, _, _, own), place) in shown.iter().zip(placed) {
        if let Some(((x, y), anchor)) = place {
            if (y - 5.0 - own.mark.1).abs() > LINE {
                let gap = if anchor == Anchor::End { 4.0 } else { -4.0 };
                svg.line(own.mark, (x + gap, y - 5.0), "leader");
            }
            svg.text((x, y), anchor, "name", &own.text);
        } else {
            svg.marker((left + 6.0, below - 5.0), *index, "mark");
            svg.text((left + 20.0, below), Anchor::Start, "name", &own.text);
            below += LINE;
        }
        svg.marker(own.mark, *index, "mark");
    }
    svg.finish()
}

/// What episodes came to: parts of a whole.
pub(super) fn behaviours(behaviours: &[Behaviour]) -> String {
    let row = 38.0;
    let height = 52.0 + behaviours.len() as f64 * row;
    let mut svg = Svg::new(
        WIDTH,
        height,
        "What episodes came to",
        "One bar per group, divided into clean, leaked, refused, and refused but leaked.",
    );
    let kinds = ["clean", "leaked", "refused", "refused but leaked"];
    let classes = ["part-clean", "part-leaked", "part-refused", "part-both"];
    let mut x = LABELS;
    for (kind, class) in kinds.iter().zip(classes) {
        svg.rect((x, 6.0), (14.0, 14.0), class);
        svg.text((x + 20.0, 18.0), Anchor::Start, "tick", kind);
        x += 40.0 + kind.chars().count() as f64 * 7.5;
    }
    let width = WIDTH - LABELS - FIGURES;
    for (index, behaviour) in behaviours.iter().enumerate() {
        let y = 34.0 + index as f64 * row;
        row_label(&mut svg, y + 18.0, &label(&behaviour.group));
        let counts = [behaviour.clean, behaviour.leaked, behaviour.refused, behaviour.refused_but_leaked];
        let mut x = LABELS;
        for (count, class) in counts.into_iter().zip(classes) {
            if count == 0 || behaviour.scored == 0 {
                continue;
            }
            let part = width * count as f64 / behaviour.scored as f64;
            svg.rect((x, y), (part, 26.0), class);
            if part > 26.0 {
                svg.text((x + part / 2.0, y + 18.0), Anchor::Middle, "in-part", &count.to_string());
            }
            x += part;
        }
        svg.text(
            (WIDTH - FIGURES + 10.0, y + 18.0),
            Anchor::Start,
            "tick",
            &format!("n {}", behaviour.scored),
        );
    }
    svg.finish()
}

fn row_label(svg: &mut Svg, y: f64, text: &str) {
    svg.text((LABELS - 10.0, y), Anchor::End, "name", &shortened(text, 26));
}

/// Bars of one metric with intervals, one per group; a heading before each change of the last value.
pub(super) fn bars(title: &str, metric: Metric, groups: &[Summary]) -> String {
    let mut ordered: Vec<&Summary> = groups.iter().collect();
    let last = |summary: &Summary| summary.group.last().map(|(_, value)| value.clone()).unwrap_or_default();
    ordered.sort_by_key(|summary| last(summary));
    let headings = ordered.chunk_by(|one, other| last(one) == last(other)).count() as f64;
    let (row, heading) = (26.0, 30.0);
    let height = 34.0 + headings * heading + ordered.len() as f64 * row;
    let description = format!("{} per group, with 95 % intervals.", metric.symbol());
    let mut svg = Svg::new(WIDTH, height, title, &description);
    let width = WIDTH - LABELS - FIGURES;
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = LABELS + share * width;
        svg.line((x, 22.0), (x, height), "grid");
        svg.text((x, 14.0), Anchor::Middle, "tick", &format!("{:.0} %", share * 100.0));
    }
    let mut y = 26.0;
    for part in ordered.chunk_by(|one, other| last(one) == last(other)) {
        svg.text((4.0, y + 19.0), Anchor::Start, "heading", &shortened(&last(part[0]).replace('_', " "), 60));
        y += heading;
        for summary in part {
            let name: Group = summary.group[..summary.group.len().saturating_sub(1)].to_vec();
            row_label(&mut svg, y + 15.0, &label(&name));
            interval_bar(&mut svg, y, width, summary.figure(metric));
            y += row;
        }
    }
    svg.finish()
}

fn interval_bar(svg: &mut Svg, y: f64, width: f64, figure: Option<&Figure>) {
    let at = |share: f64| LABELS + share.clamp(0.0, 1.0) * width;
    let Some((figure, value)) = figure.and_then(|figure| Some((figure, figure.value?))) else {
        svg.text((LABELS + 6.0, y + 15.0), Anchor::Start, "tick", "no figure");
        return;
    };
    svg.rect((LABELS, y + 3.0), (at(value) - LABELS, 16.0), "bar");
    if let (Some(low), Some(high)) = (figure.low, figure.high) {
        svg.line((at(low), y + 11.0), (at(high), y + 11.0), "whisker");
        for end in [low, high] {
            svg.line((at(end), y + 7.0), (at(end), y + 15.0), "whisker");
        }
    }
    let text = format!("{} %  (n {})", percent(value), figure.n);
    svg.text((WIDTH - FIGURES + 10.0, y + 15.0), Anchor::Start, "tick", &text);
}

/// What each defense does to utility and leakage: from none to the defense.
pub(super) fn defense_effects(comparisons: &[Comparison]) -> String {
    let row = 64.0;
    let height = 40.0 + comparisons.len() as f64 * row;
    let mut svg = Svg::new(
        WIDTH,
        height,
        "What defenses do",
        "For each agent and defense two lines, utility and leakage: a hollow mark without the defense, a \
         full one with it.",
    );
    let width = WIDTH - LABELS - FIGURES;
    let at = |share: f64| LABELS + share.clamp(0.0, 1.0) * width;
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        svg.line((at(share), 24.0), (at(share), height), "grid");
        svg.text((at(share), 14.0), Anchor::Middle, "tick", &format!("{:.0} %", share * 100.0));
    }
    for (index, comparison) in comparisons.iter().enumerate() {
        let y = 40.0 + index as f64 * row;
        row_label(&mut svg, y + 20.0, &comparison.right);
        for (line, metric) in [Metric::Utility, Metric::Leakage].into_iter().enumerate() {
            let y = y + 10.0 + line as f64 * 22.0;
            let found = comparison.figures.iter().find(|(name, _)| *name == metric);
            let values = found.and_then(|(_, both)| both.left.value.zip(both.right.value));
            let Some((left, right)) = values else { continue };
            let class = if metric == Metric::Leakage { "change-leak" } else { "change" };
            svg.line((at(left), y), (at(right), y), class);
            svg.marker((at(left), y), line, "mark-hollow");
            svg.marker((at(right), y), line, "mark");
            let text = format!("{} {:+.0} points", metric.symbol(), (right - left) * 100.0);
            svg.text((WIDTH - FIGURES + 10.0, y + 5.0), Anchor::Start, "tick", &text);
        }
    }
    svg.finish()
}

/// From items in the scenario to items that somebody reads.
pub(super) fn funnels(funnels: &[Funnel]) -> String {
    let (row, gap) = (22.0, 34.0);
    let height = 10.0 + funnels.len() as f64 * (4.0 * row + gap);
    let mut svg = Svg::new(
        WIDTH,
        height,
        "From exposure to disclosure",
        "For each group the forbidden items: in the scenario, given to the agent, written anywhere, read by \
         somebody in the end.",
    );
    let width = WIDTH - LABELS - FIGURES;
    let mut y = 4.0;
    for funnel in funnels {
        svg.text((4.0, y + 18.0), Anchor::Start, "heading", &shortened(&label(&funnel.group), 60));
        y += 26.0;
        for (name, count, class) in [
            ("in the scenario", funnel.items, "bar-quiet"),
            ("given to the agent", funnel.exposed, "bar-quiet"),
            ("written", funnel.written, "part-both"),
            ("leaked", funnel.leaked, "part-leaked"),
        ] {
            row_label(&mut svg, y + 15.0, name);
            let share = if funnel.items == 0 { 0.0 } else { count as f64 / funnel.items as f64 };
            svg.rect((LABELS, y + 2.0), (share * width, 18.0), class);
            let text = format!("{count}  ({} %)", percent(share));
            svg.text((WIDTH - FIGURES + 10.0, y + 15.0), Anchor::Start, "tick", &text);
            y += row;
        }
        y += gap - 26.0;
    }
    svg.finish()
}

/// At which step the first leak was written, all groups on the same axis.
pub(super) fn leak_steps(groups: &[LeakSteps]) -> String {
    let shown: Vec<&LeakSteps> = groups.iter().filter(|group| !group.steps.is_empty()).collect();
    let last = shown.iter().filter_map(|group| group.steps.keys().max()).max().copied().unwrap_or(1).max(10);
    let most = shown.iter().filter_map(|group| group.steps.values().max()).max().copied().unwrap_or(1);
    let panel = 134.0;
    let height = (24.0 + shown.len() as f64 * panel).max(60.0);
    let mut svg = Svg::new(
        WIDTH,
        height,
        "Step of the first leak",
        "For each group the number of episodes by the step that wrote the first forbidden item.",
    );
    if shown.is_empty() {
        svg.text((WIDTH / 2.0, 34.0), Anchor::Middle, "tick", "Nothing leaked.");
        return svg.finish();
    }
    let left = 44.0;
    let width = (WIDTH - left - 20.0) / f64::from(last);
    for (index, group) in shown.iter().enumerate() {
        let base = (index + 1) as f64 * panel - 16.0;
        svg.text((left, base - 90.0), Anchor::Start, "heading", &shortened(&label(&group.group), 60));
        svg.line((left, base), (WIDTH - 20.0, base), "axis");
        for (step, count) in &group.steps {
            let bar = 62.0 * *count as f64 / most as f64;
            let x = left + f64::from(step - 1) * width;
            svg.rect((x + 2.0, base - bar), (width - 4.0, bar), "part-leaked");
            let at = (x + width / 2.0, base - bar - 4.0);
            svg.text(at, Anchor::Middle, "tick", &count.to_string());
        }
        for step in (1..=last).filter(|step| last <= 24 || step % 5 == 0) {
            let x = left + (f64::from(step) - 0.5) * width;
            svg.text((x, base + 15.0), Anchor::Middle, "tick", &step.to_string());
        }
    }
    svg.text((left + (WIDTH - 20.0 - left) / 2.0, height - 4.0), Anchor::Middle, "axis-name", "Step");
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::super::metrics::{Grouping, summarise, tests::row};
    use super::*;
    use crate::report::Row;
    use crate::stats::Bootstrap;

    #[test]
    fn hostile_names_stay_text_in_every_drawing() {
        let evil = "</text><script>alert(1)</script>";
        let group = vec![("agent".to_owned(), evil.to_owned())];
        let rows = [Row { agent: evil.to_owned(), failure_mode: evil.to_owned(), ..row("a", true, false) }];
        let by = [Grouping::Agent, Grouping::FailureMode];
        let summaries = summarise(&rows, &by, Bootstrap { resamples: 50, ..Bootstrap::default() });
        let behaviour = Behaviour {
            group: group.clone(),
            scored: 1,
            clean: 0,
            leaked: 1,
            refused: 0,
            refused_but_leaked: 0,
        };
        let funnel = Funnel { group: group.clone(), items: 0, exposed: 0, written: 0, leaked: 0 };
        let steps = LeakSteps { group, steps: [(4, 2)].into() };
        for drawing in [
            quadrants(&summaries),
            behaviours(&[behaviour]),
            bars(evil, Metric::Leakage, &summaries),
            funnels(&[funnel]),
            leak_steps(&[steps]),
        ] {
            assert!(!drawing.contains("<script"), "{drawing}");
            assert!(drawing.contains("&lt;/text&gt;"), "{drawing}");
            assert!(drawing.starts_with("<svg") && drawing.ends_with("</svg>"));
            assert!(!drawing.contains("NaN") && !drawing.contains("inf"), "{drawing}");
        }
    }

    /// Left and right end, and the baseline, of every text of a class.
    fn texts(drawing: &str, class: &str) -> Vec<(f64, f64, f64)> {
        let value = |line: &str, name: &str| -> f64 {
            let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let lines = drawing.lines().filter(|line| line.contains(&format!("class=\"{class}\"")));
        lines
            .map(|line| {
                let text = line.split('>').nth(1).unwrap().split('<').next().unwrap();
                let (x, y) = (value(line, "x"), value(line, "y"));
                let anchor = if line.contains("\"end\"") { Anchor::End } else { Anchor::Start };
                let frame = Room::frame((x, y), anchor, text);
                (frame[0], frame[2], y)
            })
            .collect()
    }

    fn marks(count: usize, leaked: bool) -> String {
        let rows: Vec<Row> = (0..count)
            .map(|index| Row { agent: format!("agent-{index:02}"), ..row("a", leaked, false) })
            .collect();
        quadrants(&summarise(&rows, &[Grouping::Agent], Bootstrap::default()))
    }

    #[test]
    fn labels_of_marks_on_the_same_place_do_not_lie_on_each_other() {
        let drawing = marks(9, false);
        let names = texts(&drawing, "name");
        assert_eq!(names.len(), 9, "{drawing}");
        for (index, one) in names.iter().enumerate() {
            for other in &names[index + 1..] {
                let apart = (one.2 - other.2).abs() >= LINE || one.1 <= other.0 || other.1 <= one.0;
                assert!(apart, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn labels_stay_in_the_drawing_however_many_marks_leak_everything() {
        for count in [1, 9, 30, 70] {
            for leaked in [true, false] {
                let drawing = marks(count, leaked);
                let height: f64 =
                    drawing.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
                let names = texts(&drawing, "name");
                assert_eq!(names.len(), count);
                for (left, right, y) in names {
                    assert!(
                        left >= 0.0 && right <= WIDTH && y >= 10.0 && y <= height - 2.0,
                        "{left} {right} {y}"
                    );
                }
            }
        }
    }
}
