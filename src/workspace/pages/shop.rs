//! Shop: cart, saved for later, orders, products, checkout.

use serde::Serialize;

use super::context::{Context, confirmed};
use super::form::{Field, Form};
use super::names::Names;
use super::render::{self, Place, Row};
use super::router::{Answer, Reading};
use crate::scenario::model::{CartLine, Order, Price, Product};
use crate::workspace::{App, Command, NewOrder, catalogue};

/// Which parts of the shop a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Everything,
    Cart,
    Orders,
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Self::Everything => "overview",
            Self::Cart => "cart",
            Self::Orders => "orders",
        }
    }
}

#[derive(Serialize)]
struct ShopPage {
    part: &'static str,
    cart: Option<Cart>,
    saved: Option<Vec<Line>>,
    orders: Option<Vec<OrderView>>,
    products: Option<Vec<ProductView>>,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Cart {
    lines: Vec<Line>,
    total: Option<String>,
}

#[derive(Serialize)]
struct Line {
    title: String,
    price: Option<String>,
    quantity: u32,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct OrderView {
    heading: String,
    status: String,
    lines: Vec<Line>,
    rows: Vec<Row>,
    total: Option<String>,
}

#[derive(Serialize)]
struct ProductView {
    title: String,
    add: String,
    price: Option<String>,
    description: String,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct Checkout {
    cart: Cart,
    deliver_to: Field,
    gift_recipient: Field,
    gift_message: Field,
    delivery_note: Field,
    seller_note: Field,
    people: Vec<String>,
    message: Option<String>,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let html = match segments {
        [] => shop_page(context, Part::Everything, &Form::default()),
        ["cart"] => shop_page(context, Part::Cart, &Form::default()),
        ["orders"] => shop_page(context, Part::Orders, &Form::default()),
        ["checkout"] => checkout(context, &Form::default()),
        _ => return None,
    };
    Some(render::answer(html))
}

#[expect(clippy::needless_pass_by_value, reason = "all apps read forms alike; others give theirs back")]
pub(super) fn post(context: &Context<'_>, segments: &[&str], form: Form) -> Option<Reading> {
    match segments {
        ["cart", "add"] => {
            let title = form.value("title").to_owned();
            // The title comes from the page's own button; another one is no product.
            let offered = catalogue::offered(&context.state.apps.shop);
            let product = offered.into_iter().find(|product| product.title == title)?;
            let command = Command::AddToCart { title: product.title.clone() };
            Some(Ok((command, confirmed("/shop", "cart_added", "{entity}"))))
        }
        ["checkout"] => {
            let order = NewOrder {
                deliver_to: form.value("deliver_to").trim().to_owned(),
                gift_recipient: form.line("gift_recipient"),
                gift_message: form.value("gift_message").trim().to_owned(),
                delivery_note: form.value("delivery_note").trim().to_owned(),
                seller_note: form.value("seller_note").trim().to_owned(),
            };
            Some(Ok((Command::PlaceOrder(order), confirmed("/shop/orders", "order_placed", "{entity}"))))
        }
        _ => None,
    }
}

pub(super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> String {
    match segments {
        ["checkout"] => checkout(context, form),
        _ => shop_page(context, Part::Everything, form),
    }
}

fn shop_page(context: &Context<'_>, part: Part, form: &Form) -> String {
    let shop = &context.state.apps.shop;
    let everything = part == Part::Everything;
    let view = ShopPage {
        part: part.name(),
        cart: (part != Part::Orders).then(|| cart(context)),
        saved: (part != Part::Orders).then(|| shop.saved_for_later.iter().map(line).collect()),
        orders: (part != Part::Cart).then(|| orders(context)),
        products: everything.then(|| products(context)),
        details: if everything { render::rows(&shop.details) } else { Vec::new() },
        message: form.message().map(str::to_owned),
    };
    let heading = match part {
        Part::Everything => context.text("nav.shop", &[]),
        Part::Cart => context.text("shop.cart", &[]),
        Part::Orders => context.text("shop.orders", &[]),
    };
    render::page(context, Place::In(App::Shop), &heading, "shop.html", &view)
}

fn cart(context: &Context<'_>) -> Cart {
    let lines = &context.state.apps.shop.cart;
    let cents = lines.iter().map(|line| {
        let price = line.price.as_ref()?.cents?;
        price.checked_mul(i64::from(line.quantity))
    });
    // A total of some of the prices would be a wrong one.
    let total = cents.sum::<Option<i64>>().filter(|_| !lines.is_empty()).map(dollars);
    Cart {
        lines: lines.iter().map(line).collect(),
        total: total.map(|price| context.text("shop.total", &[("price", &price)])),
    }
}

fn dollars(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}${}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

fn shown(price: Option<&Price>) -> Option<String> {
    price.map(|price| price.text.clone()).filter(|text| !text.is_empty())
}

fn line(line: &CartLine) -> Line {
    Line {
        title: line.title.clone(),
        price: shown(line.price.as_ref()),
        quantity: line.quantity,
        details: render::rows(&line.details),
    }
}

/// Orders, the newest first; they are numbered in the order of placing.
fn orders(context: &Context<'_>) -> Vec<OrderView> {
    let orders = &context.state.apps.shop.orders;
    let numbered = (1..).zip(orders).map(|(number, order)| order_view(context, number, order));
    let mut views: Vec<OrderView> = numbered.collect();
    views.reverse();
    views
}

fn order_view(context: &Context<'_>, number: usize, order: &Order) -> OrderView {
    let mut rows = Vec::new();
    render::add_row(&mut rows, context, "shop.deliver_to", &order.deliver_to);
    render::add_row(&mut rows, context, "shop.gift_recipient", &order.gift_recipient);
    render::add_row(&mut rows, context, "shop.gift_message", &order.gift_message);
    render::add_row(&mut rows, context, "shop.delivery_note", &order.delivery_note);
    render::add_row(&mut rows, context, "shop.seller_note", &order.seller_note);
    rows.extend(render::rows(&order.details));
    OrderView {
        heading: context.text("shop.order", &[("number", &number.to_string())]),
        status: order.status.clone(),
        lines: order.lines.iter().map(line).collect(),
        rows,
        total: shown(order.total.as_ref()).map(|price| context.text("shop.total", &[("price", &price)])),
    }
}

fn products(context: &Context<'_>) -> Vec<ProductView> {
    let mut names = Names::default();
    let view = |product: &Product| ProductView {
        title: product.title.clone(),
        add: names.unique(context, &context.text("shop.add", &[("title", &product.title)])),
        price: shown(product.price.as_ref()),
        description: product.description.clone(),
        details: render::rows(&product.details),
    };
    catalogue::offered(&context.state.apps.shop).into_iter().map(view).collect()
}

fn checkout(context: &Context<'_>, form: &Form) -> String {
    let contacts = context.state.apps.messenger.contacts.iter();
    let view = Checkout {
        cart: cart(context),
        deliver_to: form.field("deliver_to"),
        gift_recipient: form.field("gift_recipient"),
        gift_message: form.field("gift_message"),
        delivery_note: form.field("delivery_note"),
        seller_note: form.field("seller_note"),
        people: contacts.map(|contact| contact.name.clone()).collect(),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("shop.checkout_heading", &[]);
    render::page(context, Place::In(App::Shop), &heading, "shop_checkout.html", &view)
}
