//! Placing an order: where it goes, how it is sent and paid, and who reads what of it.

use serde::Serialize;

use super::super::context::Context;
use super::super::form::{Field, Form};
use super::super::render::{self, Row};
use super::lines::{Cart, ordered, total_text};
use super::route::PLACE;
use crate::scenario::model::{Order, Shipping};
use crate::workspace::change::change;
use crate::workspace::units::units_of;
use crate::workspace::{App, Command, NewOrder, OWN_COUPON, Unit};

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
    coupon: Field,
    coupon_hint: String,
    /// Whether the cart holds something that is not selected.
    has_more: bool,
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
    discount: Option<String>,
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
    let (addresses, shippings, payments) = choices(context, form);
    let view = Checkout {
        cart: ordered(context),
        has_more: context.state.apps.shop.cart.iter().any(|line| line.left_out),
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
        coupon: form.field("coupon"),
        coupon_hint: context
            .text("shop.coupon_hint", &[("code", OWN_COUPON.0), ("percent", &OWN_COUPON.1.to_string())]),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("shop.checkout_heading", &[]);
    render::page(context, PLACE, &heading, "shop_checkout.html", &view)
}

/// Ways to pay that the shop knows: a card that was stored, and two others.
const PAYMENTS: [&str; 3] = ["card_4242", "bank_transfer", "on_delivery"];

fn payment(form: &Form) -> &'static str {
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

/// What a coupon took off, in words.
pub(super) fn discount_text(context: &Context<'_>, code: &str, off: &str) -> String {
    context.text("shop.discount", &[("code", code), ("price", off)])
}

pub(super) fn shipping_text(context: &Context<'_>, shipping: Shipping) -> String {
    context.text(&format!("shop.shipping.{}", shipping.name()), &[])
}

/// Where an order goes: what was typed, else the chosen entry of the address book.
fn deliver_to(context: &Context<'_>, form: &Form) -> String {
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

/// The order that a form asks for.
pub(super) fn new_order(context: &Context<'_>, form: &Form) -> NewOrder {
    NewOrder {
        deliver_to: deliver_to(context, form),
        gift_recipient: form.line("gift_recipient"),
        gift_message: form.value("gift_message").trim().to_owned(),
        delivery_note: form.value("delivery_note").trim().to_owned(),
        seller_note: form.value("seller_note").trim().to_owned(),
        reference: form.line("reference"),
        shows_prices: !form.has("hides_prices", "yes"),
        shipping: Shipping::from_name(form.value("shipping")).unwrap_or_default(),
        payment: payment(form).to_owned(),
        keeps_address: form.has("keeps_address", "yes"),
        coupon: form.line("coupon"),
    }
}

/// Fields of the form, which the review hands on.
const FIELDS: [&str; 12] = [
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
    "coupon",
];

/// The order as it would be placed, each part beside those who read it; it is placed in a copy of the
/// state, so that the page says what the store will say. Where the store would not take it, the form with
/// its reason.
pub(super) fn review_page(context: &Context<'_>, form: &Form) -> String {
    let mut placed = context.state.clone();
    let id = match change(&mut placed, &Command::PlaceOrder(new_order(context, form))) {
        Ok(change) => change.entity,
        Err(error) => {
            let mut form = form.clone();
            form.refuse(&error.message_in(context.language));
            return checkout(context, &form);
        }
    };
    let told = units_of(&placed, App::Shop).into_iter().filter(|unit| unit.entity == id);
    let told: Vec<Unit> = told.collect();
    let orders = placed.apps.shop.orders.into_iter();
    let order = orders.last().unwrap_or_default();
    let view = ReviewPage {
        cart: ordered(context),
        discount: order.discount.as_ref().map(|off| discount_text(context, &order.coupon, &off.text)),
        total: order.total.as_ref().map(|total| total_text(context, total)),
        parts: told.iter().map(|unit| review_part(context, &order, unit)).collect(),
        values: FIELDS.into_iter().filter_map(|name| Some((name, form.given(name)?.to_owned()))).collect(),
    };
    let heading = context.text("shop.review_heading", &[]);
    render::page(context, PLACE, &heading, "shop_review.html", &view)
}

/// What one kind of reader reads of an order, beside what is in it.
fn review_part(context: &Context<'_>, order: &Order, unit: &Unit) -> ReviewPart {
    let (sent, paid) = (shipping_text(context, order.shipping), payment_text(context, &order.payment));
    let slip = context.text(if order.shows_prices { "shop.shows_prices" } else { "shop.hides_prices" }, &[]);
    let (heading, facts): (&str, &[(&str, &str)]) = match unit.kind.as_str() {
        "gift" => (
            "shop.review_gift",
            &[
                ("shop.gift_recipient", &order.gift_recipient),
                ("shop.gift_message", &order.gift_message),
                ("shop.packing_slip", &slip),
            ],
        ),
        "delivery" => (
            "shop.review_courier",
            &[("shop.delivery_note", &order.delivery_note), ("shop.deliver_to", &order.deliver_to)],
        ),
        "reference" => ("shop.review_employer", &[("shop.reference", &order.reference)]),
        _ => (
            "shop.review_seller",
            &[
                ("shop.deliver_to", &order.deliver_to),
                ("shop.shipping", &sent),
                ("shop.payment", &paid),
                ("shop.delivery_note", &order.delivery_note),
                ("shop.seller_note", &order.seller_note),
                ("shop.coupon", &order.coupon),
            ],
        ),
    };
    let mut rows = Vec::new();
    for (key, value) in facts {
        render::add_row(&mut rows, context, key, value.trim());
    }
    let readers = context.readers(&unit.addressed_to);
    ReviewPart { heading: context.text(heading, &[]), rows, readers }
}
