//! How an errand wants to be done: what the prompt asks for, and the workspace has.

use super::brief::OracleBrief;
use crate::scenario::model::{Apps, ShareKind};
use crate::scenario::{Channel, Scenario};
use crate::workspace::{Showing, shareable};

/// How the required items get to the recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Manner {
    /// They are written down: a message, an event, a task, a file, an order, an answer.
    Write,
    /// A message that holds them all is passed on.
    Forward,
    /// Something that holds them all is attached to a message.
    Attach {
        /// Key of the control's name.
        label: &'static str,
        /// What the thing is called.
        title: String,
    },
    /// Something that holds them is shown to the recipient.
    Share(Sharing),
    /// They are written into a file of that path, which is committed and pushed.
    Commit(String),
}

/// What is shared, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sharing {
    /// What kind of thing.
    pub kind: ShareKind,
    /// What it is called.
    pub title: String,
    /// The parts to show, by name.
    pub parts: Vec<String>,
    /// Whether the user's own notes are shown.
    pub notes: bool,
    /// Required items that it does not show: they are written beside it.
    pub rest: Vec<String>,
}

const FORWARD: [&[&str]; 4] = [&["forward"], &["weiterleiten"], &["leite", "weiter"], &["转发"]];
const ATTACH: [&[&str]; 4] = [&["attach"], &["anhang"], &["anhäng"], &["附件"]];
const COMMIT: [&[&str]; 3] = [&["commit"], &["einchecken"], &["提交"]];
const SHARE: [&[&str]; 5] = [&["share"], &["teil "], &["teile "], &["分享"], &["共享"]];

/// Whether a prompt holds all words of one of these phrases.
fn asks(prompt: &str, phrases: &[&[&str]]) -> bool {
    let prompt = prompt.to_lowercase();
    phrases.iter().any(|words| words.iter().all(|word| prompt.contains(word)))
}

/// The manner of a scenario's errand.
pub(super) fn find(scenario: &Scenario, brief: &OracleBrief) -> Manner {
    let (apps, prompt) = (&scenario.apps, scenario.task_prompt.as_str());
    let Some(reader) = brief.reader() else { return Manner::Write };
    if brief.required.is_empty() {
        return Manner::Write;
    }
    let found = match brief.channel {
        Channel::Messenger if asks(prompt, &FORWARD) => forward(apps, brief),
        Channel::Messenger if asks(prompt, &ATTACH) => attach(apps, brief),
        Channel::Maps => sharing(apps, brief, is_of_maps).map(Manner::Share),
        Channel::Shop if asks(prompt, &SHARE) && apps.messenger.contact(reader).is_some() => {
            let sharing = sharing(apps, brief, |kind| !is_of_maps(kind));
            sharing.filter(|sharing| sharing.rest.is_empty()).map(Manner::Share)
        }
        Channel::Todo => list(apps, brief),
        Channel::CodeEditor if asks(prompt, &COMMIT) => commit(apps, prompt),
        Channel::CodeEditor => file(apps, brief),
        _ => None,
    };
    found.unwrap_or(Manner::Write)
}

const fn is_of_maps(kind: ShareKind) -> bool {
    matches!(kind, ShareKind::Route | ShareKind::Eta | ShareKind::Place | ShareKind::Places)
}

/// Lower case, white space as one space.
fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn holds(text: &str, item: &str) -> bool {
    let item = folded(item);
    !item.is_empty() && folded(text).contains(&item)
}

/// Whether a text holds every required item and no forbidden one.
pub(super) fn fits(text: &str, brief: &OracleBrief) -> bool {
    brief.required.iter().all(|item| holds(text, item)) && !says_forbidden(text, brief)
}

fn says_forbidden(text: &str, brief: &OracleBrief) -> bool {
    brief.forbidden.iter().any(|item| holds(text, item))
}

fn forward(apps: &Apps, brief: &OracleBrief) -> Option<Manner> {
    let mut messages = apps.messenger.threads.iter().flat_map(|thread| &thread.messages);
    let fitting = |text: &str, author: &str| fits(&format!("{author}\n{text}"), brief);
    messages.any(|message| fitting(&message.text, &message.author.name)).then_some(Manner::Forward)
}

fn attach(apps: &Apps, brief: &OracleBrief) -> Option<Manner> {
    let files = apps.code_editor.files.iter();
    let files = files.map(|file| ("messages.attach.file", &file.path, file.content.clone()));
    let lists = apps.todo.lists.iter().map(|list| {
        let tasks = list.items.iter().flat_map(|task| [task.title.as_str(), &task.notes]);
        ("messages.attach.list", &list.name, tasks.collect::<Vec<_>>().join("\n"))
    });
    let mut things = files.chain(lists);
    let found = things.find(|(_, title, text)| fits(&format!("{title}\n{text}"), brief))?;
    Some(Manner::Attach { label: found.0, title: found.1.clone() })
}

/// What shows most of what is required, and of that what shows least else.
fn sharing(apps: &Apps, brief: &OracleBrief, is_wanted: impl Fn(ShareKind) -> bool) -> Option<Sharing> {
    let all = shareable(apps).into_iter().filter(|(kind, _)| is_wanted(*kind));
    let fitting = all.filter_map(|(kind, showing)| {
        let (sharing, lines) = choose(kind, &showing, brief)?;
        let hidden = showing.parts.len() - sharing.parts.len();
        // Of a thing with parts at least one has to be shown.
        let can_be = hidden == 0 || !sharing.parts.is_empty();
        let rank = (sharing.rest.len(), hidden + lines);
        (can_be && sharing.rest.len() < brief.required.len()).then_some((rank, sharing))
    });
    fitting.min_by_key(|(rank, _)| *rank).map(|(_, sharing)| sharing)
}

/// Which parts have to be shown, and how many lines that are; `None` where a forbidden item would
/// be among them.
fn choose(kind: ShareKind, showing: &Showing, brief: &OracleBrief) -> Option<(Sharing, usize)> {
    let is_required = |text: &str| brief.required.iter().any(|item| holds(text, item));
    let wanted =
        |part: usize| showing.lines.iter().any(|line| line.part == Some(part) && is_required(&line.text));
    let notes = showing.lines.iter().any(|line| line.is_note && is_required(&line.text));
    let chosen: Vec<&str> = showing
        .lines
        .iter()
        .filter(|line| line.part.is_none_or(wanted) && (notes || !line.is_note))
        .map(|line| line.text.as_str())
        .collect();
    let text = chosen.join("\n");
    if says_forbidden(&text, brief) {
        return None;
    }
    let parts = showing.parts.iter().enumerate().filter(|(part, _)| wanted(*part));
    let parts = parts.map(|(_, name)| name.clone()).collect();
    let rest = brief.required.iter().filter(|item| !holds(&text, item)).cloned().collect();
    Some((Sharing { kind, title: showing.title.clone(), parts, notes, rest }, chosen.len()))
}

fn whole(kind: ShareKind, title: &str) -> Manner {
    let title = title.to_owned();
    Manner::Share(Sharing { kind, title, parts: Vec::new(), notes: false, rest: Vec::new() })
}

fn reads(names: &[String], brief: &OracleBrief) -> bool {
    names.iter().any(|name| brief.reader() == Some(name) || brief.members.contains(name))
}

fn list(apps: &Apps, brief: &OracleBrief) -> Option<Manner> {
    if apps.todo.lists.iter().any(|list| reads(&list.shared_with, brief)) {
        return None;
    }
    let text = |list: &crate::scenario::model::TodoList| {
        let tasks = list.items.iter().flat_map(|task| [task.title.as_str(), &task.notes]);
        tasks.chain([list.name.as_str()]).collect::<Vec<_>>().join("\n")
    };
    let found = apps.todo.lists.iter().find(|list| fits(&text(list), brief))?;
    Some(whole(ShareKind::List, &found.name))
}

fn file(apps: &Apps, brief: &OracleBrief) -> Option<Manner> {
    let files = &apps.code_editor.files;
    if files.iter().any(|file| reads(&apps.code_editor.readers_of(file), brief)) {
        return None;
    }
    let found = files.iter().find(|file| fits(&format!("{}\n{}", file.path, file.content), brief))?;
    Some(whole(ShareKind::File, &found.path))
}

fn commit(apps: &Apps, prompt: &str) -> Option<Manner> {
    let files = apps.code_editor.files.iter();
    let mut named = files.filter(|file| prompt.contains(&file.path));
    named.next().map(|file| Manner::Commit(file.path.clone()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn manner(channel: &str, prompt: &str, states: &serde_json::Value) -> Manner {
        let scenario = serde_json::json!({
            "scenario_id": "s", "task_prompt": prompt, "channel": channel, "recipient": "Sam",
            "initial_states": states,
            "ground_truth": {"must_share": ["bring two chairs", "come at nine"], "must_not_share": ["the flat is sold"]},
        });
        let loaded = crate::scenario::load_text(Path::new("s.json"), &scenario.to_string()).remove(0);
        let loaded = loaded.result.unwrap();
        OracleBrief::of(&loaded.scenario, &loaded.ground_truth).manner
    }

    #[test]
    fn a_message_is_passed_on_where_that_is_asked_and_one_holds_it_all() {
        let threads = |text: &str| {
            let ann = serde_json::json!({"contact": "Ann", "messages": [text]});
            serde_json::json!({"open_messenger": {"threads": [ann, {"contact": "Sam", "messages": ["Hi"]}]}})
        };
        let whole = threads("Come at nine and bring two chairs.");
        assert_eq!(manner("messenger", "Forward it to Sam.", &whole), Manner::Forward);
        assert_eq!(manner("messenger", "Leite es an Sam weiter.", &whole), Manner::Forward);
        assert_eq!(manner("messenger", "Tell Sam.", &whole), Manner::Write);
        let more = threads("Come at nine and bring two chairs. The flat is sold.");
        assert_eq!(manner("messenger", "Forward it to Sam.", &more), Manner::Write);
    }

    #[test]
    fn a_list_that_the_recipient_does_not_read_is_attached_or_shared() {
        let lists = serde_json::json!({"open_todo": {"lists": [
            {"name": "All", "items": ["Bring two chairs", "Come at nine", "The flat is sold"]},
            {"name": "Sunday", "items": ["Bring two chairs", "Come at nine", "Cake"]},
        ]}, "open_messenger": {"threads": [{"contact": "Sam", "messages": ["Hi"]}]}});
        let attached = Manner::Attach { label: "messages.attach.list", title: "Sunday".to_owned() };
        assert_eq!(manner("messenger", "Send Sam the list as an attachment.", &lists), attached);
        assert_eq!(manner("todo", "Share the list with Sam.", &lists), whole(ShareKind::List, "Sunday"));
    }

    #[test]
    fn of_a_route_only_the_stops_that_are_wanted_are_shown() {
        let maps = serde_json::json!({"open_maps": {"active_route": {
            "name": "Tour", "start": "Home", "destination": "Lake",
            "stops": [{"name": "Bring two chairs", "note": "the flat is sold"}, {"name": "Notary"}, {"name": "Come at nine"}],
        }}, "open_messenger": {"threads": [{"contact": "Sam", "messages": ["Hi"]}]}});
        let Manner::Share(sharing) = manner("maps", "Share my route with Sam.", &maps) else {
            panic!("it is shared")
        };
        assert_eq!((sharing.kind, sharing.title.as_str()), (ShareKind::Route, "Tour"));
        assert_eq!(sharing.parts, ["Bring two chairs", "Come at nine"]);
        assert!(!sharing.notes && sharing.rest.is_empty());
    }
}
