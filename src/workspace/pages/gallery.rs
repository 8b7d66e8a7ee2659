//! Every component of the design system on one page, in a theme, language and density.

use serde::Serialize;

use super::context::Context;
use super::form::{Field, Form};
use super::render::{self, Place};
use super::router::Answer;
use crate::workspace::strings;

const THEMES: [&str; 4] = ["light", "dark", "high-contrast", "black-and-white"];
const DENSITIES: [&str; 2] = ["regular", "compact"];

#[derive(Serialize)]
struct Gallery {
    choices: Vec<Choice>,
    plain: Field,
    wrong: Field,
    long: Field,
    apps: Vec<&'static str>,
}

#[derive(Serialize)]
struct Choice {
    href: String,
    name: String,
    current: bool,
}

/// The gallery; `?theme=`, `?language=` and `?density=` choose among the known ones.
pub(super) fn page(context: &Context<'_>) -> Answer {
    let chosen = |name: &str, known: &[&'static str], otherwise: &'static str| {
        let wanted = context.query(name);
        known.iter().copied().find(|value| wanted == Some(value)).unwrap_or(otherwise)
    };
    let shown = context.appearing(
        chosen("language", &strings::LANGUAGES, context.language),
        chosen("theme", &THEMES, context.theme),
        chosen("density", &DENSITIES, context.density),
    );
    let sample = shown.text("gallery.sample", &[]);
    let mut form = Form::prefilled(&[("plain", &sample), ("wrong", &sample), ("long", &sample)]);
    form.fail("wrong", shown.text("gallery.error", &[]));
    let view = Gallery {
        choices: choices(&shown),
        plain: form.field("plain"),
        wrong: form.field("wrong"),
        long: form.field("long"),
        apps: render::app_keys().collect(),
    };
    let heading = shown.text("gallery.title", &[]);
    render::answer(render::page(&shown, Place::Outside, &heading, "gallery.html", &view))
}

fn choices(shown: &Context<'_>) -> Vec<Choice> {
    let link = |language: &str, theme: &str, density: &str, name: String, current: bool| Choice {
        href: format!("/gallery?theme={theme}&language={language}&density={density}"),
        name,
        current,
    };
    let (language, theme, density) = (shown.language, shown.theme, shown.density);
    let themes = THEMES.map(|other| {
        link(language, other, density, shown.text(&format!("gallery.theme.{other}"), &[]), other == theme)
    });
    let languages =
        strings::LANGUAGES.map(|other| link(other, theme, density, other.to_owned(), other == language));
    let densities = DENSITIES.map(|other| {
        link(language, theme, other, shown.text(&format!("gallery.density.{other}"), &[]), other == density)
    });
    themes.into_iter().chain(languages).chain(densities).collect()
}
