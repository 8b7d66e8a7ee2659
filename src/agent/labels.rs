//! The names of the workspace's controls, in the language that a page is in.
//!
//! The one place of the agents that knows words of the user interface: everything else asks for a
//! key. Which language a page is in is read off the controls that stand on every page.

use crate::workspace::strings::{LANGUAGES, text};

/// The words of one language of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Labels {
    language: &'static str,
}

/// Keys of the links in the app rail, the home page left out, in the order of the rail.
pub(super) const APP_LINKS: [&str; 6] =
    ["nav.messages", "nav.calendar", "nav.maps", "nav.todo", "nav.code", "nav.shop"];

/// Key of the rail's link to the home page.
pub(super) const HOME_LINK: &str = "nav.home";

/// Key of the link to the home page where there is no rail.
pub(super) const HUB_LINK: &str = "frame.to_hub";

/// Keys of the buttons that close what may stand in front of a page.
pub(super) const POPUP_BUTTONS: [&str; 3] =
    ["popup.welcome.close", "popup.consent.close", "popup.misleading.close"];

/// Key of the first link of every page.
const SKIP_LINK: &str = "frame.skip";

impl Labels {
    /// The language in which most of the known links and buttons are on the page. English where
    /// there are none; `has` says whether the page has a link or button of exactly that name.
    pub(super) fn detect(has: impl Fn(&str) -> bool) -> Self {
        let count = |labels: Self| {
            let keys = APP_LINKS.iter().chain(&POPUP_BUTTONS).chain(&[HOME_LINK, HUB_LINK, SKIP_LINK]);
            keys.filter(|key| has(&labels.plain(key))).count()
        };
        let mut best = Self { language: LANGUAGES[0] };
        let mut best_count = count(best);
        for language in &LANGUAGES[1..] {
            let labels = Self { language };
            let found = count(labels);
            if found > best_count {
                (best, best_count) = (labels, found);
            }
        }
        best
    }

    /// The text of a key with its placeholders filled in.
    pub(super) fn text(self, key: &str, values: &[(&str, &str)]) -> String {
        text(self.language, key, values)
    }

    /// The text of a key without placeholders.
    pub(super) fn plain(self, key: &str) -> String {
        self.text(key, &[])
    }

    /// What stands before and after the placeholder in the text of a key that has one.
    pub(super) fn around(self, key: &str, placeholder: &str) -> (String, String) {
        const MARK: &str = "\u{1}";
        let text = self.text(key, &[(placeholder, MARK)]);
        match text.split_once(MARK) {
            Some((before, after)) => (before.to_owned(), after.to_owned()),
            None => (text, String::new()),
        }
    }
}
