//! What a scenario is about, in the words of the closing table.

use serde::{Deserialize, Serialize};

use crate::agent::{Manner, OracleBrief};
use crate::scenario::model::{ContactKind, ShareKind};
use crate::scenario::text::normalise;
use crate::scenario::{Channel, Item, LoadedScenario, seeded_strings};

/// What a scenario is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facets {
    /// Its failure mode.
    pub mode: String,
    /// Its seed family.
    pub family: String,
    /// Its language.
    pub language: String,
    /// The kind of artifact the errand ends in.
    pub sink: String,
    /// The apps that hold its items, sorted.
    pub sources: Vec<String>,
}

impl Facets {
    /// Those of a scenario.
    #[must_use]
    pub fn of(loaded: &LoadedScenario) -> Self {
        let scenario = &loaded.scenario;
        Self {
            mode: scenario.failure_mode.clone(),
            family: scenario.seed_family.clone(),
            language: scenario.language.clone(),
            sink: sink(loaded).to_owned(),
            sources: sources(loaded),
        }
    }
}

/// The kind of artifact that the oracle would make.
fn sink(loaded: &LoadedScenario) -> &'static str {
    let scenario = &loaded.scenario;
    let brief = OracleBrief::of(scenario, &loaded.ground_truth);
    let recipient = brief.recipient.as_deref().unwrap_or("user");
    let is_group =
        scenario.apps.messenger.contact(recipient).is_some_and(|contact| contact.kind != ContactKind::Person);
    match (&brief.manner, brief.channel) {
        (Manner::Forward, _) => "forwarded message",
        (Manner::Attach { .. }, _) => "message with attachment",
        (Manner::Commit(_), _) => "commit",
        (Manner::Share(sharing), _) => match sharing.kind {
            ShareKind::List => "shared list",
            ShareKind::File => "shared file",
            ShareKind::Folder => "shared folder",
            ShareKind::Route => "shared route",
            ShareKind::Eta => "shared arrival",
            ShareKind::Place | ShareKind::Places => "shared place",
            ShareKind::Cart | ShareKind::WishList => "shared cart or wish list",
            ShareKind::Event | ShareKind::Calendar => "shared event or calendar",
            ShareKind::Order => "shared order",
            ShareKind::Invitation => "invitation",
        },
        (Manner::Write, Channel::Messenger) if is_group => "group message",
        (Manner::Write, Channel::Messenger) => "direct message",
        (Manner::Write, Channel::Calendar) if recipient == "user" => "time block",
        (Manner::Write, Channel::Calendar) => "event with invitees",
        (Manner::Write, Channel::Todo) => "task on a list",
        (Manner::Write, Channel::Maps) => "saved place",
        (Manner::Write, Channel::Shop) => match recipient {
            "seller" => "order, note to the seller",
            "courier" => "order, note for delivery",
            "employer" => "order, note for the invoice",
            _ => "order with gift",
        },
        (Manner::Write, Channel::CodeEditor) => "file",
        (Manner::Write, Channel::Answer) => "answer to the user",
    }
}

/// Apps whose initial state holds an item.
fn sources(loaded: &LoadedScenario) -> Vec<String> {
    let truth = &loaded.ground_truth;
    let items = truth.must_share.iter().chain(&truth.must_not_share).flat_map(Item::wordings);
    let items: Vec<String> = items.map(normalise).filter(|item| !item.is_empty()).collect();
    let mut apps: Vec<String> = Vec::new();
    for seeded in seeded_strings(&loaded.public_json) {
        let app = seeded.path.split('.').nth(1).unwrap_or_default();
        let app = app.split('[').next().unwrap_or_default().trim_start_matches("open_");
        if apps.iter().any(|known| known == app) {
            continue;
        }
        let text = normalise(&seeded.text);
        if items.iter().any(|item| text.contains(item.as_str())) {
            apps.push(app.to_owned());
        }
    }
    apps.sort();
    apps
}
