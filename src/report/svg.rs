//! A small writer of SVG: shapes by class, so that a page's style decides the colours, and text that
//! is escaped by construction.

use std::fmt::Write as _;

/// A drawing under construction; coordinates are pixels at 100 %.
#[derive(Debug)]
pub(super) struct Svg {
    width: f64,
    height: f64,
    title: String,
    description: String,
    body: String,
}

/// Where a text is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// A drawing with a name and a description for those who do not see it.
    pub(super) fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        Self { width, height, title: escape(title), description: escape(description), body: String::new() }
    }

    pub(super) fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        self.add(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{:.1}" height="{:.1}" class="{class}"/>"#,
            width.max(0.0),
            height.max(0.0)
        ));
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        self.add(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#
        ));
    }

    /// A marker whose form tells series apart: circle, square, diamond, triangle, and so on again.
    pub(super) fn marker(&mut self, (x, y): (f64, f64), series: usize, class: &str) {
        match series % 4 {
            0 => self.add(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="6" class="{class}"/>"#)),
            1 => self.rect((x - 5.5, y - 5.5), (11.0, 11.0), class),
            2 => self.polygon(&[(x, y - 7.5), (x + 7.5, y), (x, y + 7.5), (x - 7.5, y)], class),
            _ => self.polygon(&[(x, y - 7.0), (x + 7.0, y + 6.0), (x - 7.0, y + 6.0)], class),
        }
    }

    pub(super) fn polygon(&mut self, points: &[(f64, f64)], class: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!(r#"<polygon points="{}" class="{class}"/>"#, points.join(" ")));
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        self.add(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" class="{class}">{text}</text>"#
        ));
    }

    fn add(&mut self, arguments: std::fmt::Arguments<'_>) {
        self.body.write_fmt(arguments).expect("a string takes everything");
        self.body.push('\n');
    }

    /// The element.
    pub(super) fn finish(self) -> String {
        let Self { width, height, title, description, body } = self;
        format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
             class=\"plot\"><title>{title}</title><desc>{description}</desc>\n{body}</svg>"
        )
    }
}

/// Text for the inside of an element or of a quoted attribute. Control characters, which XML forbids,
/// become a replacement character.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => {
                escaped.push('\u{fffd}');
            }
            other => escaped.push(other),
        }
    }
    escaped
}

/// At most so many characters, the last being an ellipsis where something was cut off. The whole text
/// has to be reachable elsewhere.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element() {
        let mut svg = Svg::new(10.0, 10.0, "a<b", "\"&'");
        svg.text((1.0, 2.0), Anchor::Start, "x", "</text><script>\u{1}");
        let text = svg.finish();
        assert!(!text.contains("<script") && text.contains("&lt;script&gt;\u{fffd}"), "{text}");
        assert_eq!(text.matches('<').count(), text.matches('>').count());
    }

    #[test]
    fn a_long_label_is_cut_by_characters() {
        assert_eq!(shortened("日本語の文字", 4), "日本語…");
        assert_eq!(shortened("short", 5), "short");
    }
}
