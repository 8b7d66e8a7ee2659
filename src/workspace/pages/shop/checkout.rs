//! Placing an order: where it goes, how it is sent and paid, and who reads what of it.

use serde::Serialize;

use super::super::context::Context;
use super::super::form::{Field, Form};
use super::super::names::Names;
use super::super::render::{self, Row};
use super::lines::{Cart, cart, total_with};
use super::route::PLACE;
use crate::scenario::model::Shipping;
use crate::workspace::{COURIER, EMPLOYER, SELLER};

#[derive(Serialize)]
struct Checkout {
    cart: Cart,
    addresses: Vec<Choice>,
    deliver_to: Field,
    keeps_address: bool,
    shippings: Vec<Choice>,
    payments: Vec<Choice>,
    gift_recipient: Field,
    gift_message: Field,
    hides_prices: bool,
    delivery_note: Field,
    seller_note: Field,
    reference: Field,
    people: Vec<String>,
    message: Option<String>,
}

/// One of several, of which one is chosen.
#[derive(Serialize)]
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) label: String,
    /// What else there is to know.
    pub(super) about: String,
    pub(super) chosen: bool,
}

/// An order before it is placed: what is in it, who reads what, and the form's values.
#[derive(Serialize)]
struct ReviewPage {
    cart: Cart,
    total: Option<String>,
    parts: Vec<ReviewPart>,
    values: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
struct ReviewPart {
    heading: String,
    rows: Vec<Row>,
    readers: String,
}

pub(super) fn checkout(context: &Context<'_>, form: &Form) -> String {
    let contacts = context.state.apps.messenger.contacts.iter();
    let (addresses, shippings, payments) = choices(context, form);
    let view = Checkout {
        cart: cart(context, &mut Names::default()),
        addresses,
        keeps_address: form.has("keeps_address", "yes"),
        shippings,
        payments,
        deliver_to: form.field("deliver_to"),
        gift_recipient: form.field("gift_recipient"),
        gift_message: form.field("gift_message"),
        hides_prices: form.given("deliver_to").is_none() || form.has("hides_prices", "yes"),
        delivery_note: form.field("delivery_note"),
        seller_note: form.field("seller_note"),
        reference: form.field("reference"),
        people: contacts.map(|contact| contact.name.clone()).collect(),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("shop.checkout_heading", &[]);
    render::page(context, PLACE, &heading, "shop_checkout.html", &view)
}

/// Ways to pay that the shop knows: a card that was stored, and two others.
const PAYMENTS: [&str; 3] = ["card_4242", "bank_transfer", "on_delivery"];

pub(super) fn payment(form: &Form) -> &'static str {
    PAYMENTS.into_iter().find(|known| form.value("payment") == *known).unwrap_or(PAYMENTS[0])
}

/// A way to pay in words; what the shop does not know is shown as it is.
pub(super) fn payment_text(context: &Context<'_>, payment: &str) -> String {
    if PAYMENTS.contains(&payment) {
        context.text(&format!("shop.payment.{payment}"), &[])
    } else {
        payment.to_owned()
    }
}

pub(super) fn shipping_text(context: &Context<'_>, shipping: Shipping) -> String {
    context.text(&format!("shop.shipping.{}", shipping.name()), &[])
}

/// Where an order goes: what was typed, else the chosen entry of the address book.
pub(super) fn deliver_to(context: &Context<'_>, form: &Form) -> String {
    let typed = form.value("deliver_to").trim();
    let chosen = form.value("address");
    let mut book = context.state.apps.shop.addresses.iter();
    match book.find(|held| typed.is_empty() && held.id == chosen) {
        Some(held) => held.text.clone(),
        None => typed.to_owned(),
    }
}

/// Addresses, ways of sending and ways to pay, with what the form says.
fn choices(context: &Context<'_>, form: &Form) -> (Vec<Choice>, Vec<Choice>, Vec<Choice>) {
    let book = &context.state.apps.shop.addresses;
    let asked = form.given("address");
    let first = book.first().map(|held| held.id.as_str());
    let mut addresses: Vec<Choice> = book
        .iter()
        .map(|held| Choice {
            value: held.id.clone(),
            label: if held.name.is_empty() { held.text.clone() } else { held.name.clone() },
            about: if held.name.is_empty() { String::new() } else { held.text.clone() },
            chosen: asked.or(first) == Some(held.id.as_str()),
        })
        .collect();
    if !addresses.is_empty() {
        addresses.push(Choice {
            value: String::new(),
            label: context.text("shop.other_address", &[]),
            about: String::new(),
            chosen: addresses.iter().all(|choice| !choice.chosen),
        });
    }
    let shipping = Shipping::from_name(form.value("shipping")).unwrap_or_default();
    let shippings = Shipping::ALL.map(|known| Choice {
        value: known.name().to_owned(),
        label: shipping_text(context, known),
        about: String::new(),
        chosen: known == shipping,
    });
    let payments = PAYMENTS.map(|known| Choice {
        value: known.to_owned(),
        label: payment_text(context, known),
        about: String::new(),
        chosen: known == payment(form),
    });
    (addresses, shippings.into(), payments.into())
}

/// The order as it would be placed, each part beside those who read it.
pub(super) fn review_page(context: &Context<'_>, form: &Form) -> String {
    let shipping = Shipping::from_name(form.value("shipping")).unwrap_or_default();
    let deliver_to = deliver_to(context, form);
    let mut parts = Vec::new();
    let mut part = |heading: &str, readers: &[String], facts: &[(&str, &str)]| {
        let mut rows = Vec::new();
        for (key, value) in facts {
            render::add_row(&mut rows, context, key, value.trim());
        }
        if !rows.is_empty() {
            let readers = context.readers(readers);
            parts.push(ReviewPart { heading: context.text(heading, &[]), rows, readers });
        }
    };
    let (sent, paid) = (shipping_text(context, shipping), payment_text(context, payment(form)));
    part(
        "shop.review_seller",
        &[SELLER.to_owned()],
        &[
            ("shop.deliver_to", &deliver_to),
            ("shop.shipping", &sent),
            ("shop.payment", &paid),
            ("shop.delivery_note", form.value("delivery_note")),
            ("shop.seller_note", form.value("seller_note")),
        ],
    );
    // As in `units::order_units`: the seller reads the note as well, the courier the address beside it.
    if !form.value("delivery_note").trim().is_empty() {
        let facts =
            [("shop.delivery_note", form.value("delivery_note")), ("shop.deliver_to", deliver_to.as_str())];
        part("shop.review_courier", &[COURIER.to_owned()], &facts);
    }
    let recipient = form.line("gift_recipient");
    let hides = context
        .text(if form.has("hides_prices", "yes") { "shop.hides_prices" } else { "shop.shows_prices" }, &[]);
    if !recipient.is_empty() {
        let names = [recipient.clone()];
        let facts = [
            ("shop.gift_recipient", recipient.as_str()),
            ("shop.gift_message", form.value("gift_message")),
            ("shop.packing_slip", &hides),
        ];
        part("shop.review_gift", &names, &facts);
    }
    part("shop.review_employer", &[EMPLOYER.to_owned()], &[("shop.reference", form.value("reference"))]);
    let fields = [
        "address",
        "deliver_to",
        "keeps_address",
        "shipping",
        "payment",
        "gift_recipient",
        "gift_message",
        "hides_prices",
        "delivery_note",
        "seller_note",
        "reference",
    ];
    let view = ReviewPage {
        cart: cart(context, &mut Names::default()),
        total: total_with(context, shipping),
        parts,
        values: fields.into_iter().filter_map(|name| Some((name, form.given(name)?.to_owned()))).collect(),
    };
    let heading = context.text("shop.review_heading", &[]);
    render::page(context, PLACE, &heading, "shop_review.html", &view)
}
