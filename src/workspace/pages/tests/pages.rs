//! What holds for every page.

use std::collections::BTreeSet;

use super::full::{PAYLOADS, asked_for, empty_state, full_state, without_markup};
use super::html::{Control, check_structure, controls, links, visible_text};
use super::sample::sample_state;
use super::support::{crawl, page};
use crate::scenario::model::{EarlierEvent, EarlierMessage, TodoItem};
use crate::scenario::variation::{Variation, VariationChoice};
use crate::workspace::WorkspaceState;
use crate::workspace::pages::{Answer, Look, Request, get};
use crate::workspace::strings::{LANGUAGES, text};

/// Pages that no link leads to.
const UNLINKED: [&str; 4] = [
    "/gallery",
    "/gallery?theme=dark&language=de&density=compact",
    "/maps/new",
    "/todo?done=task_added&entity=task-2",
];

/// A role, the key of a name, and what is filled into it.
type Named<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

fn all_pages(state: &WorkspaceState) -> Vec<(String, String)> {
    let mut pages = crawl(state);
    pages.extend(UNLINKED.map(|address| (address.to_owned(), page(state, address))));
    pages
}

/// Writes pages as files to look at, where `DISCREET_PAGES_OUT` names a folder.
fn keep(name: &str, pages: &[(String, String)]) {
    let Ok(folder) = std::env::var("DISCREET_PAGES_OUT") else { return };
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/openapps-web");
    for (address, html) in pages {
        let file = address.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
        let html = html
            .replace("href=\"/assets/", &format!("href=\"{assets}/style/"))
            .replace("src=\"/assets/", &format!("src=\"{assets}/script/"));
        std::fs::write(format!("{folder}/{name}{file}.html"), html).unwrap();
    }
}

#[test]
fn every_page_renders_in_every_language() {
    for language in LANGUAGES {
        let states = [
            ("empty", empty_state(language)),
            ("full", full_state(language, &str::to_owned)),
            ("sample", sample_state(language)),
        ];
        for (name, state) in states {
            let pages = all_pages(&state);
            keep(&format!("{name}-{language}-"), &pages);
            assert!(pages.len() >= if name == "empty" { 15 } else { 24 }, "{name}: {}", pages.len());
            for (address, html) in &pages {
                let told = if address.contains("language=") { "de" } else { language };
                assert!(html.contains(&format!("<html lang=\"{told}\"")), "{address}");
                check_structure(address, html);
                for control in controls(html) {
                    assert!(!control.name.is_empty(), "{address}: a {} without a name", control.role);
                }
                // A key that no table has would be shown as it is.
                for word in visible_text(html).split_whitespace() {
                    let is_key = word.contains('.') && text(language, word, &[]) == word;
                    let prefix = word.split('.').next().unwrap_or_default();
                    let known =
                        ["nav", "home", "frame", "messages", "calendar", "todo", "maps", "code", "shop"];
                    assert!(!(is_key && known.contains(&prefix)), "{address}: unknown text {word}");
                }
            }
        }
    }
}

#[test]
fn every_string_of_the_state_is_shown() {
    for language in LANGUAGES {
        let state = full_state(language, &|what| format!("⟦{what}⟧"));
        let pages = crawl(&state);
        let shown: Vec<String> = pages.iter().map(|(_, html)| visible_text(html)).collect();
        let missing: Vec<String> = asked_for()
            .into_iter()
            .filter(|what| !shown.iter().any(|text| text.contains(&format!("⟦{what}⟧"))))
            .collect();
        assert!(missing.is_empty(), "{language}: not shown: {missing:?}");
        // What has a form of its own in the state is shown, too.
        for needle in ["2026-05-20", "2026-05-22", "2026-05-21", "08:00–08:30", "08:50", "42", "43", "44"] {
            assert!(shown.iter().any(|text| text.contains(needle)), "{language}: {needle}");
        }
    }
}

#[test]
fn small_apps_show_all_of_themselves_on_their_first_page() {
    let state = full_state("en", &|what| format!("⟦{what}⟧"));
    let one_click =
        ["/todo", "/calendar", "/maps", "/shop"].map(|address| visible_text(&page(&state, address)));
    let of_apps = [
        "event",
        "written time",
        "task",
        "list",
        "route",
        "stop",
        "place",
        "search",
        "line",
        "product",
        "order",
    ];
    for what in asked_for() {
        if of_apps.iter().any(|start| what.starts_with(start)) {
            assert!(one_click.iter().any(|text| text.contains(&format!("⟦{what}⟧"))), "{what}");
        }
    }
}

#[test]
fn hostile_text_is_only_text() {
    const HOSTILE: &str = "</textarea></title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;{{ 1234*1000 }}{% raw %}#a/b?c&d%2f\u{202e}";
    let calm = without_markup(HOSTILE);
    let plain = full_state("en", &|what| format!("{what}{calm}"));
    let hostile = full_state("en", &|what| format!("{what}{HOSTILE}"));
    let tags = |html: &str| html.matches('<').count();
    let pages = crawl(&hostile);
    let harmless = crawl(&plain);
    assert_eq!(pages.len(), harmless.len(), "addresses hold ids, not names");
    for ((address, html), (_, calm)) in pages.iter().zip(&harmless) {
        check_structure(address, html);
        assert_eq!(tags(html), tags(calm), "{address}: text became markup");
        assert!(!html.contains("1234000"), "{address}: text was evaluated");
    }
    let shown: Vec<String> = pages.iter().map(|(_, html)| visible_text(html)).collect();
    for what in asked_for() {
        let whole = format!("{what}{HOSTILE}");
        assert!(shown.iter().any(|text| text.contains(&whole)), "{what}");
    }
}

#[test]
fn each_payload_in_every_field_is_only_text() {
    let tags = |html: &str| html.matches('<').count();
    for payload in PAYLOADS {
        let calm = without_markup(payload);
        let harmless = crawl(&full_state("en", &|what| format!("{what}{calm}")));
        let pages = crawl(&full_state("en", &|what| format!("{what}{payload}")));
        assert_eq!(pages.len(), harmless.len(), "{payload}");
        for ((address, html), (_, calm)) in pages.iter().zip(&harmless) {
            assert_eq!(tags(html), tags(calm), "{address}: {payload} became markup");
            assert!(!html.contains("1234000"), "{address}: {payload} was evaluated");
        }
        let shown: Vec<String> = pages.iter().map(|(_, html)| visible_text(html)).collect();
        for what in asked_for() {
            let whole = format!("{what}{payload}");
            assert!(shown.iter().any(|text| text.contains(&whole)), "{whole} is not shown");
        }
    }
}

#[test]
fn controls_of_a_page_have_names_of_their_own() {
    // Everything has the same name, which is a link of the frame, too.
    for name in ["Home", "New event", "same"] {
        for (address, html) in all_pages(&full_state("en", &|_| name.to_owned())) {
            let mut seen = BTreeSet::new();
            for control in controls(&html) {
                // Contact names, paths and addresses are unique in any state; here they are not.
                let by_name = matches!(control.role.as_str(), "checkbox" | "combobox")
                    && (!address.starts_with("/todo") || address.ends_with("/share"));
                let by_path = address.starts_with("/code") && control.role == "link";
                assert!(
                    seen.insert(control.clone()) || by_name || by_path,
                    "{address}: {control:?} twice with everything called {name}"
                );
            }
        }
    }
}

#[test]
fn controls_are_called_as_the_strings_say() {
    for language in LANGUAGES {
        let mut state = full_state(language, &str::to_owned);
        // Unread messages are part of the link's name.
        state.apps.messenger.threads[1].unread = 0;
        let expected: [(&str, &[Named<'_>]); 8] = [
            (
                "/messages/t/thread-1",
                &[
                    ("link", "nav.home", &[]),
                    ("link", "nav.messages", &[]),
                    ("link", "nav.calendar", &[]),
                    ("link", "nav.maps", &[]),
                    ("link", "nav.todo", &[]),
                    ("link", "nav.code", &[]),
                    ("link", "nav.shop", &[]),
                    ("link", "messages.new", &[]),
                    ("textbox", "messages.composer", &[("title", "thread 1")]),
                    ("button", "messages.send", &[("title", "thread 1")]),
                    ("button", "messages.save_draft", &[]),
                    ("button", "messages.discard", &[]),
                    ("link", "messages.info", &[]),
                    ("searchbox", "messages.search", &[]),
                    ("disclosure", "messages.attach", &[]),
                    ("disclosure", "messages.actions", &[("number", "2")]),
                    ("link", "messages.reply_named", &[("number", "1")]),
                    ("link", "messages.forward_named", &[("number", "1")]),
                    ("link", "messages.edit_named", &[("number", "2")]),
                    ("button", "messages.delete_named", &[("number", "2")]),
                    ("checkbox", "messages.attach.event", &[("title", "event 1")]),
                    ("checkbox", "messages.attach.list", &[("title", "list 2")]),
                ],
            ),
            (
                "/messages/new",
                &[
                    ("textbox", "messages.text", &[]),
                    ("button", "messages.send_new", &[]),
                    ("combobox", "messages.to", &[]),
                ],
            ),
            (
                "/calendar/new",
                &[
                    ("textbox", "calendar.title", &[]),
                    ("textbox", "calendar.start_date", &[]),
                    ("textbox", "calendar.start_time", &[]),
                    ("textbox", "calendar.end_date", &[]),
                    ("textbox", "calendar.end_time", &[]),
                    ("textbox", "calendar.location", &[]),
                    ("textbox", "calendar.description", &[]),
                    ("textbox", "calendar.other_invitees", &[]),
                    ("checkbox", "calendar.all_day", &[]),
                    ("radio", "calendar.visibility.private", &[]),
                    ("combobox", "calendar.repeat", &[]),
                    ("textbox", "calendar.repeat_until", &[]),
                    ("textbox", "calendar.other_reminders", &[]),
                    ("button", "calendar.save", &[]),
                    ("disclosure", "calendar.pick.start_date", &[]),
                ],
            ),
            (
                "/todo",
                &[
                    ("textbox", "todo.new_task", &[("list", "list 2")]),
                    ("button", "todo.add", &[("list", "list 2")]),
                ],
            ),
            (
                "/maps",
                &[
                    ("textbox", "maps.place_name", &[]),
                    ("textbox", "maps.address", &[]),
                    ("textbox", "maps.note", &[]),
                    ("button", "maps.save", &[]),
                ],
            ),
            (
                "/code",
                &[
                    ("link", "code.new", &[]),
                    ("textbox", "code.editor", &[("path", "src/file 1")]),
                    ("textbox", "code.comment", &[]),
                    ("button", "code.add_comment", &[]),
                    ("button", "code.save", &[("path", "src/file 1")]),
                ],
            ),
            (
                "/shop",
                &[
                    ("link", "shop.cart", &[]),
                    ("link", "shop.checkout", &[]),
                    ("checkbox", "shop.select_line", &[("title", "line 1")]),
                    ("button", "shop.page_number", &[("number", "2")]),
                    ("button", "shop.next_page", &[]),
                    ("button", "shop.add", &[("title", "product")]),
                ],
            ),
            (
                "/shop/checkout",
                &[
                    ("textbox", "shop.deliver_to", &[]),
                    ("textbox", "shop.gift_recipient", &[]),
                    ("textbox", "shop.gift_message", &[]),
                    ("textbox", "shop.delivery_note", &[]),
                    ("textbox", "shop.seller_note", &[]),
                    ("textbox", "shop.coupon", &[]),
                    ("button", "shop.place", &[]),
                ],
            ),
        ];
        for (address, wanted) in expected {
            let found = controls(&page(&state, address));
            for (role, key, values) in wanted {
                let name = text(language, key, values);
                let count =
                    found.iter().filter(|control| control.role == *role && control.name == name).count();
                assert_eq!(count, 1, "{language} {address}: {role} {name} among {found:#?}");
            }
        }
        for contact in ["contact 1", "contact 2", "contact 3"] {
            for address in ["/messages/new", "/calendar/new"] {
                let found = controls(&page(&state, address));
                assert!(
                    found.iter().any(|c| c.role == "checkbox" && c.name == contact),
                    "{address} {contact}"
                );
            }
        }
        let threads = controls(&page(&state, "/messages"));
        assert!(threads.iter().any(|control| control.role == "link" && control.name.starts_with("thread 2")));
    }
}

#[test]
fn readers_are_named_beside_what_they_read() {
    let state = full_state("en", &str::to_owned);
    let shown = |address: &str| visible_text(&page(&state, address));
    assert!(shown("/messages/t/thread-1").contains("Will be read by: contact 1"));
    let group = shown("/messages/t/thread-2");
    assert!(group.contains("Will be read by: contact 1, everybody in contact 3, member only"), "{group}");
    assert!(shown("/messages/t/thread-3").contains("Will be read by: only you"));
    assert!(shown("/todo/list-2").contains("Will be read by: contact 1, list reader"));
    assert!(shown("/code/file/file-2").contains("Will be read by: file reader"));
}

#[test]
fn confirmations_are_looked_up_in_the_state() {
    let state = full_state("en", &str::to_owned);
    let cases = [
        ("/messages/t/thread-1?done=message_sent&entity=message-2", "Message sent to thread 1"),
        ("/messages/t/thread-1?done=draft_saved&entity=thread-1", "Draft for thread 1 saved"),
        ("/messages/t/thread-1?done=message_edited&entity=message-2", "Message to thread 1 changed"),
        ("/calendar/event/event-1?done=event_created&entity=event-1", "Event “event 1” saved"),
        ("/todo?done=task_added&entity=task-1", "Task “task 1” added"),
        ("/todo?done=task_done&entity=task-2", "Task “task 2” done"),
        ("/code/file/file-1?done=file_saved&entity=file-1", "File src/file 1 saved"),
        ("/maps?done=place_saved&entity=place-1", "Place “place” saved"),
        ("/shop?done=cart_added&entity=line-1", "“line 1” is in the cart"),
        ("/shop/orders?done=order_placed&entity=order-1", "Order 1 placed"),
    ];
    for (address, sentence) in cases {
        assert!(visible_text(&page(&state, address)).contains(sentence), "{address}");
    }
    let mut state = state;
    let calendar = &mut state.apps.calendar;
    let event = calendar.events.remove(0);
    calendar.earlier.push(EarlierEvent { position: 0, event, made: None });
    let thread = &mut state.apps.messenger.threads[0];
    let message = thread.messages.remove(1);
    let thread = thread.id.clone();
    state.apps.messenger.earlier.push(EarlierMessage { thread, position: 1, message });
    for (address, sentence, undo) in [
        (
            "/calendar?done=event_cancelled&entity=event-1",
            "Event “event 1” deleted",
            "/calendar/event/event-1/undo",
        ),
        (
            "/messages/t/thread-1?done=message_deleted&entity=message-2",
            "Message to thread 1 deleted",
            "/messages/m/message-2/undo",
        ),
    ] {
        let html = page(&state, address);
        assert!(visible_text(&html).contains(sentence), "{address}");
        assert!(html.replace("&#x2f;", "/").contains(&format!("action=\"{undo}\"")), "{address}");
    }
    for address in
        ["/todo?done=task_added&entity=task-99", "/todo?done=nonsense&entity=task-1", "/todo?done=task_added"]
    {
        assert!(!page(&state, address).contains("class=\"toast\""), "{address}");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    let state = full_state("en", &str::to_owned);
    let addresses = [
        "/nothing",
        "/messages/t/thread-9",
        "/messages/m/message-1/edit",
        "/calendar/month/2026-13",
        "/calendar/event/x",
        "/todo/list-9",
        "/code/file/file-9",
        "/shop/none",
        "/assets/none.css",
        "/assets/..",
        "/assets/tokens.css/x",
    ];
    for path in addresses {
        let answer = get(&state, &Request { path, query: &[], look: Look::usual(&state.language) });
        assert!(
            matches!(answer, Answer::NotFound(ref html) if html.contains("Not found")),
            "{path}: {answer:?}"
        );
    }
    // `message-1` is somebody else's; of the user's own there is a page.
    assert!(page(&state, "/messages/m/message-2/edit").contains("message 2"));
    for (path, kind) in [
        ("/assets/tokens.css", "text/css; charset=utf-8"),
        ("/assets/enhance.js", "text/javascript; charset=utf-8"),
    ] {
        let answer = get(&state, &Request { path, query: &[], look: Look::usual(&state.language) });
        assert!(
            matches!(answer, Answer::Asset { content_type, bytes } if content_type == kind && bytes.len() > 500),
            "{path}"
        );
    }
}

#[test]
fn a_new_thread_is_found_by_its_message() {
    let state = full_state("en", &str::to_owned);
    let query =
        [("done", "message_sent"), ("entity", "message-4")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    let cases = [
        ("/messages/m/message-4", &query[..], "/messages/t/thread-2?done=message_sent&entity=message-4"),
        ("/messages/m/thread-3", &[], "/messages/t/thread-3"),
        ("/messages/m/draft-thread-3", &[], "/messages/t/thread-3"),
        ("/messages/m/thread-3-draft", &[], "/messages/t/thread-3"),
        ("/messages/m/gone", &[], "/messages"),
    ];
    for (path, query, target) in cases {
        let answer = get(&state, &Request { path, query, look: Look::usual(&state.language) });
        assert!(matches!(answer, Answer::Redirect(ref to) if to == target), "{path}: {answer:?}");
    }
}

#[test]
fn ends_of_the_calendar_are_pages_too() {
    let state = full_state("en", &str::to_owned);
    for month in ["0000-01", "0001-01", "9998-12", "2024-02"] {
        assert!(page(&state, &format!("/calendar/month/{month}")).contains("<table"), "{month}");
    }
    for path in ["/calendar/month/9999-12", "/calendar/month/9999-11"] {
        assert!(
            !matches!(get(&state, &Request { path, query: &[], look: Look::usual(&state.language) }), Answer::Redirect(to) if to != path),
            "{path}"
        );
    }
}

#[test]
fn same_state_gives_same_bytes() {
    let state = full_state("zh-CN", &str::to_owned);
    assert_eq!(crawl(&state), crawl(&state));
}

#[test]
fn muted_conversations_are_not_counted_as_waiting() {
    let mut state = sample_state("en");
    for (thread, unread) in state.apps.messenger.threads.iter_mut().zip([2, 3]) {
        thread.unread = unread;
    }
    let counted = |state: &WorkspaceState, choice: &str| {
        let choice: VariationChoice = choice.parse().unwrap();
        let look = Look { variation: choice.over(Variation::default()), popup_open: false };
        match get(state, &Request { path: "/", query: &[], look }) {
            Answer::Page { html, .. } => html,
            other => panic!("{other:?}"),
        }
    };
    let home = visible_text(&counted(&state, "nav=hub"));
    assert!(home.contains("5 unread"), "{home}");
    assert!(counted(&state, "nav=rail").contains("Messages, 5 unread"));
    state.apps.messenger.threads[1].muted = true;
    let home = visible_text(&counted(&state, "nav=hub"));
    assert!(home.contains("2 unread") && !home.contains("5 unread"), "{home}");
    assert!(counted(&state, "nav=rail").contains("Messages, 2 unread"));
    let today = visible_text(&counted(&state, "nav=hub,home=today"));
    assert!(!today.contains("3 unread"), "{today}");
    state.apps.messenger.threads[0].muted = true;
    assert!(!visible_text(&counted(&state, "nav=hub")).contains("unread"));
}

#[test]
fn the_home_page_tells_the_day_where_it_is_asked_for() {
    for language in LANGUAGES {
        let mut state = sample_state(language);
        state.apps.messenger.threads[0].unread = 2;
        let shown = |home: &str| {
            let choice: VariationChoice = format!("home={home},language={language}").parse().unwrap();
            let look = Look { variation: choice.over(Variation::default()), popup_open: false };
            match get(&state, &Request { path: "/", query: &[], look }) {
                Answer::Page { html, .. } => html,
                other => panic!("{other:?}"),
            }
        };
        let today = shown("today");
        check_structure("/", &today);
        let found = controls(&today);
        let event = text(language, "home.event", &[("title", &state.apps.calendar.events[0].title)]);
        let thread =
            text(language, "home.conversation", &[("title", &state.apps.messenger.threads[0].title)]);
        for name in [event, thread] {
            assert!(found.iter().any(|control| control.role == "link" && control.name == name), "{found:#?}");
        }
        assert!(visible_text(&today).contains(&text(language, "home.open_tasks.other", &[("count", "4")])));
        let plain = shown("apps");
        assert!(!visible_text(&plain).contains(&state.apps.calendar.events[0].title));
    }
}

#[test]
fn without_a_rail_the_home_page_tells_what_waits_and_every_other_page_leads_back() {
    let mut state = sample_state("en");
    state.apps.messenger.threads[0].unread = 2;
    let choice: VariationChoice = "nav=hub".parse().unwrap();
    let look = Look { variation: choice.over(Variation::default()), popup_open: false };
    let shown = |path: &str| match get(&state, &Request { path, query: &[], look }) {
        Answer::Page { html, .. } | Answer::NotFound(html) => html,
        other => panic!("{path}: {other:?}"),
    };
    let home = shown("/");
    assert!(visible_text(&home).contains("2 unread"));
    assert!(!controls(&home).iter().any(|control| control.name == "Return to list of apps"));
    for path in ["/messages", "/calendar", "/maps", "/todo", "/code", "/shop", "/no-such-page"] {
        let html = shown(path);
        let back = controls(&html).into_iter().filter(|control| control.name == "Return to list of apps");
        assert_eq!(back.count(), 1, "{path}");
        let home = |control: &Control| (control.role.as_str(), control.name.as_str()) == ("link", "Home");
        assert!(!controls(&html).iter().any(home), "{path}");
        check_structure(path, &html);
    }
}

/// The texts that a share page's preview shows.
fn preview(state: &WorkspaceState, address: &str) -> String {
    let html = page(state, address);
    let preview = html.split("<div class=\"preview\">").nth(1).expect("it has a preview");
    let preview = preview.split("</section>").next().unwrap_or_default();
    visible_text(&format!("<body>{preview}</body>"))
}

#[test]
fn previews_show_all_that_readers_will_read_and_nothing_that_they_will_not() {
    let state = full_state("en", &str::to_owned);
    let read = crate::workspace::units(&state);
    // What a reader's calendar shows in the page's own words is written otherwise in the unit.
    let in_other_words = |line: &str| {
        ["2026-", "8:00 AM", "weekly", "maybe", "tentative", "high"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let whole = |address: &str, kind: &str, entity: &str| {
        let shown = preview(&state, address);
        let unit = read.iter().find(|unit| unit.kind == kind && unit.entity == entity).expect("it is there");
        for line in unit.text.lines().filter(|line| !in_other_words(line)) {
            assert!(shown.contains(line), "{line:?} of {entity} is not in the preview:\n{shown}");
        }
        shown
    };
    let shown = whole("/calendar/calendars/own/share", "event", "event-1");
    for words in ["Tentative", "(2026-05-20)", "08:00–08:30"] {
        assert!(shown.contains(words), "{words} in {shown}");
    }
    for own in ["event notes 1", "event place 3", "event description 3", "answer note", "Reminders"] {
        assert!(!shown.contains(own), "{own} in {shown}");
    }
    let shown = whole("/calendar/calendars/calendar-1/share", "event", "event-2");
    assert!(!shown.contains("event place 1"), "{shown}");
    whole("/calendar/calendars/calendar-1/share", "calendar", "calendar-1");
    whole("/todo/list-1/share", "list", "list-1");
    for task in ["task-1", "task-2"] {
        let shown = whole("/todo/list-1/share", "task", task);
        assert!(shown.contains("High priority"), "{shown}");
    }
    whole("/todo/list-1/share", "comment", "comment-2");
    let shown = whole("/code/folder/share?path=src", "file", "file-1");
    assert!(!shown.contains("file content 2"), "{shown}");
}

#[test]
fn a_long_list_is_shown_page_by_page_and_stays_where_it_was() {
    let mut state = full_state("en", &str::to_owned);
    let list = &mut state.apps.todo.lists[0];
    let template = list.items[0].clone();
    list.items = (1..=120)
        .map(|number| TodoItem {
            id: format!("task-{number}"),
            title: format!("chore {number:03}"),
            subtasks: Vec::new(),
            comments: Vec::new(),
            ..template.clone()
        })
        .collect();
    let shown = |address: &str| visible_text(&page(&state, address));
    let all = shown("/todo");
    assert!(all.contains("chore 050") && !all.contains("chore 051"), "{all}");
    assert!(all.contains("70 more tasks in list 1"), "{all}");
    let second = shown("/todo/list-1?page=2");
    assert!(second.contains("chore 051") && second.contains("chore 100") && !second.contains("chore 101"));
    assert!(second.contains("Page 2 of 3"), "{second}");
    assert!(shown("/todo/list-1?page=99").contains("chore 120"), "there is no later page");
    assert!(!shown("/todo/list-1?q=chore%2000").contains("Page 1 of"), "what is found fits on one");
    let html = page(&state, "/todo/list-1?page=2&sort=title");
    let html = html.replace("&#x2f;", "/").replace("&amp;", "&");
    for address in
        ["/todo/task/task-51/done?view=list&sort=title&page=2\"", "/todo/list-1?sort=title&page=3\""]
    {
        assert!(html.contains(address), "{address} in {html}");
    }
    // Every page of it is a link away.
    for (from, to) in [("/todo", "/todo/list-1?page=2"), ("/todo/list-1?page=2", "/todo/list-1?page=3")] {
        assert!(links(&page(&state, from)).iter().any(|link| link == to), "{to} from {from}");
    }
}
