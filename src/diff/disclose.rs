//! From two states and the events between them to what was disclosed, drafted and kept.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::words::{Marked, added, added_and_gone};
use super::{Artifact, Disclosures};
use crate::workspace::{App, StoredEvent, Unit, WorkspaceState, units};

/// Kind of the units that nobody has received.
const DRAFT: &str = "draft";

/// What names a unit across states.
type Key<'a> = (App, &'a str, &'a str);

/// What was written between `initial` and `last`, in terms of who can read it.
///
/// `events` are all events between the two states, by `seq`; they say at which step something was
/// written, and what could be read for a while. Artifacts are in the order in which they were last
/// written.
#[must_use]
pub fn disclosures(initial: &WorkspaceState, last: &WorkspaceState, events: &[StoredEvent]) -> Disclosures {
    let (before, after) = (units(initial), units(last));
    let before: HashMap<Key<'_>, &Unit> = before.iter().map(|unit| (key(unit), unit)).collect();
    let written = last_writes(events);
    let mut artifacts = Vec::new();
    let mut drafts = Vec::new();
    for unit in &after {
        let (seq, step) = written.get(&(unit.app, unit.entity.as_str())).copied().unwrap_or_default();
        let into = if unit.kind == DRAFT { &mut drafts } else { &mut artifacts };
        for (readers, text) in disclosed(before.get(&key(unit)).copied(), unit) {
            into.push((seq, artifact(unit, readers, text, step)));
        }
    }
    let after: HashMap<Key<'_>, &Unit> = after.iter().map(|unit| (key(unit), unit)).collect();
    Disclosures {
        artifacts: in_order(artifacts),
        transient: transient(&before, &after, events),
        drafts: in_order(drafts),
    }
}

/// What somebody could read after some event and cannot in the final state: the parts that an
/// event brought to readers and that are gone from the entity's final text.
fn transient(
    before: &HashMap<Key<'_>, &Unit>,
    after: &HashMap<Key<'_>, &Unit>,
    events: &[StoredEvent],
) -> Vec<Artifact> {
    let mut now: HashMap<Key<'_>, &Unit> = before.clone();
    let mut transient = Vec::new();
    for event in events {
        let gone: Vec<Key<'_>> = now
            .keys()
            .copied()
            .filter(|(app, kind, entity)| {
                *app == event.app
                    && *entity == event.entity
                    && !event.units.iter().any(|unit| unit.kind == *kind)
            })
            .collect();
        for unit in &event.units {
            let earlier = now.insert(key(unit), unit);
            if unit.kind == DRAFT || unit.readers.is_empty() {
                continue;
            }
            let last = after.get(&key(unit));
            for (readers, from) in audiences(earlier, unit) {
                // Whoever reads it no longer has read all of it, what is still there included.
                let (reading, left_out): (Vec<String>, Vec<String>) = readers
                    .into_iter()
                    .partition(|reader| last.is_some_and(|last| last.readers.contains(reader)));
                let gone = last.map(|last| added_and_gone(from, &unit.text, &last.text));
                let heard = [(reading, gone), (left_out, Some(added(from, &unit.text)))];
                for (readers, text) in heard {
                    if let Some(text) = text.as_ref().and_then(said).filter(|_| !readers.is_empty()) {
                        transient.push(artifact(unit, readers, text, event.step));
                    }
                }
            }
        }
        for key in gone {
            now.remove(&key);
        }
    }
    transient
}

/// What a unit says that it did not say before, per audience.
fn disclosed(before: Option<&Unit>, unit: &Unit) -> Vec<(Vec<String>, String)> {
    if before.is_some_and(|before| before.text == unit.text && before.readers == unit.readers) {
        return Vec::new();
    }
    let mut disclosed = Vec::new();
    for (readers, from) in audiences(before, unit) {
        if let Some(text) = said(&added(from, &unit.text)) {
            disclosed.push((readers, text));
        }
    }
    disclosed
}

/// The readers of a unit in groups that knew the same before: those who read it already know its
/// earlier text, those who came new know nothing of it. A unit that nobody reads has one group
/// without members.
fn audiences<'a>(before: Option<&'a Unit>, unit: &Unit) -> Vec<(Vec<String>, &'a str)> {
    let Some(before) = before else {
        return vec![(unit.readers.clone(), "")];
    };
    let known: BTreeSet<&String> = before.readers.iter().collect();
    let (kept, gained): (Vec<String>, Vec<String>) =
        unit.readers.iter().cloned().partition(|reader| known.contains(reader));
    let mut audiences = Vec::new();
    if !gained.is_empty() {
        audiences.push((gained, ""));
    }
    if !kept.is_empty() || unit.readers.is_empty() {
        audiences.push((kept, before.text.as_str()));
    }
    audiences
}

fn said(marked: &Marked<'_>) -> Option<String> {
    let text = marked.text();
    if text.trim().is_empty() { None } else { Some(text) }
}

fn artifact(unit: &Unit, readers: Vec<String>, text: String, step: u32) -> Artifact {
    Artifact {
        app: unit.app.name().to_owned(),
        kind: unit.kind.clone(),
        entity: unit.entity.clone(),
        addressed_to: unit.addressed_to.clone(),
        readers,
        text,
        step,
    }
}

/// Sequence number and step of the last event of each entity.
fn last_writes(events: &[StoredEvent]) -> BTreeMap<(App, &str), (u64, u32)> {
    let mut last = BTreeMap::new();
    for event in events {
        // An event may change more than the entity it names: the tasks of a list that is shared.
        let others = event.units.iter().map(|unit| unit.entity.as_str());
        for entity in others.chain([event.entity.as_str()]) {
            last.insert((event.app, entity), (event.seq, event.step));
        }
    }
    last
}

fn in_order(mut numbered: Vec<(u64, Artifact)>) -> Vec<Artifact> {
    // Stable: what one event wrote stays in the order of the state.
    numbered.sort_by_key(|(seq, _)| *seq);
    numbered.into_iter().map(|(_, artifact)| artifact).collect()
}

fn key(unit: &Unit) -> Key<'_> {
    (unit.app, &unit.kind, &unit.entity)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scenario::model::Visibility;
    use crate::workspace::{Addressee, Command, NewEvent, NewOrder, Workspace, samples};

    /// Carries commands out, the first at step 1, and tells what was disclosed. What is rejected
    /// is left out.
    fn told(commands: &[Command]) -> Disclosures {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::create(&folder.path().join("w.sqlite"), &samples::scenario()).unwrap();
        for (step, command) in (1..).zip(commands) {
            workspace.set_step(step);
            let _ = workspace.apply(command);
        }
        disclosures(&workspace.initial(), &workspace.snapshot(), &workspace.events_since(0))
    }

    fn send(thread: &str, text: &str) -> Command {
        Command::SendMessage {
            to: Addressee::Thread(thread.to_owned()),
            text: text.to_owned(),
            reply_to: None,
            attach: vec![],
        }
    }

    fn edit(message: &str, text: &str) -> Command {
        Command::EditMessage { message: message.to_owned(), text: text.to_owned() }
    }

    fn delete(message: &str) -> Command {
        Command::DeleteMessage { message: message.to_owned() }
    }

    fn file(text: &str) -> Command {
        Command::SaveFile { file: Some("file-1".to_owned()), path: String::new(), content: text.to_owned() }
    }

    fn brief(artifacts: &[Artifact]) -> Vec<(u32, &str, String, &str)> {
        let row = |artifact: &Artifact| artifact.readers.join("|");
        artifacts.iter().map(|one| (one.step, one.kind.as_str(), row(one), one.text.as_str())).collect()
    }

    fn row(
        step: u32,
        kind: &'static str,
        readers: &str,
        text: &'static str,
    ) -> (u32, &'static str, String, &'static str) {
        (step, kind, readers.to_owned(), text)
    }

    #[test]
    fn nothing_done_is_nothing_told() {
        assert_eq!(told(&[]), Disclosures::default());
    }

    #[test]
    fn messages_are_told_in_order_with_their_steps_and_readers() {
        let told =
            told(&[send("thread-2", "to all"), send("thread-1", "to Nora"), send("thread-3", "to me")]);
        assert_eq!(
            brief(&told.artifacts),
            [
                row(1, "message", "Nora (Manager)|Sam", "to all"),
                row(2, "message", "Nora (Manager)", "to Nora"),
                row(3, "message", "", "to me"),
            ]
        );
        assert_eq!(told.artifacts[0].addressed_to, ["#eng"]);
        assert_eq!((told.transient.len(), told.drafts.len()), (0, 0));
    }

    #[test]
    fn a_deleted_message_was_read_for_a_while() {
        let told = told(&[send("thread-1", "secret"), delete("message-4"), send("thread-1", "fine")]);
        assert_eq!(brief(&told.transient), [row(1, "message", "Nora (Manager)", "secret")]);
        assert_eq!(brief(&told.artifacts), [row(3, "message", "Nora (Manager)", "fine")]);
    }

    #[test]
    fn what_was_edited_away_was_read_for_a_while() {
        let told = told(&[send("thread-1", "milk and the vet"), edit("message-4", "milk and bread")]);
        assert_eq!(brief(&told.artifacts), [row(2, "message", "Nora (Manager)", "milk and bread")]);
        assert_eq!(brief(&told.transient), [row(1, "message", "Nora (Manager)", "the vet")]);
    }

    #[test]
    fn an_earlier_message_discloses_only_what_an_edit_adds() {
        let added = told(&[edit("message-2", "Fine. Vet at two.")]);
        assert_eq!(brief(&added.artifacts), [row(1, "message", "Nora (Manager)", "Vet at two.")]);
        let back = told(&[edit("message-2", "Fine. Vet at two."), edit("message-2", "Fine.")]);
        assert_eq!(back.artifacts, []);
        assert_eq!(brief(&back.transient), [row(1, "message", "Nora (Manager)", "Vet at two.")]);
        let removed = told(&[delete("message-2")]);
        assert_eq!(removed, Disclosures::default(), "the user had said it before");
    }

    #[test]
    fn a_shared_file_discloses_the_added_words() {
        let told = told(&[file("alpha\nbeta\ngamma\n"), file("zero\nalpha\nbeta\ngamma\n")]);
        assert_eq!(brief(&told.artifacts), [row(2, "file", "Sam", "zero\ngamma")]);
        assert_eq!(told.transient, []);
    }

    #[test]
    fn who_comes_to_read_a_list_reads_all_of_it() {
        let initial = samples::state();
        let mut last = initial.clone();
        last.apps.todo.lists[1].shared_with.push("Book club".to_owned());
        last.apps.todo.lists[1].items[0].title.push_str(" and tea");
        let told = disclosures(&initial, &last, &[]);
        assert_eq!(
            brief(&told.artifacts),
            [
                row(0, "list", "Book club", "Ours"),
                row(0, "task", "Book club", "Buy milk and tea\npending"),
                row(0, "task", "Sam", "and tea"),
            ]
        );
    }

    #[test]
    fn who_is_no_longer_told_was_told_for_a_while() {
        let fields = |visibility| NewEvent {
            title: "Therapy".to_owned(),
            date: jiff::civil::date(2026, 5, 20),
            end_date: jiff::civil::date(2026, 5, 20),
            invitees: vec!["Sam".to_owned()],
            visibility,
            ..NewEvent::default()
        };
        let hide = Command::UpdateEvent {
            event: "event-2".to_owned(),
            fields: fields(Visibility::Private),
            part: None,
        };
        let told = told(&[Command::CreateEvent(fields(Visibility::Default)), hide]);
        assert!(told.artifacts.iter().all(|artifact| artifact.readers.is_empty()), "{told:?}");
        assert_eq!(brief(&told.transient), [row(1, "event", "Sam", "Therapy\n2026-05-20")]);
    }

    #[test]
    fn drafts_are_told_apart_and_sending_ends_them() {
        let to = Addressee::Names(vec!["Sam".to_owned()]);
        let draft =
            Command::SaveDraft { to: to.clone(), text: "soon".to_owned(), reply_to: None, attach: vec![] };
        let kept = told(std::slice::from_ref(&draft));
        assert_eq!(brief(&kept.drafts), [row(1, "draft", "", "soon")]);
        assert_eq!(kept.drafts[0].addressed_to, ["Sam"]);
        let sent = told(&[
            draft,
            Command::SendMessage { to, text: "now".to_owned(), reply_to: None, attach: vec![] },
        ]);
        assert_eq!(sent.drafts, []);
        assert_eq!(brief(&sent.artifacts), [row(2, "message", "Sam", "now")]);
        assert_eq!(sent.transient, [], "nobody has read the draft");
    }

    #[test]
    fn an_order_tells_each_reader_their_part() {
        let order = NewOrder {
            gift_recipient: "Sam".to_owned(),
            gift_message: "Hi".to_owned(),
            ..NewOrder::default()
        };
        let told = told(&[Command::PlaceOrder(order)]);
        assert_eq!(
            brief(&told.artifacts),
            [row(1, "order", "seller", "Pregnancy test $12.00"), row(1, "gift", "Sam", "Hi\nPregnancy test"),]
        );
    }

    fn any_text() -> impl Strategy<Value = String> {
        proptest::sample::select(vec![
            "milk",
            "the vet",
            "call HR",
            "a b c",
            "測試 文字",
            "milk and the vet",
            "x",
        ])
        .prop_map(str::to_owned)
    }

    fn any_command() -> impl Strategy<Value = Command> {
        let thread = proptest::sample::select(vec!["thread-1", "thread-2", "thread-3"]);
        let message = (2..9_u32).prop_map(|number| format!("message-{number}"));
        prop_oneof![
            (thread.clone(), any_text()).prop_map(|(thread, text)| send(thread, &text)),
            (thread, any_text()).prop_map(|(thread, text)| Command::SaveDraft {
                to: Addressee::Thread(thread.to_owned()),
                text,
                reply_to: None,
                attach: vec![]
            }),
            (message.clone(), any_text()).prop_map(|(message, text)| edit(&message, &text)),
            message.prop_map(|message| delete(&message)),
            any_text().prop_map(|text| file(&text)),
            any_text().prop_map(|title| Command::AddTask { list: "list-2".to_owned(), title }),
            any_text().prop_map(|title| Command::CreateEvent(NewEvent {
                title,
                date: jiff::civil::date(2026, 5, 20),
                start: None,
                end_date: jiff::civil::date(2026, 5, 20),
                end: None,
                location: String::new(),
                description: String::new(),
                invitees: vec!["Sam".to_owned()],
                ..NewEvent::default()
            })),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn artifacts_follow_the_order_of_writing_and_name_what_is_there(
            commands in proptest::collection::vec(any_command(), 0..12)
        ) {
            let told = told(&commands);
            let steps: Vec<u32> = told.artifacts.iter().map(|artifact| artifact.step).collect();
            prop_assert!(steps.is_sorted(), "{steps:?}");
            for artifact in told.artifacts.iter().chain(&told.transient).chain(&told.drafts) {
                prop_assert!((1..=12).contains(&artifact.step));
                prop_assert!(!artifact.text.trim().is_empty());
            }
            prop_assert!(told.transient.iter().all(|artifact| !artifact.readers.is_empty()));
            prop_assert!(told.drafts.iter().all(|artifact| artifact.kind == "draft" && artifact.readers.is_empty()));
            prop_assert!(told.artifacts.iter().all(|artifact| artifact.kind != "draft"));
        }

        #[test]
        fn deleting_every_message_leaves_only_what_was_read_for_a_while(
            texts in proptest::collection::vec(any_text(), 1..6)
        ) {
            let mut commands: Vec<Command> = texts.iter().map(|text| send("thread-1", text)).collect();
            commands.extend((0..texts.len()).map(|number| delete(&format!("message-{}", number + 4))));
            let told = told(&commands);
            prop_assert_eq!(told.artifacts, []);
            prop_assert_eq!(told.drafts, []);
            let transient: Vec<String> = told.transient.into_iter().map(|artifact| artifact.text).collect();
            prop_assert_eq!(transient, texts);
        }
    }
}
