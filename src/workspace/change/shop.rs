//! Cart and orders.

use super::super::catalogue::{self, catalogue};
use super::super::{App, CommandError, NewOrder, ShopCommand, WorkspaceState};
use super::apply::Change;
use super::checks::{self, Meant, unknown};
use super::shares;
use crate::scenario::model::{
    Address, CartLine, Coupon, Detail, Order, Price, ProductOption, RemovedLine, Review, Shelf, Shipping,
    Shop,
};

/// Entries of the address book.
const ADDRESSES_LIMIT: usize = 100;
/// Pieces of one product in the cart.
const QUANTITY_LIMIT: u32 = 999;

/// Products that were looked at, of which at most so many are kept, or as many as the scenario names.
const VIEWED_LIMIT: usize = 8;
/// The shop's own coupon: code and percent.
pub(crate) const OWN_COUPON: (&str, u8) = ("WELCOME10", 10);

/// The status of an order that was cancelled here.
pub(crate) const CANCELLED: &str = "cancelled";

pub(super) fn change(state: &mut WorkspaceState, command: &ShopCommand) -> Result<Change, CommandError> {
    match command {
        ShopCommand::AddSeveral { title, quantity, chosen } => {
            let title = checks::filled_line("product", title)?;
            let price = price_of(state, &title)?;
            let details = chosen_options(state, &title, chosen)?;
            view(&mut state.apps.shop, &title);
            let line = CartLine { title, price, quantity: *quantity, details, ..CartLine::default() };
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
        ShopCommand::SelectLine { line, selected } => {
            let (_, position) = on_shelf(&state.apps.shop, line, &[Shelf::Cart])?;
            state.apps.shop.cart[position].left_out = !selected;
            Ok(done(if *selected { "line_selected" } else { "line_left_out" }, line))
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
            shop.saved_for_later.push(CartLine { left_out: false, ..held });
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
                last = put_into_cart(state, CartLine { id: String::new(), left_out: false, ..line })?;
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
        ShopCommand::Share(new) => shares::add(state, App::Shop, new),
        ShopCommand::Unshare { share } => shares::take_back(state, App::Shop, share),
        ShopCommand::Review { title, stars, text } => {
            let product = checks::filled_line("product", title)?;
            price_of(state, &product)?;
            let text = checks::filled_text("review", text)?;
            if !(1..=5).contains(stars) {
                return Err(CommandError::Stars);
            }
            view(&mut state.apps.shop, &product);
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
        // Whoever wants more of it wants it.
        held.left_out = false;
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
fn chosen_options(
    state: &WorkspaceState,
    title: &str,
    chosen: &[Detail],
) -> Result<Vec<Detail>, CommandError> {
    let offered = catalogue::offered(&state.apps.shop, &state.language);
    let options = offered.into_iter().find(|product| product.title == title).map(|product| &product.options);
    for detail in chosen {
        let fits =
            |option: &ProductOption| option.name == detail.label && option.values.contains(&detail.value);
        if !options.is_some_and(|options| options.iter().any(fits)) {
            return Err(unknown("option", &detail.value));
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

/// Notes that a product was looked at. Opening its page changes nothing, as no look does; what is done with
/// the product there tells that it was opened.
fn view(shop: &mut Shop, title: &str) {
    let limit = shop.viewed.len().max(VIEWED_LIMIT);
    shop.viewed.retain(|held| held != title);
    shop.viewed.insert(0, title.to_owned());
    shop.viewed.truncate(limit);
}

fn put_aside(state: &mut WorkspaceState, typed: &str, shelf: Shelf) -> Result<Change, CommandError> {
    let title = checks::filled_line("product", typed)?;
    let price = price_of(state, &title)?;
    view(&mut state.apps.shop, &title);
    let kind = if shelf == Shelf::Wishes { "wish_added" } else { "line_saved" };
    if let Some(line) = shelf_of(&mut state.apps.shop, shelf).iter().find(|line| line.title == title) {
        return Ok(done(kind, &line.id));
    }
    let id = state.next_id("line");
    let line = CartLine { id: id.clone(), title, price, ..CartLine::default() };
    shelf_of(&mut state.apps.shop, shelf).push(line);
    Ok(done(kind, &id))
}

pub(super) fn add_to_cart(state: &mut WorkspaceState, typed: &str) -> Result<Change, CommandError> {
    let title = checks::filled_line("product", typed)?;
    let price = price_of(state, &title)?;
    let line = CartLine { title, price, ..CartLine::default() };
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
    let shop = &state.apps.shop;
    if shop.cart.is_empty() {
        return Err(CommandError::EmptyCart);
    }
    if shop.cart.iter().all(|line| line.left_out) {
        return Err(CommandError::NothingSelected);
    }
    let coupon = match new.coupon.trim() {
        "" => None,
        typed => {
            let found = coupon(shop, typed);
            Some(found.ok_or_else(|| CommandError::UnknownCoupon { code: typed.to_owned() })?)
        }
    };
    if new.keeps_address && !deliver_to.trim().is_empty() {
        keep_address(state, String::new(), deliver_to.clone())?;
    }
    let (id, placed_at) = (state.next_id("order"), state.now);
    let shop = &mut state.apps.shop;
    let cart = std::mem::take(&mut shop.cart);
    let (left, lines): (Vec<CartLine>, Vec<CartLine>) = cart.into_iter().partition(|line| line.left_out);
    shop.cart = left;
    let percent = coupon.as_ref().map_or(0, |coupon| coupon.percent);
    let (discount, total) =
        bill(&lines, new.shipping, percent).map_or((None, None), |bill| (bill.discount, Some(bill.total)));
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
        coupon: coupon.map(|coupon| coupon.code).unwrap_or_default(),
        discount,
        total,
        shipping: new.shipping,
        payment,
        placed_at: Some(placed_at),
        ..Order::default()
    });
    Ok(Change::new(App::Shop, "order_placed", &id, &id))
}

/// The price of a product that the scenario names anywhere in the shop, or that is in the
/// catalogue.
fn price_of(state: &WorkspaceState, title: &str) -> Result<Option<Price>, CommandError> {
    let shop = &state.apps.shop;
    if let Some(product) = shop.products.iter().find(|product| product.title == title) {
        return Ok(product.price.clone());
    }
    let ordered = shop.orders.iter().flat_map(|order| &order.lines);
    let mut lines = shop.cart.iter().chain(&shop.saved_for_later).chain(&shop.wish_list).chain(ordered);
    if let Some(line) = lines.find(|line| line.title == title) {
        return Ok(line.price.clone());
    }
    match catalogue(&state.language).iter().find(|product| product.title == title) {
        Some(product) => Ok(product.price.clone()),
        None => Err(CommandError::UnknownProduct { title: title.to_owned() }),
    }
}

/// The coupon that a typed code means: one of the scenario's, else the shop's own.
pub(in crate::workspace) fn coupon(shop: &Shop, typed: &str) -> Option<Coupon> {
    let typed = typed.trim();
    let own = || Coupon { code: OWN_COUPON.0.to_owned(), percent: OWN_COUPON.1, text: String::new() };
    let is_meant = |coupon: &Coupon| coupon.code.to_lowercase() == typed.to_lowercase();
    shop.coupons.iter().find(|coupon| is_meant(coupon)).cloned().or_else(|| Some(own()).filter(is_meant))
}

/// What an order costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::workspace) struct Bill {
    /// What the coupon takes off, if one is used.
    pub(in crate::workspace) discount: Option<Price>,
    /// All of it, with the shipping.
    pub(in crate::workspace) total: Price,
}

/// The bill of some lines, where every one has a price in the same currency; amounts are written as the
/// first price is. A coupon takes its percent off the goods, not off the shipping.
pub(in crate::workspace) fn bill(lines: &[CartLine], shipping: Shipping, percent: u8) -> Option<Bill> {
    let mut goods: i64 = 0;
    let mut around: Option<(&str, &str)> = None;
    let mut mark = '.';
    for line in lines {
        let price = line.price.as_ref()?;
        goods = goods.checked_add(price.cents?.checked_mul(i64::from(line.quantity))?)?;
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
    let price = |cents: i64| {
        let sign = if cents < 0 { "-" } else { "" };
        let text = format!("{before}{sign}{}{mark}{:02}{after}", cents.abs() / 100, cents.abs() % 100);
        Price { cents: Some(cents), text }
    };
    // Half a cent is the customer's.
    let off = goods.checked_mul(i64::from(percent))?.checked_add(50)? / 100;
    let total = goods.checked_sub(off)?.checked_add(shipping.cents())?;
    Some(Bill { discount: (percent > 0).then(|| price(off)), total: price(total) })
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
    use crate::workspace::change::change as change_of;
    use crate::workspace::{Command, samples};

    fn line(price: Option<(&str, i64)>, quantity: u32) -> CartLine {
        CartLine {
            id: "line-1".to_owned(),
            title: "Lamp".to_owned(),
            price: price.map(|(text, cents)| Price { cents: Some(cents), text: text.to_owned() }),
            quantity,
            ..CartLine::default()
        }
    }

    fn total(lines: &[CartLine], shipping: Shipping) -> Option<String> {
        bill(lines, shipping, 0).map(|bill| bill.total.text)
    }

    #[test]
    fn a_total_needs_every_price_in_one_currency() {
        let two = [line(Some(("$48.00", 4800)), 2), line(Some(("$0.05", 5)), 1)];
        let whole = bill(&two, Shipping::Standard, 0).unwrap();
        assert_eq!(whole.total, Price { cents: Some(9605), text: "$96.05".to_owned() });
        assert_eq!(whole.discount, None);
        let euro = [line(Some(("4,50 €", 450)), 1)];
        assert_eq!(total(&euro, Shipping::PickUp).as_deref(), Some("4,50 €"));
        let mixed = [line(Some(("$1.00", 100)), 1), line(Some(("1.00 €", 100)), 1)];
        let unreadable = [line(None, 1)];
        let huge = [line(Some(("$1.00", i64::MAX)), 2)];
        let nearly_huge = [line(Some(("$1.00", i64::MAX)), 1)];
        for lines in [&mixed[..], &unreadable, &huge, &[]] {
            assert_eq!(total(lines, Shipping::Standard), None);
        }
        assert_eq!(bill(&nearly_huge, Shipping::Express, 90), None);
        assert_eq!(total(&two[1..], Shipping::Express).as_deref(), Some("$9.95"));
    }

    #[test]
    fn a_coupon_takes_its_percent_off_the_goods_and_not_off_the_shipping() {
        let goods = [line(Some(("$12.25", 1225)), 2)];
        let less = bill(&goods, Shipping::Express, 10).unwrap();
        assert_eq!(less.discount.map(|price| price.text).as_deref(), Some("$2.45"));
        assert_eq!(less.total.text, "$31.95");
        let free = bill(&goods, Shipping::Standard, 100).unwrap();
        assert_eq!(free.total.text, "$0.00");
        let odd = [line(Some(("0,05 €", 5)), 1)];
        assert_eq!(bill(&odd, Shipping::Standard, 10).unwrap().total.text, "0,04 €");
    }

    #[test]
    fn a_scenario_may_have_coupons_beside_the_shops_own() {
        let mut shop = Shop::default();
        assert_eq!(coupon(&shop, " welcome10 ").map(|coupon| coupon.percent), Some(10));
        assert_eq!(coupon(&shop, "SPRING"), None);
        let held = |code: &str, percent| Coupon { code: code.to_owned(), percent, text: String::new() };
        shop.coupons = vec![held("Spring", 15), held("WELCOME10", 25)];
        assert_eq!(coupon(&shop, "SPRING").map(|coupon| coupon.percent), Some(15));
        assert_eq!(coupon(&shop, "welcome10").map(|coupon| coupon.percent), Some(25), "the scenario's");
    }

    fn run(state: &mut WorkspaceState, command: &Command) -> Result<&'static str, CommandError> {
        change_of(state, command).map(|change| change.kind)
    }

    fn select(line: &str, selected: bool) -> Command {
        Command::Shop(ShopCommand::SelectLine { line: line.to_owned(), selected })
    }

    #[test]
    fn an_order_takes_what_is_selected_and_leaves_the_rest() {
        let mut state = samples::state();
        let add = Command::AddToCart { title: catalogue("en")[1].title.clone() };
        run(&mut state, &add).unwrap();
        assert_eq!(run(&mut state, &select("line-1", false)), Ok("line_left_out"));
        assert!(matches!(run(&mut state, &select("line-9", true)), Err(CommandError::Unknown { .. })));
        run(&mut state, &Command::PlaceOrder(NewOrder::default())).unwrap();
        let shop = &state.apps.shop;
        let titles = |lines: &[CartLine]| lines.iter().map(|line| line.title.clone()).collect::<Vec<_>>();
        assert_eq!(titles(&shop.orders[0].lines), ["Enamel mug"]);
        assert_eq!(shop.orders[0].total.as_ref().map(|total| total.text.as_str()), Some("$12.50"));
        assert_eq!(titles(&shop.cart), ["Pregnancy test"]);
        let order = run(&mut state, &Command::PlaceOrder(NewOrder::default()));
        assert_eq!(order, Err(CommandError::NothingSelected));
        assert_eq!(run(&mut state, &select("line-1", true)), Ok("line_selected"));
        run(&mut state, &Command::PlaceOrder(NewOrder::default())).unwrap();
        assert!(state.apps.shop.cart.is_empty());
        let empty = run(&mut state, &Command::PlaceOrder(NewOrder::default()));
        assert_eq!(empty, Err(CommandError::EmptyCart));
    }

    #[test]
    fn the_seller_reads_the_coupon_and_a_wrong_one_is_told() {
        let mut state = samples::state();
        let order =
            |coupon: &str| Command::PlaceOrder(NewOrder { coupon: coupon.to_owned(), ..NewOrder::default() });
        let wrong = run(&mut state, &order("NOPE"));
        assert_eq!(wrong, Err(CommandError::UnknownCoupon { code: "NOPE".to_owned() }));
        assert_eq!(state.apps.shop.cart.len(), 1);
        run(&mut state, &order(" welcome10")).unwrap();
        let unit = samples::unit(&crate::workspace::units(&state), "order", "order-1");
        assert_eq!(unit.text, "Pregnancy test $12.00\nWELCOME10");
        let placed = &state.apps.shop.orders[0];
        let text = |price: &Option<Price>| price.as_ref().map(|price| price.text.clone()).unwrap_or_default();
        assert_eq!((text(&placed.discount), text(&placed.total)), ("$1.20".to_owned(), "$10.80".to_owned()));
    }

    #[test]
    fn what_was_done_with_on_its_page_was_viewed() {
        let mut state = samples::state();
        let titles: Vec<&str> = catalogue("en").iter().map(|product| product.title.as_str()).collect();
        let shop = |command| Command::Shop(command);
        let title = |number: usize| titles[number].to_owned();
        run(&mut state, &shop(ShopCommand::Wish { title: title(3) })).unwrap();
        run(&mut state, &shop(ShopCommand::SaveProduct { title: title(4) })).unwrap();
        let several = ShopCommand::AddSeveral { title: title(5), quantity: 2, chosen: Vec::new() };
        run(&mut state, &shop(several)).unwrap();
        let review = ShopCommand::Review { title: title(3), stars: 4, text: "Good".to_owned() };
        run(&mut state, &shop(review)).unwrap();
        assert_eq!(state.apps.shop.viewed, [title(3), title(5), title(4)]);
        run(&mut state, &Command::AddToCart { title: title(6) }).unwrap();
        assert_eq!(state.apps.shop.viewed.len(), 3, "the list of all products is no page of one");
        for number in 10..30 {
            run(&mut state, &shop(ShopCommand::Wish { title: title(number) })).unwrap();
        }
        assert_eq!(state.apps.shop.viewed.len(), VIEWED_LIMIT);
    }

    #[test]
    fn the_catalogue_is_in_the_language_of_the_content() {
        let mut state = samples::state();
        "de".clone_into(&mut state.language);
        let english = run(&mut state, &Command::AddToCart { title: "Enamel mug".to_owned() });
        assert!(matches!(english, Err(CommandError::UnknownProduct { .. })));
        run(&mut state, &Command::AddToCart { title: "Emaillebecher".to_owned() }).unwrap();
        assert_eq!(state.apps.shop.cart[1].price.as_ref().map(|price| price.text.as_str()), Some("$12.50"));
    }
}
