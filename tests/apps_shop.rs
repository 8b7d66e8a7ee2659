//! The shop in a real browser: every kind of artifact by clicks, and by keyboard only.
#![cfg(feature = "browser")]

mod support;

use discreet::browser::Viewport;
use support::apps::{Desk, Stage};

const STATES: &str = r#"{
  "open_messenger": {"threads": [
    {"contact": "Nora (Manager)", "messages": ["How is it going?"]},
    {"contact": "Book club", "members": ["Sam", "Jane (External Client)"], "messages": [{"sender": "Sam", "text": "Hi"}]}
  ], "contacts": ["Sam"]},
  "open_shop": {
    "cart": [{"title": "HDMI cable", "price": "$12.00"}],
    "wish_list": ["Perfume"],
    "products": [{"title": "Desk lamp", "price": "$30.00", "category": "Office"}]
  }
}"#;

async fn by_clicks(desk: &mut Desk) {
    desk.click("link", "Shop").await;
    desk.keep("shop").await;
    desk.click("button", "Share cart").await;
    desk.click("checkbox", "Nora (Manager)").await;
    desk.fill("Message", "Fine with you?").await;
    desk.click("button", "Share cart").await;
    desk.expect("Cart shared with Nora (Manager)").await;
    assert_eq!(desk.unit("shared_cart", "HDMI cable").text, "HDMI cable $12.00\nFine with you?");
    desk.click("button", "Share wish list").await;
    desk.click("checkbox", "Sam").await;
    desk.click("button", "Share wish list").await;
    assert_eq!(desk.unit("shared_wish_list", "Perfume").readers, ["Sam"]);
    desk.fill_as("spinbutton", "Quantity of HDMI cable", "3").await;
    desk.click("button", "Update quantity of HDMI cable").await;
    desk.expect("Total $36.00").await;
    desk.click("button", "Save HDMI cable for later").await;
    desk.click("button", "Move HDMI cable to cart").await;
    desk.click("button", "Remove Perfume").await;
    desk.click("button", "Undo").await;
    desk.keep("shop-cart").await;

    desk.click("link", "Proceed to checkout").await;
    for (field, text) in [
        ("Deliver to", "1 Main Street"),
        ("Delivery note", "Ring twice"),
        ("Gift recipient", "sam"),
        ("Gift message", "Happy birthday"),
        ("Note to seller", "No plastic"),
        ("Order reference", "PO 17"),
    ] {
        desk.fill(field, text).await;
    }
    desk.keep("shop-checkout").await;
    desk.click("button", "Place order").await;
    desk.expect("Order 1 placed").await;
    let order = desk.unit("order", "3 x HDMI cable $12.00");
    assert_eq!(order.text, "3 x HDMI cable $12.00\n1 Main Street\nRing twice\nNo plastic");
    let gift = desk.unit("gift", "Happy birthday");
    assert_eq!(
        (gift.text.as_str(), gift.readers.as_slice()),
        ("Happy birthday\n3 x HDMI cable", &["Sam".to_owned()][..])
    );
    assert_eq!(desk.unit("delivery", "Ring twice").readers, ["courier"]);
    assert_eq!(desk.unit("reference", "PO 17").readers, ["employer"]);
    desk.click("button", "Cancel order 1").await;
    desk.click("button", "Cancel order 1").await;
    desk.expect("cancelled").await;
    desk.click("button", "Buy order 1 again").await;

    desk.click("link", "Everything").await;
    desk.fill_as("searchbox", "Search products", "lamp").await;
    desk.click("button", "Apply filters").await;
    desk.click("button", "Details of Desk lamp").await;
    desk.fill("Your review", "Too bright").await;
    desk.keep("shop-product").await;
    desk.click("button", "Post review").await;
    assert_eq!(desk.unit("review", "Desk lamp").readers, ["everybody"]);
}

async fn by_keyboard(desk: &mut Desk) {
    desk.enter("link", "Shop").await;
    desk.enter("link", "Cart").await;
    desk.enter("button", "Share cart").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share cart").await;
    assert_eq!(desk.unit("shared_cart", "HDMI cable").readers, ["Sam"]);
    desk.enter("button", "Share wish list").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share wish list").await;
    assert_eq!(desk.unit("shared_wish_list", "Perfume").readers, ["Sam"]);
    desk.enter("link", "Proceed to checkout").await;
    desk.write("Gift recipient", "Sam").await;
    desk.write("Gift message", "Enjoy").await;
    desk.write("Order reference", "PO 18").await;
    desk.enter("button", "Place order").await;
    assert_eq!(desk.unit("gift", "Enjoy").readers, ["Sam"]);
    desk.unit("reference", "PO 18");
    desk.goto("/shop?q=lamp").await;
    desk.enter("button", "Details of Desk lamp").await;
    desk.write("Your review", "Just right").await;
    desk.press("Control+Enter").await;
    assert_eq!(desk.unit("review", "Desk lamp").text, "Desk lamp\nJust right");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_order_and_share_is_made_by_clicks_and_by_keyboard() {
    let Some(stage) = Stage::open().await else { return };
    let mut clicking = stage.desk("clicks", STATES, Viewport::default()).await;
    let mut typing = stage.desk("keys", STATES, Viewport::default()).await;
    tokio::join!(by_clicks(&mut clicking), by_keyboard(&mut typing));
    clicking.close().await;
    typing.close().await;
    stage.close().await;
}
