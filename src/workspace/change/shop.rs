//! Cart and orders.

use super::super::{App, CommandError, NewOrder, WorkspaceState, catalogue};
use super::apply::Change;
use super::checks::{self, Meant};
use crate::scenario::model::{CartLine, Order, Price, Shop};

/// Pieces of one product in the cart.
const QUANTITY_LIMIT: u32 = 999;

pub(super) fn add_to_cart(state: &mut WorkspaceState, typed: &str) -> Result<Change, CommandError> {
    let title = checks::filled_line("product", typed)?;
    let price = price_of(&state.apps.shop, &title)?;
    if let Some(line) = state.apps.shop.cart.iter_mut().find(|line| line.title == title) {
        if line.quantity >= QUANTITY_LIMIT {
            return Err(CommandError::TooMany { field: "quantity", limit: QUANTITY_LIMIT as usize });
        }
        line.quantity += 1;
        return Ok(Change::new(App::Shop, "cart_filled", &line.id, &line.id));
    }
    let id = state.next_id("line");
    state.apps.shop.cart.push(CartLine { id: id.clone(), title, price, quantity: 1, details: Vec::new() });
    Ok(Change::new(App::Shop, "cart_filled", &id, &id))
}

pub(super) fn place_order(state: &mut WorkspaceState, new: &NewOrder) -> Result<Change, CommandError> {
    let deliver_to = checks::text("delivery address", &new.deliver_to)?;
    let mut gift_recipient = checks::line("gift recipient", &new.gift_recipient)?;
    if let Meant::One(contact) = checks::contact_meant(&state.apps.messenger, &gift_recipient) {
        contact.clone_into(&mut gift_recipient);
    }
    let gift_message = checks::text("gift message", &new.gift_message)?;
    let delivery_note = checks::text("delivery note", &new.delivery_note)?;
    let seller_note = checks::text("note to the seller", &new.seller_note)?;
    if gift_recipient.is_empty() && !gift_message.trim().is_empty() {
        return Err(CommandError::GiftWithoutRecipient);
    }
    if state.apps.shop.cart.is_empty() {
        return Err(CommandError::EmptyCart);
    }
    let id = state.next_id("order");
    let shop = &mut state.apps.shop;
    let lines = std::mem::take(&mut shop.cart);
    let total = total(&lines);
    shop.orders.push(Order {
        id: id.clone(),
        lines,
        status: "placed".to_owned(),
        deliver_to,
        gift_recipient,
        gift_message,
        delivery_note,
        seller_note,
        total,
        details: Vec::new(),
    });
    Ok(Change::new(App::Shop, "order_placed", &id, &id))
}

/// The price of a product that the scenario names anywhere in the shop, or that is in the
/// catalogue.
fn price_of(shop: &Shop, title: &str) -> Result<Option<Price>, CommandError> {
    if let Some(product) = shop.products.iter().find(|product| product.title == title) {
        return Ok(product.price.clone());
    }
    let ordered = shop.orders.iter().flat_map(|order| &order.lines);
    let mut lines = shop.cart.iter().chain(&shop.saved_for_later).chain(ordered);
    if let Some(line) = lines.find(|line| line.title == title) {
        return Ok(line.price.clone());
    }
    match catalogue().iter().find(|product| product.title == title) {
        Some(product) => Ok(product.price.clone()),
        None => Err(CommandError::UnknownProduct { title: title.to_owned() }),
    }
}

/// The sum, where every line has a price in the same currency.
fn total(lines: &[CartLine]) -> Option<Price> {
    let mut cents: i64 = 0;
    let mut around: Option<(&str, &str)> = None;
    for line in lines {
        let price = line.price.as_ref()?;
        cents = cents.checked_add(price.cents?.checked_mul(i64::from(line.quantity))?)?;
        let here = currency(&price.text)?;
        if around.is_some_and(|before| before != here) {
            return None;
        }
        around = Some(here);
    }
    let (before, after) = around?;
    let sign = if cents < 0 { "-" } else { "" };
    let text = format!("{before}{sign}{}.{:02}{after}", cents.abs() / 100, cents.abs() % 100);
    Some(Price { cents: Some(cents), text })
}

/// What stands around the amount: `("$", "")` of `$48.00`.
fn currency(text: &str) -> Option<(&str, &str)> {
    let first = text.find(|letter: char| letter.is_ascii_digit())?;
    let last = text.rfind(|letter: char| letter.is_ascii_digit())?;
    Some((&text[..first], &text[last + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(price: Option<(&str, i64)>, quantity: u32) -> CartLine {
        CartLine {
            id: "line-1".to_owned(),
            title: "Lamp".to_owned(),
            price: price.map(|(text, cents)| Price { cents: Some(cents), text: text.to_owned() }),
            quantity,
            details: Vec::new(),
        }
    }

    #[test]
    fn a_total_needs_every_price_in_one_currency() {
        let two = [line(Some(("$48.00", 4800)), 2), line(Some(("$0.05", 5)), 1)];
        assert_eq!(total(&two), Some(Price { cents: Some(9605), text: "$96.05".to_owned() }));
        let euro = [line(Some(("4,50 €", 450)), 1)];
        assert_eq!(total(&euro).map(|price| price.text), Some("4.50 €".to_owned()));
        assert_eq!(total(&[line(Some(("$1.00", 100)), 1), line(Some(("1.00 €", 100)), 1)]), None);
        assert_eq!(total(&[line(None, 1)]), None);
        assert_eq!(total(&[line(Some(("$1.00", i64::MAX)), 2)]), None);
    }
}
