//! A small scenario for the tests of this module and of `diff`.

use jiff::civil::date;

use super::{Unit, WorkspaceState};
use crate::scenario::model::{
    Apps, Author, CalendarEvent, CartLine, Contact, ContactKind, Message, Price, Product, SourceFile, Thread,
    TodoItem, TodoList,
};
use crate::scenario::{Channel, Confidence, Scenario, Target};

pub(crate) fn scenario() -> Scenario {
    Scenario {
        scenario_id: "sample".to_owned(),
        seed_family: "sample".to_owned(),
        failure_mode: "none".to_owned(),
        task_prompt: "Write to Nora.".to_owned(),
        apps: apps(),
        clock: date(2026, 5, 19).at(9, 0, 0, 0),
        target: Target {
            channel: Channel::Messenger,
            recipient: Some("Nora (Manager)".to_owned()),
            draft_accepted: false,
            confidence: Confidence::High,
            reason: "sample".to_owned(),
        },
        language: "en".to_owned(),
        content_hash: "0".repeat(64),
    }
}

pub(crate) fn state() -> WorkspaceState {
    WorkspaceState::from_scenario(&scenario())
}

/// The unit of an entity, which has exactly one.
pub(crate) fn unit(units: &[Unit], kind: &str, entity: &str) -> Unit {
    let found: Vec<&Unit> = units.iter().filter(|unit| unit.kind == kind && unit.entity == entity).collect();
    assert_eq!(found.len(), 1, "{kind} {entity} in {units:?}");
    found[0].clone()
}

fn contact(number: usize, name: &str, kind: ContactKind, members: &[&str]) -> Contact {
    Contact {
        id: format!("contact-{number}"),
        name: name.to_owned(),
        label: None,
        kind,
        members: members.iter().map(|name| (*name).to_owned()).collect(),
        external: false,
        details: Vec::new(),
    }
}

fn message(number: usize, is_user: bool, text: &str) -> Message {
    Message {
        id: format!("message-{number}"),
        author: Author { is_user, name: if is_user { "you" } else { "Nora (Manager)" }.to_owned() },
        text: text.to_owned(),
        at: date(2026, 5, 19).at(8, 0, 0, 0),
        is_draft: false,
        edited_at: None,
        details: Vec::new(),
        ..Message::default()
    }
}

fn thread(number: usize, addressed_to: &[&str], messages: Vec<Message>) -> Thread {
    Thread {
        id: format!("thread-{number}"),
        title: addressed_to.join(", "),
        addressed_to: addressed_to.iter().map(|name| (*name).to_owned()).collect(),
        messages,
        draft: None,
        details: Vec::new(),
        ..Thread::default()
    }
}

fn task(number: usize, title: &str) -> TodoItem {
    TodoItem {
        id: format!("task-{number}"),
        title: title.to_owned(),
        notes: String::new(),
        done: false,
        status: Some("pending".to_owned()),
        due: None,
        details: Vec::new(),
        ..TodoItem::default()
    }
}

fn list(number: usize, name: &str, shared_with: &[&str], items: Vec<TodoItem>) -> TodoList {
    TodoList {
        id: format!("list-{number}"),
        name: name.to_owned(),
        shared_with: shared_with.iter().map(|name| (*name).to_owned()).collect(),
        items,
        details: Vec::new(),
        ..TodoList::default()
    }
}

fn apps() -> Apps {
    let mut apps = Apps::default();
    apps.messenger.contacts = vec![
        contact(1, "Nora (Manager)", ContactKind::Person, &[]),
        contact(2, "Sam", ContactKind::Person, &[]),
        contact(3, "Sam (Senior Dev)", ContactKind::Person, &[]),
        contact(4, "#eng", ContactKind::Channel, &["Nora (Manager)", "Sam"]),
        contact(5, "Book club", ContactKind::Group, &[]),
        contact(6, "Alex (Vendor)", ContactKind::Person, &[]),
        contact(7, "Alex (Client)", ContactKind::Person, &[]),
    ];
    apps.messenger.threads = vec![
        thread(
            1,
            &["Nora (Manager)"],
            vec![message(1, false, "How is it going?"), message(2, true, "Fine.")],
        ),
        thread(2, &["#eng"], Vec::new()),
        thread(3, &[], vec![message(3, true, "Note to self")]),
    ];
    apps.calendar.events.push(CalendarEvent {
        id: "event-1".to_owned(),
        title: "Vet appointment".to_owned(),
        date: date(2026, 5, 19),
        start: Some(jiff::civil::time(14, 0, 0, 0)),
        end_date: date(2026, 5, 19),
        end: None,
        time_text: Some("2 pm".to_owned()),
        location: String::new(),
        description: String::new(),
        url: String::new(),
        invitees: Vec::new(),
        details: Vec::new(),
        ..CalendarEvent::default()
    });
    apps.todo.lists = vec![
        list(1, "Mine", &[], vec![task(1, "Call HR")]),
        list(2, "Ours", &["Sam"], vec![task(2, "Buy milk")]),
    ];
    apps.code_editor.files = vec![SourceFile {
        id: "file-1".to_owned(),
        path: "notes.md".to_owned(),
        content: "alpha\nbeta\n".to_owned(),
        shared_with: vec!["Sam".to_owned()],
        details: Vec::new(),
        ..SourceFile::default()
    }];
    apps.shop.products.push(Product {
        id: "product-1".to_owned(),
        title: "Lamp".to_owned(),
        price: Some(Price { cents: Some(4800), text: "$48.00".to_owned() }),
        description: String::new(),
        details: Vec::new(),
        ..Product::default()
    });
    apps.shop.cart.push(CartLine {
        id: "line-1".to_owned(),
        title: "Pregnancy test".to_owned(),
        price: Some(Price { cents: Some(1200), text: "$12.00".to_owned() }),
        quantity: 1,
        ..CartLine::default()
    });
    apps
}
