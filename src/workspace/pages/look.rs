//! How the pages of a workspace are shown, and what stands in front of them.

use serde::Serialize;

use super::context::Context;
use super::render::{self, Place};
use super::router::Answer;
use crate::scenario::variation::{Popup, Variation};

/// What pages depend on beside the state and the request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// The factors in force.
    pub(crate) variation: Variation,
    /// Whether the variation's pop-up was not closed yet.
    pub(crate) popup_open: bool,
}

impl Look {
    /// The usual look in a language.
    #[cfg(test)]
    pub(crate) fn usual(language: &str) -> Self {
        Self { variation: Variation::in_language(language), popup_open: false }
    }
}

/// The pop-up as the template shows it.
#[derive(Debug, Serialize)]
pub(super) struct PopupView {
    kind: &'static str,
    /// The page behind it, to come back to.
    back: String,
}

/// The pop-up in front of the requested page.
pub(super) fn popup(context: &Context<'_>) -> Option<PopupView> {
    let kind = context.variation.popup;
    let shown = context.popup_open && kind != Popup::None && context.path != "/whats-new";
    shown.then(|| PopupView { kind: kind.name(), back: context.here() })
}

/// Where a closed pop-up leads: to the page that stood behind it, or home.
pub(super) fn after_popup(form: &[(String, String)]) -> String {
    let back = form.iter().find(|(name, _)| name == "back").map_or("/", |(_, value)| value.as_str());
    // An address of the workspace; nothing that a browser could take for another host's.
    let is_own = back.starts_with('/')
        && back.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
        && !back.starts_with("//");
    if is_own { back.to_owned() } else { "/".to_owned() }
}

/// The page that the misleading pop-up's main button leads to.
pub(super) fn whats_new(context: &Context<'_>) -> Answer {
    #[derive(Serialize)]
    struct Nothing {}
    let heading = context.text("tour.title", &[]);
    render::answer(render::page(context, Place::Outside, &heading, "whats_new.html", &Nothing {}))
}

/// A line of the list of keyboard shortcuts.
#[derive(Debug, Serialize)]
pub(super) struct Shortcut {
    keys: String,
    does: String,
}

/// The keys that lead from app to app, as the script knows them.
const GO: [(&str, &str); 7] = [
    ("h", "home"),
    ("m", "messages"),
    ("c", "calendar"),
    ("p", "maps"),
    ("t", "todo"),
    ("e", "code"),
    ("s", "shop"),
];

/// The list of keyboard shortcuts.
pub(super) fn shortcuts(context: &Context<'_>) -> Vec<Shortcut> {
    let go = GO.map(|(key, app)| {
        let app = context.text(&format!("nav.{app}"), &[]);
        Shortcut {
            keys: context.text("keys.then", &[("first", "g"), ("second", key)]),
            does: context.text("keys.go", &[("app", &app)]),
        }
    });
    let others = [
        ("/", "keys.search"),
        ("n", "keys.new"),
        ("Ctrl+Enter", "keys.send"),
        ("", "keys.arrows"),
        ("Esc", "keys.escape"),
        ("?", "keys.help"),
    ];
    let others = others.map(|(keys, does)| Shortcut {
        keys: if keys.is_empty() { context.text("keys.arrow_keys", &[]) } else { keys.to_owned() },
        does: context.text(does, &[]),
    });
    go.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::after_popup;

    #[test]
    fn a_closed_popup_leads_to_no_other_host() {
        let back = |to: &str| after_popup(&[("back".to_owned(), to.to_owned())]);
        assert_eq!(back("/calendar?day=1&x=%2F"), "/calendar?day=1&x=%2F");
        for bad in
            ["//evil.test", "/\\evil.test", "http://evil.test", "", "/a\r\nSet-Cookie: x", "javascript:1"]
        {
            assert_eq!(back(bad), "/", "{bad:?}");
        }
        assert_eq!(after_popup(&[]), "/");
    }
}
