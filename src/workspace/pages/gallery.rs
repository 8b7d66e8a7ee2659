//! Every component of the design system on one page, in a theme, text size, density and language.

use serde::Serialize;

use super::context::Context;
use super::form::{Field, Form};
use super::render::{self, Place};
use super::router::Answer;
use crate::scenario::variation::{Factor, Popup, VariationChoice};

/// What can be chosen on the page.
const FACTORS: [Factor; 4] = [Factor::Theme, Factor::Font, Factor::Density, Factor::Language];

#[derive(Serialize)]
struct Gallery {
    choices: [Vec<Choice>; FACTORS.len()],
    plain: Field,
    wrong: Field,
    long: Field,
    apps: Vec<&'static str>,
    popups: Vec<&'static str>,
}

#[derive(Serialize)]
struct Choice {
    href: String,
    name: String,
    current: bool,
}

/// The gallery; `?theme=`, `?font=`, `?density=` and `?language=` choose among the known ones.
pub(super) fn page(context: &Context<'_>) -> Answer {
    let mut choice = VariationChoice::default();
    for factor in FACTORS {
        if let Some(value) = context.query(factor.name()) {
            // A value that is none leaves the factor as it is.
            let _ = choice.set(factor, value);
        }
    }
    let shown = context.appearing(choice.over(context.variation));
    let sample = shown.text("gallery.sample", &[]);
    let mut form = Form::prefilled(&[("plain", &sample), ("wrong", &sample), ("long", &sample)]);
    form.fail("wrong", shown.text("gallery.error", &[]));
    let view = Gallery {
        choices: FACTORS.map(|factor| choices(&shown, factor)),
        plain: form.field("plain"),
        wrong: form.field("wrong"),
        long: form.field("long"),
        apps: render::app_keys().collect(),
        popups: Popup::ALL.iter().filter(|popup| **popup != Popup::None).map(|popup| popup.name()).collect(),
    };
    let heading = shown.text("gallery.title", &[]);
    render::answer(render::page(&shown, Place::Outside, &heading, "gallery.html", &view))
}

/// Links to the same page with each value of a factor.
fn choices(shown: &Context<'_>, factor: Factor) -> Vec<Choice> {
    let now = FACTORS.map(|factor| (factor, current(shown, factor)));
    let link = |value: &'static str| {
        let pairs = now.map(|(other, current)| {
            format!("{}={}", other.name(), if other == factor { value } else { current })
        });
        Choice {
            href: format!("/gallery?{}", pairs.join("&")),
            name: match factor {
                Factor::Language => value.to_owned(),
                _ => shown.text(&format!("gallery.{}.{value}", factor.name()), &[]),
            },
            current: current(shown, factor) == value,
        }
    };
    factor.values().iter().copied().map(link).collect()
}

fn current(shown: &Context<'_>, factor: Factor) -> &'static str {
    match factor {
        Factor::Theme => shown.variation.theme.name(),
        Factor::Font => shown.variation.font.name(),
        Factor::Density => shown.variation.density.name(),
        _ => shown.variation.language.name(),
    }
}
