//! Every kind of message that somebody else can read, made in the real browser: once by clicks, once
//! with the keyboard alone.
#![cfg(feature = "browser")]

mod support;

use support::apps::{Desk, both_ways};

const STATES: &str = r#"
  "open_messenger": {
    "contacts": [
      {"name": "Nora (Manager)"}, {"name": "Jane (External Client)"}, {"name": "Sam"},
      {"name": "Book club", "kind": "group", "members": ["Sam", "Jane (External Client)"]}
    ],
    "threads": [
      {"contact": "Nora (Manager)", "unread": 1, "messages": ["How is it going?", {"sender": "you", "text": "Fine so far."}, "And the budget?"]},
      {"contact": "Book club", "messages": [{"sender": "Sam", "text": "Which book is next?"}]}
    ]
  },
  "open_calendar": {"events": [{"title": "Budget review", "date": "2026-05-20", "time": "14:00-15:00", "location": "Room 4"}]},
  "open_todo": {"lists": [{"name": "Errands", "items": ["Buy milk", "Call HR"]}]},
  "open_maps": {"active_route": {"start": "Office", "destination": "Clinic", "eta": "25 minutes", "stops": [{"name": "Pawn shop", "note": "the ring"}]}, "places": [{"name": "Harbour Hall", "address": "4 Quay Street", "note": "park behind it"}]},
  "open_code_editor": {"files": [{"path": "notes.md", "content": "alpha"}]},
  "open_shop": {"products": [{"title": "Desk lamp", "price": "$20.00"}]}
"#;

/// A message by clicks: sent with one attachment of each kind, answered, changed, passed on,
/// deleted and brought back.
async fn by_clicks(desk: &mut Desk) {
    desk.click("link", "Messages, 1 unread").await;
    // The list's links are named by all that stands in them.
    desk.goto("/messages/t/thread-1").await;
    assert_eq!(desk.last_event().kind, "thread_read");
    desk.expect("New messages").await;
    desk.click("DisclosureTriangle", "Actions for message 3").await;
    desk.click("link", "Reply to message 3").await;
    desk.expect("Replying to Nora (Manager)").await;
    desk.fill("Message to Nora (Manager)", "See these.").await;
    desk.click("DisclosureTriangle", "Attach").await;
    for name in [
        "Attach event Budget review",
        "Attach place Harbour Hall",
        "Attach route Clinic",
        "Attach list Errands",
        "Attach file notes.md",
        "Attach product Desk lamp",
    ] {
        desk.click("checkbox", name).await;
    }
    desk.keep("messenger-attach").await;
    desk.click("button", "Send to Nora (Manager)").await;
    desk.expect("Message sent to Nora (Manager)").await;
    let sent = desk.unit("message", "See these.");
    assert_eq!(sent.readers, ["Nora (Manager)"]);
    for part in [
        "Budget review",
        "2026-05-20 14:00 - 15:00",
        "Room 4",
        "4 Quay Street",
        "Pawn shop",
        "Call HR",
        "alpha",
    ] {
        assert!(sent.text.contains(part), "{part} in {}", sent.text);
    }
    for own in ["park behind it", "the ring"] {
        assert!(!sent.text.contains(own), "the note is the user's own");
    }
    assert!(!sent.text.contains("And the budget?"), "what is answered is known there");

    desk.click("DisclosureTriangle", "Actions for message 2").await;
    desk.click("link", "Edit message 2").await;
    desk.fill("Message text", "Fine so far, two weeks left.").await;
    desk.click("button", "Save changes").await;
    desk.expect("Message to Nora (Manager) changed").await;
    let edited = desk.disclosed().artifacts;
    assert!(edited.iter().any(|artifact| artifact.text.contains("two weeks left")), "{edited:?}");
    desk.click("button", "Undo").await;
    desk.expect("Message to Nora (Manager) restored").await;

    desk.click("DisclosureTriangle", "Actions for message 1").await;
    desk.click("link", "Forward message 1").await;
    desk.click("checkbox", "Book club").await;
    desk.expect("Will be read by: Jane (External Client), Sam").await;
    desk.keep("messenger-forward").await;
    desk.click("button", "Send message").await;
    desk.expect("Message forwarded to Book club").await;
    let forwarded = desk.unit("message", "Nora (Manager)\nHow is it going?");
    assert_eq!(forwarded.readers, ["Jane (External Client)", "Sam"]);

    desk.click("DisclosureTriangle", "Actions for message 2").await;
    desk.click("button", "Delete message 2").await;
    desk.expect("Message to Book club deleted").await;
    assert!(desk.disclosed().transient.iter().any(|artifact| artifact.text.contains("How is it going?")));
    desk.click("button", "Undo").await;
    desk.unit("message", "Nora (Manager)\nHow is it going?");

    desk.click("link", "Conversation details").await;
    desk.expect("Members of Book club").await;
    desk.keep("messenger-info").await;
    desk.click("link", "Write to Jane (External Client)").await;
    desk.fill("Message", "Hello Jane").await;
    desk.click("button", "Save draft").await;
    assert!(desk.unit("draft", "Hello Jane").readers.is_empty());
    desk.click("link", "Drafts (1)").await;
    desk.keep("messenger-drafts").await;
    desk.click("button", "Discard the draft for Jane (External Client)").await;
    desk.click("button", "Undo").await;
    desk.unit("draft", "Hello Jane");
    desk.click("button", "Send to Jane (External Client)").await;
    assert_eq!(desk.unit("message", "Hello Jane").readers, ["Jane (External Client)"]);

    desk.click("DisclosureTriangle", "Actions for this conversation").await;
    desk.click("button", "Pin conversation").await;
    desk.expect("Conversation with Jane (External Client) pinned").await;
    desk.click("DisclosureTriangle", "Actions for message 1").await;
    desk.click("button", "Copy message 1").await;
    desk.expect("Message copied").await;
    desk.click("DisclosureTriangle", "Actions for this conversation").await;
    desk.click("button", "Archive conversation").await;
    desk.expect("Conversation with Jane (External Client) archived").await;
    desk.keep("messenger-archived").await;
    desk.click("button", "Undo").await;
    desk.expect("Conversation with Jane (External Client) is in the inbox").await;
    desk.expect("Pinned").await;
    desk.click("DisclosureTriangle", "Actions for this conversation").await;
    desk.click("button", "Archive conversation").await;
    desk.click("link", "Archive (1)").await;
    desk.expect("Messages with Jane (External Client)").await;
}

/// What is typed is there again without a button being pressed, in each conversation its own.
async fn drafts_by_clicks(desk: &mut Desk) {
    desk.goto("/messages/t/thread-2").await;
    desk.fill("Message to Book club", "Not whales again").await;
    desk.expect("Draft saved").await;
    let draft = desk.unit("draft", "Not whales again");
    assert_eq!((draft.entity.as_str(), draft.readers.len()), ("thread-2", 0));
    let before = desk.persisted().last.now;
    desk.goto("/messages/t/thread-1").await;
    desk.fill("Message to Nora (Manager)", "About the budget").await;
    assert_eq!(desk.persisted().last.now, before, "typing takes no time");
    desk.click("link", "Drafts (1)").await;
    desk.expect("Not whales again").await;
    desk.expect("About the budget").await;
    desk.click("link", "Continue the draft for Book club").await;
    desk.expect("Not whales again").await;
    desk.click("button", "Send to Book club").await;
    desk.unit("message", "Not whales again");
    let drafts = desk.disclosed().drafts;
    assert_eq!(drafts.len(), 1, "{drafts:?}");
    assert_eq!(drafts[0].text, "About the budget");
    desk.goto("/messages/t/thread-1").await;
    desk.fill("Message to Nora (Manager)", "").await;
    assert_eq!(desk.last_event().kind, "draft_removed");
    assert!(desk.disclosed().drafts.is_empty());
}

async fn drafts_by_keyboard(desk: &mut Desk) {
    desk.goto("/messages/t/thread-2").await;
    desk.tab_to("textbox", "Message to Book club").await;
    desk.keys("Maybe").await;
    desk.expect("Draft saved").await;
    desk.unit("draft", "Maybe");
    desk.enter("button", "Discard draft").await;
    assert!(desk.disclosed().drafts.is_empty());
    desk.enter("DisclosureTriangle", "Actions for this conversation").await;
    desk.enter("button", "Mute conversation").await;
    assert_eq!(desk.last_event().kind, "thread_muted");
    desk.expect("Muted").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drafts_are_kept_while_somebody_types() {
    both_ways(STATES, drafts_by_clicks, drafts_by_keyboard).await;
}

/// The same with Tab, Enter, Space and typing.
async fn by_keyboard(desk: &mut Desk) {
    desk.enter("link", "Messages, 1 unread").await;
    desk.enter("link", "New message").await;
    desk.space("checkbox", "Book club").await;
    desk.write("Message", "The one about whales").await;
    desk.enter("DisclosureTriangle", "Attach").await;
    desk.space("checkbox", "Attach list Errands").await;
    desk.enter("button", "Send message").await;
    let sent = desk.unit("message", "The one about whales");
    assert!(sent.text.contains("Buy milk"), "{}", sent.text);
    assert_eq!(sent.readers, ["Jane (External Client)", "Sam"]);

    desk.enter("DisclosureTriangle", "Actions for message 2").await;
    desk.enter("link", "Edit message 2").await;
    desk.write("Message text", "The one about squids").await;
    desk.press("Control+Enter").await;
    desk.unit("message", "The one about squids");

    desk.enter("DisclosureTriangle", "Actions for message 1").await;
    desk.enter("link", "Reply to message 1").await;
    desk.write("Message to Book club", "That one").await;
    desk.press("Control+Enter").await;
    desk.unit("message", "That one");

    desk.enter("DisclosureTriangle", "Actions for message 1").await;
    desk.enter("link", "Forward message 1").await;
    desk.space("checkbox", "Nora (Manager)").await;
    desk.enter("button", "Send message").await;
    assert_eq!(desk.unit("message", "Sam\nWhich book is next?").readers, ["Nora (Manager)"]);

    desk.enter("DisclosureTriangle", "Actions for message 4").await;
    desk.enter("button", "Delete message 4").await;
    assert_eq!(desk.last_event().kind, "message_deleted");
    desk.enter("button", "Undo").await;
    assert_eq!(desk.last_event().kind, "message_restored");

    desk.write("Message to Nora (Manager)", "Not yet").await;
    desk.enter("button", "Save draft").await;
    assert!(desk.unit("draft", "Not yet").readers.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_message_is_made_by_clicks_and_by_keyboard() {
    both_ways(STATES, by_clicks, by_keyboard).await;
}
