//! The shop in a real browser: every kind of artifact by clicks, and by keyboard only.
#![cfg(feature = "browser")]

mod support;

use support::apps::{Desk, both_ways};

const STATES: &str = r#"
  "open_shop": {
    "cart": [{"title": "HDMI cable", "price": "$12.00"}, {"title": "Ink", "price": "$20.00"}],
    "coupons": [{"code": "SPRING", "percent": 50, "text": "For regulars"}],
    "recently_viewed": ["Perfume", "Desk lamp"],
    "wish_list": ["Perfume"],
    "products": [{"title": "Desk lamp", "price": "$30.00", "category": "Office", "brand": "Lumis", "features": ["Dims in four steps"], "stock": 3, "options": {"Colour": ["Black", "Green"]}}],
    "addresses": [{"name": "Home", "address": "7 Hill Road"}]
  }
"#;

async fn by_clicks(desk: &mut Desk) {
    desk.click("link", "Shop").await;
    desk.keep("shop").await;
    desk.click("button", "Share cart").await;
    desk.click("checkbox", "Nora (Manager)").await;
    desk.fill("Message", "Fine with you?").await;
    desk.click("button", "Share cart").await;
    desk.expect("Cart shared with Nora (Manager)").await;
    assert_eq!(desk.unit("shared_cart", "HDMI cable").text, "HDMI cable $12.00\nInk $20.00\nFine with you?");
    desk.click("checkbox", "Select Ink").await;
    assert_eq!(desk.last_event().kind, "line_left_out");
    desk.expect("1 of 2 lines selected").await;
    desk.expect("Total $12.00").await;
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
    desk.click("radio", "Express, next day, $9.90").await;
    desk.click("radio", "Bank transfer").await;
    desk.click("checkbox", "Keep this address in the address book").await;
    desk.keep("shop-checkout").await;
    desk.expect("What is not selected stays in the cart.").await;
    desk.fill("Coupon code", "AUTUMN").await;
    desk.click("button", "Review order").await;
    desk.expect("The shop knows no coupon \"AUTUMN\".").await;
    desk.fill("Coupon code", "").await;
    desk.click("button", "Review order").await;
    desk.expect("Total $45.90").await;
    desk.expect("For the recipient of the gift").await;
    desk.keep("shop-review").await;
    desk.click("button", "Change order").await;
    desk.click("button", "Review order").await;
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
    desk.click("button", "Share order 1").await;
    desk.click("checkbox", "Show Happy birthday").await;
    desk.click("checkbox", "Nora (Manager)").await;
    desk.click("button", "Share order").await;
    let shown = desk.unit("shared_order", "3 x HDMI cable");
    assert!(shown.text.contains("1 Main Street") && !shown.text.contains("Happy birthday"), "{}", shown.text);
    desk.keep("shop-orders").await;
    desk.click("button", "Cancel order 1").await;
    desk.click("button", "Cancel order 1").await;
    desk.expect("cancelled").await;
    desk.click("link", "Order 1, 2026-05-19, cancelled").await;
    desk.expect("Back to the orders").await;
    desk.keep("shop-order").await;
    let turns =
        desk.run("() => [...document.querySelectorAll('.history li')].map((one) => one.innerText)").await;
    let turns: Vec<&str> = turns.as_array().into_iter().flatten().filter_map(|turn| turn.as_str()).collect();
    assert!(turns.len() == 2 && turns[0].starts_with("placed 2026-05-19"), "{turns:?}");
    assert!(turns[1].starts_with("cancelled 2026-05-19"), "{turns:?}");
    desk.click("button", "Buy order 1 again").await;

    Box::pin(with_a_coupon(desk)).await;
    Box::pin(at_the_shelves(desk)).await;
}

async fn with_a_coupon(desk: &mut Desk) {
    desk.click("checkbox", "Select Ink").await;
    desk.click("link", "Proceed to checkout").await;
    desk.fill("Coupon code", "spring").await;
    desk.click("button", "Review order").await;
    desk.expect("Coupon SPRING: $28.00 off").await;
    desk.click("button", "Place order").await;
    desk.expect("Total $28.00").await;
    assert_eq!(desk.unit("order", "Ink").text, "Ink $20.00\n3 x HDMI cable $12.00\n7 Hill Road\nSPRING");
}

async fn at_the_shelves(desk: &mut Desk) {
    desk.click("link", "Everything").await;
    desk.expect("50% off").await;
    desk.click("link", "Viewed: Desk lamp").await;
    desk.click("link", "Back to the shop").await;
    desk.click("button", "Page 2").await;
    desk.expect("Page 2 of 13").await;
    desk.keep("shop-page").await;
    desk.click("button", "Next page").await;
    desk.expect("Page 3 of 13").await;
    desk.click("button", "Previous page").await;
    Box::pin(searching(desk)).await;
    desk.click("button", "Details of Desk lamp").await;
    for known in ["Lumis", "Dims in four steps", "Only 3 left"] {
        desk.expect(known).await;
    }
    desk.fill_as("spinbutton", "Quantity", "4").await;
    desk.click("button", "Add to cart").await;
    desk.expect("Only 3 of Desk lamp are left.").await;
    desk.fill("Your review", "Too bright").await;
    desk.keep("shop-product").await;
    desk.click("button", "Post review").await;
    assert_eq!(desk.unit("review", "Desk lamp").readers, ["everybody"]);
    desk.click("radio", "Green").await;
    desk.click("button", "Buy now").await;
    desk.click("radio", "Home").await;
    desk.click("button", "Place order").await;
    let bought = desk.unit("order", "Desk lamp $30.00 Green");
    assert!(bought.text.ends_with("7 Hill Road"), "{}", bought.text);
    desk.click("link", "Address book").await;
    desk.expect("1 Main Street").await;
    desk.keep("shop-addresses").await;
    desk.click("button", "Remove address Home").await;
    desk.goto("/shop?q=lamp").await;
    desk.click("button", "Details of Desk lamp").await;
    desk.click("link", "Share product").await;
    desk.click("checkbox", "Sam").await;
    desk.fill("Message", "This one?").await;
    desk.click("button", "Send message").await;
    assert!(desk.unit("message", "This one?").text.contains("Desk lamp"));
}

async fn searching(desk: &mut Desk) {
    desk.fill_as("searchbox", "Search products", "tea").await;
    desk.click("button", "Search").await;
    assert_eq!(desk.last_event().kind, "product_searched");
    desk.fill_as("searchbox", "Search products", "lamp").await;
    desk.click("button", "Search").await;
    desk.expect("Desk lamp with clamp").await;
    desk.keep("shop-search").await;
    desk.click("DisclosureTriangle", "Filters").await;
    desk.click("checkbox", "Lumis").await;
    desk.click("checkbox", "$25 to $50").await;
    desk.click("checkbox", "In stock only").await;
    desk.click("button", "Apply filters").await;
    desk.expect("3 filters on").await;
    desk.expect("1 product").await;
    desk.keep("shop-filters").await;
    desk.click("link", "Clear filters").await;
    desk.click("button", "Remove tea from recent searches").await;
    desk.expect("“tea” removed from recent searches").await;
    desk.click("button", "Undo").await;
    desk.expect("Recent searches are back").await;
    desk.click("button", "Dismiss notification").await;
    assert_eq!(desk.address().await.trim_end_matches('?'), "/shop");
    desk.click("button", "Clear recent searches").await;
    desk.click("button", "Undo").await;
    desk.click("link", "Search again: lamp").await;
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
    desk.space("checkbox", "Select Ink").await;
    desk.enter("link", "Proceed to checkout").await;
    desk.write("Coupon code", "welcome10").await;
    desk.write("Gift recipient", "Sam").await;
    desk.write("Gift message", "Enjoy").await;
    desk.write("Order reference", "PO 18").await;
    desk.enter("button", "Place order").await;
    assert_eq!(desk.unit("gift", "Enjoy").readers, ["Sam"]);
    desk.unit("reference", "PO 18");
    assert_eq!(desk.unit("order", "HDMI cable").text, "HDMI cable $12.00\n7 Hill Road\nWELCOME10");
    desk.enter("button", "Share order 1").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share order").await;
    assert_eq!(desk.unit("shared_order", "HDMI cable").readers, ["Sam"]);
    desk.goto("/shop?q=lamp").await;
    desk.enter("button", "Details of Desk lamp").await;
    desk.write("Your review", "Just right").await;
    desk.press("Control+Enter").await;
    assert_eq!(desk.unit("review", "Desk lamp").text, "Desk lamp\nJust right");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_order_and_share_is_made_by_clicks_and_by_keyboard() {
    both_ways(STATES, by_clicks, by_keyboard).await;
}
