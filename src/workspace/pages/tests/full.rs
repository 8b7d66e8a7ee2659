//! States to render: an empty one and one that uses every field; and what hostile text may look like.
//! The tests in the browser include this file, too, so it names nothing but the library's own types.

use std::collections::BTreeMap;

use jiff::civil::{date, datetime, time};

use crate::scenario::model::{
    Address, Apps, Attachment, AttachmentKind, Author, Calendar, CalendarColour, CalendarEvent, CartLine,
    CodeEditor, Comment, Commit, CommittedFile, Contact, ContactKind, Coupon, Detail, Draft, EventCalendar,
    EventStatus, Forwarded, Frequency, Invitee, Maps, Message, Messenger, Order, OrderStep, Place, PlaceList,
    Price, Priority, Product, ProductOption, Recurrence, Repository, Review, Route, Search, Share, ShareKind,
    SharedFolder, Shop, SourceFile, Stop, Subtask, Tab, Thread, Todo, TodoItem, TodoList, Visibility,
};
use crate::workspace::WorkspaceState;

pub(crate) fn empty_state(language: &str) -> WorkspaceState {
    WorkspaceState {
        now: datetime(2026, 5, 19, 9, 0, 0, 0),
        language: language.to_owned(),
        apps: Apps::default(),
        counters: BTreeMap::new(),
    }
}

/// A state in which every text is `make(what it is)`.
pub(crate) fn full_state(language: &str, make: &dyn Fn(&str) -> String) -> WorkspaceState {
    let details =
        |of: &str| vec![Detail { label: make(&format!("{of} label")), value: make(&format!("{of} value")) }];
    let apps = Apps {
        messenger: messenger(make, &details),
        calendar: calendar(make, &details),
        todo: todo(make, &details),
        maps: maps(make, &details),
        code_editor: code_editor(make, &details),
        shop: shop(make, &details),
    };
    WorkspaceState { apps, ..empty_state(language) }
}

type Make<'a> = &'a dyn Fn(&str) -> String;
type Details<'a> = &'a dyn Fn(&str) -> Vec<Detail>;

fn messenger(make: Make<'_>, details: Details<'_>) -> Messenger {
    let contact = |number: u32, kind, members: Vec<String>| Contact {
        id: format!("contact-{number}"),
        name: make(&format!("contact {number}")),
        label: Some(make(&format!("contact label {number}"))),
        kind,
        members,
        external: number == 1,
        details: details(&format!("contact {number}")),
    };
    let message = |number: i8, is_user: bool, is_draft: bool| Message {
        id: format!("message-{number}"),
        author: Author { is_user, name: make(if is_user { "my name" } else { "contact 1" }) },
        text: make(&format!("message {number}\nsecond line")),
        at: datetime(2026, 5, 18, 8, number, 0, 0),
        is_draft,
        edited_at: is_user.then(|| datetime(2026, 5, 18, 8, 50, 0, 0)),
        details: details(&format!("message {number}")),
        reply_to: is_draft.then(|| "message-1".to_owned()),
        forwarded: (number == 4).then(|| Forwarded {
            author: Author { is_user: false, name: make("first author") },
            text: make("passed on\nsecond line"),
        }),
        attachments: if number == 4 {
            vec![Attachment {
                kind: AttachmentKind::List,
                source: String::new(),
                title: make("attached list"),
                text: make("attached task"),
            }]
        } else {
            vec![]
        },
    };
    Messenger {
        contacts: vec![
            contact(1, ContactKind::Person, vec![]),
            contact(2, ContactKind::Group, vec![make("contact 1"), make("member only")]),
            contact(3, ContactKind::Channel, vec![]),
        ],
        threads: vec![
            Thread {
                id: "thread-1".into(),
                title: make("thread 1"),
                addressed_to: vec![make("contact 1")],
                messages: vec![message(1, false, false), message(2, true, false), message(3, true, true)],
                draft: Some(Draft {
                    text: make("kept draft"),
                    at: datetime(2026, 5, 18, 8, 30, 0, 0),
                    ..Draft::default()
                }),
                details: details("thread 1"),
                ..Thread::default()
            },
            Thread {
                id: "thread-2".into(),
                title: make("thread 2"),
                addressed_to: vec![make("contact 2"), make("contact 3")],
                messages: vec![message(4, false, false)],
                unread: 1,
                ..Thread::default()
            },
            Thread {
                id: "thread-3".into(),
                title: make("thread 3"),
                addressed_to: vec![],
                messages: vec![],
                draft: None,
                details: vec![],
                ..Thread::default()
            },
        ],
        earlier: vec![],
        details: details("messenger"),
    }
}

fn calendar(make: Make<'_>, details: Details<'_>) -> Calendar {
    let invitee = |name: &str, response: &str| Invitee { name: make(name), response: response.into() };
    let event = |number: u32| CalendarEvent {
        id: format!("event-{number}"),
        title: make(&format!("event {number}")),
        date: date(2026, 5, 20),
        start: Some(time(8, 0, 0, 0)),
        end_date: date(2026, 5, 20),
        end: Some(time(8, 30, 0, 0)),
        time_text: Some(make(&format!("written time {number}"))),
        location: make(&format!("event place {number}")),
        description: make(&format!("event description {number}\nsecond line")),
        url: make(&format!("event link {number}")),
        invitees: vec![
            invitee("contact 1", "yes"),
            invitee("invitee", "none"),
            invitee("odd", "odd response"),
        ],
        own_notes: make(&format!("event notes {number}")),
        status: if number == 1 { EventStatus::Tentative } else { EventStatus::Confirmed },
        attachments: vec![Attachment {
            kind: AttachmentKind::File,
            source: String::new(),
            title: make(&format!("attached to event {number}")),
            text: make(&format!("text attached to event {number}\nsecond line")),
        }],
        calendar: if number == 2 { "calendar-1".into() } else { String::new() },
        details: details(&format!("event {number}")),
        ..CalendarEvent::default()
    };
    let trip =
        CalendarEvent { start: None, end: None, end_date: date(2026, 5, 22), invitees: vec![], ..event(2) };
    let invitation = CalendarEvent {
        organiser: Some(make("organiser")),
        created_by: Some(make("who entered it")),
        own_response: Some("maybe".into()),
        response_note: make("answer note"),
        visibility: Visibility::BusyOnly,
        recurrence: Some(Recurrence {
            until: Some(date(2026, 6, 30)),
            except: vec![date(2026, 5, 27)],
            ..Recurrence::every(Frequency::Weekly)
        }),
        reminders: vec![60, 10],
        ..event(3)
    };
    let work = EventCalendar {
        id: "calendar-1".into(),
        name: make("other calendar"),
        shared_with: vec![make("calendar reader")],
        details: details("other calendar"),
        ..EventCalendar::default()
    };
    let theirs = EventCalendar {
        id: "calendar-2".into(),
        name: make("somebody's calendar"),
        colour: CalendarColour::Blue,
        owner: Some(make("calendar owner")),
        ..EventCalendar::default()
    };
    Calendar {
        calendars: vec![work, theirs],
        own_shared_with: vec![make("own calendar reader")],
        events: vec![event(1), trip, invitation],
        shares: vec![
            share(make, 6, ShareKind::Event, "event-1"),
            share(make, 7, ShareKind::Calendar, "calendar-1"),
            share(make, 8, ShareKind::Invitation, "event-1"),
        ],
        details: details("calendar"),
        ..Calendar::default()
    }
}

fn todo(make: Make<'_>, details: Details<'_>) -> Todo {
    let item = |number: u32, done: bool| TodoItem {
        id: format!("task-{number}"),
        title: make(&format!("task {number}")),
        notes: make(&format!("task notes {number}")),
        done,
        status: Some(make(&format!("task status {number}"))),
        due: Some(date(2026, 5, 21)),
        assignee: make(&format!("assignee {number}")),
        priority: Priority::High,
        labels: vec![make(&format!("task label of {number}"))],
        subtasks: vec![Subtask {
            id: format!("subtask-{number}"),
            title: make(&format!("subtask {number}")),
            done: number == 2,
        }],
        comments: vec![Comment {
            id: format!("comment-{number}"),
            author: Author { is_user: number == 2, name: make("comment author") },
            text: make(&format!("comment {number}")),
            at: Some(datetime(2026, 5, 18, 8, 55, 0, 0)),
        }],
        created: Some(datetime(2026, 5, 17, 7, 31, 0, 0)),
        completed: done.then(|| datetime(2026, 5, 18, 7, 32, 0, 0)),
        details: details(&format!("task {number}")),
        ..TodoItem::default()
    };
    let list = |number: u32, shared_with: Vec<String>, items: Vec<TodoItem>| TodoList {
        id: format!("list-{number}"),
        name: make(&format!("list {number}")),
        shared_with,
        items,
        details: details(&format!("list {number}")),
        ..TodoList::default()
    };
    Todo {
        lists: vec![
            list(1, vec![], vec![item(1, false), item(2, true)]),
            list(2, vec![make("contact 1"), make("list reader")], vec![]),
        ],
        shares: vec![share(make, 1, ShareKind::List, "list-2")],
        details: details("todo"),
        ..Todo::default()
    }
}

fn maps(make: Make<'_>, details: Details<'_>) -> Maps {
    let route = |number: u32| {
        let some = |what: &str| Some(make(&format!("route {what} {number}")));
        Route {
            id: format!("route-{number}"),
            active: number == 1,
            name: make(&format!("route {number}")),
            start: some("start"),
            destination: some("destination"),
            address: some("address"),
            stops: vec![Stop {
                id: format!("stop-{number}"),
                name: make(&format!("stop {number}")),
                note: make(&format!("stop note {number}")),
                dwell: make(&format!("stop time {number}")),
            }],
            eta: some("eta"),
            distance: some("distance"),
            status: some("status"),
            traffic: some("traffic"),
            details: details(&format!("route {number}")),
            ..Route::default()
        }
    };
    Maps {
        places: vec![Place {
            id: "place-1".into(),
            name: make("place"),
            address: make("place address"),
            note: make("place note"),
            category: make("place category"),
            phone: make("place phone"),
            hours: make("place hours"),
            rating: make("place rating"),
            details: details("place"),
            ..Place::default()
        }],
        lists: vec![PlaceList {
            id: "places-1".into(),
            name: make("place list"),
            places: vec!["place-1".into()],
            details: details("place list"),
        }],
        shares: vec![share(make, 2, ShareKind::Route, "route-1"), share(make, 3, ShareKind::Eta, "route-2")],
        recent_searches: vec![Search { id: "search-1".into(), query: make("search") }],
        routes: vec![route(1), route(2)],
        details: details("maps"),
        ..Maps::default()
    }
}

fn share(make: Make<'_>, number: u32, kind: ShareKind, subject: &str) -> Share {
    Share {
        id: format!("share-{number}"),
        kind,
        subject: subject.to_owned(),
        title: match kind {
            ShareKind::Route | ShareKind::Eta | ShareKind::Event | ShareKind::Invitation => {
                make(&format!("share title {number}"))
            }
            _ => "what is shown elsewhere".to_owned(),
        },
        to: vec![make(&format!("share reader {number}"))],
        // Lists and files are shown as they are at any time.
        lines: match kind {
            ShareKind::List | ShareKind::File | ShareKind::Folder | ShareKind::Calendar => vec![],
            _ => vec![make(&format!("share line {number}"))],
        },
        // Nothing is written beside an invitation.
        message: match kind {
            ShareKind::Invitation => String::new(),
            _ => make(&format!("share message {number}")),
        },
        at: datetime(2026, 5, 18, 8, 57, 0, 0),
    }
}

fn code_editor(make: Make<'_>, details: Details<'_>) -> CodeEditor {
    let file = |number: u32, folder: &str, shared_with: Vec<String>| SourceFile {
        id: format!("file-{number}"),
        path: format!("{folder}{}", make(&format!("file {number}"))),
        content: make(&format!("\nfile content {number}\n  second line")),
        unsaved: (number == 2).then(|| make("\nunsaved content\n  second line")),
        committed: Some("before\n".into()),
        shared_with,
        comments: vec![Comment {
            id: format!("comment-{}", number + 10),
            author: Author { is_user: number == 2, name: make("file comment author") },
            text: make(&format!("file comment {number}")),
            at: Some(datetime(2026, 5, 18, 8, 58, 0, 0)),
        }],
        details: details(&format!("file {number}")),
        ..SourceFile::default()
    };
    let tab = |number: u32, file: Option<&str>| Tab {
        id: format!("tab-{number}"),
        title: make(&format!("tab {number}")),
        file: file.map(str::to_owned),
        pinned: number == 1,
    };
    CodeEditor {
        files: vec![file(1, "src/", vec![]), file(2, "", vec![make("file reader")])],
        folders: vec![make("empty folder"), "src".into()],
        shared_folders: vec![SharedFolder {
            path: "src".into(),
            shared_with: vec![make("folder reader")],
            can_edit: true,
        }],
        repository: Some(Repository {
            remote: make("remote"),
            members: vec![make("member")],
            is_public: true,
        }),
        tabs: vec![tab(1, Some("file-1")), tab(2, None)],
        active_file: Some("file-1".into()),
        commits: vec![Commit {
            id: "commit-1".into(),
            message: make("commit message"),
            files: vec![CommittedFile {
                path: make("commit path"),
                diff: vec!["- before".into(), make("commit line")],
            }],
            pushed_to: vec![make("commit reader")],
            at: datetime(2026, 5, 18, 8, 56, 0, 0),
        }],
        shares: vec![share(make, 4, ShareKind::File, "file-2"), share(make, 9, ShareKind::Folder, "src")],
        details: details("code"),
        ..CodeEditor::default()
    }
}

fn shop(make: Make<'_>, details: Details<'_>) -> Shop {
    let price = |of: &str| Some(Price { cents: Some(1234), text: make(&format!("{of} price")) });
    let line = |number: u32| CartLine {
        id: format!("line-{number}"),
        title: make(&format!("line {number}")),
        price: price(&format!("line {number}")),
        quantity: 41 + number,
        details: details(&format!("line {number}")),
        ..CartLine::default()
    };
    Shop {
        products: vec![Product {
            id: "product-1".into(),
            title: make("product"),
            price: price("product"),
            category: make("product category"),
            brand: make("product brand"),
            description: make("product description"),
            features: vec![make("product feature")],
            stock: Some(3),
            options: vec![ProductOption {
                name: make("product option"),
                values: vec![make("product choice 1"), make("product choice 2")],
            }],
            details: details("product"),
            ..Product::default()
        }],
        recent_searches: vec![Search { id: "shop-search-1".into(), query: make("product search") }],
        addresses: vec![Address {
            id: "address-1".into(),
            name: make("address name"),
            text: make("address text"),
        }],
        viewed: vec![make("product"), make("viewed elsewhere")],
        coupons: vec![Coupon { code: make("coupon code"), percent: 15, text: make("coupon text") }],
        cart: vec![line(1)],
        saved_for_later: vec![line(2)],
        wish_list: vec![line(4)],
        reviews: vec![Review {
            id: "review-1".into(),
            product: make("product"),
            stars: 4,
            text: make("review text"),
        }],
        shares: vec![share(make, 5, ShareKind::Cart, "")],
        orders: vec![Order {
            id: "order-1".into(),
            lines: vec![line(3)],
            status: make("order status"),
            deliver_to: make("order address"),
            gift_recipient: make("gift recipient"),
            gift_message: make("gift message"),
            delivery_note: make("delivery note"),
            seller_note: make("seller note"),
            reference: make("order reference"),
            total: price("order"),
            payment: make("order payment"),
            coupon: make("order coupon"),
            discount: price("order discount"),
            history: vec![OrderStep { status: make("order turn"), at: make("time of the turn") }],
            details: details("order"),
            ..Order::default()
        }],
        details: details("shop"),
        ..Shop::default()
    }
}

/// All strings that `full_state` asked `make` for.
pub(crate) fn asked_for() -> Vec<String> {
    let asked = std::cell::RefCell::new(Vec::new());
    let _state = full_state("en", &|what| {
        asked.borrow_mut().push(what.to_owned());
        what.to_owned()
    });
    asked.into_inner()
}

/// A payload without markup. Slashes stay: they part paths into folders.
pub(crate) fn without_markup(payload: &str) -> String {
    payload.chars().map(|letter| if "<>\"'".contains(letter) { 'x' } else { letter }).collect()
}

/// Texts that would do something anywhere but in a text: HTML, scripts, styles, templates, entities.
pub(crate) const PAYLOADS: [&str; 12] = [
    "</textarea></title></script><script>alert(1);document.documentElement.dataset.hit=1</script>",
    r#"<img src="/hit?1" onerror="document.documentElement.dataset.hit=1"><svg onload=alert(2)></svg>"#,
    r#"<iframe srcdoc="<script>parent.document.documentElement.dataset.hit=1</script>"></iframe>"#,
    r#"" onmouseover="alert(3)" autofocus onfocus="alert(4)" data-x=""#,
    "' onclick='alert(5)' style='background:url(/hit?2)' x=`",
    "</style><style>*{display:none!important}</style><link rel=stylesheet href=/hit?3>",
    r#"<base href="//evil.example/"><meta http-equiv=refresh content="0;url=//evil.example/">"#,
    r#"<form action="//evil.example/"><input name=q autofocus><button>go</button></form>"#,
    "{{ 1234*1000 }}{% raw %}{# x #}${1234*1000}<%= 1234*1000 %>#{1234*1000}",
    r"javascript:alert(6) data:text/html,<script>alert(7)</script> \u003cb\u003e",
    "&lt;b&gt;&amp;&#60;b&#62;&quot;&nbsp;]]><![CDATA[<b>",
    "<!-- <plaintext> --!><details open ontoggle=alert(8)><summary>x</summary></details>",
];
