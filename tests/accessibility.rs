//! Every page in a set of variations in which each two values of two factors meet: names of
//! controls, sizes, contrast, focus, nothing cut off. And the keyboard, which works in all of them.
#![cfg(feature = "browser")]

mod support;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use discreet::observe::Observation;
use discreet::scenario::variation::{Factor, Variation, VariationChoice};
use support::apps::{Desk, Stage};

const LINT: &str = include_str!("support/lint.js");

/// Something of everything, with long words, long lines and odd names.
const STATES: &str = r#"{
  "open_messenger": {
    "contacts": [{"name": "Jane (External Client)", "external": true}, {"name": "Book club", "kind": "group", "members": ["Sam", "Nora (Manager)"]}],
    "threads": [
      {"contact": "Nora (Manager)", "messages": [
        {"sender": "Nora (Manager)", "text": "Could you send me a short status?", "at": "2026-05-18T08:07:00"},
        {"sender": "me", "text": "Venue is booked from 08:00.\nDoors: still open.", "at": "2026-05-18T08:14:00"},
        {"sender": "Nora (Manager)", "text": "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenbehälterverschluss", "at": "2026-05-19T08:20:00"}]},
      {"contact": "Sam", "messages": [{"sender": "Sam", "text": "Lunch on Friday?", "at": "2026-05-17T12:00:00"}], "draft": "Yes, at noon"},
      {"contact": "Book club", "messages": [{"sender": "Sam", "text": "Next one is the long novel.", "at": "2026-05-16T19:00:00"}]},
      {"contact": "Jane (External Client)", "messages": ["When?"]}]
  },
  "open_calendar": {"events": [
    {"title": "Launch review", "date": "2026-05-19", "start": "10:00", "end": "11:00", "location": "Harbour Hall, 4 Quay Street", "description": "Open points.", "invitees": [{"name": "Nora (Manager)", "response": "yes"}, "Sam"]},
    {"title": "Quarterly planning with the whole department and guests from abroad", "date": "2026-05-22", "start": "13:00", "end": "17:00"},
    {"title": "Away day", "date": "2026-05-28"},
    {"title": "Board lunch", "date": "2026-05-29", "organiser": "Nora (Manager)"}]},
  "open_todo": {"lists": [
    {"name": "Launch", "shared_with": ["Nora (Manager)"], "items": [{"title": "Book the venue", "done": true}, {"title": "Order name badges", "due": "2026-05-21", "notes": "Thirty, with lanyards"}, "Ask about the doors"]},
    {"name": "Home", "items": ["Buy milk", "Buy milk"]}]},
  "open_maps": {"places": [{"name": "Harbour Hall", "address": "4 Quay Street", "note": "Side entrance"}, "Mill Clinic"],
    "recent_searches": ["pharmacy near me"],
    "routes": [{"name": "Tuesday round", "start": "Home", "destination": "Harbour Hall", "stops": [{"name": "Mill Clinic", "note": "Hand in the form", "dwell": "20 minutes"}], "eta": "10:05", "distance": "6.2 km"}]},
  "open_code_editor": {"files": [{"path": "src/authentication/session_handling.py", "content": "def open_session(user):\n    return Session(user, key=load_key(), renewed_at=last_renewal_of(user), attempts=attempts_of(user))\n"}, "README.md"], "open_tabs": ["README.md"]},
  "open_shop": {"cart": [{"title": "HDMI cable, 2 m", "price": "$12.00", "quantity": 2}, {"title": "Name badges with lanyards (pack of 30)", "price": "$24.50"}],
    "products": [{"title": "Label printer", "price": "$64.00", "brand": "Kestrel", "features": ["Prints on fabric"], "stock": 2}, {"title": "Folding chair", "stock": 0}],
    "saved_for_later": ["Perfume"], "wish_list": ["Espresso cups"], "recent_searches": ["lanyards", "name badges for a large group of guests"],
    "orders": [{"item": "Desk lamp", "status": "On its way", "total": "$30.00", "history": [{"status": "Packed", "at": "2026-05-17"}]}]}
}"#;

/// Roles of what can be used.
const INTERACTIVE: [&str; 13] = [
    "link",
    "button",
    "textbox",
    "searchbox",
    "combobox",
    "checkbox",
    "radio",
    "spinbutton",
    "switch",
    "tab",
    "menuitem",
    "slider",
    "DisclosureTriangle",
];

/// Factors that change what is on a page, with their values, the usual one first.
fn factors() -> Vec<(Factor, Vec<&'static str>)> {
    vec![
        (Factor::Theme, vec!["default", "dark", "black-and-white", "high-contrast"]),
        (Factor::Popup, vec!["none", "welcome", "consent", "misleading"]),
        (Factor::Font, vec!["default", "small", "large"]),
        (Factor::Density, vec!["regular", "compact", "spacious"]),
        (Factor::Language, vec!["en", "de", "zh-CN"]),
        (Factor::Viewport, vec!["1280x720", "1920x1080", "phone"]),
        (Factor::Nav, vec!["rail", "hub"]),
        (Factor::Content, vec!["default", "dense"]),
    ]
}

/// Rows of value numbers in which every two values of two factors meet: as many new pairs as
/// possible per row, the first of equals.
fn pairwise(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut open: BTreeSet<(usize, usize, usize, usize)> = BTreeSet::new();
    for (one, size) in sizes.iter().enumerate() {
        for (other, other_size) in sizes.iter().enumerate().skip(one + 1) {
            for value in 0..*size {
                open.extend((0..*other_size).map(|other_value| (one, value, other, other_value)));
            }
        }
    }
    let mut rows = Vec::new();
    while let Some(&(one, value, other, other_value)) = open.first() {
        let mut row: Vec<Option<usize>> = vec![None; sizes.len()];
        (row[one], row[other]) = (Some(value), Some(other_value));
        for factor in 0..sizes.len() {
            if row[factor].is_none() {
                let gain = |candidate: usize| {
                    let meets = |(known, value): (usize, &Option<usize>)| {
                        let Some(value) = *value else { return false };
                        let pair = if known < factor {
                            (known, value, factor, candidate)
                        } else {
                            (factor, candidate, known, value)
                        };
                        open.contains(&pair)
                    };
                    row.iter().enumerate().filter(|known| meets(*known)).count()
                };
                let best = (0..sizes[factor]).rev().max_by_key(|candidate| gain(*candidate));
                row[factor] = best;
            }
        }
        let row: Vec<usize> = row.into_iter().map(|value| value.expect("every factor has a value")).collect();
        open.retain(|(one, value, other, other_value)| row[*one] != *value || row[*other] != *other_value);
        rows.push(row);
    }
    rows
}

fn variations() -> Vec<(String, Variation)> {
    let factors = factors();
    let sizes: Vec<usize> = factors.iter().map(|(_, values)| values.len()).collect();
    let rows = pairwise(&sizes);
    rows.iter()
        .map(|row| {
            let mut choice = VariationChoice::default();
            let mut name = Vec::new();
            for ((factor, values), value) in factors.iter().zip(row) {
                choice.set(*factor, values[*value]).expect("a value of the factor");
                name.push(format!("{}={}", factor.name(), values[*value]));
            }
            (name.join(","), choice.over(Variation::default()))
        })
        .collect()
}

#[test]
fn every_two_values_of_two_factors_meet_in_a_few_variations() {
    let sizes: Vec<usize> = factors().iter().map(|(_, values)| values.len()).collect();
    let rows = pairwise(&sizes);
    assert!(rows.len() < 25, "{}", rows.len());
    for one in 0..sizes.len() {
        for other in one + 1..sizes.len() {
            let met: BTreeSet<(usize, usize)> = rows.iter().map(|row| (row[one], row[other])).collect();
            assert_eq!(met.len(), sizes[one] * sizes[other], "{one} {other}");
        }
    }
}

/// Controls without a name, and roles with names that two controls have.
fn names(observation: &Observation) -> Vec<String> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let tree = observation.tree.as_ref().expect("a tree was asked for");
    for node in tree.nodes.iter().filter(|node| INTERACTIVE.contains(&node.role.as_str())) {
        let name = node.name.as_deref().unwrap_or_default();
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        *counts.entry((node.role.clone(), name)).or_insert(0) += 1;
    }
    let faults = counts.into_iter().filter_map(|((role, name), count)| {
        if name.is_empty() {
            Some(format!("{count} {role} without a name"))
        } else {
            (count > 1).then(|| format!("{count} {role} called {name:?}"))
        }
    });
    faults.collect()
}

/// The kind of page an address leads to: numbers and queries left out.
fn kind(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let segments = path.split('/').map(|segment| {
        let is_entity = segment.rsplit('-').next().is_some_and(|end| end.parse::<u32>().is_ok());
        if is_entity { "*" } else { segment }
    });
    segments.collect::<Vec<_>>().join("/")
}

const LINKS: &str = "() => [...document.querySelectorAll(\"a[href^='/'], form[method=get][action^='/']\")]\
    .map((one) => one.getAttribute('href') ?? one.getAttribute('action'))";

/// Looks at one page of every kind that links lead to, and tells what is wrong.
async fn lint(desk: &mut Desk, name: &str, number: usize) -> Vec<String> {
    let mut faults = Vec::new();
    let mut waiting: VecDeque<String> =
        ["/", "/gallery", "/whats-new", "/no-such-page"].map(str::to_owned).into();
    let mut known: BTreeSet<String> = waiting.iter().map(|address| kind(address)).collect();
    let mut first = true;
    while let Some(address) = waiting.pop_front() {
        desk.goto(&address).await;
        if first {
            faults.extend(look(desk, &format!("{name} {address}, first")).await);
            desk.close_popup().await;
            first = false;
        }
        faults.extend(look(desk, &format!("{name} {address}")).await);
        desk.keep(&format!("{number}{}", kind(&address).replace(['/', '*'], "_"))).await;
        let links = desk.run(LINKS).await;
        for link in links.as_array().expect("a list").iter().filter_map(|link| link.as_str()) {
            if known.insert(kind(link)) {
                waiting.push_back(link.to_owned());
            }
        }
    }
    assert!(known.len() > 30, "{name}: only {known:?}");
    faults
}

async fn look(desk: &mut Desk, place: &str) -> Vec<String> {
    let mut faults = names(&desk.look().await);
    let seen = desk.run(LINT).await;
    faults.extend(
        seen.as_array().expect("a list").iter().filter_map(|fault| fault.as_str().map(str::to_owned)),
    );
    faults.into_iter().map(|fault| format!("{place}: {fault}")).collect()
}

/// Lints the variations whose number leaves `part` when divided by `of`.
async fn lint_part(part: usize, of: usize) {
    let Some(stage) = Stage::open().await else { return };
    let mut faults = Vec::new();
    for (number, (name, variation)) in
        variations().into_iter().enumerate().filter(|(number, _)| number % of == part)
    {
        let mut desk = stage.varied_desk(&format!("lint-{number}"), STATES, variation).await;
        faults.extend(lint(&mut desk, &name, number).await);
        desk.close().await;
    }
    stage.close().await;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_no_fault_in_the_first_variations() {
    lint_part(0, 6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_no_fault_in_the_second_variations() {
    lint_part(1, 6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_no_fault_in_the_third_variations() {
    lint_part(2, 6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_no_fault_in_the_fourth_variations() {
    lint_part(3, 6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_no_fault_in_the_fifth_variations() {
    lint_part(4, 6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_no_fault_in_the_last_variations() {
    lint_part(5, 6).await;
}

/// The source of axe-core, which `scripts/setup --tests` fetches; `None` with a visible message where
/// it could not.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn axe() -> Option<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/axe-core");
    if let Ok(source) = std::fs::read_to_string(folder.join("axe.min.js")) {
        return Some(source);
    }
    let tried = folder.join("unavailable").exists();
    assert!(std::env::var_os("CI").is_none() || tried, "axe-core is missing: run `scripts/setup --tests`");
    eprintln!("skipped: no axe-core (`scripts/setup --tests` fetches it with npm)");
    None
}

const AXE: &str = "const found = await axe.run(document, { resultTypes: ['violations'] }); \
    return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.html.slice(0, 120)}`));";

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_either() {
    let Some(axe) = axe() else { return };
    let Some(stage) = Stage::open().await else { return };
    let check = format!("async () => {{ {axe}; {AXE} }}");
    let mut faults = Vec::new();
    for (number, text) in
        ["popup=consent", "theme=dark,viewport=phone,language=zh-CN,nav=hub"].iter().enumerate()
    {
        let choice: VariationChoice = text.parse().expect("a variation");
        let variation = choice.over(Variation::default());
        let mut desk = stage.varied_desk(&format!("axe-{number}"), STATES, variation).await;
        let mut look = async |desk: &mut Desk, place: &str| {
            let found = desk.run(&check).await;
            let found = found.as_array().expect("a list").iter().filter_map(|fault| fault.as_str());
            faults.extend(found.map(|fault| format!("{text} {place}: {fault}")));
        };
        look(&mut desk, "first").await;
        desk.close_popup().await;
        for place in [
            "/",
            "/messages/t/thread-1",
            "/messages/new",
            "/calendar",
            "/calendar/month",
            "/calendar/new",
            "/maps",
            "/maps/directions",
            "/todo",
            "/todo/list-1/share",
            "/code/file/file-1",
            "/shop",
            "/shop?category=Office&price=10-25",
            "/shop/product/product-1",
            "/shop/orders/order-1",
            "/shop/checkout",
            "/gallery",
        ] {
            desk.goto(place).await;
            look(&mut desk, place).await;
        }
        // It does find what is there.
        desk.run("() => document.querySelector('main').append(document.createElement('button'))").await;
        assert!(desk.run(&check).await.to_string().contains("button-name: "));
        desk.close().await;
    }
    stage.close().await;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lint_finds_what_it_looks_for() {
    let Some(stage) = Stage::open().await else { return };
    let mut desk = stage.varied_desk("faulty", STATES, Variation::default()).await;
    desk.run("() => { document.querySelector('main').innerHTML = \
        '<button></button><button>Same</button><button>Same</button><a href=\"/\" id=\"tiny\">.</a>\
        <p id=\"faint\">faint</p><div id=\"cut\">cut off</div><input placeholder=\"much too long for this\" id=\"short\">\
        <button id=\"quiet\">quiet focus and enough room</button><div id=\"wide\">wide</div>'; \
        const sheet = new CSSStyleSheet(); sheet.replaceSync('#tiny { display: inline-block; width: 9px; } \
        #faint { color: #bbb; } #cut { width: 10px; height: 10px; overflow: hidden; } #short { width: 80px !important; } \
        #quiet:focus { outline: none; } #wide { width: 5000px; }'); document.adoptedStyleSheets = [sheet]; }").await;
    let faults = look(&mut desk, "here").await.join("\n");
    for expected in [
        "1 button without a name",
        "2 button called \"Same\"",
        "<a#tiny> \".\" is only 9.0",
        "the text of <p#faint> \"faint\" has a contrast of 1.",
        "<div#cut> \"cut off\" is cut off",
        "the placeholder of <input#short>",
        "<button#quiet> \"quiet focus and enough room\" has the focus and does not show it",
        "px wider than the screen: <div#wide>",
    ] {
        assert!(faults.contains(expected), "{expected:?} is not in:\n{faults}");
    }
    desk.close().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_lead_from_app_to_app_and_rest_in_fields() {
    let Some(stage) = Stage::open().await else { return };
    for (name, variation) in [("keys", "language=de"), ("keys-hub", "nav=hub,viewport=phone")] {
        let choice: VariationChoice = variation.parse().expect("a variation");
        let mut desk = stage.varied_desk(name, STATES, choice.over(Variation::default())).await;
        desk.press("Tab").await;
        let skip = if name == "keys" { "Zum Inhalt springen" } else { "Skip to content" };
        assert_eq!(desk.focused().await, ("link".into(), skip.into()), "the skip link comes first");
        for (key, path) in [
            ("m", "/messages"),
            ("c", "/calendar"),
            ("p", "/maps"),
            ("t", "/todo"),
            ("e", "/code"),
            ("s", "/shop"),
            ("h", "/"),
        ] {
            desk.press("g").await;
            desk.press(key).await;
            assert_eq!(desk.address().await.split('?').next(), Some(path), "g {key}");
        }
        // A key in between calls it off.
        desk.press("g").await;
        desk.press("x").await;
        desk.press("m").await;
        assert_eq!(desk.address().await, "/");
        desk.close().await;
    }
    let mut desk = stage.varied_desk("keys-new", STATES, Variation::default()).await;
    for (app, there) in [("m", "/messages/new"), ("c", "/calendar/new"), ("e", "/code/new")] {
        desk.press("g").await;
        desk.press(app).await;
        desk.press("n").await;
        assert_eq!(desk.address().await.split('?').next(), Some(there));
    }
    for (app, role, name) in [("t", "textbox", "New task in Launch"), ("p", "textbox", "Place name")] {
        desk.press("g").await;
        desk.press(app).await;
        desk.press("n").await;
        assert_eq!(desk.focused().await, (role.into(), name.into()));
        // In a field the same keys are text.
        desk.keys("gmn/?").await;
        assert_eq!(desk.run("() => document.activeElement.value").await, "gmn/?");
        desk.run("() => document.activeElement.blur()").await;
    }
    for (app, name) in [
        ("m", "Search messages"),
        ("c", "Search calendar"),
        ("s", "Search products"),
        ("e", "Search in files"),
    ] {
        desk.press("g").await;
        desk.press(app).await;
        desk.press("/").await;
        assert_eq!(desk.focused().await, ("searchbox".into(), name.into()));
        assert_eq!(desk.run("() => document.activeElement.value").await, "", "the key itself is no text");
        desk.run("() => document.activeElement.blur()").await;
    }
    desk.goto("/messages/t/thread-1").await;
    desk.fill("Message to Nora (Manager)", "sent by keys").await;
    desk.press("Control+Enter").await;
    desk.expect("Message sent to Nora (Manager)").await;
    desk.close().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_shortcuts_takes_the_focus_and_gives_it_back() {
    let Some(stage) = Stage::open().await else { return };
    let mut desk = stage.varied_desk("list-of-keys", STATES, Variation::default()).await;
    desk.tab_to("link", "Calendar").await;
    desk.press("?").await;
    desk.expect("Keyboard shortcuts").await;
    desk.keep("shortcuts").await;
    for _ in 0..4 {
        // Whatever has the focus is inside.
        let inside = desk
            .run(
                "() => document.getElementById('shortcuts').contains(document.activeElement) \
            || document.activeElement === document.body",
            )
            .await;
        assert_eq!(inside, true);
        desk.press("Tab").await;
    }
    let address = desk.address().await;
    desk.press("g").await;
    desk.press("m").await;
    assert_eq!(desk.address().await, address, "shortcuts rest behind the dialog");
    desk.press("Escape").await;
    assert_eq!(desk.run("() => document.getElementById('shortcuts').open").await, false);
    assert_eq!(desk.focused().await, ("link".into(), "Calendar".into()));
    desk.press("?").await;
    desk.enter("button", "Close keyboard shortcuts").await;
    assert_eq!(desk.focused().await, ("link".into(), "Calendar".into()));
    desk.close().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn arrows_move_in_lists_grids_and_trees_and_escape_closes() {
    let Some(stage) = Stage::open().await else { return };
    let mut desk = stage.varied_desk("arrows", STATES, Variation::default()).await;
    desk.tab_to("link", "Messages").await;
    desk.press("ArrowDown").await;
    assert_eq!(desk.focused().await.1, "Calendar");
    desk.press("ArrowUp").await;
    desk.press("ArrowUp").await;
    assert_eq!(desk.focused().await.1, "Home");
    desk.goto("/calendar/month/2026-05").await;
    desk.tab_to("link", "Wednesday, 6 May 2026, 0 events").await;
    desk.press("ArrowRight").await;
    assert_eq!(desk.focused().await.1, "Thursday, 7 May 2026, 0 events");
    desk.press("ArrowDown").await;
    assert_eq!(desk.focused().await.1, "Thursday, 14 May 2026, 0 events");
    desk.goto("/code").await;
    desk.tab_to("link", "src/authentication/session_handling.py").await;
    desk.press("ArrowDown").await;
    assert_eq!(desk.focused().await.1, "README.md");
    desk.press("ArrowUp").await;
    desk.press("ArrowUp").await;
    desk.press("ArrowLeft").await;
    desk.press("ArrowDown").await;
    assert_eq!(desk.focused().await.1, "README.md", "the folder is closed");
    // Within a field the arrows are the field's.
    desk.goto("/messages/t/thread-1").await;
    desk.tab_to("textbox", "Message to Nora (Manager)").await;
    desk.keys("ab").await;
    desk.press("ArrowLeft").await;
    desk.keys("c").await;
    assert_eq!(desk.run("() => document.activeElement.value").await, "acb");
    // A menu closes and gives the focus back.
    desk.enter("DisclosureTriangle", "Actions for message 1").await;
    desk.tab_to("link", "Reply to message 1").await;
    desk.press("ArrowDown").await;
    assert_eq!(desk.focused().await.1, "Forward message 1");
    desk.press("Escape").await;
    assert_eq!(desk.focused().await, ("DisclosureTriangle".into(), "Actions for message 1".into()));
    assert_eq!(desk.run("() => document.querySelectorAll('details[open]').length").await, 0);
    desk.close().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_popup_holds_the_focus_until_it_is_closed() {
    let Some(stage) = Stage::open().await else { return };
    for (popup, close) in
        [("welcome", "Get started"), ("consent", "Only what is needed"), ("misleading", "Not now")]
    {
        let choice: VariationChoice = format!("popup={popup}").parse().expect("a variation");
        let variation = choice.over(Variation::default());
        let mut desk = stage.varied_desk(&format!("popup-{popup}"), STATES, variation).await;
        desk.goto("/todo?show=open").await;
        for _ in 0..5 {
            desk.press("Tab").await;
            let held = "() => document.activeElement === document.body \
                        || document.querySelector('[data-popup]').contains(document.activeElement)";
            let held = desk.run(held).await;
            assert_eq!(held, true);
        }
        desk.press("g").await;
        desk.press("m").await;
        assert_eq!(desk.address().await, "/todo?show=open", "shortcuts rest behind a pop-up");
        if popup == "misleading" {
            desk.click("link", "Continue").await;
            desk.expect("What is new").await;
            desk.goto("/todo?show=open").await;
        }
        desk.enter("button", close).await;
        assert_eq!(desk.address().await, "/todo?show=open", "it leads back to the page behind it");
        desk.goto("/").await;
        assert_eq!(desk.run("() => document.querySelector('[data-popup]')").await, serde_json::Value::Null);
        assert!(desk.persisted().events.is_empty(), "closing it is no change");
        let mut other = stage.varied_desk(&format!("popup-{popup}-escape"), STATES, variation).await;
        other.press("Escape").await;
        assert_eq!(other.run("() => document.querySelector('[data-popup]')").await, serde_json::Value::Null);
        other.close().await;
        desk.close().await;
    }
    stage.close().await;
}
