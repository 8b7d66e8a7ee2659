//! The cart, and lines wherever they stand.

use serde::Serialize;

use super::super::context::Context;
use super::super::names::Names;
use super::super::render::{self, Row};
use crate::scenario::model::{CartLine, Price, Shipping};
use crate::workspace::cart_total;

#[derive(Serialize)]
pub(super) struct Cart {
    lines: Vec<Line>,
    total: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Line {
    id: String,
    /// As controls of the page are called.
    control: String,
    title: String,
    price: Option<String>,
    quantity: u32,
    details: Vec<Row>,
}

pub(super) fn cart(context: &Context<'_>, names: &mut Names) -> Cart {
    let lines = &context.state.apps.shop.cart;
    Cart {
        lines: lines.iter().map(|held| line(context, held, names)).collect(),
        total: total_with(context, Shipping::Standard),
    }
}

/// The sum of the cart as it would be sent. A total of some of the prices would be a wrong one.
pub(super) fn total_with(context: &Context<'_>, shipping: Shipping) -> Option<String> {
    let total = cart_total(&context.state.apps.shop.cart, shipping);
    total.map(|price| context.text("shop.total", &[("price", &price.text)]))
}

pub(super) fn shown(price: Option<&Price>) -> Option<String> {
    price.map(|price| price.text.clone()).filter(|text| !text.is_empty())
}

pub(super) fn line(context: &Context<'_>, line: &CartLine, names: &mut Names) -> Line {
    Line {
        id: line.id.clone(),
        control: names.unique(context, &line.title),
        title: line.title.clone(),
        price: shown(line.price.as_ref()),
        quantity: line.quantity,
        details: render::rows(&line.details),
    }
}
