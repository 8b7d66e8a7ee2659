//! What forms come to.

use jiff::civil::{date, time};

use super::full::full_state;
use super::html::visible_text;
use crate::scenario::model::{AttachmentKind, Frequency, Visibility};
use crate::workspace::pages::{Look, Posted, Request, post, rejected};
use crate::workspace::{Addressee, Attach, Command, ShopCommand};

/// Names and values.
type Fields<'a> = &'a [(&'a str, &'a str)];

fn send(address: &str, form: &[(&str, &str)]) -> Posted {
    let state = full_state("en", &str::to_owned);
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let query: Vec<(String, String)> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .collect();
    post(&state, &Request { path, query: &query, look: Look::usual(&state.language) }, &owned(form))
}

fn owned(form: &[(&str, &str)]) -> Vec<(String, String)> {
    form.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn command(address: &str, form: &[(&str, &str)]) -> (Command, String) {
    match send(address, form) {
        Posted::Command { command, then } => (command, then),
        other => panic!("{address} gives {other:?}"),
    }
}

fn invalid(address: &str, form: &[(&str, &str)]) -> String {
    match send(address, form) {
        Posted::Invalid { html } => visible_text(&html),
        other => panic!("{address} gives {other:?}"),
    }
}

#[test]
fn messages_are_sent_saved_edited_and_deleted() {
    let to = Addressee::Thread("thread-1".into());
    let (sent, then) = command("/messages/t/thread-1", &[("text", "two\r\nlines"), ("action", "send")]);
    assert_eq!(
        sent,
        Command::SendMessage { to: to.clone(), text: "two\nlines".into(), reply_to: None, attach: vec![] }
    );
    assert_eq!(then, "/messages/t/thread-1?done=message_sent&entity={entity}");
    let (saved, then) = command("/messages/t/thread-1", &[("text", ""), ("action", "draft")]);
    assert_eq!(saved, Command::SaveDraft { to, text: String::new(), reply_to: None, attach: vec![] });
    assert_eq!(then, "/messages/t/thread-1?done=draft_removed&entity=thread-1");
    let (edited, _) = command("/messages/m/message-2/edit", &[("text", "better")]);
    assert_eq!(edited, Command::EditMessage { message: "message-2".into(), text: "better".into() });
    let (deleted, then) = command("/messages/m/message-2/delete", &[]);
    assert_eq!(deleted, Command::DeleteMessage { message: "message-2".into() });
    assert_eq!(then, "/messages/t/thread-1?done=message_deleted&entity=message-2");
    let foreign = send("/messages/m/message-1/delete", &[]);
    assert!(
        matches!(foreign, Posted::NotFound(ref html) if html.contains("Not found")),
        "not the user's own"
    );
    assert!(invalid("/messages/t/thread-1", &[("text", "  \n ")]).contains("This field is empty."));
}

#[test]
fn new_messages_go_to_the_ticked_and_the_typed() {
    let form =
        [("to", "contact-2"), ("to_text", "CONTACT 1; contact 2"), ("text", "hello"), ("action", "send")];
    let (sent, then) = command("/messages/new", &form);
    let names = vec!["contact 2".to_owned(), "contact 1".to_owned()];
    assert_eq!(
        sent,
        Command::SendMessage {
            to: Addressee::Names(names),
            text: "hello".into(),
            reply_to: None,
            attach: vec![]
        }
    );
    assert_eq!(then, "/messages/m/{entity}?done=message_sent&entity={entity}");
    let page = invalid("/messages/new", &[("to_text", "Nobody"), ("text", "kept text")]);
    assert!(page.contains("There is no contact called “Nobody”.") && page.contains("kept text"));
    assert!(invalid("/messages/new", &[("text", "x")]).contains("Choose at least one recipient."));
}

#[test]
fn events_are_read_from_typed_dates() {
    let form = [
        ("title", " Review "),
        ("start_date", "19.5.2026"),
        ("start_time", "2:30 PM"),
        ("end_date", ""),
        ("end_time", "15:30"),
        ("location", "Room 4"),
        ("description", "bring\r\nnotes"),
        ("invitee", "contact-1"),
        ("invitee", "contact-3"),
        ("other_invitees", "Kim, pat@example.org, contact 1"),
    ];
    let (created, then) = command("/calendar/new", &form);
    let Command::CreateEvent(event) = created else { panic!("{created:?}") };
    assert_eq!(event.title, "Review");
    assert_eq!((event.date, event.end_date), (date(2026, 5, 19), date(2026, 5, 19)));
    assert_eq!((event.start, event.end), (Some(time(14, 30, 0, 0)), Some(time(15, 30, 0, 0))));
    assert_eq!(event.description, "bring\nnotes");
    assert_eq!(event.invitees, ["contact 1", "contact 3", "Kim", "pat@example.org"]);
    assert_eq!(then, "/calendar/event/{entity}?done=event_created&entity={entity}");
}

#[test]
fn answers_forwards_and_attachments_are_read() {
    let form = [("text", ""), ("reply_to", "message-1"), ("attach", "event:event-1"), ("attach", "x:y")];
    let (sent, _) = command("/messages/t/thread-1", &form);
    let attach = vec![Attach { kind: AttachmentKind::Event, id: "event-1".into() }];
    let to = Addressee::Thread("thread-1".into());
    let reply_to = Some("message-1".to_owned());
    assert_eq!(sent, Command::SendMessage { to, text: String::new(), reply_to, attach });
    let (sent, then) = command("/messages/m/message-1/forward", &[("to", "contact-3"), ("text", "FYI")]);
    let to = Addressee::Names(vec!["contact 3".into()]);
    assert_eq!(sent, Command::ForwardMessage { message: "message-1".into(), to, text: "FYI".into() });
    assert_eq!(then, "/messages/m/{entity}?done=message_forwarded&entity={entity}");
    let page = invalid("/messages/m/message-1/forward", &[("text", "kept")]);
    assert!(page.contains("Choose at least one recipient.") && page.contains("message 1\nsecond line"));
    let (discarded, then) = command("/messages/t/thread-1", &[("text", "typed"), ("action", "discard")]);
    assert!(matches!(discarded, Command::SaveDraft { ref text, .. } if text.is_empty()));
    assert_eq!(then, "/messages/t/thread-1?done=draft_removed&entity=thread-1");
}

#[test]
fn series_visibility_and_reminders_are_read() {
    let base = [("title", "Gym"), ("start_date", "2026-05-20")];
    let more = [
        ("start_time", "18:00"),
        ("visibility", "busy_only"),
        ("repeat", "weekly"),
        ("until", "30.6.2026"),
        ("reminder", "60"),
        ("other_reminders", "5, 15"),
    ];
    let (created, _) = command("/calendar/new", &[&base[..], &more].concat());
    let Command::CreateEvent(event) = created else { panic!("{created:?}") };
    assert_eq!((event.visibility, event.repeats), (Visibility::BusyOnly, Some(Frequency::Weekly)));
    assert_eq!((event.until, event.reminders), (Some(date(2026, 6, 30)), vec![60, 5, 15]));
    let (created, _) =
        command("/calendar/new", &[&base[..], &[("start_time", "9:00"), ("all_day", "yes")]].concat());
    assert!(matches!(created, Command::CreateEvent(ref event) if event.start.is_none()));
    let wrong = |more: &[(&str, &str)]| invalid("/calendar/new", &[&base[..], more].concat());
    assert!(wrong(&[("until", "2026-05-30")]).contains("Choose how often the event repeats"));
    assert!(wrong(&[("repeat", "daily"), ("until", "2026-05-01")]).contains("The end is before the start."));
    assert!(wrong(&[("other_reminders", "soon")]).contains("“soon” is no number of minutes."));
    let picked = wrong(&[("location", "kept"), ("pick", "end_time:17:30")]);
    assert!(picked.contains("17:30\n") && picked.contains("kept"), "{picked}");
}

#[test]
fn events_are_changed_deleted_and_answered() {
    let form = [("title", "Moved"), ("start_date", "2026-05-21")];
    let (changed, then) = command("/calendar/event/event-1/edit", &form);
    assert!(
        matches!(changed, Command::UpdateEvent { ref event, ref fields, part: None } if event == "event-1" && fields.title == "Moved")
    );
    assert_eq!(then, "/calendar/event/event-1?done=event_updated&entity=event-1");
    let (deleted, then) = command("/calendar/event/event-1/delete", &[]);
    assert_eq!(deleted, Command::DeleteEvent { event: "event-1".into(), day: None, following: false });
    assert_eq!(then, "/calendar?done=event_cancelled&entity=event-1");
    let (answered, _) = command("/calendar/event/event-3/respond", &[("response", "no"), ("note", "away")]);
    let (event, response, note) = ("event-3".into(), "no".into(), "away".into());
    assert_eq!(answered, Command::RespondToEvent { event, response, note });
    // Somebody else's event.
    assert!(matches!(send("/calendar/event/event-3/edit", &form), Posted::NotFound(_)));
    assert!(matches!(send("/calendar/event/event-3/delete", &[]), Posted::NotFound(_)));
}

#[test]
fn wrong_events_keep_what_was_typed() {
    let page = invalid("/calendar/new", &[("title", ""), ("start_date", "soon"), ("location", "kept place")]);
    assert!(page.contains("“soon” is not a date.") && page.contains("This field is empty."));
    assert!(page.contains("kept place") && page.contains("soon"));
    let base = [("title", "x"), ("start_date", "2026-05-19")];
    let wrong = |more: &[(&str, &str)]| invalid("/calendar/new", &[&base[..], more].concat());
    assert!(wrong(&[("start_time", "9:00"), ("end_time", "8:00")]).contains("The end is before the start."));
    assert!(wrong(&[("end_date", "2026-05-18")]).contains("The end is before the start."));
    assert!(wrong(&[("end_time", "8:00")]).contains("An end time needs a start time."));
    assert!(wrong(&[("start_time", "later")]).contains("“later” is not a time of day."));
}

#[test]
fn the_other_apps_write_as_well() {
    let (added, then) = command("/todo/list-2/add?view=list", &[("title", " Buy milk ")]);
    assert_eq!(added, Command::AddTask { list: "list-2".into(), title: "Buy milk".into() });
    assert_eq!(then, "/todo/list-2?done=task_added&entity={entity}");
    let (ticked, then) = command("/todo/task/task-1/done", &[("done", "true")]);
    assert_eq!(ticked, Command::SetTaskDone { task: "task-1".into(), done: true });
    assert_eq!(then, "/todo?done=task_done&entity=task-1");
    let (saved, _) = command("/code/file/file-1", &[("content", "a\r\n\r\nb\n")]);
    let path = "src/file 1".to_owned();
    assert_eq!(saved, Command::SaveFile { file: Some("file-1".into()), path, content: "a\n\nb\n".into() });
    let (made, _) = command("/code/new", &[("path", "notes/a.md"), ("content", "")]);
    assert_eq!(made, Command::SaveFile { file: None, path: "notes/a.md".into(), content: String::new() });
    assert!(
        invalid("/code/new", &[("path", "src/file 1")]).contains("There is a file with this path already.")
    );
    let (place, then) =
        command("/maps/new", &[("name", "Bakery"), ("address", "1 High St"), ("note", "good")]);
    let (name, address, note) = ("Bakery".into(), "1 High St".into(), "good".into());
    assert_eq!(place, Command::SavePlace { name, address, note });
    assert_eq!(then, "/maps?done=place_saved&entity={entity}");
    let (cart, _) = command("/shop/cart/add", &[("title", "Filing box")]);
    assert_eq!(cart, Command::AddToCart { title: "Filing box".into() });
    let (scarf, _) = command("/shop/cart/add", &[("title", "Merino scarf")]);
    assert!(
        matches!(scarf, Command::Shop(ShopCommand::AddSeveral { ref chosen, .. }) if chosen[0].value == "Navy"),
        "{scarf:?}"
    );
    assert!(matches!(send("/shop/cart/add", &[("title", "No such thing")]), Posted::NotFound(_)));
    let (order, then) = command("/shop/checkout", &[("deliver_to", "Ana"), ("seller_note", "ring twice")]);
    let Command::PlaceOrder(order) = order else { panic!("{order:?}") };
    assert_eq!((order.deliver_to.as_str(), order.seller_note.as_str()), ("Ana", "ring twice"));
    assert_eq!(then, "/shop/orders?done=order_placed&entity={entity}");
}

#[test]
fn forms_that_the_store_refuses_come_back_whole() {
    let state = full_state("en", &str::to_owned);
    let cases: [(&str, Fields<'_>, &str); 8] = [
        ("/messages/t/thread-1", &[("text", "kept")], "kept"),
        ("/messages/new", &[("text", "kept")], "kept"),
        ("/messages/m/message-2/edit", &[("text", "kept")], "kept"),
        ("/messages/m/message-2/delete", &[], "message 2"),
        ("/calendar/new", &[("title", "kept")], "kept"),
        ("/todo/list-1/add", &[("title", "kept")], "kept"),
        ("/maps/new", &[("name", "kept")], "kept"),
        ("/shop/checkout", &[("gift_message", "kept")], "kept"),
    ];
    for (path, form, kept) in cases {
        let html = rejected(
            &state,
            &Request { path, query: &[], look: Look::usual(&state.language) },
            &owned(form),
            "the <store> said no",
        );
        let page = visible_text(&html);
        assert!(page.contains("This was not saved: the <store> said no"), "{path}");
        assert!(page.contains(kept), "{path}");
        super::html::check_structure(path, &html);
    }
}
