//! Colours that stand on one another differ enough, in every theme and app.

use std::collections::BTreeMap;

use crate::workspace::web;

/// Text and what it stands on; at least 4.5:1 (WCAG 2.2, 1.4.3).
const TEXTS: [(&str, &str); 18] = [
    ("text", "canvas"),
    ("text", "surface"),
    ("text", "sunken"),
    ("text", "accent-soft"),
    ("muted", "canvas"),
    ("muted", "surface"),
    ("muted", "sunken"),
    ("muted", "accent-soft"),
    ("accent", "canvas"),
    ("accent", "surface"),
    ("accent", "sunken"),
    ("accent", "accent-soft"),
    ("on-accent", "accent"),
    ("danger", "surface"),
    ("danger", "danger-soft"),
    ("danger", "canvas"),
    ("warning", "warning-soft"),
    ("success", "success-soft"),
];

/// Edges of controls and the focus ring; at least 3:1 (WCAG 2.2, 1.4.11).
const EDGES: [(&str, &str); 3] = [("line-strong", "surface"), ("focus", "canvas"), ("focus", "surface")];

const THEMES: [&str; 4] = ["default", "dark", "high-contrast", "black-and-white"];
const APPS: [&str; 8] = ["messages", "calendar", "maps", "todo", "code", "shop", "home", "outside"];

/// The tokens in force for the root element of a theme and app: later rules win, as all selectors
/// that match are counted by how much they name.
fn tokens(theme: &str, app: &str) -> BTreeMap<String, String> {
    let source = web::source("style/tokens.css").unwrap();
    let mut matching: Vec<(usize, usize, &str)> = Vec::new();
    for (order, rule) in source.split('}').enumerate() {
        let Some((selectors, body)) = rule.split_once('{') else { continue };
        let selectors = selectors.rsplit("*/").next().unwrap_or_default();
        let best =
            selectors.split(',').map(str::trim).filter_map(|selector| weight(selector, theme, app)).max();
        if let Some(weight) = best {
            matching.push((weight, order, body));
        }
    }
    matching.sort_unstable();
    let declarations = matching.iter().flat_map(|(_, _, body)| body.split(';'));
    declarations
        .filter_map(|line| line.rsplit("*/").next()?.split_once(':'))
        .map(|(name, value)| (name.trim().trim_start_matches("--").to_owned(), value.trim().to_owned()))
        .collect()
}

/// How specific a selector is for the root element, if it matches that.
fn weight(selector: &str, theme: &str, app: &str) -> Option<usize> {
    if selector == ":root" {
        return Some(1);
    }
    // A selector with a space is for an element within the page, which has an app of its own.
    let parts =
        selector.split(' ').flat_map(|part| part.split_inclusive(']')).filter(|part| part.starts_with('['));
    let mut count = 0;
    for part in parts {
        count += 1;
        let wanted =
            [format!("[data-theme=\"{theme}\"]"), format!("[data-app=\"{app}\"]"), "[data-app]".to_owned()];
        if !wanted.contains(&part.to_owned()) {
            return None;
        }
    }
    (count > 0).then_some(count)
}

/// Relative luminance of `#rrggbb` (WCAG 2.2).
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_and_edges_stand_out() {
    let mut weak = Vec::new();
    for theme in THEMES {
        for app in APPS {
            let tokens = tokens(theme, app);
            let pairs = TEXTS.iter().map(|pair| (pair, 4.5)).chain(EDGES.iter().map(|pair| (pair, 3.0)));
            for ((front, back), least) in pairs {
                let ratio = contrast(&tokens[*front], &tokens[*back]);
                if ratio < least {
                    weak.push(format!("{theme} {app}: {front} on {back} {ratio:.2}"));
                }
            }
        }
    }
    assert!(weak.is_empty(), "{weak:#?}");
}

#[test]
fn contrast_is_computed_as_the_guideline_says() {
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
    assert!((contrast("#777777", "#ffffff") - 4.478).abs() < 0.001);
    assert_eq!(tokens("dark", "shop")["accent"], "#f5b57a");
    assert_eq!(tokens("default", "shop")["accent"], "#924700");
    assert_eq!(tokens("black-and-white", "shop")["accent"], "#000000");
}
