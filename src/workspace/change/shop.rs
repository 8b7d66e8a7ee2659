//! Cart and orders.

use super::super::{App, CommandError, NewOrder, ShopCommand, WorkspaceState, catalogue};
use super::apply::Change;
use super::checks::{self, Meant};
use super::shares;
use crate::scenario::model::{
    Address, CartLine, Detail, Order, Price, ProductOption, RemovedLine, Review, Shelf, Shipping, Shop,
};

/// Entries of the address book.
const ADDRESSES_LIMIT: usize = 100;
/// Pieces of one product in the cart.
const QUANTITY_LIMIT: u32 = 999;

/// The status of an order that was cancelled here.
pub(crate) const CANCELLED: &str = "cancelled";

pub(super) fn change(state: &mut WorkspaceState, command: &ShopCommand) -> Result<Change, CommandError> {
    match command {
        ShopCommand::AddSeveral { title, quantity, chosen } => {
            let title = checks::filled_line("product", title)?;
            let price = price_of(&state.apps.shop, &title)?;
            let details = chosen_options(&state.apps.shop, &title, chosen)?;
            let line = CartLine { id: String::new(), title, price, quantity: *quantity, details };
            let id = put_into_cart(state, line)?;
            Ok(done("cart_filled", &id))
        }
        ShopCommand::SetQuantity { line, quantity } => {
            check_quantity(*quantity)?;
            let mut lines = state.apps.shop.cart.iter_mut();
            let held = lines.find(|held| held.id == *line).ok_or_else(|| unknown("line", line))?;
            held.quantity = *quantity;
            Ok(done("quantity_changed", line))
        }
        ShopCommand::RemoveLine { line } => {
            let (shelf, position) = place_of(&state.apps.shop, line)?;
            let shop = &mut state.apps.shop;
            let removed = shelf_of(shop, shelf).remove(position);
            shop.removed = Some(RemovedLine { shelf, position, line: removed });
            Ok(done("line_removed", line))
        }
        ShopCommand::SaveForLater { line } => {
            let (_, position) = on_shelf(&state.apps.shop, line, &[Shelf::Cart])?;
            let shop = &mut state.apps.shop;
            let held = shop.cart.remove(position);
            shop.saved_for_later.push(held);
            Ok(done("line_saved", line))
        }
        ShopCommand::MoveToCart { line } => {
            let (shelf, position) = on_shelf(&state.apps.shop, line, &[Shelf::Saved, Shelf::Wishes])?;
            let held = shelf_of(&mut state.apps.shop, shelf).remove(position);
            let id = put_into_cart(state, held)?;
            Ok(done("cart_filled", &id))
        }
        ShopCommand::SaveProduct { title } => put_aside(state, title, Shelf::Saved),
        ShopCommand::Wish { title } => put_aside(state, title, Shelf::Wishes),
        ShopCommand::CancelOrder { order } => {
            let mut orders = state.apps.shop.orders.iter_mut();
            let held = orders.find(|held| held.id == *order).ok_or_else(|| unknown("order", order))?;
            if held.status == CANCELLED {
                return Err(CommandError::AlreadyCancelled);
            }
            CANCELLED.clone_into(&mut held.status);
            Ok(done("order_cancelled", order))
        }
        ShopCommand::BuyAgain { order } => {
            let held = state.apps.shop.orders.iter().find(|held| held.id == *order);
            let lines = held.ok_or_else(|| unknown("order", order))?.lines.clone();
            let mut last = order.clone();
            for line in lines {
                last = put_into_cart(state, CartLine { id: String::new(), ..line })?;
            }
            Ok(Change::new(App::Shop, "cart_filled", &last, order))
        }
        ShopCommand::AddAddress { name, text } => {
            let name = checks::line("name", name)?;
            let text = checks::filled_text("address", text)?;
            let id = keep_address(state, name, text)?;
            Ok(done("address_added", &id))
        }
        ShopCommand::RemoveAddress { address } => {
            let addresses = &mut state.apps.shop.addresses;
            let position = addresses.iter().position(|held| held.id == *address);
            addresses.remove(position.ok_or_else(|| unknown("address", address))?);
            Ok(done("address_removed", address))
        }
        ShopCommand::Share(new) => {
            let share = shares::share(state, new)?;
            let change = done(shares::event_kind(share.kind), &share.id);
            state.apps.shop.shares.push(share);
            Ok(change)
        }
        ShopCommand::Unshare { share } => {
            let shares = &mut state.apps.shop.shares;
            let position = shares.iter().position(|held| held.id == *share);
            shares.remove(position.ok_or_else(|| unknown("share", share))?);
            Ok(done("share_removed", share))
        }
        ShopCommand::Review { title, stars, text } => {
            let product = checks::filled_line("product", title)?;
            price_of(&state.apps.shop, &product)?;
            let text = checks::filled_text("review", text)?;
            if !(1..=5).contains(stars) {
                return Err(CommandError::Stars);
            }
            let id = state.next_id("review");
            state.apps.shop.reviews.push(Review { id: id.clone(), product, stars: *stars, text });
            Ok(done("review_posted", &id))
        }
        ShopCommand::Undo => {
            let shop = &mut state.apps.shop;
            let RemovedLine { shelf, position, line } =
                shop.removed.take().ok_or(CommandError::NothingToUndo)?;
            let id = line.id.clone();
            let lines = shelf_of(shop, shelf);
            lines.insert(position.min(lines.len()), line);
            Ok(done("line_restored", &id))
        }
    }
}

fn done(kind: &'static str, entity: &str) -> Change {
    Change::new(App::Shop, kind, entity, entity)
}

fn unknown(what: &'static str, id: &str) -> CommandError {
    CommandError::Unknown { what, id: id.to_owned() }
}

fn shelf_of(shop: &mut Shop, shelf: Shelf) -> &mut Vec<CartLine> {
    match shelf {
        Shelf::Cart => &mut shop.cart,
        Shelf::Saved => &mut shop.saved_for_later,
        Shelf::Wishes => &mut shop.wish_list,
    }
}

fn place_of(shop: &Shop, id: &str) -> Result<(Shelf, usize), CommandError> {
    on_shelf(shop, id, &[Shelf::Cart, Shelf::Saved, Shelf::Wishes])
}

fn on_shelf(shop: &Shop, id: &str, shelves: &[Shelf]) -> Result<(Shelf, usize), CommandError> {
    let held = |shelf: &Shelf| match shelf {
        Shelf::Cart => &shop.cart,
        Shelf::Saved => &shop.saved_for_later,
        Shelf::Wishes => &shop.wish_list,
    };
    let place = |shelf: &Shelf| Some((*shelf, held(shelf).iter().position(|line| line.id == id)?));
    shelves.iter().find_map(place).ok_or_else(|| unknown("line", id))
}

fn check_quantity(quantity: u32) -> Result<(), CommandError> {
    match quantity {
        0 => Err(CommandError::NoQuantity),
        1..=QUANTITY_LIMIT => Ok(()),
        _ => Err(CommandError::TooMany { field: "quantity", limit: QUANTITY_LIMIT as usize }),
    }
}

/// Puts a line into the cart; more of what is there already makes no second line. A line without id
/// gets one. Tells the id of the line in the cart.
fn put_into_cart(state: &mut WorkspaceState, mut line: CartLine) -> Result<String, CommandError> {
    check_quantity(line.quantity)?;
    // What was chosen of a product's options makes another thing of it.
    let is_same = |held: &&mut CartLine| {
        held.title == line.title && (line.details.is_empty() || held.details == line.details)
    };
    if let Some(held) = state.apps.shop.cart.iter_mut().find(is_same) {
        let together = held.quantity.saturating_add(line.quantity);
        check_quantity(together)?;
        held.quantity = together;
        return Ok(held.id.clone());
    }
    if line.id.is_empty() {
        line.id = state.next_id("line");
    }
    let id = line.id.clone();
    state.apps.shop.cart.push(line);
    Ok(id)
}

/// What was chosen, as details of the line: one value of each of the product's options.
fn chosen_options(shop: &Shop, title: &str, chosen: &[Detail]) -> Result<Vec<Detail>, CommandError> {
    let offered = catalogue::offered(shop);
    let options = offered.into_iter().find(|product| product.title == title).map(|product| &product.options);
    for detail in chosen {
        let fits =
            |option: &ProductOption| option.name == detail.label && option.values.contains(&detail.value);
        if !options.is_some_and(|options| options.iter().any(fits)) {
            return Err(CommandError::Unknown { what: "option", id: detail.value.clone() });
        }
    }
    Ok(chosen.to_vec())
}

/// Puts an address into the book, unless it is there. Tells its id.
fn keep_address(state: &mut WorkspaceState, name: String, text: String) -> Result<String, CommandError> {
    if let Some(held) = state.apps.shop.addresses.iter().find(|held| held.text == text) {
        return Ok(held.id.clone());
    }
    if state.apps.shop.addresses.len() >= ADDRESSES_LIMIT {
        return Err(CommandError::TooMany { field: "address book", limit: ADDRESSES_LIMIT });
    }
    let id = state.next_id("address");
    state.apps.shop.addresses.push(Address { id: id.clone(), name, text });
    Ok(id)
}

fn put_aside(state: &mut WorkspaceState, typed: &str, shelf: Shelf) -> Result<Change, CommandError> {
    let title = checks::filled_line("product", typed)?;
    let price = price_of(&state.apps.shop, &title)?;
    let kind = if shelf == Shelf::Wishes { "wish_added" } else { "line_saved" };
    if let Some(line) = shelf_of(&mut state.apps.shop, shelf).iter().find(|line| line.title == title) {
        return Ok(done(kind, &line.id));
    }
    let id = state.next_id("line");
    let line = CartLine { id: id.clone(), title, price, quantity: 1, details: Vec::new() };
    shelf_of(&mut state.apps.shop, shelf).push(line);
    Ok(done(kind, &id))
}

pub(super) fn add_to_cart(state: &mut WorkspaceState, typed: &str) -> Result<Change, CommandError> {
    let title = checks::filled_line("product", typed)?;
    let price = price_of(&state.apps.shop, &title)?;
    let line = CartLine { id: String::new(), title, price, quantity: 1, details: Vec::new() };
    let id = put_into_cart(state, line)?;
    Ok(done("cart_filled", &id))
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
    let reference = checks::line("order reference", &new.reference)?;
    let payment = checks::line("payment", &new.payment)?;
    if gift_recipient.is_empty() && !gift_message.trim().is_empty() {
        return Err(CommandError::GiftWithoutRecipient);
    }
    if state.apps.shop.cart.is_empty() {
        return Err(CommandError::EmptyCart);
    }
    if new.keeps_address && !deliver_to.trim().is_empty() {
        keep_address(state, String::new(), deliver_to.clone())?;
    }
    let (id, placed_at) = (state.next_id("order"), state.now);
    let shop = &mut state.apps.shop;
    let lines = std::mem::take(&mut shop.cart);
    let total = total(&lines, new.shipping);
    shop.orders.push(Order {
        id: id.clone(),
        lines,
        status: "placed".to_owned(),
        deliver_to,
        gift_recipient,
        gift_message,
        delivery_note,
        seller_note,
        reference,
        shows_prices: new.shows_prices,
        total,
        shipping: new.shipping,
        payment,
        placed_at: Some(placed_at),
        details: Vec::new(),
        ..Order::default()
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
    let mut lines = shop.cart.iter().chain(&shop.saved_for_later).chain(&shop.wish_list).chain(ordered);
    if let Some(line) = lines.find(|line| line.title == title) {
        return Ok(line.price.clone());
    }
    match catalogue().iter().find(|product| product.title == title) {
        Some(product) => Ok(product.price.clone()),
        None => Err(CommandError::UnknownProduct { title: title.to_owned() }),
    }
}

/// The sum with the shipping, where every line has a price in the same currency, written as the first
/// price is.
pub(in crate::workspace) fn total(lines: &[CartLine], shipping: Shipping) -> Option<Price> {
    let mut cents: i64 = shipping.cents();
    let mut around: Option<(&str, &str)> = None;
    let mut mark = '.';
    for line in lines {
        let price = line.price.as_ref()?;
        cents = cents.checked_add(price.cents?.checked_mul(i64::from(line.quantity))?)?;
        let here = currency(&price.text)?;
        if around.is_some_and(|before| before != here) {
            return None;
        }
        if around.is_none() {
            mark = decimal_mark(&price.text);
        }
        around = Some(here);
    }
    let (before, after) = around?;
    let sign = if cents < 0 { "-" } else { "" };
    let text = format!("{before}{sign}{}{mark}{:02}{after}", cents.abs() / 100, cents.abs() % 100);
    Some(Price { cents: Some(cents), text })
}

/// The comma, where the amount has one before its last two digits; else the point.
fn decimal_mark(text: &str) -> char {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let cents = digits.rsplit(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
    let is_comma = cents.len() == 2 && digits[..digits.len() - cents.len()].ends_with(',');
    if is_comma { ',' } else { '.' }
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
        assert_eq!(
            total(&two, Shipping::Standard),
            Some(Price { cents: Some(9605), text: "$96.05".to_owned() })
        );
        let euro = [line(Some(("4,50 €", 450)), 1)];
        assert_eq!(total(&euro, Shipping::PickUp).map(|price| price.text), Some("4,50 €".to_owned()));
        let mixed = [line(Some(("$1.00", 100)), 1), line(Some(("1.00 €", 100)), 1)];
        let unreadable = [line(None, 1)];
        let huge = [line(Some(("$1.00", i64::MAX)), 2)];
        for lines in [&mixed[..], &unreadable, &huge] {
            assert_eq!(total(lines, Shipping::Standard), None);
        }
        let sent = total(&two[1..], Shipping::Express);
        assert_eq!(sent.map(|price| price.text), Some("$9.95".to_owned()));
    }
}
