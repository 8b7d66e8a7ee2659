//! What the commands of one app do to a state, where no other test says so.

use jiff::civil::{Date, date};

use super::change;
use crate::scenario::model::{
    AttachmentKind, CalendarColour, Detail, EventStatus, Frequency, Priority, ProductOption, ShareKind,
    Shipping, Visibility,
};
use crate::workspace::{
    Addressee, Attach, CalendarCommand, CodeCommand, Command, CommandError, EVERYBODY, KeptAttachment,
    NewEvent, NewOrder, NewShare, SeriesPart, ShopCommand, TaskFields, ThreadSetting, TodoCommand, Unit,
    WorkspaceState, samples, units,
};

fn done(state: &mut WorkspaceState, command: &Command) -> (&'static str, String) {
    let change = change(state, command).unwrap();
    (change.kind, change.entity)
}

fn unit(state: &WorkspaceState, kind: &str, entity: &str) -> Unit {
    samples::unit(&units(state), kind, entity)
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn event(title: &str, day: Date) -> NewEvent {
    NewEvent { title: title.to_owned(), date: day, end_date: day, ..NewEvent::default() }
}

fn calendar(command: CalendarCommand) -> Command {
    Command::Calendar(command)
}

#[test]
fn sharing_a_calendar_opens_its_events_as_far_as_each_allows() {
    let mut state = samples::state();
    let add = |name: &str| calendar(CalendarCommand::AddCalendar { name: name.to_owned() });
    assert_eq!(done(&mut state, &add("Work")), ("calendar_added", "calendar-1".to_owned()));
    let day = date(2026, 5, 20);
    for (title, visibility) in
        [("Review", Visibility::Default), ("Doctor", Visibility::BusyOnly), ("Lawyer", Visibility::Private)]
    {
        let fields = NewEvent { calendar: "calendar-1".to_owned(), visibility, ..event(title, day) };
        done(&mut state, &Command::CreateEvent(fields));
    }
    assert!(unit(&state, "event", "event-2").readers.is_empty());
    let share = |calendar: &str| {
        let (people, message) = (names(&["sam"]), "See when".to_owned());
        Command::Calendar(CalendarCommand::ShareCalendar { calendar: calendar.to_owned(), people, message })
    };
    assert_eq!(done(&mut state, &share("calendar-1")), ("calendar_shared", "calendar-1".to_owned()));
    assert_eq!(unit(&state, "event", "event-2").readers, ["Sam"]);
    assert_eq!(unit(&state, "event", "event-3").text, "2026-05-20");
    assert_eq!(unit(&state, "event", "event-3").readers, ["Sam"]);
    assert!(unit(&state, "own_event", "event-3").text.contains("Doctor"));
    assert!(unit(&state, "event", "event-4").readers.is_empty());
    assert_eq!(unit(&state, "calendar", "calendar-1").readers, ["Sam"]);
    assert_eq!(unit(&state, "shared_calendar", "share-1").text, "See when");
    assert!(unit(&state, "event", "event-1").readers.is_empty(), "it lies in the user's own calendar");
    assert_eq!(done(&mut state, &share("")), ("calendar_shared", "calendar-own".to_owned()));
    assert_eq!(unit(&state, "event", "event-1").readers, ["Sam"]);
    let stop = calendar(CalendarCommand::StopSharing { calendar: "calendar-1".to_owned() });
    done(&mut state, &stop);
    assert!(unit(&state, "event", "event-2").readers.is_empty());
    let delete = calendar(CalendarCommand::DeleteCalendar { calendar: "calendar-1".to_owned() });
    assert_eq!(change(&mut state, &delete).unwrap_err(), CommandError::CalendarInUse);
    let mut emptied = state.clone();
    let held = emptied.apps.calendar.events.iter().filter(|event| event.calendar == "calendar-1");
    for event in held.map(|event| event.id.clone()).collect::<Vec<_>>() {
        done(&mut emptied, &Command::DeleteEvent { event, day: None, following: false });
    }
    assert_eq!(done(&mut emptied, &delete), ("calendar_removed", "calendar-1".to_owned()));
    let lost = NewEvent { calendar: "calendar-9".to_owned(), ..event("x", day) };
    let lost = change(&mut state, &Command::CreateEvent(lost));
    assert!(matches!(lost, Err(CommandError::Unknown { what: "calendar", .. })));
}

#[test]
fn a_public_event_is_read_by_everybody_and_notes_by_nobody() {
    let mut state = samples::state();
    let fields = NewEvent {
        visibility: Visibility::Public,
        own_notes: "ask for a raise".to_owned(),
        ..event("Talk", date(2026, 5, 20))
    };
    done(&mut state, &Command::CreateEvent(fields));
    let talk = unit(&state, "event", "event-2");
    assert_eq!(
        (talk.readers.as_slice(), talk.text.as_str()),
        (&[EVERYBODY.to_owned()][..], "Talk\n2026-05-20")
    );
    let notes = unit(&state, "event_notes", "event-2");
    assert_eq!((notes.readers.len(), notes.text.as_str()), (0, "ask for a raise"));
}

#[test]
fn this_and_following_part_a_series_and_undo_joins_it() {
    let mut state = samples::state();
    let series = NewEvent {
        repeats: Some(Frequency::Weekly),
        invitees: names(&["Sam"]),
        ..event("Gym", date(2026, 5, 20))
    };
    let id = done(&mut state, &Command::CreateEvent(series.clone())).1;
    state.apps.calendar.events[1].invitees[0].response = "yes".to_owned();
    let before = state.apps.calendar.events.clone();
    let day = date(2026, 6, 3);
    let moved = NewEvent { date: date(2026, 6, 4), end_date: date(2026, 6, 4), ..series.clone() };
    let part = |day, following| Some(SeriesPart { day, following });
    let update =
        |fields: &NewEvent, part| Command::UpdateEvent { event: id.clone(), fields: fields.clone(), part };
    let wrong = change(&mut state, &update(&moved, part(date(2026, 6, 4), true)));
    assert_eq!(wrong.unwrap_err(), CommandError::NotInSeries);
    assert_eq!(done(&mut state, &update(&moved, part(day, true))), ("series_parted", "event-3".to_owned()));
    let [_, gym, rest] = state.apps.calendar.events.as_slice() else { panic!("three events") };
    assert!(gym.starts_on(date(2026, 5, 27)) && !gym.starts_on(day));
    assert!(rest.starts_on(date(2026, 6, 11)) && rest.invitees[0].response == "yes");
    done(&mut state, &Command::RestoreEvent { event: "event-3".to_owned() });
    assert_eq!(state.apps.calendar.events, before);

    assert_eq!(done(&mut state, &update(&moved, part(day, false))).0, "series_parted");
    let [_, gym, once] = state.apps.calendar.events.as_slice() else { panic!("three events") };
    assert!(!gym.starts_on(day) && gym.starts_on(date(2026, 6, 10)) && once.recurrence.is_none());
    done(&mut state, &Command::RestoreEvent { event: id.clone() });
    assert_eq!(state.apps.calendar.events, before);

    let delete = Command::DeleteEvent { event: id.clone(), day: Some(day), following: true };
    assert_eq!(done(&mut state, &delete).0, "event_days_removed");
    let gym = &state.apps.calendar.events[1];
    assert!(gym.starts_on(date(2026, 5, 27)) && !gym.starts_on(day) && !gym.starts_on(date(2026, 6, 10)));
    let all = Command::DeleteEvent { event: id, day: Some(date(2026, 5, 20)), following: true };
    assert_eq!(done(&mut state, &all).0, "event_cancelled");
}

#[test]
fn an_event_is_shown_as_far_as_its_parts_are_chosen() {
    let mut state = samples::state();
    let fields = NewEvent {
        location: "Clinic".to_owned(),
        own_notes: "afraid".to_owned(),
        ..event("Check-up", date(2026, 5, 20))
    };
    done(&mut state, &Command::CreateEvent(fields));
    let share = |parts: Vec<usize>| {
        calendar(CalendarCommand::Share(NewShare {
            kind: ShareKind::Event,
            subject: "event-2".to_owned(),
            people: names(&["nora"]),
            parts,
            with_eta: false,
            with_notes: false,
            message: String::new(),
        }))
    };
    assert_eq!(done(&mut state, &share(vec![0])).0, "event_shared");
    let shown = unit(&state, "shared_event", "share-1");
    assert_eq!(
        (shown.text.as_str(), shown.readers.as_slice()),
        ("Check-up\n2026-05-20", &["Nora (Manager)".to_owned()][..])
    );
    done(&mut state, &share(vec![0, 1]));
    assert_eq!(unit(&state, "shared_event", "share-2").text, "Check-up\n2026-05-20\nClinic");
    done(&mut state, &calendar(CalendarCommand::Unshare { share: "share-1".to_owned() }));
    assert_eq!(state.apps.calendar.shares.len(), 1);
}

#[test]
fn typing_keeps_a_draft_and_takes_no_time() {
    let mut state = samples::state();
    let now = state.now;
    let keep = |text: &str| Command::KeepDraft {
        thread: "thread-1".to_owned(),
        text: text.to_owned(),
        reply_to: None,
        attach: vec![],
    };
    assert_eq!(done(&mut state, &keep("Hel")).0, "draft_saved");
    done(&mut state, &keep("Hello"));
    assert_eq!(unit(&state, "draft", "thread-1").text, "Hello");
    assert_eq!(done(&mut state, &keep(" ")).0, "draft_removed");
    let thread = &state.apps.messenger.threads[0];
    assert_eq!((&thread.draft, &thread.discarded, state.now), (&None, &None, now));
}

#[test]
fn an_archived_thread_comes_back_with_a_message() {
    let mut state = samples::state();
    let set = |setting, on| Command::SetThread { thread: "thread-1".to_owned(), setting, on };
    for (setting, on, kind) in [
        (ThreadSetting::Pinned, true, "thread_pinned"),
        (ThreadSetting::Muted, true, "thread_muted"),
        (ThreadSetting::Archived, true, "thread_archived"),
        (ThreadSetting::Muted, false, "thread_unmuted"),
    ] {
        assert_eq!(done(&mut state, &set(setting, on)).0, kind);
    }
    let thread = &state.apps.messenger.threads[0];
    assert_eq!((thread.pinned, thread.muted, thread.archived), (true, false, true));
    let to = Addressee::Thread("thread-1".to_owned());
    let hello = Command::SendMessage { to, text: "Hello".to_owned(), reply_to: None, attach: vec![] };
    done(&mut state, &hello);
    let thread = &state.apps.messenger.threads[0];
    assert_eq!((thread.pinned, thread.archived), (true, false));
}

#[test]
fn a_route_is_attached_without_the_notes_on_its_stops() {
    use crate::scenario::model::{AttachmentKind, Route, Stop};
    let mut state = samples::state();
    state.apps.maps.routes.push(Route {
        id: "route-1".to_owned(),
        start: Some("Home".to_owned()),
        destination: Some("Clinic".to_owned()),
        eta: Some("25 min".to_owned()),
        stops: vec![Stop {
            id: "stop-1".to_owned(),
            name: "Pawn shop".to_owned(),
            note: "the ring".to_owned(),
            dwell: "15 min".to_owned(),
        }],
        ..Route::default()
    });
    let attach = vec![Attach { kind: AttachmentKind::Route, id: "route-1".to_owned() }];
    let to = Addressee::Thread("thread-1".to_owned());
    let sent = done(&mut state, &Command::SendMessage { to, text: String::new(), reply_to: None, attach }).1;
    assert_eq!(unit(&state, "message", &sent).text, "Clinic\nHome\nPawn shop\nClinic\n25 min");
}

#[test]
fn readers_of_a_task_read_its_priority_labels_and_parts() {
    let mut state = samples::state();
    let fields = TaskFields {
        title: "Buy milk".to_owned(),
        priority: Priority::High,
        labels: names(&[" home ", "", "home", "vet"]),
        ..TaskFields::default()
    };
    let edit = TodoCommand::EditTask { task: "task-2".to_owned(), fields };
    done(&mut state, &Command::Todo(edit));
    let add = TodoCommand::AddSubtask { task: "task-2".to_owned(), title: "Ask Nora".to_owned() };
    assert_eq!(done(&mut state, &Command::Todo(add)), ("subtask_added", "task-2".to_owned()));
    let task = unit(&state, "task", "task-2");
    assert_eq!(
        (task.text.as_str(), task.readers.as_slice()),
        ("Buy milk\nhigh\npending\nhome\nvet\nAsk Nora", &["Sam".to_owned()][..])
    );
    let tick = TodoCommand::SetSubtaskDone { subtask: "subtask-1".to_owned(), done: true };
    assert_eq!(done(&mut state, &Command::Todo(tick)).0, "subtask_done");
    assert!(state.apps.todo.lists[1].items[0].subtasks[0].done);
    let delete = Command::Todo(TodoCommand::DeleteSubtask { subtask: "subtask-1".to_owned() });
    assert_eq!(done(&mut state, &delete).0, "subtask_removed");
    assert!(matches!(change(&mut state, &delete), Err(CommandError::Unknown { what: "subtask", .. })));
}

#[test]
fn what_its_link_opens_everybody_reads() {
    let mut state = samples::state();
    let by_link = |by_link| Command::Todo(TodoCommand::SetByLink { list: "list-1".to_owned(), by_link });
    assert_eq!(done(&mut state, &by_link(true)).0, "list_opened");
    assert_eq!(unit(&state, "task", "task-1").readers, [EVERYBODY]);
    assert_eq!(unit(&state, "list", "list-1").readers, [EVERYBODY]);
    done(&mut state, &by_link(false));
    assert!(unit(&state, "task", "task-1").readers.is_empty());
    done(&mut state, &by_link(true));
    done(&mut state, &Command::Todo(TodoCommand::StopSharing { list: "list-1".to_owned() }));
    assert!(unit(&state, "task", "task-1").readers.is_empty());
}

#[test]
fn folders_hold_files_and_copies_are_private() {
    let mut state = samples::state();
    let code = |command: CodeCommand| Command::Code(command);
    let add = |path: &str| code(CodeCommand::AddFolder { path: path.to_owned() });
    assert_eq!(done(&mut state, &add(" /src/../lib/ ")), ("folder_added", "src/lib".to_owned()));
    for taken in ["src", "src/lib", "notes.md"] {
        assert!(
            matches!(change(&mut state, &add(taken)), Err(CommandError::DuplicatePath { .. })),
            "{taken}"
        );
    }
    assert!(matches!(change(&mut state, &add("/./")), Err(CommandError::Blank { .. })));
    let copy = code(CodeCommand::Duplicate { file: "file-1".to_owned() });
    assert_eq!(done(&mut state, &copy), ("file_duplicated", "file-2".to_owned()));
    done(&mut state, &copy);
    let paths: Vec<&str> = state.apps.code_editor.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["notes.md", "notes (copy).md", "notes (copy 2).md"]);
    assert_eq!(unit(&state, "file", "file-1").readers, ["Sam"]);
    assert!(unit(&state, "file", "file-2").readers.is_empty());
    let rename = CodeCommand::Rename { file: "file-2".to_owned(), path: "src/lib/.env".to_owned() };
    done(&mut state, &code(rename));
    let delete = code(CodeCommand::DeleteFolder { path: "src/lib".to_owned() });
    assert!(matches!(change(&mut state, &delete), Err(CommandError::FolderInUse { .. })));
    done(&mut state, &code(CodeCommand::Duplicate { file: "file-2".to_owned() }));
    assert_eq!(state.apps.code_editor.files[3].path, "src/lib/.env (copy)", "a name that begins with a dot");
    for file in ["file-2", "file-4"] {
        done(&mut state, &code(CodeCommand::Delete { file: file.to_owned() }));
    }
    assert_eq!(done(&mut state, &delete).0, "folder_removed");
    let people = names(&["nora"]);
    let share =
        CodeCommand::Share { file: "file-3".to_owned(), people, can_edit: true, message: String::new() };
    done(&mut state, &code(share));
    assert!(state.apps.code_editor.files[1].can_edit);
}

#[test]
fn what_was_chosen_of_a_product_makes_another_line() {
    let mut state = samples::state();
    let values = names(&["Red", "Blue"]);
    state.apps.shop.products[0].options = vec![ProductOption { name: "Colour".to_owned(), values }];
    let add = |value: &str, quantity| {
        let chosen = vec![Detail { label: "Colour".to_owned(), value: value.to_owned() }];
        Command::Shop(ShopCommand::AddSeveral { title: "Lamp".to_owned(), quantity, chosen })
    };
    for (value, quantity) in [("Red", 1), ("Blue", 2), ("Red", 3)] {
        done(&mut state, &add(value, quantity));
    }
    let lines: Vec<(&str, u32)> = state.apps.shop.cart[1..]
        .iter()
        .map(|line| (line.details[0].value.as_str(), line.quantity))
        .collect();
    assert_eq!(lines, [("Red", 4), ("Blue", 2)]);
    assert!(matches!(
        change(&mut state, &add("Green", 1)),
        Err(CommandError::Unknown { what: "option", .. })
    ));
}

#[test]
fn an_order_keeps_its_address_its_way_and_its_time() {
    let mut state = samples::state();
    let order = NewOrder {
        deliver_to: "1 Main Street".to_owned(),
        shipping: Shipping::Express,
        payment: "card_4242".to_owned(),
        keeps_address: true,
        ..NewOrder::default()
    };
    let now = state.now;
    let placed = done(&mut state, &Command::PlaceOrder(order)).1;
    let shop = &state.apps.shop;
    assert_eq!((shop.orders[0].shipping, shop.orders[0].placed_at), (Shipping::Express, Some(now)));
    assert_eq!(shop.orders[0].total.as_ref().map(|total| total.text.as_str()), Some("$21.90"));
    assert_eq!(
        (shop.addresses[0].id.as_str(), shop.addresses[0].text.as_str()),
        ("address-1", "1 Main Street")
    );
    let again = ShopCommand::AddAddress { name: "Home".to_owned(), text: "1 Main Street".to_owned() };
    assert_eq!(done(&mut state, &Command::Shop(again)).1, "address-1", "it is there already");
    let share = ShopCommand::Share(NewShare {
        kind: ShareKind::Order,
        subject: placed,
        people: names(&["Sam"]),
        parts: vec![0],
        with_eta: false,
        with_notes: false,
        message: "Look".to_owned(),
    });
    assert_eq!(done(&mut state, &Command::Shop(share)).0, "order_shared");
    assert_eq!(unit(&state, "shared_order", "share-1").text, "Pregnancy test $12.00\nLook");
    let remove = Command::Shop(ShopCommand::RemoveAddress { address: "address-1".to_owned() });
    done(&mut state, &remove);
    assert!(matches!(change(&mut state, &remove), Err(CommandError::Unknown { what: "address", .. })));
    assert_eq!(state.apps.shop.orders[0].deliver_to, "1 Main Street");
}

#[test]
fn an_invitation_tells_its_invitees_what_they_may_read_and_stays_sent() {
    let mut state = samples::state();
    let day = date(2026, 5, 20);
    let fields = NewEvent {
        invitees: names(&["sam", "kim@example.org"]),
        description: "Scan results".to_owned(),
        own_notes: "afraid".to_owned(),
        send: true,
        ..event("Check-up", day)
    };
    assert_eq!(done(&mut state, &Command::CreateEvent(fields.clone())).0, "event_created");
    let sent = unit(&state, "shared_invitation", "share-1");
    assert_eq!(sent.readers, ["Sam", "kim@example.org"]);
    assert_eq!(sent.text, "Check-up\n2026-05-20\nScan results\nkim@example.org");
    let update = |fields: NewEvent| Command::UpdateEvent { event: "event-2".to_owned(), fields, part: None };
    let busy = NewEvent { visibility: Visibility::BusyOnly, ..fields.clone() };
    done(&mut state, &update(busy));
    assert_eq!(unit(&state, "shared_invitation", "share-2").text, "2026-05-20");
    done(&mut state, &update(NewEvent { send: false, ..fields.clone() }));
    done(&mut state, &Command::DeleteEvent { event: "event-2".to_owned(), day: None, following: false });
    assert_eq!(unit(&state, "shared_invitation", "share-1"), sent, "what was sent is not taken back");
    let take_back = calendar(CalendarCommand::Unshare { share: "share-1".to_owned() });
    assert!(matches!(change(&mut state, &take_back), Err(CommandError::Unknown { what: "share", .. })));

    let nobody = NewEvent { invitees: vec![], ..fields.clone() };
    assert_eq!(change(&mut state, &Command::CreateEvent(nobody)), Err(CommandError::NobodyInvited));
    let private = NewEvent { visibility: Visibility::Private, ..fields };
    assert_eq!(change(&mut state, &Command::CreateEvent(private)), Err(CommandError::PrivateInvitation));
}

#[test]
fn what_is_attached_to_an_event_is_a_copy_that_its_readers_read() {
    let mut state = samples::state();
    let day = date(2026, 5, 20);
    let attach = |kind, id: &str| Attach { kind, id: id.to_owned() };
    let fields = NewEvent {
        invitees: names(&["Sam"]),
        attach: vec![attach(AttachmentKind::File, "file-1"), attach(AttachmentKind::List, "list-1")],
        status: EventStatus::Tentative,
        ..event("Review", day)
    };
    done(&mut state, &Command::CreateEvent(fields.clone()));
    let read = unit(&state, "event", "event-2");
    assert_eq!(read.text, "Review\n2026-05-20\ntentative\nnotes.md\nalpha\nbeta\n\nMine\nCall HR");
    assert_eq!(read.readers, ["Sam"]);

    state.apps.code_editor.files[0].content = "changed\n".to_owned();
    let keep = |number| KeptAttachment { event: "event-2".to_owned(), number };
    let kept =
        NewEvent { attach: vec![], keep: vec![keep(0)], status: EventStatus::Cancelled, ..fields.clone() };
    let update = Command::UpdateEvent { event: "event-2".to_owned(), fields: kept.clone(), part: None };
    done(&mut state, &update);
    let read = unit(&state, "event", "event-2");
    assert_eq!(read.text, "Review\n2026-05-20\ncancelled\nnotes.md\nalpha\nbeta\n", "as it was attached");
    // A copy of the event keeps what lies in no app any more.
    done(&mut state, &Command::CreateEvent(NewEvent { title: "Again".to_owned(), ..kept.clone() }));
    assert!(unit(&state, "event", "event-3").text.contains("alpha"));
    let lost = Command::CreateEvent(NewEvent { keep: vec![keep(7)], ..kept });
    assert!(matches!(change(&mut state, &lost), Err(CommandError::Unknown { what: "event", .. })));
    let busy = NewEvent { visibility: Visibility::BusyOnly, ..fields };
    let id = done(&mut state, &Command::CreateEvent(busy)).1;
    assert_eq!(unit(&state, "event", &id).text, "2026-05-20", "those who learn only when it is get no copy");
}

#[test]
fn a_deleted_subtask_comes_back_to_its_place() {
    let mut state = samples::state();
    let todo = |command| Command::Todo(command);
    for title in ["one", "two", "three"] {
        done(
            &mut state,
            &todo(TodoCommand::AddSubtask { task: "task-2".to_owned(), title: title.to_owned() }),
        );
    }
    let before = state.apps.todo.lists.clone();
    let delete = todo(TodoCommand::DeleteSubtask { subtask: "subtask-2".to_owned() });
    assert_eq!(done(&mut state, &delete), ("subtask_removed", "task-2".to_owned()));
    assert_ne!(state.apps.todo.lists, before);
    assert_eq!(done(&mut state, &todo(TodoCommand::Undo)), ("subtask_restored", "task-2".to_owned()));
    assert_eq!(state.apps.todo.lists, before);
    assert_eq!(change(&mut state, &todo(TodoCommand::Undo)), Err(CommandError::NothingToUndo));
}

#[test]
fn a_series_is_told_with_its_interval_weekdays_and_end() {
    let mut state = samples::state();
    // A Wednesday.
    let day = date(2026, 5, 20);
    let series = NewEvent {
        repeats: Some(Frequency::Weekly),
        interval: 2,
        weekdays: vec![1],
        count: Some(3),
        ..event("Rehearsal", day)
    };
    done(&mut state, &Command::CreateEvent(series.clone()));
    let held = &state.apps.calendar.events[1];
    assert!(held.starts_on(day) && held.starts_on(date(2026, 6, 1)) && held.starts_on(date(2026, 6, 3)));
    assert!(!held.starts_on(date(2026, 5, 25)) && !held.starts_on(date(2026, 6, 15)));
    let read = unit(&state, "event", "event-2").text;
    assert_eq!(read, "Rehearsal\n2026-05-20\nweekly, every 2, Mon Wed - 2026-06-03");
    let plain = NewEvent { interval: 0, weekdays: vec![3], count: None, ..series.clone() };
    done(&mut state, &Command::CreateEvent(plain));
    assert!(
        unit(&state, "event", "event-3").text.ends_with("\nweekly"),
        "the weekday of the start says nothing"
    );
    for bad in [
        NewEvent { interval: 100, ..series.clone() },
        NewEvent { count: Some(0), ..series.clone() },
        NewEvent { until: Some(date(2026, 6, 30)), ..series.clone() },
        NewEvent { repeats: Some(Frequency::Daily), ..series.clone() },
        NewEvent { weekdays: vec![8], ..series.clone() },
    ] {
        assert_eq!(change(&mut state, &Command::CreateEvent(bad)), Err(CommandError::BadSeries));
    }
    let never = NewEvent { repeats: None, weekdays: vec![], ..series };
    assert_eq!(change(&mut state, &Command::CreateEvent(never)), Err(CommandError::UntilWithoutRepeat));
}

#[test]
fn a_task_tells_when_it_was_added_and_done() {
    let mut state = samples::state();
    let add = Command::AddTask { list: "list-1".to_owned(), title: "Call".to_owned() };
    let (added, task) = (state.now, done(&mut state, &add).1);
    let tick = |is_done| Command::SetTaskDone { task: task.clone(), done: is_done };
    let ticked = state.now;
    done(&mut state, &tick(true));
    // A second time says nothing new.
    done(&mut state, &tick(true));
    let held = |state: &WorkspaceState| state.apps.todo.lists[0].items[1].clone();
    assert_eq!((held(&state).created, held(&state).completed), (Some(added), Some(ticked)));
    done(&mut state, &tick(false));
    assert_eq!((held(&state).created, held(&state).completed), (Some(added), None));
}

#[test]
fn what_is_typed_about_a_task_is_kept_without_time_passing() {
    let mut state = samples::state();
    let fields =
        TaskFields { title: "Buy milk".to_owned(), notes: "Oat".to_owned(), ..TaskFields::default() };
    let now = state.now;
    let keep = TodoCommand::KeepTask { task: "task-2".to_owned(), fields: fields.clone() };
    assert_eq!(done(&mut state, &Command::Todo(keep)).0, "task_edited");
    assert_eq!((state.now, unit(&state, "task", "task-2").readers), (now, names(&["Sam"])));
    assert_eq!(state.apps.todo.lists[1].items[0].notes, "Oat");
    let kept = state.apps.todo.clone();
    done(&mut state, &Command::Todo(TodoCommand::EditTask { task: "task-2".to_owned(), fields }));
    assert_eq!(state.apps.todo, kept, "saving it once more changes nothing");
}

#[test]
fn whose_calendar_it_is_reads_it_and_alone_shares_it() {
    let mut state = samples::state();
    let add = |name: &str| calendar(CalendarCommand::AddCalendar { name: name.to_owned() });
    done(&mut state, &add("Team"));
    state.apps.calendar.calendars[0].owner = Some("Nora (Manager)".to_owned());
    let fields = NewEvent { calendar: "calendar-1".to_owned(), ..event("Dentist", date(2026, 5, 20)) };
    done(&mut state, &Command::CreateEvent(fields));
    assert_eq!(unit(&state, "event", "event-2").readers, ["Nora (Manager)"]);
    let id = || "calendar-1".to_owned();
    for refused in [
        CalendarCommand::RenameCalendar { calendar: id(), name: "Mine".to_owned() },
        CalendarCommand::ShareCalendar { calendar: id(), people: names(&["sam"]), message: String::new() },
        CalendarCommand::StopSharing { calendar: id() },
        CalendarCommand::DeleteCalendar { calendar: id() },
    ] {
        let error = change(&mut state.clone(), &calendar(refused)).unwrap_err();
        assert_eq!(error, CommandError::NotOwner { owner: "Nora (Manager)".to_owned() });
    }
    let paint = |calendar: &str| CalendarCommand::SetColour {
        calendar: calendar.to_owned(),
        colour: CalendarColour::Teal,
    };
    assert_eq!(done(&mut state, &calendar(paint("calendar-1"))).0, "calendar_coloured");
    assert_eq!(done(&mut state, &calendar(paint(""))), ("calendar_coloured", "calendar-own".to_owned()));
    let event = state.apps.calendar.events[1].clone();
    assert_eq!(state.apps.calendar.colour(&event), CalendarColour::Teal);
    // A further calendar gets a colour that none has.
    done(&mut state, &add("Sport"));
    assert_eq!(state.apps.calendar.calendars[1].colour, CalendarColour::Blue);
}
