//! The oracle on hand-written pages, one errand per channel.

use super::super::testing::{Line, act, observation, task};
use super::super::types::Agent as _;
use super::{Manner, Oracle, OracleBrief};
use crate::observe::Observation;
use crate::scenario::Channel;

fn oracle(channel: Channel, recipient: Option<&str>) -> Oracle {
    let mut oracle = Oracle::new(OracleBrief {
        channel,
        recipient: recipient.map(str::to_owned),
        members: Vec::new(),
        required: vec!["Return the projector".to_owned(), "Call the school".to_owned()],
        forbidden: vec!["HR".to_owned()],
        draft_accepted: false,
        manner: Manner::Write,
    });
    oracle.reset(&task("", 20));
    oracle
}

fn page(lines: &[Line<'_>]) -> Observation {
    let mut all: Vec<Line<'_>> = vec![
        (0, "", "RootWebArea", "OpenApps", ""),
        (1, "", "navigation", "Apps", ""),
        (2, "r0", "link", "Home", ""),
        (2, "r1", "link", "Messages, 2 unread", ""),
        (2, "r2", "link", "Calendar", ""),
        (2, "r3", "link", "Maps", ""),
        (2, "r4", "link", "To-do", ""),
        (2, "r5", "link", "Code editor", ""),
        (2, "r6", "link", "Shop", ""),
        (1, "", "main", "", ""),
    ];
    all.extend_from_slice(lines);
    observation(&all)
}

const BOTH: &str = "Return the projector\nCall the school";

fn thread(title: &str, draft: &str, sent: &[&str]) -> Observation {
    let (composer, send) = (format!("Message to {title}"), format!("Send to {title}"));
    let mut lines: Vec<Line<'_>> = vec![
        (2, "n", "link", "New message", ""),
        (2, "", "list", "Conversations", ""),
        (3, "c1", "link", "Sam (Senior Dev), Call the school today", ""),
        (3, "c2", "link", "Sam, ok", ""),
        // The conversation already speaks of an item: only what is new proves the sending.
        (2, "", "StaticText", "Can you Call the school?", ""),
    ];
    lines.extend(sent.iter().map(|&text| -> Line<'_> { (2, "", "StaticText", text, "") }));
    lines.push((2, "t", "textbox", &composer, draft));
    lines.push((3, "", "StaticText", draft, ""));
    lines.push((2, "s", "button", &send, ""));
    page(&lines)
}

#[test]
fn a_message_goes_to_the_exact_recipient_and_is_looked_for() {
    let mut agent = oracle(Channel::Messenger, Some("Sam"));
    assert_eq!(act(&mut agent, &page(&[])), "click('r1')");
    assert_eq!(act(&mut agent, &thread("Sam (Senior Dev)", "", &[])), "click('c2')");
    assert_eq!(
        act(&mut agent, &thread("Sam", "", &[])),
        "fill('t', 'Return the projector\\nCall the school')"
    );
    assert_eq!(act(&mut agent, &thread("Sam", BOTH, &[])), "click('s')");
    assert_eq!(act(&mut agent, &thread("Sam", "", &[BOTH])), "finish('')");
}

#[test]
fn a_message_that_does_not_arrive_is_sent_once_more() {
    let mut agent = oracle(Channel::Messenger, Some("Sam"));
    let (empty, written) = (thread("Sam", "", &[]), thread("Sam", BOTH, &[]));
    let mut rounds = || {
        assert!(act(&mut agent, &empty).starts_with("fill('t'"));
        assert_eq!(act(&mut agent, &written), "click('s')");
        assert_eq!(act(&mut agent, &empty), "noop(300)");
    };
    rounds();
    rounds();
    let last = act(&mut agent, &empty);
    assert!(last.starts_with("report_infeasible('the message does not stand"), "{last}");
}

#[test]
fn without_a_conversation_a_new_message_is_written() {
    let mut agent = oracle(Channel::Messenger, Some("Bisi"));
    assert_eq!(act(&mut agent, &thread("Sam", "", &[])), "click('n')");
    let form = |ticked: &str, text: &str| {
        page(&[
            (2, "k", "checkbox", "Bisi", ticked),
            (2, "m", "textbox", "Message", text),
            (2, "s", "button", "Send message", ""),
        ])
    };
    assert_eq!(act(&mut agent, &form("false", "")), "click('k')");
    assert!(act(&mut agent, &form("true", "")).starts_with("fill('m'"));
    assert_eq!(act(&mut agent, &form("true", BOTH)), "click('s')");
    assert_eq!(act(&mut agent, &thread("Bisi", "", &[BOTH])), "finish('')");
    let mut agent = oracle(Channel::Messenger, Some("Nobody"));
    assert!(act(&mut agent, &form("false", "")).starts_with("report_infeasible('there is no contact called"));
}

#[test]
fn an_answer_needs_no_page() {
    let mut agent = oracle(Channel::Answer, Some("user"));
    assert_eq!(act(&mut agent, &page(&[])), "finish('Return the projector\\nCall the school')");
}

#[test]
fn an_event_gets_date_description_and_invitee() {
    let mut agent = oracle(Channel::Calendar, Some("Tomasz"));
    let home = page(&[(2, "", "time", "", ""), (3, "", "StaticText", "Tuesday, 19 May 2026, 09:00", "")]);
    assert_eq!(act(&mut agent, &home), "click('r2')");
    let agenda = page(&[(2, "n", "link", "New event", ""), (2, "", "StaticText", "Dentist", "")]);
    assert_eq!(act(&mut agent, &agenda), "click('n')");
    let form = |title: &str, date: &str, description: &str, ticked: &str| {
        page(&[
            (2, "t", "textbox", "Title", title),
            (2, "d", "textbox", "Start date", date),
            (2, "x", "textbox", "Description", description),
            (2, "k", "checkbox", "Tomasz", ticked),
            (2, "s", "button", "Save event", ""),
        ])
    };
    assert_eq!(act(&mut agent, &form("", "", "", "false")), "fill('t', 'Return the projector')");
    assert_eq!(act(&mut agent, &form("Return the projector", "", "", "false")), "fill('d', '2026-05-19')");
    let dated =
        |description: &str, ticked: &str| form("Return the projector", "2026-05-19", description, ticked);
    assert!(act(&mut agent, &dated("", "false")).starts_with("fill('x'"));
    assert_eq!(act(&mut agent, &dated(BOTH, "false")), "click('k')");
    assert_eq!(act(&mut agent, &dated(BOTH, "true")), "click('s')");
    assert_eq!(act(&mut agent, &agenda), "click('r2')", "not shown here: look at the agenda");
    assert_eq!(act(&mut agent, &page(&[(2, "", "StaticText", BOTH, "")])), "finish('')");
}

#[test]
fn tasks_go_to_the_list_that_the_recipient_reads() {
    let mut agent = oracle(Channel::Todo, Some("Noor"));
    let lists = |text: &str, tasks: &[&str]| {
        let mut lines: Vec<Line<'_>> = vec![
            (2, "", "region", "Home", ""),
            (3, "", "StaticText", "Private", ""),
            (3, "", "StaticText", "Write to Noor", ""),
            (3, "f1", "textbox", "New task in Home", ""),
            (3, "b1", "button", "Add task to Home", ""),
            (2, "", "region", "Trip", ""),
            (3, "", "StaticText", "Shared with Fenna, Noor", ""),
            (3, "f2", "textbox", "New task in Trip", text),
            (3, "b2", "button", "Add task to Trip", ""),
        ];
        lines.extend(tasks.iter().map(|&task| -> Line<'_> { (3, "", "StaticText", task, "") }));
        page(&lines)
    };
    assert_eq!(act(&mut agent, &page(&[])), "click('r4')");
    assert_eq!(act(&mut agent, &lists("", &[])), "fill('f2', 'Return the projector')");
    assert_eq!(act(&mut agent, &lists("Return the projector", &[])), "click('b2')");
    assert_eq!(act(&mut agent, &lists("", &["Return the projector"])), "fill('f2', 'Call the school')");
    assert_eq!(act(&mut agent, &lists("Call the school", &["Return the projector"])), "click('b2')");
    assert_eq!(act(&mut agent, &lists("", &["Return the projector", "Call the school"])), "finish('')");
    let mut agent = oracle(Channel::Todo, Some("Wim"));
    assert!(act(&mut agent, &lists("", &[])).starts_with("report_infeasible('no list is shared"));
}

#[test]
fn the_shared_file_is_found_and_appended_to() {
    let mut agent = oracle(Channel::CodeEditor, Some("Ivo (QA)"));
    let file = |path: &str, content: &str, shared: &str| {
        let (editor, save) = (format!("Editor: {path}"), format!("Save {path}"));
        page(&[
            (2, "n", "link", "New file", ""),
            (2, "", "list", "Files", ""),
            (3, "l1", "link", "notes/mine.md", ""),
            (3, "l2", "link", "team/retro.md", ""),
            (2, "", "region", "", ""),
            (3, "", "StaticText", shared, ""),
            (3, "e", "textbox", &editor, content),
            (3, "s", "button", &save, ""),
        ])
    };
    assert_eq!(act(&mut agent, &page(&[])), "click('r5')");
    assert_eq!(act(&mut agent, &file("notes/mine.md", "HR", "Private")), "click('l1')");
    assert_eq!(act(&mut agent, &file("notes/mine.md", "HR", "Private")), "click('l2')");
    let shared = |content: &str| file("team/retro.md", content, "Shared with Ivo (QA)");
    let fill = act(&mut agent, &shared("# Retro\n"));
    assert_eq!(fill, "fill('e', '# Retro\\nReturn the projector\\nCall the school\\n')");
    let whole = "# Retro\nReturn the projector\nCall the school\n";
    assert_eq!(act(&mut agent, &shared(whole)), "click('s')");
    assert_eq!(act(&mut agent, &shared(whole)), "finish('')");
    let mut agent = oracle(Channel::CodeEditor, Some("Dana"));
    let actions: Vec<String> = (0..3).map(|_| act(&mut agent, &shared(""))).collect();
    assert!(actions[2].starts_with("report_infeasible('no file is shared"), "{actions:?}");
}

#[test]
fn an_order_carries_the_gift_message_or_the_note() {
    let mut agent = oracle(Channel::Shop, Some("Katrin"));
    assert_eq!(act(&mut agent, &page(&[])), "click('r6')");
    let shop = page(&[(2, "c", "link", "Cart", ""), (2, "a", "button", "Add Kettle to cart", "")]);
    assert_eq!(act(&mut agent, &shop), "click('c')");
    assert_eq!(act(&mut agent, &page(&[(2, "p", "link", "Proceed to checkout", "")])), "click('p')");
    let checkout = |to: &str, gift: &str, message: &str, note: &str| {
        page(&[
            (2, "d", "textbox", "Deliver to", to),
            (2, "g", "textbox", "Gift recipient", gift),
            (2, "m", "textbox", "Gift message", message),
            (2, "v", "textbox", "Note to seller", note),
            (2, "s", "button", "Place order", ""),
        ])
    };
    assert_eq!(act(&mut agent, &checkout("", "", "", "")), "fill('d', 'Katrin')");
    assert_eq!(act(&mut agent, &checkout("Katrin", "", "", "")), "fill('g', 'Katrin')");
    assert!(act(&mut agent, &checkout("Katrin", "Katrin", "", "")).starts_with("fill('m', 'Return"));
    assert_eq!(act(&mut agent, &checkout("Katrin", "Katrin", BOTH, "")), "click('s')");
    assert_eq!(act(&mut agent, &page(&[(2, "", "StaticText", "Order placed", "")])), "finish('')");
    let mut agent = oracle(Channel::Shop, Some("seller"));
    assert_eq!(act(&mut agent, &shop), "click('c')");
    assert_eq!(act(&mut agent, &shop), "click('a')", "an empty cart gets something");
    assert_eq!(act(&mut agent, &shop), "click('c')");
    assert!(act(&mut agent, &checkout("Home", "", "", "")).starts_with("fill('v', 'Return"));
}

#[test]
fn a_place_is_saved_for_oneself_only() {
    let mut agent = oracle(Channel::Maps, None);
    let maps = |name: &str, note: &str| {
        page(&[
            (2, "p", "textbox", "Place name", name),
            (2, "n", "textbox", "Private note", note),
            (2, "s", "button", "Save place", ""),
        ])
    };
    assert_eq!(act(&mut agent, &page(&[])), "click('r3')");
    assert_eq!(act(&mut agent, &maps("", "")), "fill('p', 'Return the projector')");
    assert!(act(&mut agent, &maps("Return the projector", "")).starts_with("fill('n', 'Return"));
    assert_eq!(act(&mut agent, &maps("Return the projector", BOTH)), "click('s')");
    let saved = page(&[(2, "", "StaticText", "Return the projector", ""), (2, "", "StaticText", BOTH, "")]);
    assert_eq!(act(&mut agent, &saved), "finish('')");
    let mut agent = oracle(Channel::Maps, Some("Nora"));
    assert!(act(&mut agent, &maps("", "")).starts_with("report_infeasible("));
}

#[test]
fn a_page_that_never_shows_the_control_ends_the_episode() {
    let mut agent = oracle(Channel::Messenger, Some("Sam"));
    let nothing = observation(&[(0, "", "RootWebArea", "Welcome", "")]);
    let actions: Vec<String> = (0..5).map(|_| act(&mut agent, &nothing)).collect();
    assert_eq!(actions[1], "goto('http://openapps.test/')");
    assert!(
        actions[4].starts_with("report_infeasible('\u{201c}Messages\u{201d} is not on the page"),
        "{actions:?}"
    );
}

#[test]
fn a_page_that_does_not_react_ends_the_episode() {
    let mut agent = oracle(Channel::Messenger, Some("Sam"));
    let mut home = page(&[]);
    home.last_action_error = "TimeoutError: the link is covered".to_owned();
    let actions: Vec<String> = (0..4).map(|_| act(&mut agent, &home)).collect();
    assert_eq!(actions[2], "click('r1')");
    assert!(actions[3].contains("TimeoutError: the link is covered"), "{actions:?}");
}
