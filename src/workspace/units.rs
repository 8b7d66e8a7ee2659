//! A state as the pieces of text that somebody can read.

use std::collections::HashMap;

use jiff::civil::{DateTime, Time};

use super::{App, Unit, WorkspaceState};
use crate::scenario::model::{
    Attachment, Calendar, CalendarEvent, CartLine, CodeEditor, Comment, Commit, Detail, EventCalendar,
    Message, Messenger, Order, Place, Recurrence, Review, Route, Share, SharedFolder, SourceFile, Thread,
    TodoItem, TodoList, Visibility,
};

/// The reader of every order.
pub const SELLER: &str = "seller";
/// The reader of a delivery note.
pub const COURIER: &str = "courier";
/// The reader of an order's reference.
pub const EMPLOYER: &str = "employer";
/// The reader of a review, of a public event and of a list that its link opens.
pub const EVERYBODY: &str = "everybody";

/// Every piece of text in a state that the user wrote or keeps, with who can read it: the user's
/// own messages, drafts, events, tasks, files, places and orders. Messages of others are no units:
/// whoever wrote them knows them already.
///
/// The order is that of [`App::ALL`] and of the state, so equal states give equal units. An entity
/// is named by app, kind and id together: an order has a unit for the seller, one for the gift's
/// recipient and one for the courier, because each reads something else.
#[must_use]
pub fn units(state: &WorkspaceState) -> Vec<Unit> {
    App::ALL.into_iter().flat_map(|app| units_of(state, app)).collect()
}

/// The units of one app.
pub(super) fn units_of(state: &WorkspaceState, app: App) -> Vec<Unit> {
    let apps = &state.apps;
    let people = &apps.messenger;
    let share = |share| share_unit(people, app, share);
    let mut units = Vec::new();
    match app {
        App::Messenger => {
            for thread in &people.threads {
                let own = thread.messages.iter().filter(|message| message.author.is_user);
                units.extend(own.map(|message| message_unit(people, thread, message)));
                units.extend(draft_unit(thread));
            }
        }
        App::Calendar => {
            let names = |held: &EventCalendar| apps.calendar.readers_of(&held.id);
            units
                .extend(apps.calendar.calendars.iter().map(|held| calendar_unit(people, held, &names(held))));
            let events = apps.calendar.events.iter();
            units.extend(events.flat_map(|event| event_units(people, &apps.calendar, event)));
            units.extend(apps.calendar.shares.iter().map(share));
        }
        App::Maps => {
            units.extend(apps.maps.places.iter().map(place_unit));
            units.extend(apps.maps.routes.iter().map(route_unit));
            units.extend(apps.maps.shares.iter().map(share));
        }
        App::Todo => {
            for list in &apps.todo.lists {
                units.push(list_unit(people, list));
                for task in &list.items {
                    units.push(task_unit(people, list, task));
                    let own = task.comments.iter().filter(|comment| comment.author.is_user);
                    units.extend(own.map(|comment| comment_unit(people, list, task, comment)));
                }
            }
            units.extend(apps.todo.shares.iter().map(share));
        }
        App::CodeEditor => {
            let editor = &apps.code_editor;
            for file in &editor.files {
                let names = editor.readers_of(file);
                units.push(file_unit(people, file, &names));
                let own = file.comments.iter().filter(|comment| comment.author.is_user);
                units.extend(own.map(|comment| file_comment_unit(people, &names, comment)));
            }
            units.extend(editor.shared_folders.iter().map(|folder| folder_unit(people, editor, folder)));
            units.extend(apps.code_editor.commits.iter().map(|commit| commit_unit(people, commit)));
            units.extend(apps.code_editor.shares.iter().map(share));
        }
        App::Shop => {
            units.extend(apps.shop.orders.iter().flat_map(|order| order_units(people, order)));
            units.extend(apps.shop.reviews.iter().map(review_unit));
            units.extend(apps.shop.shares.iter().map(share));
        }
    }
    units
}

/// What an event tells: the units of the entity it names, and every other unit of the app that it
/// changed (the tasks of a list that is shared). Of those, one that is gone is told without text
/// and readers.
pub(super) fn changed_units(
    before: &WorkspaceState,
    after: &WorkspaceState,
    app: App,
    entity: &str,
) -> Vec<Unit> {
    let key = |unit: &Unit| (unit.kind.clone(), unit.entity.clone());
    let of_app = |state: &WorkspaceState| {
        units_of(state, app).into_iter().map(|unit| (key(&unit), unit)).collect::<Vec<_>>()
    };
    let before: HashMap<_, _> = of_app(before).into_iter().collect();
    let mut left: HashMap<_, _> = before.iter().filter(|(_, unit)| unit.entity != entity).collect();
    let mut told = Vec::new();
    for (key, unit) in of_app(after) {
        left.remove(&key);
        if unit.entity == entity || before.get(&key) != Some(&unit) {
            told.push(unit);
        }
    }
    let mut gone: Vec<Unit> = left
        .into_values()
        .map(|unit| Unit { readers: Vec::new(), text: String::new(), ..unit.clone() })
        .collect();
    gone.sort_by(|one, other| (&one.kind, &one.entity).cmp(&(&other.kind, &other.entity)));
    told.extend(gone);
    told
}

fn message_unit(people: &Messenger, thread: &Thread, message: &Message) -> Unit {
    // What the scenario marks as a draft lies in a thread, but nobody has received it.
    let (kind, readers) = if message.is_draft {
        ("draft", Vec::new())
    } else {
        ("message", people.readers(&thread.addressed_to))
    };
    let mut parts = vec![message.text.as_str()];
    parts.extend(message.forwarded.iter().flat_map(|earlier| [earlier.author.name.as_str(), &earlier.text]));
    parts.extend(attached(&message.attachments));
    // What is answered lies in the same thread: its readers have it already.
    let text = lines(parts, &message.details);
    unit(App::Messenger, kind, &message.id, &thread.addressed_to, readers, text)
}

fn draft_unit(thread: &Thread) -> Option<Unit> {
    let draft = thread.draft.as_ref()?;
    let parts = std::iter::once(draft.text.as_str()).chain(attached(&draft.attachments));
    let text = lines(parts, &[]);
    Some(unit(App::Messenger, "draft", &thread.id, &thread.addressed_to, Vec::new(), text))
}

fn attached(attachments: &[Attachment]) -> impl Iterator<Item = &str> {
    attachments.iter().flat_map(|attachment| [attachment.title.as_str(), &attachment.text])
}

/// What the readers of an event read, and apart from it what the user alone does: all of it where
/// the event is private, the rest where others only learn when it is.
fn event_units(people: &Messenger, calendar: &Calendar, event: &CalendarEvent) -> Vec<Unit> {
    let invited: Vec<String> = event.invitees.iter().map(|invitee| invitee.name.clone()).collect();
    let mut names = calendar.audience(event);
    if event.visibility == Visibility::Public && !names.iter().any(|name| name == EVERYBODY) {
        names.push(EVERYBODY.to_owned());
    }
    let whole = event_text(people, event, &invited);
    let readers = people.readers(&names);
    let own = |kind, text: &str| unit(App::Calendar, kind, &event.id, &[], Vec::new(), text.to_owned());
    let mut units = match event.visibility {
        _ if readers.is_empty() => vec![own("event", &whole)],
        Visibility::Default | Visibility::Public => {
            vec![unit(App::Calendar, "event", &event.id, &names, readers, whole)]
        }
        Visibility::Private => vec![own("event", &whole)],
        Visibility::BusyOnly => {
            let times = event_times(event);
            let busy = unit(App::Calendar, "event", &event.id, &names, readers, times);
            vec![busy, own("own_event", &whole)]
        }
    };
    if !event.own_notes.trim().is_empty() {
        units.push(own("event_notes", &event.own_notes));
    }
    units
}

fn calendar_unit(people: &Messenger, calendar: &EventCalendar, names: &[String]) -> Unit {
    let text = lines([calendar.name.as_str()], &calendar.details);
    unit(App::Calendar, "calendar", &calendar.id, names, people.readers(names), text)
}

fn event_times(event: &CalendarEvent) -> String {
    let (plain, twelve_hours) = times(event);
    lines([plain.as_str(), &twelve_hours], &[])
}

/// What invitees are told of an event: all that they read of it, or only when it is.
pub(super) fn told_of(people: &Messenger, event: &CalendarEvent) -> String {
    let invited: Vec<String> = event.invitees.iter().map(|invitee| invitee.name.clone()).collect();
    match event.visibility {
        Visibility::Default | Visibility::Public => event_text(people, event, &invited),
        Visibility::BusyOnly => event_times(event),
        Visibility::Private => String::new(),
    }
}

fn event_text(people: &Messenger, event: &CalendarEvent, names: &[String]) -> String {
    let (plain, twelve_hours) = times(event);
    let mut parts = vec![event.title.as_str(), &plain, &twelve_hours];
    parts.extend(event.time_text.as_deref());
    parts.extend([event.location.as_str(), &event.description, &event.url]);
    if !event.status.is_confirmed() {
        parts.push(event.status.name());
    }
    parts.extend(attached(&event.attachments));
    // Invitees see one another. A contact's name tells them nothing but that; what was typed there
    // and is no contact is text like any other.
    parts.extend(names.iter().map(String::as_str).filter(|name| people.contact(name).is_none()));
    let series = event.recurrence.as_ref().map(repeats).unwrap_or_default();
    // The user's own answer, and what goes with it, is for the organiser; reminders are nobody's business.
    let answer = event.own_response.as_deref().filter(|answer| *answer != "none").unwrap_or_default();
    parts.extend([series.as_str(), answer, &event.response_note]);
    lines(parts, &event.details)
}

/// `weekly, every 2, Mon Wed - 2026-06-30`.
pub(super) fn repeats(series: &Recurrence) -> String {
    const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let mut text = series.frequency.name().to_owned();
    if series.interval > 1 {
        text = format!("{text}, every {}", series.interval);
    }
    let weekdays = series.weekdays.iter().filter_map(|day| WEEKDAYS.get(usize::try_from(*day - 1).ok()?));
    let weekdays: Vec<&str> = weekdays.copied().collect();
    if !weekdays.is_empty() {
        text = format!("{text}, {}", weekdays.join(" "));
    }
    match series.until {
        Some(until) => format!("{text} - {until}"),
        None => text,
    }
}

/// When an event is, on one line in both notations.
pub(super) fn moments(event: &CalendarEvent) -> String {
    let (plain, twelve_hours) = times(event);
    if twelve_hours.is_empty() { plain } else { format!("{plain} ({twelve_hours})") }
}

/// When an event is, as a calendar shows it: `2026-05-19 14:00 - 15:00`, and the hours once more
/// as `2:00 PM - 3:00 PM`, because readers are shown either.
fn times(event: &CalendarEvent) -> (String, String) {
    let start = event.start.map(|time| short(event.date.to_datetime(time)));
    let end = event.end.map(|time| short(event.end_date.to_datetime(time)));
    let mut plain = event.date.to_string();
    let mut push = |text: &str| {
        plain.push(' ');
        plain.push_str(text);
    };
    if let Some(start) = &start {
        push(start);
    }
    if event.end_date != event.date || end.is_some() {
        push("-");
    }
    if event.end_date != event.date {
        push(&event.end_date.to_string());
    }
    if let Some(end) = &end {
        push(end);
    }
    let hours: Vec<String> = [event.start, event.end].into_iter().flatten().map(twelve_hours).collect();
    (plain, hours.join(" - "))
}

fn short(moment: DateTime) -> String {
    format!("{:02}:{:02}", moment.hour(), moment.minute())
}

fn twelve_hours(time: Time) -> String {
    let half = if time.hour() < 12 { "AM" } else { "PM" };
    let hour = match time.hour() % 12 {
        0 => 12,
        hour => hour,
    };
    format!("{hour}:{:02} {half}", time.minute())
}

fn place_unit(place: &Place) -> Unit {
    let said = [place.name.as_str(), &place.address, &place.note];
    let text = lines(said.into_iter().chain(place.facts()), &place.details);
    unit(App::Maps, "place", &place.id, &[], Vec::new(), text)
}

fn task_unit(people: &Messenger, list: &TodoList, task: &TodoItem) -> Unit {
    let due = task.due.map(|date| date.to_string()).unwrap_or_default();
    let priority = if task.priority.is_none() { "" } else { task.priority.name() };
    let mut parts = vec![task.title.as_str(), &task.notes, &due, priority];
    parts.extend(task.status.as_deref());
    // A contact's name tells nothing but who does it; what is no contact is text like any other.
    parts.extend(Some(task.assignee.as_str()).filter(|name| people.contact(name).is_none()));
    parts.extend(task.labels.iter().map(String::as_str));
    parts.extend(task.subtasks.iter().map(|subtask| subtask.title.as_str()));
    let text = lines(parts, &task.details);
    let addressed_to = task_people(list, task);
    unit(App::Todo, "task", &task.id, &addressed_to, people.readers(&addressed_to), text)
}

/// Who a task is for: those who read its list, as long as they see tasks like it, and whoever is to
/// do it.
pub(super) fn task_people(list: &TodoList, task: &TodoItem) -> Vec<String> {
    let is_hidden = task.done && list.hides_done;
    let mut names = if is_hidden { Vec::new() } else { list_people(list) };
    if !task.assignee.is_empty() && !names.contains(&task.assignee) {
        names.push(task.assignee.clone());
    }
    names
}

/// Who reads a list: those it is shared with, and everybody where its link opens it.
pub(super) fn list_people(list: &TodoList) -> Vec<String> {
    let mut names = list.shared_with.clone();
    if list.by_link && !names.iter().any(|name| name == EVERYBODY) {
        names.push(EVERYBODY.to_owned());
    }
    names
}

fn comment_unit(people: &Messenger, list: &TodoList, task: &TodoItem, comment: &Comment) -> Unit {
    let addressed_to = task_people(list, task);
    let readers = people.readers(&addressed_to);
    unit(App::Todo, "comment", &comment.id, &addressed_to, readers, comment.text.clone())
}

fn list_unit(people: &Messenger, list: &TodoList) -> Unit {
    let text = lines([list.name.as_str()], &list.details);
    let names = list_people(list);
    unit(App::Todo, "list", &list.id, &names, people.readers(&names), text)
}

/// Something that was shown to people, under the kind `shared_route`, `shared_cart` and so on.
fn share_unit(people: &Messenger, app: App, share: &Share) -> Unit {
    let kind = format!("shared_{}", share.kind.name());
    let parts = share.lines.iter().map(String::as_str).chain([share.message.as_str()]);
    unit(app, &kind, &share.id, &share.to, people.readers(&share.to), lines(parts, &[]))
}

fn route_unit(route: &Route) -> Unit {
    let mut parts = vec![route.name.as_str(), route.start.as_deref().unwrap_or_default()];
    parts.extend(route.stops.iter().flat_map(|stop| [stop.name.as_str(), &stop.note, &stop.dwell]));
    let facts =
        [&route.destination, &route.address, &route.eta, &route.distance, &route.status, &route.traffic];
    parts.extend(facts.into_iter().filter_map(|fact| fact.as_deref()));
    unit(App::Maps, "route", &route.id, &[], Vec::new(), lines(parts, &route.details))
}

fn commit_unit(people: &Messenger, commit: &Commit) -> Unit {
    let mut parts = vec![commit.message.as_str()];
    for file in &commit.files {
        parts.push(&file.path);
        parts.extend(file.diff.iter().map(String::as_str));
    }
    let readers = people.readers(&commit.pushed_to);
    unit(App::CodeEditor, "commit", &commit.id, &commit.pushed_to, readers, lines(parts, &[]))
}

fn review_unit(review: &Review) -> Unit {
    let readers = vec![EVERYBODY.to_owned()];
    let text = lines([review.product.as_str(), &review.text], &[]);
    unit(App::Shop, "review", &review.id, &readers, readers.clone(), text)
}

fn file_unit(people: &Messenger, file: &SourceFile, names: &[String]) -> Unit {
    let text = lines([file.path.as_str(), &file.content], &file.details);
    unit(App::CodeEditor, "file", &file.id, names, people.readers(names), text)
}

fn file_comment_unit(people: &Messenger, names: &[String], comment: &Comment) -> Unit {
    let readers = people.readers(names);
    unit(App::CodeEditor, "comment", &comment.id, names, readers, comment.text.clone())
}

/// A folder that others read tells them its path, also where nothing lies in it.
fn folder_unit(people: &Messenger, editor: &CodeEditor, folder: &SharedFolder) -> Unit {
    let names = editor.folder_readers(&folder.path);
    let readers = people.readers(&names);
    unit(App::CodeEditor, "folder", &folder.path, &names, readers, folder.path.clone())
}

fn order_units(people: &Messenger, order: &Order) -> Vec<Unit> {
    let seller = vec![SELLER.to_owned()];
    let priced: Vec<String> = order.lines.iter().map(|line| order_line(line, true)).collect();
    let mut parts: Vec<&str> = priced.iter().map(String::as_str).collect();
    parts.extend([order.deliver_to.as_str(), &order.delivery_note, &order.seller_note, &order.coupon]);
    let text = lines(parts, &order.details);
    let mut units = vec![unit(App::Shop, "order", &order.id, &seller, seller.clone(), text)];
    if !order.gift_recipient.is_empty() {
        let recipient = [order.gift_recipient.clone()];
        // A packing slip lists what is inside; prices only where they are not hidden.
        let slip = order.lines.iter().map(|line| order_line(line, order.shows_prices));
        let titles: Vec<String> = slip.collect();
        let mut parts = vec![order.gift_message.as_str()];
        parts.extend(titles.iter().map(String::as_str));
        let text = lines(parts, &[]);
        units.push(unit(App::Shop, "gift", &order.id, &recipient, people.readers(&recipient), text));
    }
    if !order.delivery_note.trim().is_empty() {
        let courier = vec![COURIER.to_owned()];
        let text = lines([order.delivery_note.as_str(), &order.deliver_to], &[]);
        units.push(unit(App::Shop, "delivery", &order.id, &courier, courier.clone(), text));
    }
    if !order.reference.trim().is_empty() {
        let employer = vec![EMPLOYER.to_owned()];
        let text = lines([order.reference.as_str()], &[]);
        units.push(unit(App::Shop, "reference", &order.id, &employer, employer.clone(), text));
    }
    units
}

pub(super) fn order_line(line: &CartLine, with_price: bool) -> String {
    let mut text = line.title.clone();
    if line.quantity != 1 {
        text = format!("{} x {text}", line.quantity);
    }
    if let Some(price) = line.price.as_ref().filter(|_| with_price) {
        text.push(' ');
        text.push_str(&price.text);
    }
    for detail in &line.details {
        text.push(' ');
        text.push_str(&detail.value);
    }
    text
}

fn unit(
    app: App,
    kind: &str,
    entity: &str,
    addressed_to: &[String],
    readers: Vec<String>,
    text: String,
) -> Unit {
    Unit {
        app,
        kind: kind.to_owned(),
        entity: entity.to_owned(),
        addressed_to: addressed_to.to_vec(),
        readers,
        text,
    }
}

/// The parts that say something and then the details' values, one per line.
fn lines<'a>(parts: impl IntoIterator<Item = &'a str>, details: &'a [Detail]) -> String {
    let values = details.iter().map(|detail| detail.value.as_str());
    let said: Vec<&str> = parts.into_iter().chain(values).filter(|part| !part.trim().is_empty()).collect();
    said.join("\n")
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;
    use crate::scenario::model::AttachmentKind;
    use crate::workspace::change::change;
    use crate::workspace::{Addressee, Attach, Command, NewEvent, NewOrder, samples};

    fn after(commands: &[Command]) -> Vec<Unit> {
        let mut state = samples::state();
        for command in commands {
            change(&mut state, command).unwrap();
        }
        units(&state)
    }

    fn send(thread: &str, text: &str) -> Command {
        Command::SendMessage {
            to: Addressee::Thread(thread.to_owned()),
            text: text.to_owned(),
            reply_to: None,
            attach: vec![],
        }
    }

    #[test]
    fn a_channel_is_read_by_its_members_and_notes_to_oneself_by_nobody() {
        let units = after(&[send("thread-2", "Hello"), send("thread-3", "Milk")]);
        let channel = samples::unit(&units, "message", "message-4");
        assert_eq!(channel.addressed_to, ["#eng"]);
        assert_eq!(channel.readers, ["Nora (Manager)", "Sam"]);
        assert_eq!(samples::unit(&units, "message", "message-5").readers, [""; 0]);
        assert!(units.iter().all(|unit| unit.entity != "message-1"), "the manager wrote it");
    }

    #[test]
    fn drafts_name_their_addressee_and_have_no_reader() {
        let to = Addressee::Thread("thread-2".to_owned());
        let units =
            after(&[Command::SaveDraft { to, text: "Later".to_owned(), reply_to: None, attach: vec![] }]);
        let draft = samples::unit(&units, "draft", "thread-2");
        assert_eq!((draft.readers.len(), draft.addressed_to.as_slice()), (0, &["#eng".to_owned()][..]));
        let mut state = samples::state();
        state.apps.messenger.threads[0].messages[1].is_draft = true;
        assert_eq!(samples::unit(&super::units(&state), "draft", "message-2").readers, [""; 0]);
    }

    #[test]
    fn an_event_says_when_in_both_notations_and_who_else_comes() {
        let event = NewEvent {
            title: "Sync".to_owned(),
            date: date(2026, 5, 20),
            start: Some(time(0, 30, 0, 0)),
            end_date: date(2026, 5, 20),
            end: Some(time(14, 0, 0, 0)),
            location: "Room 1".to_owned(),
            description: "Agenda".to_owned(),
            invitees: vec!["#eng".to_owned(), "Dr. Vet".to_owned()],
            ..NewEvent::default()
        };
        let unit = samples::unit(&after(&[Command::CreateEvent(event)]), "event", "event-2");
        assert_eq!(unit.text, "Sync\n2026-05-20 00:30 - 14:00\n12:30 AM - 2:00 PM\nRoom 1\nAgenda\nDr. Vet");
        assert_eq!(unit.readers, ["Dr. Vet", "Nora (Manager)", "Sam"]);
        let sample = samples::unit(&units(&samples::state()), "event", "event-1");
        assert_eq!(sample.text, "Vet appointment\n2026-05-19 14:00\n2:00 PM\n2 pm");
    }

    #[test]
    fn readers_of_a_message_read_what_is_passed_on_and_attached() {
        let attach = vec![Attach { kind: AttachmentKind::List, id: "list-1".to_owned() }];
        let to = Addressee::Thread("thread-1".to_owned());
        let sent = Command::SendMessage {
            to: to.clone(),
            text: "See this".to_owned(),
            reply_to: Some("message-1".to_owned()),
            attach,
        };
        let forward = Command::ForwardMessage {
            message: "message-1".to_owned(),
            to: Addressee::Names(vec!["Sam".to_owned()]),
            text: "FYI".to_owned(),
        };
        let units = after(&[sent, forward]);
        let sent = samples::unit(&units, "message", "message-4");
        assert_eq!(sent.text, "See this\nMine\nCall HR", "what is answered is known there");
        let forwarded = samples::unit(&units, "message", "message-5");
        assert_eq!(forwarded.text, "FYI\nNora (Manager)\nHow is it going?");
        assert_eq!(forwarded.readers, ["Sam"]);
    }

    #[test]
    fn visibility_says_what_invitees_read() {
        let event = |visibility| {
            Command::CreateEvent(NewEvent {
                title: "Therapy".to_owned(),
                date: date(2026, 5, 20),
                start: Some(time(9, 0, 0, 0)),
                end_date: date(2026, 5, 20),
                invitees: vec!["Sam".to_owned()],
                visibility,
                reminders: vec![10],
                ..NewEvent::default()
            })
        };
        let busy = after(&[event(Visibility::BusyOnly)]);
        let shown = samples::unit(&busy, "event", "event-2");
        assert_eq!(
            (shown.text.as_str(), shown.readers.as_slice()),
            ("2026-05-20 09:00\n9:00 AM", &["Sam".to_owned()][..])
        );
        let own = samples::unit(&busy, "own_event", "event-2");
        assert!(own.readers.is_empty() && own.text.starts_with("Therapy"));
        let private = after(&[event(Visibility::Private)]);
        assert!(samples::unit(&private, "event", "event-2").readers.is_empty());
    }

    #[test]
    fn an_answer_is_read_by_the_organiser() {
        let mut state = samples::state();
        state.apps.calendar.events[0].organiser = Some("Nora (Manager)".to_owned());
        let answer = Command::RespondToEvent {
            event: "event-1".to_owned(),
            response: "no".to_owned(),
            note: "Dentist".to_owned(),
        };
        change(&mut state, &answer).unwrap();
        let unit = samples::unit(&units(&state), "event", "event-1");
        assert!(unit.text.ends_with("no\nDentist"), "{}", unit.text);
        assert_eq!(unit.readers, ["Nora (Manager)"]);
    }

    #[test]
    fn each_reader_of_an_order_reads_a_part_of_their_own() {
        let order = NewOrder {
            deliver_to: "1 Main Street".to_owned(),
            gift_recipient: "Sam".to_owned(),
            gift_message: "Congratulations".to_owned(),
            delivery_note: "Ring twice".to_owned(),
            seller_note: "No plastic".to_owned(),
            ..NewOrder::default()
        };
        let units = after(&[Command::PlaceOrder(order)]);
        let seller = samples::unit(&units, "order", "order-1");
        assert_eq!(seller.readers, [SELLER]);
        assert_eq!(seller.text, "Pregnancy test $12.00\n1 Main Street\nRing twice\nNo plastic");
        let gift = samples::unit(&units, "gift", "order-1");
        assert_eq!(
            (gift.readers.as_slice(), gift.text.as_str()),
            (&["Sam".to_owned()][..], "Congratulations\nPregnancy test")
        );
        let courier = samples::unit(&units, "delivery", "order-1");
        assert_eq!(
            (courier.readers.as_slice(), courier.text.as_str()),
            (&[COURIER.to_owned()][..], "Ring twice\n1 Main Street")
        );
    }

    #[test]
    fn shared_lists_and_files_have_readers_and_places_have_none() {
        let place =
            Command::SavePlace { name: "Home".to_owned(), address: "A".to_owned(), note: "N".to_owned() };
        let units = after(&[place]);
        assert_eq!(samples::unit(&units, "task", "task-1").readers, [""; 0]);
        assert_eq!(samples::unit(&units, "task", "task-2").readers, ["Sam"]);
        assert_eq!(samples::unit(&units, "file", "file-1").text, "notes.md\nalpha\nbeta\n");
        let place = samples::unit(&units, "place", "place-1");
        assert_eq!((place.readers.len(), place.text.as_str()), (0, "Home\nA\nN"));
    }
}
