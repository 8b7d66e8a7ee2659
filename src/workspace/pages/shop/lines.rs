//! The cart, and lines wherever they stand.

use serde::Serialize;

use super::super::context::Context;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::picture::{Picture, picture};
use super::products::titled;
use crate::scenario::model::{CartLine, Price, Shipping};
use crate::workspace::bill;

#[derive(Serialize)]
pub(super) struct Cart {
    lines: Vec<Line>,
    /// Of the lines that are ordered.
    total: Option<String>,
    /// What is ordered of how much, where something is left out.
    selected: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Line {
    id: String,
    /// As controls of the page are called.
    control: String,
    title: String,
    picture: Picture,
    price: Option<String>,
    quantity: u32,
    selected: bool,
    details: Vec<Row>,
}

pub(super) fn cart(context: &Context<'_>, names: &mut Names) -> Cart {
    let lines = &context.state.apps.shop.cart;
    let (count, all) = (chosen(context).len(), lines.len());
    let selected =
        context.text("shop.selected_count", &[("count", &count.to_string()), ("all", &all.to_string())]);
    Cart {
        lines: lines.iter().map(|held| line(context, held, names)).collect(),
        total: total(context),
        selected: (count < all).then_some(selected),
    }
}

/// The lines of the cart that an order takes, and nothing else of it.
pub(super) fn ordered(context: &Context<'_>) -> Cart {
    let mut names = Names::default();
    Cart {
        lines: chosen(context).iter().map(|held| line(context, held, &mut names)).collect(),
        total: total(context),
        selected: None,
    }
}

fn chosen(context: &Context<'_>) -> Vec<CartLine> {
    context.state.apps.shop.cart.iter().filter(|line| !line.left_out).cloned().collect()
}

/// The sum as it would be sent. A total of some of the prices would be a wrong one.
fn total(context: &Context<'_>) -> Option<String> {
    bill(&chosen(context), Shipping::Standard, 0).map(|bill| total_text(context, &bill.total))
}

pub(super) fn total_text(context: &Context<'_>, total: &Price) -> String {
    context.text("shop.total", &[("price", &total.text)])
}

pub(super) fn shown(price: Option<&Price>) -> Option<String> {
    price.map(|price| price.text.clone()).filter(|text| !text.is_empty())
}

pub(super) fn line(context: &Context<'_>, line: &CartLine, names: &mut Names) -> Line {
    Line {
        id: line.id.clone(),
        control: names.unique(context, &line.title),
        title: line.title.clone(),
        picture: picture(titled(context, &line.title), &line.title),
        price: shown(line.price.as_ref()),
        quantity: line.quantity,
        selected: !line.left_out,
        details: render::rows(&line.details),
    }
}
