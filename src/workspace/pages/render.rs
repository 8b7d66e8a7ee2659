//! Templates, the frame around every page, and the versions of assets.

use std::collections::HashMap;
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::context::Context;
use super::router::Answer;
use super::{look, moment, notice};
use crate::scenario::model::Detail;
use crate::workspace::{App, strings, web};

/// One environment per language: macros see its `t` without being handed it.
static ENVIRONMENTS: LazyLock<[Environment<'static>; strings::LANGUAGES.len()]> =
    LazyLock::new(|| strings::LANGUAGES.map(environment));

/// Changes whenever an asset does, so that assets may be cached for ever.
static ASSET_VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for folder in ["style/", "script/", "icons/", "pictures/"] {
        for path in web::paths(folder) {
            hash.update(path.as_bytes());
            hash.update(web::bytes(&path).unwrap_or_default());
        }
    }
    hex::encode(&hash.finalize()[..6])
});

/// Where a page belongs in the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The home page.
    Home,
    /// One of the six apps.
    In(App),
    /// Pages that belong to no app.
    Outside,
}

impl Place {
    /// The key of its name in the rail, and its icon.
    fn key(self) -> Option<&'static str> {
        match self {
            Self::Home => Some("home"),
            Self::In(App::Messenger) => Some("messages"),
            Self::In(App::Calendar) => Some("calendar"),
            Self::In(App::Maps) => Some("maps"),
            Self::In(App::Todo) => Some("todo"),
            Self::In(App::CodeEditor) => Some("code"),
            Self::In(App::Shop) => Some("shop"),
            Self::Outside => None,
        }
    }
}

/// The address of an app's first page.
pub(super) fn root(key: &str) -> String {
    if key == "home" { "/".to_owned() } else { format!("/{key}") }
}

/// The keys of the six apps in the order of the rail.
pub(super) fn app_keys() -> impl Iterator<Item = &'static str> {
    App::ALL.into_iter().filter_map(|app| Place::In(app).key())
}

#[derive(Serialize)]
struct Frame {
    language: &'static str,
    theme: &'static str,
    font: &'static str,
    density: &'static str,
    nav: &'static str,
    app: &'static str,
    heading: String,
    app_name: Option<String>,
    today: String,
    today_iso: String,
    time: String,
    notice: Option<String>,
    /// Where what the notice tells can be taken back.
    undo: Option<String>,
    /// The same page without the notice.
    dismiss: Dismiss,
    rail: Vec<RailLink>,
    /// What stands in front of the page.
    popup: Option<look::PopupView>,
    shortcuts: Vec<look::Shortcut>,
    version: &'static str,
}

#[derive(Serialize)]
struct Dismiss {
    path: String,
    /// The rest of the query.
    fields: Vec<(String, String)>,
}

#[derive(Serialize)]
struct RailLink {
    key: &'static str,
    href: String,
    current: bool,
    /// How many messages wait there.
    unread: Option<usize>,
}

#[derive(Serialize)]
struct Page<'a, V> {
    frame: Frame,
    page: &'a V,
}

/// Renders a page in the frame.
///
/// A template that fails is a fault of this program which a test over all pages rules out; a page
/// that says so is still better than none.
pub(super) fn page<V: Serialize>(
    context: &Context<'_>,
    place: Place,
    heading: &str,
    template: &str,
    view: &V,
) -> String {
    let page = Page { frame: frame(context, place, heading), page: view };
    let index = strings::LANGUAGES.iter().position(|language| *language == context.language).unwrap_or(0);
    let rendered = ENVIRONMENTS[index]
        .get_template(template)
        .and_then(|template| template.render(Value::from(Serde(&page))));
    rendered.unwrap_or_else(|error| {
        tracing::error!(%error, template, "failed to render a page");
        let title = context.text("broken.title", &[]);
        format!(
            "<!doctype html><html lang=\"{}\"><title>{title}</title><p>{title}</p></html>",
            context.language
        )
    })
}

/// A page with status 200.
pub(super) fn answer(html: String) -> Answer {
    Answer::Page { status: 200, html }
}

/// The page that says that nothing is there.
pub(super) fn not_found(context: &Context<'_>) -> String {
    #[derive(Serialize)]
    struct Nothing {}
    page(context, Place::Outside, &context.text("missing.title", &[]), "not_found.html", &Nothing {})
}

/// What a template shows of an entity's details.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) label: String,
    pub(super) value: String,
}

/// Rows of a definition list from details.
pub(super) fn rows(details: &[Detail]) -> Vec<Row> {
    details.iter().map(|detail| Row { label: detail.label.clone(), value: detail.value.clone() }).collect()
}

/// Adds a row where there is something to say.
pub(super) fn add_row(rows: &mut Vec<Row>, context: &Context<'_>, key: &str, value: &str) {
    if !value.is_empty() {
        rows.push(Row { label: context.text(key, &[]), value: value.to_owned() });
    }
}

/// How many messages wait to be read; muted conversations do not count.
pub(super) fn waiting(context: &Context<'_>) -> usize {
    let threads = context.state.apps.messenger.threads.iter();
    threads.filter(|thread| !thread.muted).map(|thread| thread.unread).sum()
}

fn frame(context: &Context<'_>, place: Place, heading: &str) -> Frame {
    let now = context.state.now;
    let keys = std::iter::once("home").chain(app_keys());
    let waiting = waiting(context);
    let rail = keys
        .map(|key| RailLink {
            key,
            href: root(key),
            current: place.key() == Some(key),
            unread: (key == "messages" && waiting > 0).then_some(waiting),
        })
        .collect();
    let app_name = place.key().map(|key| context.text(&format!("nav.{key}"), &[]));
    Frame {
        language: context.language,
        theme: context.variation.theme.name(),
        font: context.variation.font.name(),
        density: context.variation.density.name(),
        nav: context.variation.nav.name(),
        app: place.key().unwrap_or("outside"),
        heading: heading.to_owned(),
        app_name: app_name.filter(|name| name != heading),
        today: moment::long_date(context, now.date()),
        today_iso: now.date().to_string(),
        time: moment::clock(now.time()),
        notice: notice::notice(context),
        undo: notice::undo(context),
        dismiss: Dismiss { path: context.page_address(), fields: context.query_without(&["done", "entity"]) },
        rail,
        popup: look::popup(context),
        shortcuts: look::shortcuts(context),
        version: &ASSET_VERSION,
    }
}

fn environment(language: &'static str) -> Environment<'static> {
    let mut environment = Environment::new();
    // Not by file name: there is no template whose values are not escaped.
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.expect("the usual delimiters are valid"));
    environment.add_function("t", move |key: &str, values: Kwargs| translate(language, key, &values));
    // The only values that are not escaped: files of this program, looked up by name among them.
    for (function, folder) in [("icon", "icons/"), ("picture", "pictures/")] {
        let drawings = drawings(folder);
        let draw = move |name: &str| Value::from_safe_string(drawings.get(name).cloned().unwrap_or_default());
        environment.add_function(function, draw);
    }
    for path in web::paths("templates/") {
        let name = path.trim_start_matches("templates/").to_owned();
        let source = web::source(&path).unwrap_or_default();
        if let Err(error) = environment.add_template_owned(name, source) {
            tracing::error!(%error, path, "failed to compile a template");
        }
    }
    environment
}

/// The drawings of a folder by name.
fn drawings(folder: &str) -> HashMap<String, String> {
    let drawing = |path: String| {
        let name = path.strip_prefix(folder)?.strip_suffix(".svg")?.to_owned();
        Some((name, web::source(&path)?))
    };
    web::paths(folder).into_iter().filter_map(drawing).collect()
}

fn translate(language: &str, key: &str, values: &Kwargs) -> Result<String, minijinja::Error> {
    let mut given = Vec::new();
    for name in values.args() {
        let value: Value = values.get(name)?;
        given.push((name, value.to_string()));
    }
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Ok(strings::text(language, key, &given))
}
