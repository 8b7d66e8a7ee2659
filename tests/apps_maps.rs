//! Maps in a real browser: every kind of artifact by clicks, and by keyboard only.
#![cfg(feature = "browser")]

mod support;

use support::apps::{Desk, both_ways};

const STATES: &str = r#"
  "open_maps": {
    "places": [{"name": "Harbour Hall", "address": "4 Quay Street", "note": "park behind it"}],
    "lists": [{"name": "Weekend", "places": ["Harbour Hall", "Lake"]}],
    "active_route": {"start": "Office", "destination": "Clinic", "eta": "25 minutes", "stops": [{"name": "Pawn shop", "note": "the ring"}]}
  }
"#;

async fn by_clicks(desk: &mut Desk) {
    desk.click("link", "Maps").await;
    desk.keep("maps").await;
    desk.click("button", "Share route Clinic").await;
    desk.click("checkbox", "Show Pawn shop").await;
    desk.click("checkbox", "Nora (Manager)").await;
    desk.fill("Message", "On my way").await;
    desk.keep("maps-share").await;
    desk.click("button", "Share route").await;
    desk.expect("Route “Clinic” shared").await;
    let route = desk.unit("shared_route", "Office");
    assert_eq!(route.readers, ["Nora (Manager)"]);
    assert_eq!(route.text, "Office\nClinic\n25 minutes\nOn my way");
    desk.click("button", "Share arrival of Clinic").await;
    desk.click("checkbox", "Book club").await;
    desk.click("button", "Share arrival").await;
    let arrival = desk.unit("shared_eta", "Clinic");
    assert_eq!(
        (arrival.text.as_str(), arrival.addressed_to[0].as_str()),
        ("Clinic\n25 minutes", "Book club")
    );
    desk.click("button", "Share Harbour Hall").await;
    desk.click("checkbox", "Include your private notes").await;
    desk.click("checkbox", "Sam").await;
    desk.click("button", "Share place").await;
    assert_eq!(desk.unit("shared_place", "Harbour Hall").text, "Harbour Hall\n4 Quay Street");
    desk.click("button", "Share list Weekend").await;
    desk.click("checkbox", "Sam").await;
    desk.click("button", "Share list").await;
    let list = desk.unit("shared_places", "Weekend");
    assert_eq!(list.text, "Weekend\nHarbour Hall\n4 Quay Street\npark behind it\nLake");

    desk.click("link", "Pin: Lake").await;
    desk.expect("Current route: Clinic").await;
    desk.keep("maps-place").await;
    desk.click("button", "Share current route").await;
    desk.click("link", "Back without sharing").await;
    desk.click("link", "Pin: Pawn shop").await;
    desk.expect("for “Pawn shop”").await;
    desk.fill_as("combobox", "Search places", "pharmacy").await;
    desk.click("button", "Search").await;
    desk.expect("places for “pharmacy”").await;
    assert_eq!(desk.last_event().kind, "place_searched");
    desk.expect("from the centre").await;
    desk.keep("maps-search").await;
    let first = desk.run("() => document.querySelector('main .stop-name').innerText").await;
    let first = first.as_str().expect("a name").to_owned();
    desk.click("button", &format!("Open {first}")).await;
    for known in ["Telephone", "Open", "Rating (of 5)", "555 01"] {
        desk.expect(known).await;
    }
    desk.keep("maps-spot").await;
    desk.click("button", "Save place").await;
    desk.expect("Telephone").await;
    let place = desk.unit("place", &first);
    assert!(place.readers.is_empty() && place.text.contains("Pharmacy\n555 01"), "{}", place.text);
    desk.click("button", "Share place").await;
    desk.click("checkbox", "Sam").await;
    desk.click("button", "Share place").await;
    assert!(desk.unit("shared_place", &first).text.contains("555 01"));
    desk.click("button", &format!("Edit {first}")).await;
    desk.click("button", "End current route").await;
    assert_eq!(desk.last_event().kind, "route_ended");
    desk.click("button", "Start route").await;
    desk.goto("/maps").await;
    desk.click("button", "Directions").await;
    desk.fill_as("combobox", "From", "Home").await;
    desk.click("button", "Add stop").await;
    desk.click("button", "Add stop").await;
    desk.fill_as("combobox", "Stop 1", "Lake").await;
    desk.fill_as("combobox", "Stop 2", "Bakery").await;
    desk.fill("Private note for stop 2", "two loaves").await;
    desk.fill("Minutes at stop 2", "a while").await;
    desk.click("button", "Move stop 1 down").await;
    desk.click("button", "Remove stop 2").await;
    desk.fill_as("combobox", "To", "Harbour Hall").await;
    desk.click("button", "Get directions").await;
    desk.expect("Write the minutes at stop 1 as a whole number").await;
    desk.fill("Minutes at stop 1", "15").await;
    desk.keep("maps-directions").await;
    desk.click("button", "Get directions").await;
    desk.expect("Route “Harbour Hall” planned").await;
    desk.keep("maps-route").await;
    desk.expect("Stay: 15 min").await;
    let planned = desk.unit("route", "Home\nBakery\ntwo loaves\n15 min\nHarbour Hall");
    assert!(planned.readers.is_empty() && planned.text.contains(" min, "), "{planned:?}");
    desk.click("button", "Share route").await;
    desk.click("checkbox", "Include your private notes").await;
    desk.click("checkbox", "Sam").await;
    desk.click("button", "Share route").await;
    let shown = desk.unit("shared_route", "Home\nBakery\n15 min\nHarbour Hall");
    assert!(!shown.text.contains("two loaves"), "{}", shown.text);
    desk.click("button", "Open route Harbour Hall").await;
    desk.click("button", "Start route").await;
    desk.click("button", "End route Harbour Hall").await;
    desk.click("button", "Delete route").await;
    desk.click("button", "Undo").await;
    desk.unit("route", "Home\nBakery\ntwo loaves\n15 min\nHarbour Hall");
    desk.click("button", "Remove Harbour Hall").await;
    desk.click("button", "Undo").await;
    desk.unit("place", "Harbour Hall");
}

async fn by_keyboard(desk: &mut Desk) {
    desk.enter("link", "Maps").await;
    desk.enter("button", "Share route Clinic").await;
    desk.space("checkbox", "Sam").await;
    desk.space("checkbox", "Show Pawn shop").await;
    desk.enter("button", "Share route").await;
    assert!(!desk.unit("shared_route", "Office").text.contains("the ring"));
    desk.enter("button", "Share arrival of Clinic").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share arrival").await;
    assert_eq!(desk.unit("shared_eta", "Clinic").readers, ["Sam"]);
    desk.enter("button", "Share Harbour Hall").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share place").await;
    assert_eq!(desk.unit("shared_place", "Harbour Hall").readers, ["Sam"]);
    desk.enter("button", "Share list Weekend").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share list").await;
    assert_eq!(desk.unit("shared_places", "Weekend").readers, ["Sam"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_share_is_made_by_clicks_and_by_keyboard() {
    both_ways(STATES, by_clicks, by_keyboard).await;
}
