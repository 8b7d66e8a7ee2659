//! The one entry: which part of the state a command changes.

use jiff::ToSpan;

use super::super::{App, CodeCommand, Command, CommandError, SeriesPart, TodoCommand, WorkspaceState};
use super::{calendar, calendars, code_editor, lists, maps, messenger, shop, todo};

/// What a command did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Where.
    pub(crate) app: App,
    /// The event's kind, such as `message_sent`.
    pub(crate) kind: &'static str,
    /// The entity that was written or removed.
    pub(crate) entity: String,
    /// What holds the entity: the thread of a message or draft, the list of a task; otherwise the
    /// entity itself.
    pub(crate) parent: String,
}

impl Change {
    pub(super) fn new(app: App, kind: &'static str, entity: &str, parent: &str) -> Self {
        Self { app, kind, entity: entity.to_owned(), parent: parent.to_owned() }
    }
}

/// Carries a command out and advances the clock by a minute, unless it only notes what was seen.
///
/// # Errors
/// [`CommandError`] where the command is no good; `state` is then to be thrown away.
pub(crate) fn change(state: &mut WorkspaceState, command: &Command) -> Result<Change, CommandError> {
    let done = match command {
        Command::SendMessage { to, text, reply_to, attach } => {
            messenger::send(state, to, text, reply_to.as_deref(), attach)
        }
        Command::ForwardMessage { message, to, text } => messenger::forward(state, message, to, text),
        Command::SaveDraft { to, text, reply_to, attach } => {
            messenger::save_draft(state, to, text, reply_to.as_deref(), attach)
        }
        // Typing takes no time.
        Command::KeepDraft { thread, text, reply_to, attach } => {
            return messenger::keep_draft(state, thread, text, reply_to.as_deref(), attach);
        }
        Command::SetThread { thread, setting, on } => messenger::set_thread(state, thread, *setting, *on),
        Command::RestoreDraft { thread } => messenger::restore_draft(state, thread),
        Command::EditMessage { message, text } => messenger::edit(state, message, text),
        Command::DeleteMessage { message } => messenger::delete(state, message),
        Command::RestoreMessage { message } => messenger::restore(state, message),
        // Looking at something takes no time.
        Command::MarkRead { thread } => return messenger::mark_read(state, thread),
        Command::CreateEvent(event) => calendar::create(state, event),
        Command::UpdateEvent { event, fields, part: None } => calendar::update(state, event, fields),
        Command::UpdateEvent { event, fields, part: Some(part) } => {
            calendar::update_part(state, event, fields, *part)
        }
        Command::DeleteEvent { event, day: None, .. } => calendar::delete(state, event),
        Command::DeleteEvent { event, day: Some(day), following } => {
            let part = SeriesPart { day: *day, following: *following };
            calendar::delete_part(state, event, part)
        }
        Command::RestoreEvent { event } => calendar::restore(state, event),
        Command::RespondToEvent { event, response, note } => calendar::respond(state, event, response, note),
        Command::AddTask { list, title } => lists::add_task(state, list, title),
        Command::SetTaskDone { task, done } => lists::set_done(state, task, *done),
        Command::SaveFile { file: Some(file), content, .. } => lists::save_file(state, file, content),
        Command::SaveFile { file: None, path, content } => lists::create_file(state, path, content),
        Command::SavePlace { name, address, note } => lists::save_place(state, name, address, note),
        Command::AddToCart { title } => shop::add_to_cart(state, title),
        Command::PlaceOrder(order) => shop::place_order(state, order),
        Command::Calendar(command) => calendars::change(state, command),
        // Nor does typing about a task.
        Command::Todo(command @ TodoCommand::KeepTask { .. }) => return todo::change(state, command),
        Command::Todo(command) => todo::change(state, command),
        Command::Maps(command) => maps::change(state, command),
        // Which tabs are open is how somebody reads, not something that is done: no time passes.
        Command::Code(
            command @ (CodeCommand::OpenTab { .. }
            | CodeCommand::CloseTab { .. }
            | CodeCommand::PinTab { .. }),
        ) => {
            return code_editor::change(state, command);
        }
        Command::Code(command) => code_editor::change(state, command),
        Command::Shop(command) => shop::change(state, command),
    }?;
    // At the end of the calendar the clock stands still rather than fail.
    state.now = state.now.checked_add(1.minute()).unwrap_or(state.now);
    Ok(done)
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::super::checks::{LINE_LIMIT, TEXT_LIMIT};
    use super::*;
    use crate::scenario::model::{AttachmentKind, Frequency};
    use crate::workspace::{Addressee, Attach, NewEvent, NewOrder, samples};

    fn names(names: &[&str]) -> Addressee {
        Addressee::Names(names.iter().map(|name| (*name).to_owned()).collect())
    }

    fn send(to: Addressee, text: &str) -> Command {
        Command::SendMessage { to, text: text.to_owned(), reply_to: None, attach: vec![] }
    }

    fn to_nora(text: &str) -> Command {
        send(Addressee::Thread("thread-1".to_owned()), text)
    }

    fn event(title: &str) -> NewEvent {
        NewEvent {
            title: title.to_owned(),
            date: date(2026, 5, 20),
            start: Some(time(9, 0, 0, 0)),
            end_date: date(2026, 5, 20),
            end: Some(time(10, 0, 0, 0)),
            location: String::new(),
            description: String::new(),
            invitees: Vec::new(),
            ..NewEvent::default()
        }
    }

    fn rejected(command: &Command) -> CommandError {
        let mut state = samples::state();
        let before = state.now;
        let error = change(&mut state, command).unwrap_err();
        assert_eq!(state.now, before, "the clock stands still");
        error
    }

    #[test]
    fn a_message_takes_the_time_before_the_clock_advances_and_ends_the_draft() {
        let mut state = samples::state();
        let draft = Command::SaveDraft {
            to: Addressee::Thread("thread-1".to_owned()),
            text: "x".to_owned(),
            reply_to: None,
            attach: vec![],
        };
        assert_eq!(change(&mut state, &draft).unwrap().entity, "thread-1");
        assert!(state.apps.messenger.threads[0].draft.is_some());
        let done = change(&mut state, &to_nora("One\r\ntwo\rthree ")).unwrap();
        assert_eq!(
            (done.kind, done.entity.as_str(), done.parent.as_str()),
            ("message_sent", "message-4", "thread-1")
        );
        let thread = &state.apps.messenger.threads[0];
        assert_eq!(thread.draft, None);
        assert_eq!(thread.messages[2].text, "One\ntwo\nthree ");
        assert_eq!(thread.messages[2].at, date(2026, 5, 19).at(9, 1, 0, 0));
        assert_eq!(state.now, date(2026, 5, 19).at(9, 2, 0, 0));
    }

    #[test]
    fn names_find_the_thread_whatever_their_order_and_make_one_where_there_is_none() {
        let mut state = samples::state();
        let done = change(&mut state, &send(names(&["nora"]), "a")).unwrap();
        assert_eq!(done.parent, "thread-1", "without the label, in other case");
        let made = change(&mut state, &send(names(&["Sam", "Book club", "Sam"]), "b")).unwrap();
        assert_eq!(made.parent, "thread-4");
        assert_eq!(state.apps.messenger.threads[3].title, "Sam, Book club");
        let found = change(&mut state, &send(names(&["Book club", "Sam"]), "c")).unwrap();
        assert_eq!(found.parent, "thread-4");
    }

    #[test]
    fn an_unknown_or_ambiguous_recipient_is_told() {
        assert_eq!(
            rejected(&send(names(&["Nora (Manger)"]), "a")),
            CommandError::UnknownRecipient {
                name: "Nora (Manger)".to_owned(),
                closest: Some("Nora (Manager)".to_owned())
            }
        );
        let ambiguous = rejected(&send(names(&["alex"]), "a"));
        assert_eq!(
            ambiguous.message(),
            "\"alex\" could be \"Alex (Vendor)\" or \"Alex (Client)\". Write the full name."
        );
        assert_eq!(rejected(&send(names(&[" "]), "a")), CommandError::NoRecipient);
    }

    #[test]
    fn texts_are_bounded_and_say_something() {
        assert_eq!(rejected(&to_nora(" \n")), CommandError::Blank { field: "message" });
        let length = TEXT_LIMIT + 1;
        let error = rejected(&to_nora(&"ä".repeat(length)));
        assert_eq!(error, CommandError::TooLong { field: "message", length, limit: TEXT_LIMIT });
        assert_eq!(rejected(&to_nora("a\0b")), CommandError::Unprintable { field: "message" });
        let title = "x".repeat(LINE_LIMIT + 1);
        let task = Command::AddTask { list: "list-1".to_owned(), title };
        assert!(matches!(rejected(&task), CommandError::TooLong { field: "task", .. }));
        let mut state = samples::state();
        assert!(change(&mut state, &to_nora(&"ä".repeat(TEXT_LIMIT))).is_ok());
    }

    #[test]
    fn only_own_messages_are_changed() {
        let mut state = samples::state();
        let edit = |message: &str, text: &str| Command::EditMessage {
            message: message.to_owned(),
            text: text.to_owned(),
        };
        let delete = |message: &str| Command::DeleteMessage { message: message.to_owned() };
        assert_eq!(rejected(&edit("message-1", "x")), CommandError::NotOwn);
        assert_eq!(rejected(&delete("message-1")), CommandError::NotOwn);
        assert!(matches!(rejected(&delete("message-99")), CommandError::Unknown { what: "message", .. }));
        change(&mut state, &edit("message-2", "Great.")).unwrap();
        let message = &state.apps.messenger.threads[0].messages[1];
        assert_eq!((message.text.as_str(), message.edited_at.is_some()), ("Great.", true));
        change(&mut state, &delete("message-2")).unwrap();
        assert_eq!(state.apps.messenger.threads[0].messages.len(), 1);
    }

    #[test]
    fn a_blank_draft_removes_the_draft() {
        let mut state = samples::state();
        let draft = |text: &str| Command::SaveDraft {
            to: Addressee::Thread("thread-2".to_owned()),
            text: text.to_owned(),
            reply_to: None,
            attach: vec![],
        };
        assert_eq!(change(&mut state, &draft(" ")).unwrap_err(), CommandError::NoDraft);
        change(&mut state, &draft("soon")).unwrap();
        assert_eq!(change(&mut state, &draft("")).unwrap().kind, "draft_removed");
        assert_eq!(state.apps.messenger.threads[1].draft, None);
    }

    #[test]
    fn what_is_attached_is_a_copy() {
        let mut state = samples::state();
        let attach = |kind, id: &str| Attach { kind, id: id.to_owned() };
        let send = |attach| Command::SendMessage {
            to: Addressee::Thread("thread-1".to_owned()),
            text: String::new(),
            reply_to: Some("message-1".to_owned()),
            attach,
        };
        let wanted = vec![
            attach(AttachmentKind::Event, "event-1"),
            attach(AttachmentKind::List, "list-1"),
            attach(AttachmentKind::List, "list-1"),
            attach(AttachmentKind::File, "file-1"),
            attach(AttachmentKind::Product, "product-1"),
        ];
        change(&mut state, &send(wanted)).unwrap();
        let message = state.apps.messenger.threads[0].messages.last().unwrap().clone();
        let texts: Vec<&str> = message.attachments.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["2026-05-19 14:00 (2:00 PM)\n2 pm", "Call HR", "alpha\nbeta\n", "$48.00"]);
        assert_eq!(message.reply_to.as_deref(), Some("message-1"));
        let gone = change(&mut state, &send(vec![attach(AttachmentKind::Place, "place-9")])).unwrap_err();
        assert!(matches!(gone, CommandError::Unknown { what: "place", .. }));
        let nothing = change(&mut state, &send(Vec::new())).unwrap_err();
        assert_eq!(nothing, CommandError::Blank { field: "message" });
    }

    #[test]
    fn a_message_is_passed_on_as_its_author_wrote_it() {
        let mut state = samples::state();
        let forward = |message: &str, to: &str, text: &str| Command::ForwardMessage {
            message: message.to_owned(),
            to: names(&[to]),
            text: text.to_owned(),
        };
        let first = change(&mut state, &forward("message-1", "Sam", "FYI")).unwrap();
        assert_eq!(first.kind, "message_forwarded");
        let again = change(&mut state, &forward(&first.entity, "Book club", "")).unwrap();
        let thread = state.apps.messenger.thread(&again.parent).unwrap();
        let forwarded = thread.messages[0].forwarded.clone().unwrap();
        assert_eq!((forwarded.text.as_str(), forwarded.author.is_user), ("FYI\nHow is it going?", true));
        assert!(matches!(
            change(&mut state, &forward("message-99", "Sam", "")),
            Err(CommandError::Unknown { what: "message", .. })
        ));
    }

    #[test]
    fn edits_and_deletions_of_messages_are_undone() {
        let mut state = samples::state();
        let before = state.apps.messenger.threads[0].clone();
        let undo = Command::RestoreMessage { message: "message-2".to_owned() };
        let edit = Command::EditMessage { message: "message-2".to_owned(), text: "Great.".to_owned() };
        let delete = Command::DeleteMessage { message: "message-2".to_owned() };
        for command in [edit, delete] {
            change(&mut state, &command).unwrap();
            assert_ne!(state.apps.messenger.threads[0], before);
            assert_eq!(change(&mut state, &undo).unwrap().kind, "message_restored");
            assert_eq!(state.apps.messenger.threads[0], before);
        }
        assert_eq!(change(&mut state, &undo).unwrap_err(), CommandError::NothingToUndo);
    }

    #[test]
    fn a_discarded_draft_comes_back() {
        let mut state = samples::state();
        let save = |text: &str| Command::SaveDraft {
            to: Addressee::Thread("thread-1".to_owned()),
            text: text.to_owned(),
            reply_to: None,
            attach: vec![],
        };
        change(&mut state, &save("soon")).unwrap();
        let kept = state.apps.messenger.threads[0].draft.clone();
        change(&mut state, &save("")).unwrap();
        change(&mut state, &Command::RestoreDraft { thread: "thread-1".to_owned() }).unwrap();
        assert_eq!(state.apps.messenger.threads[0].draft, kept);
    }

    #[test]
    fn reading_a_thread_takes_no_time() {
        let mut state = samples::state();
        state.apps.messenger.threads[0].unread = 1;
        let now = state.now;
        let read = change(&mut state, &Command::MarkRead { thread: "thread-1".to_owned() }).unwrap();
        assert_eq!((read.entity.as_str(), read.parent.as_str()), ("message-2", "thread-1"));
        let thread = &state.apps.messenger.threads[0];
        assert_eq!((thread.unread, thread.first_new(), state.now), (0, Some("message-2"), now));
        change(&mut state, &to_nora("hello")).unwrap();
        assert_eq!(state.apps.messenger.threads[0].first_new(), None);
    }

    #[test]
    fn an_event_is_changed_deleted_and_brought_back() {
        let mut state = samples::state();
        let invitees = vec!["nora".to_owned(), "Sam".to_owned()];
        let made = change(&mut state, &Command::CreateEvent(NewEvent { invitees, ..event("Plan") })).unwrap();
        state.apps.calendar.events[1].invitees[0].response = "yes".to_owned();
        let before = state.apps.calendar.events.clone();
        let fields = NewEvent { invitees: vec!["Nora (Manager)".to_owned()], ..event("Plan B") };
        let update = Command::UpdateEvent { event: made.entity.clone(), fields, part: None };
        assert_eq!(change(&mut state, &update).unwrap().kind, "event_updated");
        let changed = &state.apps.calendar.events[1];
        assert_eq!((changed.title.as_str(), changed.invitees[0].response.as_str()), ("Plan B", "yes"));
        let undo = Command::RestoreEvent { event: made.entity.clone() };
        change(&mut state, &undo).unwrap();
        assert_eq!(state.apps.calendar.events, before);
        let delete = Command::DeleteEvent { event: "event-1".to_owned(), day: None, following: false };
        assert_eq!(change(&mut state, &delete).unwrap().kind, "event_cancelled");
        change(&mut state, &Command::RestoreEvent { event: "event-1".to_owned() }).unwrap();
        assert_eq!(state.apps.calendar.events, before);
        assert_eq!(change(&mut state, &undo).unwrap_err(), CommandError::NothingToUndo);
    }

    #[test]
    fn one_day_of_a_series_is_left_out() {
        let mut state = samples::state();
        let until = Some(date(2026, 6, 3));
        let series = NewEvent { repeats: Some(Frequency::Weekly), until, ..event("Gym") };
        let made = change(&mut state, &Command::CreateEvent(series)).unwrap().entity;
        let days = |state: &WorkspaceState| {
            let gym = state.apps.calendar.events[1].clone();
            (20..32_i8)
                .filter(|day| gym.starts_on(date(2026, 5, *day.min(&31))))
                .chain((1..=10).filter(|day| gym.starts_on(date(2026, 6, *day))))
                .collect::<Vec<i8>>()
        };
        assert_eq!(days(&state), [20, 27, 3]);
        let delete = |day| Command::DeleteEvent { event: made.clone(), day: Some(day), following: false };
        assert_eq!(change(&mut state, &delete(date(2026, 5, 28))).unwrap_err(), CommandError::NotInSeries);
        change(&mut state, &delete(date(2026, 5, 27))).unwrap();
        assert_eq!(days(&state), [20, 3]);
        let endless = NewEvent { until, ..event("x") };
        assert_eq!(rejected(&Command::CreateEvent(endless)), CommandError::UntilWithoutRepeat);
        let early = NewEvent { reminders: vec![50_000], ..event("x") };
        assert_eq!(rejected(&Command::CreateEvent(early)), CommandError::ReminderTooEarly);
    }

    #[test]
    fn invitations_are_answered_and_not_changed() {
        let mut state = samples::state();
        let answer = |response: &str| Command::RespondToEvent {
            event: "event-1".to_owned(),
            response: response.to_owned(),
            note: " In a meeting ".to_owned(),
        };
        assert_eq!(change(&mut state, &answer("no")).unwrap_err(), CommandError::NotInvited);
        state.apps.calendar.events[0].organiser = Some("Sam".to_owned());
        assert!(matches!(change(&mut state, &answer("perhaps")), Err(CommandError::Blank { .. })));
        assert_eq!(change(&mut state, &answer("no")).unwrap().kind, "event_answered");
        let event = &state.apps.calendar.events[0];
        assert_eq!(
            (event.own_response.as_deref(), event.response_note.as_str()),
            (Some("no"), "In a meeting")
        );
        let delete = Command::DeleteEvent { event: "event-1".to_owned(), day: None, following: false };
        assert!(matches!(change(&mut state, &delete), Err(CommandError::NotOrganiser { .. })));
    }

    #[test]
    fn an_event_ends_after_it_starts() {
        let early = NewEvent { end: Some(time(8, 59, 0, 0)), ..event("x") };
        assert_eq!(rejected(&Command::CreateEvent(early)), CommandError::EndBeforeStart);
        let before = NewEvent { end_date: date(2026, 5, 19), ..event("x") };
        assert_eq!(rejected(&Command::CreateEvent(before)), CommandError::EndBeforeStart);
        let endless = NewEvent { end_date: date(2028, 5, 19), ..event("x") };
        assert_eq!(rejected(&Command::CreateEvent(endless)), CommandError::DateOutOfRange);
        let old = NewEvent { date: date(-9999, 1, 1), end_date: date(9999, 1, 1), ..event("x") };
        assert_eq!(rejected(&Command::CreateEvent(old)), CommandError::DateOutOfRange);
        let no_start = NewEvent { start: None, ..event("x") };
        assert_eq!(rejected(&Command::CreateEvent(no_start)), CommandError::EndWithoutStart);
        let night = NewEvent { end_date: date(2026, 5, 21), end: Some(time(1, 0, 0, 0)), ..event("x") };
        assert!(change(&mut samples::state(), &Command::CreateEvent(night)).is_ok());
        assert_eq!(rejected(&Command::CreateEvent(event(" "))), CommandError::Blank { field: "title" });
    }

    #[test]
    fn invitees_are_contacts_where_one_is_meant_and_free_names_otherwise() {
        let mut state = samples::state();
        let invitees = ["nora", "", "Alex", "jo@example.org", "Nora (Manager)"].map(str::to_owned).to_vec();
        change(&mut state, &Command::CreateEvent(NewEvent { invitees, ..event("x") })).unwrap();
        let invited: Vec<&str> =
            state.apps.calendar.events[1].invitees.iter().map(|invitee| invitee.name.as_str()).collect();
        assert_eq!(invited, ["Nora (Manager)", "Alex", "jo@example.org"]);
    }

    #[test]
    fn tasks_files_and_places_are_written() {
        let mut state = samples::state();
        let task = Command::AddTask { list: "list-2".to_owned(), title: " Bread ".to_owned() };
        let done = change(&mut state, &task).unwrap();
        assert_eq!((done.entity.as_str(), done.parent.as_str()), ("task-3", "list-2"));
        assert_eq!(state.apps.todo.lists[1].items[1].title, "Bread");
        change(&mut state, &Command::SetTaskDone { task: "task-2".to_owned(), done: true }).unwrap();
        let item = &state.apps.todo.lists[1].items[0];
        assert_eq!((item.done, item.status.as_deref()), (true, None));
        let file =
            |path: &str| Command::SaveFile { file: None, path: path.to_owned(), content: "c".to_owned() };
        assert_eq!(
            change(&mut state, &file("notes.md")).unwrap_err(),
            CommandError::DuplicatePath { path: "notes.md".to_owned() }
        );
        assert_eq!(change(&mut state, &file("new.md")).unwrap().entity, "file-2");
        assert_eq!(state.apps.code_editor.active_file.as_deref(), Some("file-2"));
        let place =
            Command::SavePlace { name: "Home".to_owned(), address: String::new(), note: String::new() };
        assert_eq!(change(&mut state, &place).unwrap().entity, "place-1");
        let unknown = Command::AddTask { list: "list-9".to_owned(), title: "x".to_owned() };
        assert!(matches!(change(&mut state, &unknown), Err(CommandError::Unknown { what: "list", .. })));
    }

    #[test]
    fn an_order_takes_the_cart() {
        let mut state = samples::state();
        change(&mut state, &Command::AddToCart { title: "Lamp".to_owned() }).unwrap();
        change(&mut state, &Command::AddToCart { title: "Lamp".to_owned() }).unwrap();
        let nothing = Command::AddToCart { title: "No such thing".to_owned() };
        assert!(matches!(change(&mut state, &nothing), Err(CommandError::UnknownProduct { .. })));
        let gift = NewOrder { gift_message: "Hi".to_owned(), ..NewOrder::default() };
        let nobody = change(&mut state, &Command::PlaceOrder(gift)).unwrap_err();
        assert_eq!(nobody, CommandError::GiftWithoutRecipient);
        let order = NewOrder { gift_recipient: "nora".to_owned(), ..NewOrder::default() };
        change(&mut state, &Command::PlaceOrder(order.clone())).unwrap();
        let shop = &state.apps.shop;
        assert_eq!((shop.cart.len(), shop.orders[0].lines[1].quantity), (0, 2));
        assert_eq!(shop.orders[0].gift_recipient, "Nora (Manager)");
        assert_eq!(shop.orders[0].total.as_ref().map(|total| total.text.as_str()), Some("$108.00"));
        assert_eq!(change(&mut state, &Command::PlaceOrder(order)).unwrap_err(), CommandError::EmptyCart);
    }
}
