//! Every kind of event that somebody else can read, made in the real browser: once by clicks, once
//! with the keyboard alone.
#![cfg(feature = "browser")]

mod support;

use support::apps::{Desk, both_ways};

const STATES: &str = r##"
  "open_messenger": {"contacts": [
    {"name": "Nora (Manager)"}, {"name": "Jane (External Client)"}, {"name": "Sam"},
    {"name": "#eng", "members": ["Nora (Manager)", "Sam"]}
  ]},
  "open_code_editor": {"files": [{"path": "agenda.md", "content": "1. Scan results"}]},
  "open_calendar": {"calendars": [{"name": "Team", "owner": "Nora (Manager)"}], "events": [
    {"title": "Budget review", "date": "2026-05-20", "time": "14:00-15:00", "location": "Room 4", "invitees": ["Sam"]},
    {"title": "Offsite", "date": "2026-05-21", "organiser": "Nora (Manager)", "invitees": ["Sam"], "description": "Bring boots"}
  ]}
"##;

async fn by_clicks(desk: &mut Desk) {
    desk.click("link", "Calendar").await;
    desk.expect("Bring boots").await;
    desk.click("link", "New event").await;
    desk.fill("Title", "Planning").await;
    desk.fill("Start date", "22.5.2026").await;
    desk.click("DisclosureTriangle", "Pick start time").await;
    desk.click("button", "Start time: 09:30").await;
    desk.fill("End time", "10:15 AM").await;
    desk.fill("Description", "Numbers for the quarter").await;
    desk.click("checkbox", "#eng").await;
    desk.fill("Other invitees", "kim@example.org").await;
    desk.expect("Will be read by: Nora (Manager), Sam, kim@example.org").await;
    desk.select("Repeat", "Every week").await;
    desk.fill("Repeat until", "2026-06-12").await;
    desk.click("checkbox", "10 minutes before").await;
    desk.keep("calendar-form").await;
    desk.click("button", "Save event").await;
    desk.expect("Event “Planning” saved").await;
    desk.keep("calendar-event").await;
    let made = desk.unit("event", "Planning");
    assert_eq!(made.readers, ["Nora (Manager)", "Sam", "kim@example.org"]);
    for part in ["2026-05-22 09:30 - 10:15", "Numbers for the quarter", "weekly - 2026-06-12"] {
        assert!(made.text.contains(part), "{part} in {}", made.text);
    }

    desk.click("link", "Edit event").await;
    desk.fill("Description", "Numbers, and who leaves").await;
    desk.click("radio", "Invitees see only when it is").await;
    desk.click("button", "Save event").await;
    assert!(desk.unit("event", "2026-05-22").text.lines().count() < 4);
    desk.click("button", "Undo").await;
    desk.unit("event", "Planning");

    desk.goto("/calendar/day/2026-05-29").await;
    desk.click("link", "Planning, 2026-05-29 09:30").await;
    desk.click("button", "Delete only Friday, 29 May 2026").await;
    desk.expect("One day of “Planning” deleted").await;
    desk.expect("Nothing planned on this day").await;
    desk.click("link", "Agenda").await;
    desk.click("link", "Budget review, 2026-05-20 14:00").await;
    desk.click("button", "Delete event").await;
    assert_eq!(desk.last_event().kind, "event_cancelled");
    desk.click("button", "Undo").await;
    assert_eq!(desk.unit("event", "Budget review").readers, ["Sam"]);

    desk.goto("/calendar").await;
    desk.click("link", "Offsite, 2026-05-21").await;
    desk.fill("Note to the organiser", "I have a hearing that day").await;
    desk.click("button", "Respond no").await;
    desk.keep("calendar-answer").await;
    let answered = desk.disclosed().artifacts;
    let answer = answered.iter().find(|artifact| artifact.text.contains("hearing")).expect("it is told");
    assert_eq!(answer.readers, ["Nora (Manager)", "Sam"]);

    desk.click("link", "Calendar").await;
    desk.click("link", "Block time").await;
    desk.fill("Start time", "8:00").await;
    desk.click("button", "Save event").await;
    let block = desk.unit("event", "Busy");
    assert!(block.readers.is_empty() && block.text.contains("2026-05-19 08:00"), "{block:?}");
}

async fn by_keyboard(desk: &mut Desk) {
    desk.enter("link", "Calendar").await;
    desk.enter("link", "New event").await;
    desk.write("Title", "Lunch").await;
    desk.write("Start date", "tomorrow").await;
    desk.write("Start time", "noon").await;
    desk.space("checkbox", "Jane (External Client)").await;
    desk.press("Control+Enter").await;
    let made = desk.unit("event", "Lunch");
    assert!(made.text.contains("2026-05-20 12:00"), "{}", made.text);
    assert_eq!(made.readers, ["Jane (External Client)"]);

    desk.enter("link", "Edit event").await;
    desk.write("Location", "Canteen").await;
    // Enter in a field saves: it does not pick a day.
    desk.press("Enter").await;
    assert!(desk.unit("event", "Lunch").text.contains("Canteen"));
    assert_eq!(desk.last_event().kind, "event_updated");

    desk.enter("button", "Delete event").await;
    assert_eq!(desk.last_event().kind, "event_cancelled");
    desk.enter("button", "Undo").await;
    desk.unit("event", "Lunch");

    desk.goto("/calendar").await;
    desk.enter("link", "Offsite, 2026-05-21").await;
    desk.write("Note to the organiser", "Gladly").await;
    desk.enter("button", "Respond yes").await;
    assert!(desk.unit("event", "Offsite").text.ends_with("yes\nGladly"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_event_is_made_by_clicks_and_by_keyboard() {
    both_ways(STATES, by_clicks, by_keyboard).await;
}

/// Calendars, copies, parts of a series, and what others may see.
async fn calendars_by_clicks(desk: &mut Desk) {
    desk.click("link", "Calendar").await;
    desk.click("link", "Calendars").await;
    desk.fill("New calendar", "Family").await;
    desk.click("button", "Create calendar").await;
    desk.expect("Calendar “Family” created").await;
    desk.click("link", "Back to the agenda").await;
    desk.click("link", "New event").await;
    desk.fill("Title", "Therapy").await;
    desk.fill("Location", "Clinic").await;
    desk.select("Calendar", "Family").await;
    desk.fill("Private notes", "tell nobody").await;
    desk.click("button", "Save event").await;
    assert!(desk.unit("event", "Therapy").readers.is_empty());
    assert!(desk.unit("event_notes", "tell nobody").readers.is_empty());
    desk.click("link", "Back to the agenda").await;
    desk.click("link", "Calendars").await;
    desk.click("button", "Share calendar Family").await;
    desk.click("checkbox", "Sam").await;
    desk.fill("Message", "Our plans").await;
    desk.expect("Therapy").await;
    desk.keep("calendar-share").await;
    desk.click("button", "Share calendar").await;
    desk.keep("calendar-settings").await;
    assert_eq!(desk.unit("event", "Therapy").readers, ["Sam"]);
    assert_eq!(desk.unit("calendar", "Family").readers, ["Sam"]);
    desk.click("button", "Edit calendar Family").await;
    desk.click("radio", "Orange").await;
    desk.keep("calendar-colour").await;
    desk.click("button", "Save colour").await;
    desk.expect("Colour of “Family” saved").await;
    desk.expect("Calendar of Nora (Manager)").await;
    assert!(!desk.shown().await.contains("Share calendar Team"), "it is not the user's");
    assert_eq!(desk.unit("shared_calendar", "Our plans").readers, ["Sam"]);
    let told = desk.disclosed().artifacts;
    assert!(told.iter().any(|artifact| artifact.text.starts_with("Therapy") && artifact.readers == ["Sam"]));

    desk.click("link", "Back to the agenda").await;
    desk.click("link", "Therapy, 2026-05-19").await;
    desk.click("button", "Share event").await;
    desk.click("checkbox", "Nora (Manager)").await;
    desk.click("checkbox", "Show Clinic").await;
    desk.keep("calendar-share-event").await;
    desk.click("button", "Share event").await;
    desk.expect("Event “Therapy” shared").await;
    let shown = desk.unit("shared_event", "Therapy");
    assert_eq!((shown.readers.len(), shown.text.contains("Clinic")), (1, false), "{shown:?}");
    desk.click("link", "Duplicate event").await;
    desk.fill("Title", "Second session").await;
    desk.expect("Will be read by: Sam").await;
    desk.click("radio", "Public: everybody can read it").await;
    desk.click("button", "Save event").await;
    assert_eq!(desk.unit("event", "Second session").readers, ["Sam", "everybody"]);

    desk.click("link", "Back to the agenda").await;
    desk.click("link", "New event").await;
    desk.fill("Title", "Yoga").await;
    desk.fill("Start date", "2026-05-20").await;
    desk.select("Repeat", "Every week").await;
    desk.click("button", "Save event").await;
    desk.goto("/calendar/day/2026-06-03").await;
    desk.click("link", "Yoga, 2026-06-03").await;
    desk.click("link", "Edit event").await;
    desk.click("radio", "2026-06-03 and following").await;
    desk.fill("Title", "Late yoga").await;
    desk.keep("calendar-series").await;
    desk.click("button", "Save event").await;
    desk.expect("Event “Late yoga” changed apart from its series").await;
    assert!(desk.unit("event", "Yoga").text.ends_with("weekly - 2026-06-02"));
    assert!(desk.unit("event", "Late yoga").text.starts_with("Late yoga\n2026-06-03"));
    desk.click("button", "Undo").await;
    assert!(desk.unit("event", "Yoga").text.ends_with("weekly"));
    // A change of the whole series that begins on a later day moves all of it as far.
    desk.goto("/calendar/day/2026-06-03").await;
    desk.click("link", "Yoga, 2026-06-03").await;
    desk.click("link", "Edit event").await;
    desk.fill("Start date", "2026-06-04").await;
    desk.click("button", "Save event").await;
    assert!(desk.unit("event", "Yoga").text.starts_with("Yoga\n2026-05-21"));
    desk.goto("/calendar/day/2026-06-11").await;
    desk.click("link", "Yoga, 2026-06-11").await;
    desk.click("button", "Delete Thursday, 11 June 2026 and following").await;
    assert!(desk.unit("event", "Yoga").text.ends_with("weekly - 2026-06-10"));
}

async fn calendars_by_keyboard(desk: &mut Desk) {
    desk.goto("/calendar/settings").await;
    desk.write("New calendar", "Family").await;
    desk.press("Enter").await;
    desk.enter("button", "Share calendar My calendar").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share calendar").await;
    desk.expect("Calendar “My calendar” shared").await;
    assert_eq!(desk.unit("event", "Budget review").readers, ["Sam"]);
    desk.goto("/calendar").await;
    desk.enter("link", "Budget review, 2026-05-20 14:00").await;
    desk.enter("button", "Share event").await;
    desk.space("checkbox", "Nora (Manager)").await;
    desk.enter("button", "Share event").await;
    assert_eq!(desk.unit("shared_event", "Budget review").readers, ["Nora (Manager)"]);
    desk.enter("link", "Duplicate event").await;
    desk.write("Title", "Second review").await;
    desk.press("Enter").await;
    assert_eq!(desk.last_event().kind, "event_created");
    assert_eq!(desk.unit("event", "Second review").readers, ["Sam"]);
    desk.goto("/calendar/new").await;
    desk.write("Title", "Standup").await;
    desk.write_as("combobox", "Calendar", "Team").await;
    desk.enter("button", "Save event").await;
    assert_eq!(desk.unit("event", "Standup").readers, ["Nora (Manager)"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calendars_and_events_are_shared_by_clicks_and_by_keyboard() {
    both_ways(STATES, calendars_by_clicks, calendars_by_keyboard).await;
}

/// Attachments, status and invitations.
async fn invitations_by_clicks(desk: &mut Desk) {
    desk.goto("/calendar/new").await;
    desk.fill("Title", "Check-up").await;
    desk.click("checkbox", "Sam").await;
    desk.click("DisclosureTriangle", "Attach").await;
    desk.click("checkbox", "Attach file agenda.md").await;
    desk.select("Status", "Tentative").await;
    desk.select("Repeat", "Every week").await;
    desk.fill("Repeat interval", "2").await;
    desk.click("checkbox", "Thursday").await;
    desk.fill("Number of times", "3").await;
    desk.keep("calendar-attach").await;
    desk.click("button", "Save and send invitations").await;
    desk.expect("Event “Check-up” saved, invitations sent").await;
    desk.expect("Invitation to Check-up").await;
    desk.expect("Every 2 weeks on Tuesday, Thursday until 2026-06-02").await;
    desk.keep("calendar-invitation").await;
    let sent = desk.unit("shared_invitation", "Check-up");
    assert_eq!(sent.readers, ["Sam"]);
    assert!(sent.text.contains("tentative\nagenda.md\n1. Scan results"), "{}", sent.text);
    let told = desk.disclosed().artifacts;
    assert!(told.iter().any(|artifact| artifact.kind == "shared_invitation" && artifact.readers == ["Sam"]));

    desk.click("link", "Edit event").await;
    desk.click("checkbox", "Keep agenda.md attached").await;
    desk.select("Repeat", "Does not repeat").await;
    desk.fill("Repeat until", "").await;
    desk.fill("Repeat interval", "").await;
    desk.select("Status", "Cancelled").await;
    desk.click("button", "Save event").await;
    let event = desk.unit("event", "Check-up");
    assert!(event.text.ends_with("cancelled"), "{}", event.text);
    desk.click("button", "Undo").await;
    desk.expect("1. Scan results").await;
    desk.click("link", "Duplicate event").await;
    desk.fill("Title", "Second check-up").await;
    desk.click("button", "Save event").await;
    assert!(desk.unit("event", "Second check-up").text.contains("1. Scan results"));
    desk.click("link", "Edit event").await;
    desk.click("checkbox", "Sam").await;
    desk.click("button", "Save and send invitations").await;
    desk.expect("Name at least one invitee").await;
    desk.goto("/calendar/month/2026-05").await;
    desk.expect("Tentative").await;
    desk.keep("calendar-month-status").await;
}

async fn invitations_by_keyboard(desk: &mut Desk) {
    desk.goto("/calendar").await;
    desk.enter("link", "Budget review, 2026-05-20 14:00").await;
    desk.enter("link", "Edit event").await;
    desk.enter("DisclosureTriangle", "Attach").await;
    desk.space("checkbox", "Attach file agenda.md").await;
    desk.enter("button", "Save and send invitations").await;
    let sent = desk.unit("shared_invitation", "Budget review");
    assert_eq!(sent.readers, ["Sam"]);
    assert!(sent.text.contains("1. Scan results"), "{}", sent.text);
    assert_eq!(desk.last_event().kind, "event_updated");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invitations_and_attachments_are_sent_by_clicks_and_by_keyboard() {
    both_ways(STATES, invitations_by_clicks, invitations_by_keyboard).await;
}
