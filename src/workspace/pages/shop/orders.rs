//! Orders, and cancelling one.

use serde::Serialize;

use super::super::context::{Context, address};
use super::super::form::Form;
use super::super::moment;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::checkout::{discount_text, payment_text, shipping_text};
use super::lines::{Line, line, shown};
use super::route::PLACE;
use crate::scenario::model::{Order, Shipping};
use crate::workspace::CANCELLED;

#[derive(Serialize)]
pub(super) struct OrderView {
    address: String,
    share: String,
    number: usize,
    heading: String,
    /// The link to its own page: number, day and status.
    name: String,
    status: String,
    cancelled: bool,
    lines: Vec<Line>,
    rows: Vec<Row>,
    /// What became of it: each status with its time.
    history: Vec<Turn>,
    discount: Option<String>,
    total: Option<String>,
}

#[derive(Serialize)]
struct OrderPage {
    order: OrderView,
    message: Option<String>,
}

#[derive(Serialize)]
struct Turn {
    status: String,
    at: String,
}

/// Orders, the newest first; they are numbered in the order of placing.
pub(super) fn orders(context: &Context<'_>) -> Vec<OrderView> {
    let orders = &context.state.apps.shop.orders;
    let numbered = (1..).zip(orders).map(|(number, order)| order_view(context, number, order));
    let mut views: Vec<OrderView> = numbered.collect();
    views.reverse();
    views
}

fn order_view(context: &Context<'_>, number: usize, order: &Order) -> OrderView {
    let mut rows = Vec::new();
    let placed = order.placed_at.map(moment::stamp).unwrap_or_default();
    render::add_row(&mut rows, context, "shop.placed_at", &placed);
    render::add_row(&mut rows, context, "shop.deliver_to", &order.deliver_to);
    if order.placed_at.is_some() || order.shipping != Shipping::Standard {
        render::add_row(&mut rows, context, "shop.shipping", &shipping_text(context, order.shipping));
    }
    render::add_row(&mut rows, context, "shop.payment", &payment_text(context, &order.payment));
    render::add_row(&mut rows, context, "shop.gift_recipient", &order.gift_recipient);
    render::add_row(&mut rows, context, "shop.gift_message", &order.gift_message);
    render::add_row(&mut rows, context, "shop.delivery_note", &order.delivery_note);
    render::add_row(&mut rows, context, "shop.seller_note", &order.seller_note);
    render::add_row(&mut rows, context, "shop.reference", &order.reference);
    let off = shown(order.discount.as_ref());
    if off.is_none() {
        render::add_row(&mut rows, context, "shop.coupon", &order.coupon);
    }
    rows.extend(render::rows(&order.details));
    let heading = context.text("shop.order", &[("number", &number.to_string())]);
    let day = order.placed_at.map(|placed| placed.date().to_string()).unwrap_or_default();
    let parts = [heading.as_str(), &day, &order.status];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    // Within an order nothing can be pressed, so its lines need no names of their own.
    let mut names = Names::default();
    OrderView {
        address: address(&["shop", "orders", &order.id]),
        share: address(&["shop", "share", "order", &order.id]),
        number,
        name: context.joined(&parts),
        heading,
        history: history(order),
        status: order.status.clone(),
        cancelled: order.status == CANCELLED,
        lines: order.lines.iter().map(|held| line(context, held, &mut names)).collect(),
        rows,
        discount: off.map(|off| discount_text(context, &order.coupon, &off)),
        total: shown(order.total.as_ref()).map(|price| context.text("shop.total", &[("price", &price)])),
    }
}

/// From the day it was placed to the status it has; nothing where only that is known.
fn history(order: &Order) -> Vec<Turn> {
    let placed =
        order.placed_at.map(|placed| Turn { status: "placed".to_owned(), at: moment::stamp(placed) });
    let later = order.history.iter().map(|step| Turn { status: step.status.clone(), at: step.at.clone() });
    placed.into_iter().chain(later).collect()
}

/// One order with its history.
pub(super) fn order_page(context: &Context<'_>, id: &str) -> Option<String> {
    let orders = &context.state.apps.shop.orders;
    let position = orders.iter().position(|order| order.id == id)?;
    let order = order_view(context, position + 1, &orders[position]);
    let heading = order.heading.clone();
    Some(render::page(context, PLACE, &heading, "shop_order.html", &OrderPage { order, message: None }))
}

pub(super) fn cancel_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let orders = &context.state.apps.shop.orders;
    let position = orders.iter().position(|order| order.id == id)?;
    let order = order_view(context, position + 1, &orders[position]);
    let heading = context.text("shop.cancel_heading", &[("number", &order.number.to_string())]);
    let view = OrderPage { order, message: form.message().map(str::to_owned) };
    Some(render::page(context, PLACE, &heading, "shop_cancel.html", &view))
}
