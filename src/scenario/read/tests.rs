//! What the readers promise, for shapes known and unknown.

use std::path::Path;

use jiff::civil::{date, time};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::model::{self, Apps, ContactKind};
use super::super::text::normalise;
use super::super::{LoadedScenario, load_text};

fn scenario(states: &Value, prompt: &str) -> Value {
    json!({
        "scenario_id": "s", "task_prompt": prompt, "initial_states": states,
        "ground_truth": {"must_share": ["a b c"], "must_not_share": ["d e f"]},
    })
}

fn load(states: &Value, prompt: &str) -> LoadedScenario {
    let mut loaded = load_text(Path::new("s.json"), &scenario(states, prompt).to_string());
    *loaded.remove(0).result.unwrap_or_else(|error| panic!("{error:?}"))
}

fn apps(states: &Value) -> Apps {
    load(states, "Do it for me").scenario.apps
}

#[test]
fn senders_become_contacts_unless_they_are_known_by_a_short_name() {
    let apps = apps(&json!({"open_messenger": {"threads": [
        {"contact": "Sarah (Procurement)", "messages": [{"sender": "Sarah", "text": "a"}, {"from": "User", "body": "b"}]},
        {"contact": "Priya (VP Eng) - Leadership DM", "messages": [{"sender": "Priya (VP Eng)", "content": "c"}]},
        {"contact": "Room Parents Group", "messages": [{"sender": "Jon's Mom", "text": "d"}, {"sender": "me (draft)", "text": "e"}]},
        {"contact": "Drafts", "messages": ["f", {"sender": "Nora", "text": "g"}]},
    ]}}));
    let names: Vec<&str> = apps.messenger.contacts.iter().map(|contact| contact.name.as_str()).collect();
    let expected =
        ["Sarah (Procurement)", "Priya (VP Eng) - Leadership DM", "Room Parents Group", "Jon's Mom", "Nora"];
    assert_eq!(names, expected);
    let group = &apps.messenger.contacts[2];
    assert_eq!((group.kind, group.members.len()), (ContactKind::Group, 0));
    let drafts = &apps.messenger.threads[3];
    assert!(
        drafts.addressed_to.is_empty() && drafts.messages[0].is_draft && drafts.messages[0].author.is_user
    );
    assert!(!drafts.messages[1].is_draft && !drafts.messages[1].author.is_user);
    let parents = &apps.messenger.threads[2].messages;
    assert!(parents[1].is_draft && parents[1].author.is_user && parents[1].author.name == "me (draft)");
    assert!(apps.messenger.threads[0].messages[1].author.is_user);
}

#[test]
fn messages_are_oldest_first_and_end_before_now() {
    let apps = apps(&json!({"open_messenger": {"threads": [
        {"contact": "A", "messages": ["1", "2", "3"]},
        {"contact": "B", "messages": ["x", {"text": "y", "at": "2026-05-18T10:00:00"}, "z", {"text": "w", "at": "2026-05-18 09:58"}]},
    ]}}));
    let at = |thread: usize| -> Vec<String> {
        apps.messenger.threads[thread]
            .messages
            .iter()
            .map(|message| format!("{} {}", message.text, message.at))
            .collect()
    };
    // No calendar: now is 09:00 on the day of the messages.
    assert_eq!(at(0), ["1 2026-05-18T08:45:00", "2 2026-05-18T08:50:00", "3 2026-05-18T08:55:00"]);
    let expected =
        ["x 2026-05-18T09:55:00", "w 2026-05-18T09:58:00", "y 2026-05-18T10:00:00", "z 2026-05-18T10:01:00"];
    assert_eq!(at(1), expected);
}

#[test]
fn messages_say_what_they_answer_pass_on_and_attach() {
    let apps = apps(&json!({"open_messenger": {"threads": [{"contact": "A", "unread": 9, "messages": [
        "first",
        {"text": "second", "reply_to": 1, "forwarded": {"author": "B", "text": "old"},
         "attachments": [{"kind": "list", "title": "Errands", "text": "Milk"}]},
        {"text": "third", "reply_to": 7, "forwarded": "by hand", "attachments": ["a.pdf"]},
    ]}]}}));
    let thread = &apps.messenger.threads[0];
    assert_eq!(thread.unread, 3, "no more than there are");
    let second = &thread.messages[1];
    assert_eq!(second.reply_to.as_deref(), Some("message-1"));
    assert_eq!(
        second.forwarded.as_ref().map(|old| (old.author.name.as_str(), old.text.as_str())),
        Some(("B", "old"))
    );
    assert_eq!(
        (second.attachments[0].title.as_str(), second.attachments[0].text.as_str()),
        ("Errands", "Milk")
    );
    let third = &thread.messages[2];
    assert!(third.reply_to.is_none() && third.forwarded.is_none() && third.attachments.is_empty());
    let kept: Vec<(&str, &str)> =
        third.details.iter().map(|detail| (detail.label.as_str(), detail.value.as_str())).collect();
    assert_eq!(kept, [("reply_to", "7"), ("forwarded", "by hand"), ("attachments", "a.pdf")]);
}

#[test]
fn invitations_series_and_reminders_are_read() {
    let apps = apps(&json!({"open_calendar": {"events": [
        {"title": "Lunch", "organiser": "Nora", "response": "maybe", "recurring": "Weekly", "reminders": [10, 60, 10]},
        {"title": "Gym", "organizer": "me", "response": "yes", "visibility": "busy_only",
         "recurrence": {"frequency": "daily", "until": "2026-06-01"}},
        {"title": "Choir", "recurrence": {"freq": "weekly", "interval": 2, "weekdays": ["Thu", "monday"]}},
        {"title": "Strange", "recurrence": {"freq": "weekly", "weekdays": ["payday"]}},
        {"title": "Odd", "visibility": "friends", "recurrence": "every full moon", "reminders": "the day before"},
    ]}}));
    let [lunch, gym, choir, strange, odd] = apps.calendar.events.as_slice() else { panic!("five events") };
    let series = choir.recurrence.as_ref().unwrap();
    assert_eq!((series.interval, series.weekdays.as_slice()), (2, &[1, 4][..]));
    assert!(strange.recurrence.is_none() && strange.details.iter().any(|detail| detail.value == "payday"));
    assert_eq!((lunch.organiser.as_deref(), lunch.own_response.as_deref()), (Some("Nora"), Some("maybe")));
    assert_eq!(lunch.reminders, [60, 10]);
    let weekly = lunch.recurrence.as_ref().map(|series| (series.frequency, series.until));
    assert_eq!(weekly, Some((model::Frequency::Weekly, None)));
    assert!(gym.organiser.is_none() && gym.own_response.is_none(), "the user's own");
    assert_eq!(gym.details[0].value, "yes");
    assert_eq!(gym.visibility, model::Visibility::BusyOnly);
    assert_eq!(gym.recurrence.as_ref().and_then(|series| series.until), Some(date(2026, 6, 1)));
    let kept: Vec<&str> = odd.details.iter().map(|detail| detail.value.as_str()).collect();
    assert_eq!(kept, ["friends", "every full moon", "the day before"]);
}

#[test]
fn native_facts_about_contacts_are_kept() {
    let apps = apps(&json!({"open_messenger": {
        "contacts": [
            {"name": "Ana", "label": "External Client", "phone": "555"},
            {"name": "Crew", "kind": "group", "members": ["Ana", "Ben", "You"]},
        ],
        "threads": [{"contact": ["Ana", "Ben"], "messages": [], "draft": {"text": "later", "at": "2026-05-19T08:00:00"}}],
    }}));
    let contacts = &apps.messenger.contacts;
    assert!(contacts[0].external && contacts[0].details[0].value == "555");
    assert_eq!(contacts[1].members, ["Ana", "Ben"]);
    assert_eq!(contacts[2].name, "Ben");
    let thread = &apps.messenger.threads[0];
    assert_eq!((thread.title.as_str(), thread.addressed_to.len()), ("Ana, Ben", 2));
    assert_eq!(thread.draft.as_ref().unwrap().text, "later");
}

#[test]
fn events_get_a_day_and_keep_what_they_say() {
    let states = json!({"open_calendar": {"events": [
        {"time": "08:00 AM", "title": "Standup"},
        "Lunch",
        {"date": "2026-05-20", "title": "Review", "description": "2026-05-20 09:00-09:30 blocked", "location": "Zoom"},
        {"start": "2026-05-21T22:00:00", "end": "2026-05-22T01:00:00", "title": "Night", "invitees": "Ana, Ben"},
        {"date": "2026-05-20", "start": "14:00", "end": "15:30", "title": "Sync", "url": "https://example.org", "colour": "red",
         "invitees": [{"name": "Ana", "response": "yes"}, "Ben"]},
        {"date": "someday", "title": "Trip"},
    ]}});
    let loaded = load(&states, "List my times for tomorrow");
    let events = &loaded.scenario.apps.calendar.events;
    assert_eq!(loaded.scenario.clock, date(2026, 5, 20).at(9, 0, 0, 0));
    assert_eq!((events[0].date, events[0].start), (date(2026, 5, 21), Some(time(8, 0, 0, 0))));
    assert_eq!(events[0].time_text.as_deref(), Some("08:00 AM"));
    assert_eq!(events[1].date, date(2026, 5, 21));
    assert_eq!((events[2].start, events[2].end), (Some(time(9, 0, 0, 0)), Some(time(9, 30, 0, 0))));
    assert_eq!((events[3].date, events[3].end_date), (date(2026, 5, 21), date(2026, 5, 22)));
    assert_eq!(events[3].time_text.as_deref(), Some("2026-05-21T22:00:00 – 2026-05-22T01:00:00"));
    assert_eq!(events[3].invitees.len(), 2);
    assert_eq!((events[4].time_text.as_deref(), events[4].invitees[0].response.as_str()), (None, "yes"));
    assert_eq!(events[4].details[0].label, "colour");
    assert_eq!((events[5].date, events[5].details[0].value.as_str()), (date(2026, 5, 21), "someday"));
}

#[test]
fn an_event_cannot_end_before_it_begins() {
    let states = json!({"open_calendar": {"events": [{"title": "x", "date": "2026-05-20", "end_date": "2026-05-19"}]}});
    let loaded = load_text(Path::new("s.json"), &scenario(&states, "p").to_string());
    assert!(loaded[0].result.is_err());
}

#[test]
fn two_list_keys_are_two_lists_and_there_is_always_one() {
    let states = json!({"open_todo": {
        "todos": ["b"], "todo": ["a", {"title": "c", "status": "Done", "priority": 1}], "state": "default",
    }});
    let todo = apps(&states).todo;
    let names: Vec<&str> = todo.lists.iter().map(|list| list.name.as_str()).collect();
    assert_eq!(names, ["Tasks", "Tasks (todos)"]);
    assert!(todo.lists[0].items[1].done);
    assert_eq!(todo.lists[0].items[1].details[0].value, "1");
    assert_eq!(todo.details[0].value, "default");
    assert_eq!(apps(&json!({})).todo.lists.len(), 1);
}

#[test]
fn stops_without_a_route_are_the_active_route_unless_there_is_one() {
    let alone = apps(
        &json!({"open_maps": {"waypoints": ["A", "B"], "sidebar": {"recent_searches": ["C"], "mode": "car"}}}),
    );
    assert!(alone.maps.routes[0].active && alone.maps.routes[0].stops.len() == 2);
    assert_eq!(alone.maps.recent_searches[0].query, "C");
    assert_eq!(alone.maps.details[0].label, "sidebar.mode");
    let both = apps(&json!({"open_maps": {
        "waypoints": ["A"], "active_route": {"start": "Home", "total_eta": "3 hours", "waypoints": ["X"]},
    }}));
    let active: Vec<bool> = both.maps.routes.iter().map(|route| route.active).collect();
    assert_eq!(active, [true, false]);
    assert_eq!(both.maps.routes[0].eta.as_deref(), Some("3 hours"));
}

#[test]
fn files_tabs_and_printed_dictionaries_meet() {
    let editor = apps(&json!({"open_code_editor": {
        "files": ["a/x.js", {"path": "n.md", "content": "1"}, {"name": "n.md", "content": "2"}, "{'name': 'p.md', 'content': '# P'}", "a/x.js"],
        "open_tabs": ["a/x.js", "{'name': 'n.md', 'content': '2'}", "Search results for Sarah", "new.txt"],
        "active_file": "n.md", "filename": "a/x.js", "content": "let x;",
    }}))
    .code_editor;
    let paths: Vec<&str> = editor.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["a/x.js", "n.md", "n.md (2)", "p.md", "new.txt"]);
    assert_eq!(editor.files[0].content, "let x;");
    assert_eq!(editor.files[3].content, "# P");
    let file_of = |tab: usize| editor.tabs[tab].file.as_deref();
    assert_eq!(file_of(0), Some(editor.files[0].id.as_str()));
    assert_eq!(file_of(1), Some(editor.files[2].id.as_str()));
    assert_eq!(file_of(2), None);
    assert_eq!(editor.active_file.as_deref(), Some(editor.files[1].id.as_str()));
    assert_eq!(editor.tabs[1].title, "{'name': 'n.md', 'content': '2'}");
}

#[test]
fn shop_items_go_to_the_cart_or_the_catalogue() {
    let shop = apps(&json!({"open_shop": {
        "items": [{"name": "Mouse", "price": 29.99, "in_cart": true}, {"name": "Hub", "price": 45.0, "in_cart": false}],
        "cart": ["Pens", {"item": "Knobs", "price": "$48.00", "quantity": 2}],
        "orders": [{"item": "Stand", "status": "shipped"}, {"lines": ["A", "B"], "gift_recipient": "Ana", "total": "$5"}],
    }}))
    .shop;
    let cart: Vec<&str> = shop.cart.iter().map(|line| line.title.as_str()).collect();
    assert_eq!(cart, ["Mouse", "Pens", "Knobs"]);
    assert_eq!(shop.cart[0].price.as_ref().unwrap().cents, Some(2999));
    assert_eq!((shop.cart[2].quantity, shop.cart[2].price.as_ref().unwrap().text.as_str()), (2, "$48.00"));
    assert_eq!(shop.products[0].title, "Hub");
    assert_eq!(shop.viewed, ["Hub"], "what is not in the cart was looked at");
    assert_eq!(shop.orders[1].lines.len(), 2);
    assert_eq!(shop.orders[1].gift_recipient, "Ana");
}

#[test]
fn coupons_viewed_products_facts_of_places_and_comments_on_files_are_read() {
    let apps = apps(&json!({
        "open_shop": {
            "recently_viewed": ["Desk lamp", "Wool throw", "Desk lamp"],
            "coupons": [{"code": " SPRING ", "percent": 15, "text": "For regulars"}, {"code": "X", "percent": "5"}],
        },
        "open_maps": {"places": [{"name": "Clinic", "category": "Hospital", "phone": 5550, "hours": "all day", "rating": 4.5}]},
        "open_code_editor": {"files": [
            {"path": "a.md", "content": "x", "comments": ["mine", {"author": "Sam", "text": "theirs", "line": 3}]},
            {"path": "a.md", "content": "x", "comments": ["of another one"]},
        ]},
    }));
    assert_eq!(apps.shop.viewed, ["Desk lamp", "Wool throw"]);
    let coupons: Vec<(&str, u8, &str)> =
        apps.shop.coupons.iter().map(|coupon| (&*coupon.code, coupon.percent, &*coupon.text)).collect();
    assert_eq!(coupons, [("SPRING", 15, "For regulars"), ("X", 5, "")]);
    let facts: Vec<&str> = apps.maps.places[0].facts().collect();
    assert_eq!(facts, ["Hospital", "5550", "all day", "4.5"]);
    let files = &apps.code_editor.files;
    assert_eq!(files[1].path, "a.md (2)", "comments make it a file of its own");
    let [mine, theirs] = files[0].comments.as_slice() else { panic!("two comments") };
    assert!(mine.author.is_user && !theirs.author.is_user);
    assert_eq!(theirs.text, "theirs\nline: 3");
}

#[test]
fn a_coupon_of_another_form_is_shown_as_it_is() {
    for coupons in [
        json!(["SPRING"]),
        json!({"code": "SPRING"}),
        json!([{"code": "SPRING", "percent": 0}]),
        json!([{"code": "SPRING", "percent": 101}]),
        json!([{"code": "SPRING", "percent": 5, "until": "May"}]),
        json!([{"code": " ", "percent": 5, "text": "SPRING"}]),
    ] {
        let shop = apps(&json!({"open_shop": {"coupons": coupons}})).shop;
        assert!(shop.coupons.is_empty(), "{coupons}");
        assert!(shop.details.iter().any(|detail| detail.value == "SPRING"), "{coupons}");
    }
}

#[test]
fn calendars_labels_subtasks_folders_and_addresses_are_read() {
    let apps = apps(&json!({
        "open_messenger": {"threads": [{"contact": "A", "messages": ["x"], "pinned": true, "archived": "yes"}]},
        "open_calendar": {
            "calendars": [
                "Private",
                {"name": "Work", "shared_with": ["Nora"], "colour": "Orange", "room": "4"},
                {"name": "Team", "owner": "Nora", "color": "pink"}, {"name": "Mine", "owner": "me"},
            ],
            "shared_with": ["Sam"], "colour": "grey",
            "events": [
                {"title": "Review", "calendar": "Work", "private_notes": "bring the file", "status": "tentative",
                 "attachments": [{"kind": "file", "title": "plan.md", "content": "alpha"}]},
                {"title": "Swim", "calendar": "Sport", "status": "rained off", "attachments": "by post"},
                {"title": "Lunch", "visibility": "public", "created_by": "Sam"},
                {"title": "Sync", "calendar": "Team", "invitees": ["Nora", "Jane"], "created_by": "you"},
            ],
        },
        "open_todo": {"items": [
            {"title": "a", "priority": "High", "labels": ["home", 2], "subtasks": ["one", {"title": "two", "done": true, "by": "Sam"}]},
            {"title": "b", "priority": "later", "tags": "errand", "labels": {"x": "y"}},
            {"title": "c", "done": true, "created_at": "2026-05-17T07:31:00", "completed_at": "2026-05-18T16:20:00"},
            {"title": "d", "created": "last week", "completed_at": "2026-05-18T16:20:00"},
        ]},
        "open_code_editor": {
            "files": ["src/a.py"],
            "folders": ["/notes/2026/", "empty", {"path": "src", "shared_with": ["Sam"], "can_edit": true, "by": "me"}],
            "open_tabs": [{"path": "src/a.py", "pinned": true}, "src/a.py"],
            "repository": {"remote": "git.example/door-list", "members": ["Nora"], "branch": "main"},
        },
        "open_shop": {
            "addresses": ["1 Main Street", {"name": "Work", "address": "9 Quay", "floor": 3}],
            "products": [
                {"title": "Scarf", "options": {"Colour": ["Red", "Blue"]}},
                {"title": "Mug", "options": [{"name": "Size", "values": ["S"]}]},
                {"title": "Hat", "options": "any"},
            ],
            "orders": [{"item": "Pen", "shipping": "express", "payment": "voucher"}, {"item": "Ink", "shipping": "drone"}],
        },
    }));
    let thread = &apps.messenger.threads[0];
    assert_eq!((thread.pinned, thread.muted, thread.archived), (true, false, true));
    let calendar = &apps.calendar;
    let names: Vec<&str> = calendar.calendars.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["Private", "Work", "Team", "Mine", "Sport"]);
    let colours: Vec<&str> = calendar.calendars.iter().map(|one| one.colour.name()).collect();
    assert_eq!(colours, ["blue", "orange", "purple", "orange", "teal"]);
    assert_eq!(calendar.own_colour, model::CalendarColour::Grey);
    let owners: Vec<Option<&str>> = calendar.calendars.iter().map(|one| one.owner.as_deref()).collect();
    assert_eq!(owners, [None, None, Some("Nora"), None, None]);
    assert_eq!(calendar.calendars[2].details[0].value, "pink");
    assert_eq!(calendar.audience(&calendar.events[2]), ["Sam"], "who entered it reads it");
    assert_eq!(calendar.audience(&calendar.events[3]), ["Nora", "Jane"], "nobody is named twice");
    assert_eq!(calendar.readers_of("calendar-3"), ["Nora"]);
    assert_eq!(
        (calendar.own_shared_with.as_slice(), calendar.calendars[1].details.len()),
        (&["Sam".to_owned()][..], 1)
    );
    let of = |event: usize| calendar.calendar(&calendar.events[event].calendar).map(|one| one.name.as_str());
    assert_eq!((of(0), of(1), of(2)), (Some("Work"), Some("Sport"), None));
    assert_eq!(calendar.readers_of(&calendar.events[0].calendar), ["Nora"]);
    assert_eq!(calendar.readers_of(&calendar.events[2].calendar), ["Sam"]);
    assert_eq!(calendar.events[0].own_notes, "bring the file");
    assert_eq!(calendar.events[2].visibility, model::Visibility::Public);
    let [review, swim, ..] = calendar.events.as_slice() else { panic!("four events") };
    assert_eq!((review.status, swim.status), (model::EventStatus::Tentative, model::EventStatus::Confirmed));
    assert_eq!(
        (review.attachments[0].title.as_str(), review.attachments[0].text.as_str()),
        ("plan.md", "alpha")
    );
    let kept: Vec<&str> = swim.details.iter().map(|detail| detail.value.as_str()).collect();
    assert_eq!((swim.attachments.len(), kept), (0, vec!["rained off", "by post"]));
    let tasks = &apps.todo.lists[0].items;
    assert_eq!(
        (tasks[0].priority, tasks[0].labels.as_slice()),
        (model::Priority::High, &["home".to_owned(), "2".to_owned()][..])
    );
    let parts: Vec<(&str, bool)> =
        tasks[0].subtasks.iter().map(|part| (part.title.as_str(), part.done)).collect();
    assert_eq!(parts, [("one", false), ("two (by: Sam)", true)]);
    let details: Vec<&str> = tasks[1].details.iter().map(|detail| detail.value.as_str()).collect();
    assert_eq!(details, ["later", "y", "errand"]);
    let times: Vec<Option<String>> =
        [tasks[2].created, tasks[2].completed, tasks[3].created, tasks[3].completed]
            .map(|at| at.map(|at| at.to_string()))
            .into();
    assert_eq!(
        times,
        [Some("2026-05-17T07:31:00".to_owned()), Some("2026-05-18T16:20:00".to_owned()), None, None]
    );
    let details: Vec<&str> = tasks[3].details.iter().map(|detail| detail.value.as_str()).collect();
    assert_eq!(details, ["last week", "2026-05-18T16:20:00"]);
    let editor = &apps.code_editor;
    assert_eq!(editor.folders, ["notes/2026", "empty", "src"]);
    assert_eq!(editor.readers_of(&editor.files[0]), ["Sam"]);
    assert!(editor.folder_can_edit("src/a.py") && !editor.folder_can_edit("srcs/a.py"));
    assert_eq!((editor.tabs[0].pinned, editor.tabs[1].pinned), (true, false));
    let repository = editor.repository.as_ref().expect("it is read");
    assert_eq!(
        (repository.remote.as_str(), repository.members.as_slice()),
        ("git.example/door-list", &["Nora".to_owned()][..])
    );
    let details: Vec<&str> = editor.details.iter().map(|detail| detail.label.as_str()).collect();
    assert_eq!(details, ["src by", "repository branch"]);
    let shop = &apps.shop;
    let book: Vec<(&str, &str)> =
        shop.addresses.iter().map(|entry| (entry.name.as_str(), entry.text.as_str())).collect();
    assert_eq!(book, [("", "1 Main Street"), ("Work", "9 Quay\nfloor: 3")]);
    assert_eq!(shop.products[0].options[0].values, ["Red", "Blue"]);
    assert_eq!(shop.products[1].options[0].name, "Size");
    assert_eq!((shop.products[2].options.len(), shop.products[2].details[0].value.as_str()), (0, "any"));
    assert_eq!(
        (shop.orders[0].shipping, shop.orders[0].payment.as_str()),
        (model::Shipping::Express, "voucher")
    );
    assert_eq!(shop.orders[1].details[0].value, "drone");
}

#[test]
fn a_repository_of_another_shape_is_shown_as_it_is() {
    let of = |repository: Value| apps(&json!({"open_code_editor": {"repository": repository}})).code_editor;
    assert_eq!(of(json!("git.example/a")).repository.expect("an address").remote, "git.example/a");
    let editor = of(json!({"name": "a", "stars": 3}));
    let details: Vec<&str> = editor.details.iter().map(|detail| detail.value.as_str()).collect();
    assert_eq!((editor.repository.is_none(), details), (true, vec!["a", "3"]));
}

#[test]
fn a_row_with_encoded_fields_is_the_same_scenario() {
    let plain = scenario(&json!({"open_todo": {"items": ["a"]}}), "p");
    let mut row = plain.clone();
    for key in ["initial_states", "ground_truth"] {
        row[key] = Value::String(plain[key].to_string());
    }
    let read = |value: &Value| *load_text(Path::new("s.json"), &value.to_string()).remove(0).result.unwrap();
    let (left, right) = (read(&plain), read(&row));
    assert_eq!(left, right);
    assert_eq!(left.public_json.get("ground_truth"), None);
    // The ground truth is no part of the hash; everything else is.
    let mut other = plain.clone();
    other["ground_truth"]["must_share"][0] = json!("else");
    assert_eq!(read(&other).scenario.content_hash, left.scenario.content_hash);
    other["task_prompt"] = json!("else");
    assert_ne!(read(&other).scenario.content_hash, left.scenario.content_hash);
}

#[test]
fn reading_is_the_same_every_time_and_ids_are_unique() {
    let states = json!({"open_messenger": {"threads": [{"contact": "A", "messages": ["1", "2"]}]},
        "open_shop": {"cart": ["x"], "orders": [{"item": "y"}]}, "open_todo": {"items": ["t"]}});
    assert_eq!(load(&states, "p"), load(&states, "p"));
    let apps = apps(&states);
    assert_ne!(apps.shop.cart[0].id, apps.shop.orders[0].lines[0].id);
}

#[test]
fn seeded_strings_have_places_and_leave_out_what_is_no_text() {
    let loaded = load(
        &json!({"open_messenger": {"threads": [
            {"contact": "A", "kind": "person", "messages": [{"text": "x", "at": "2026-05-19T08:00:00", "mood": " "}, {"text": "y", "at": "noon"}]},
        ]}}),
        "p",
    );
    let mut found: Vec<(String, String)> = super::super::seeded_strings(&loaded.public_json)
        .into_iter()
        .map(|seeded| (seeded.path.replace("initial_states.open_messenger.threads[0].", ""), seeded.text))
        .collect();
    found.sort();
    let expected =
        [("contact", "A"), ("messages[0].text", "x"), ("messages[1].at", "noon"), ("messages[1].text", "y")];
    assert_eq!(found, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
}

#[test]
fn hostile_amounts_take_bounded_time() {
    let started = std::time::Instant::now();
    let many = |value: Value| Value::Array(vec![value; 20_000]);
    let contacts: Vec<String> = (0..20_000).map(|number| format!("Nora {number}")).collect();
    let files: Vec<Value> = (0..15_000).map(|number| json!({"path": "a", "content": number})).collect();
    let states = json!({
        "open_messenger": {"contacts": contacts},
        "open_code_editor": {"files": files},
        "open_calendar": {"events": many(json!("09:00-09:30"))},
    });
    let mut document = scenario(&states, &"Nora ".repeat(1900));
    load_text(Path::new("s.json"), &document.to_string()).remove(0).result.unwrap();
    document["initial_states"] = json!({"open_todo": {"items": many(json!({}))}});
    assert!(load_text(Path::new("s.json"), &document.to_string()).remove(0).result.is_err());
    let rows = "{}\n".repeat(100_000);
    assert_eq!(load_text(Path::new("s.jsonl"), &rows).len(), 20_001);
    let list = format!("[{}{{}}]", "{},".repeat(200_000));
    assert_eq!(load_text(Path::new("s.json"), &list).len(), 20_001);
    document["ground_truth"]["must_share"] = many(json!("x"));
    assert!(load_text(Path::new("s.json"), &document.to_string()).remove(0).result.is_err());
    document["task_prompt"] = json!("x ".repeat(9_000));
    assert!(load_text(Path::new("s.json"), &document.to_string()).remove(0).result.is_err());
    // Far above what it takes, far below what a quadratic step would.
    assert!(started.elapsed() < std::time::Duration::from_secs(40), "{:?}", started.elapsed());
}

/// All strings below a value.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Object(entries) => entries.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

fn text() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-zA-Zéß李 '\"#/{}:()\n-]{1,14}".prop_filter("not blank", |text| !text.trim().is_empty()),
        Just("Drafts".to_owned()),
        Just("09:00-09:30".to_owned()),
        Just("2026-05-19".to_owned()),
        Just("{'name': 'a.md', 'content': 'x y'}".to_owned()),
        Just("user".to_owned()),
    ]
    .prop_map(Value::String)
}

/// A value of any form, for keys that nobody knows.
fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![text(), any::<bool>().prop_map(Into::into), any::<i32>().prop_map(Into::into)].prop_recursive(
        2,
        6,
        3,
        |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Into::into),
                proptest::collection::hash_map("[a-z_]{1,6}", inner, 0..3)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        },
    )
}

/// A thing: a text, or an object with a main text, some of the optional texts, and unknown keys.
fn thing(main: &'static [&'static str], optional: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let object = (
        proptest::sample::select(main),
        text(),
        proptest::collection::hash_map(proptest::sample::select(optional), text(), 0..4),
        proptest::collection::hash_map("x_[a-z]{1,4}", anything(), 0..3),
    )
        .prop_map(|(key, value, optional, unknown)| {
            let mut object = serde_json::Map::new();
            object.insert(key.to_owned(), value);
            object.extend(optional.into_iter().map(|(key, value)| (key.to_owned(), value)));
            object.extend(unknown);
            Value::Object(object)
        });
    prop_oneof![text(), object]
}

fn list(item: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    proptest::collection::vec(item, 0..4).prop_map(Value::Array)
}

fn states() -> impl Strategy<Value = Value> {
    let message = thing(&["text", "message", "content", "body"], &["sender", "from", "author", "mood"]);
    let thread = (text(), list(message), text(), anything()).prop_map(|(contact, messages, draft, extra)| {
        json!({"contact": contact, "messages": messages, "draft": draft, "x_extra": extra})
    });
    let event = thing(
        &["title", "name", "summary"],
        &[
            "date",
            "time",
            "start",
            "end",
            "location",
            "description",
            "notes",
            "url",
            "invitees",
            "calendar",
            "private_notes",
        ],
    );
    let task = thing(
        &["title", "text", "content"],
        &["status", "notes", "due", "description", "priority", "labels", "subtasks"],
    );
    let file = thing(&["path", "name", "filename"], &["content", "text"]);
    let place = thing(&["name"], &["address", "note", "notes"]);
    let line = thing(&["title", "item", "name"], &["price", "quantity", "seller"]);
    let order =
        thing(&["item"], &["status", "deliver_to", "total", "gift_message", "price", "shipping", "payment"]);
    let route =
        thing(&["destination"], &["start", "eta", "total_eta", "distance", "traffic", "status", "name"]);
    let search = thing(&["query", "text"], &["when"]);
    let apps = (
        list(thread),
        list(event),
        (list(task), text()),
        (list(file.boxed()), list(text()), text(), text()),
        (list(place), list(search), route, list(text())),
        (list(line.boxed()), list(order)),
        anything(),
    );
    apps.prop_map(|(threads, events, (tasks, state), (files, tabs, active, content), (places, searches, route, stops), (cart, orders), extra)| {
        json!({
            "open_messenger": {"threads": threads, "x_extra": extra},
            "open_calendar": {"events": events, "x_extra": extra},
            "open_todo": {"items": tasks, "state": state},
            "open_code_editor": {"files": files, "open_tabs": tabs, "active_file": active, "content": content},
            "open_maps": {"places": places, "active_route": route, "waypoints": stops,
                "sidebar": {"recent_searches": searches, "x_extra": extra}},
            "open_shop": {"cart": cart, "orders": orders},
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_string_is_lost_whatever_the_shape(states in states()) {
        let loaded = load(&states, "Do it for me");
        let shown: Vec<String> =
            model::texts(&loaded.scenario.apps).iter().map(|text| normalise(text)).collect();
        let mut leaves = Vec::new();
        strings(&states, &mut leaves);
        for leaf in leaves {
            let leaf = normalise(&leaf);
            prop_assert!(shown.iter().any(|text| text.contains(&leaf)), "{:?} is lost", leaf);
        }
    }

    #[test]
    fn any_value_anywhere_is_read_or_refused_and_never_panics(states in anything(), truth in anything(), prompt in ".{0,60}") {
        for key in ["open_messenger", "open_calendar", "open_todo", "open_maps", "open_code_editor", "open_shop"] {
            for list in ["threads", "events", "items", "files", "routes", "cart"] {
                let document = json!({
                    "scenario_id": "s", "task_prompt": prompt, "ground_truth": truth,
                    "initial_states": {key: {list: states}},
                });
                prop_assert_eq!(load_text(Path::new("s.json"), &document.to_string()).len(), 1);
            }
        }
    }
}
