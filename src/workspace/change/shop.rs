//! Cart and orders.

use super::super::catalogue::{self, catalogue};
use super::super::{App, CommandError, NewOrder, ShopCommand, WorkspaceState};
use super::apply::Change;
use super::bill::{bill, coupon};
use super::checks::{self, Meant, unknown};
use super::{searches, shares};
use crate::scenario::model::{
    Address, CartLine, Detail, Order, OrderStep, Price, ProductOption, RemovedLine, Review, Search, Shelf,
    Shop,
};

/// Entries of the address book.
const ADDRESSES_LIMIT: usize = 100;
/// Pieces of one product in the cart.
const QUANTITY_LIMIT: u32 = 999;

/// Products that were looked at, of which at most so many are kept, or as many as the scenario names.
const VIEWED_LIMIT: usize = 8;
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
            let (_, position) = on_shelf(&state.apps.shop, line, &[Shelf::Cart])?;
            check_stock(state, &state.apps.shop.cart[position].title, *quantity)?;
            state.apps.shop.cart[position].quantity = *quantity;
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
            let at = state.now.strftime("%Y-%m-%d %H:%M").to_string();
            held.history.push(OrderStep { status: CANCELLED.to_owned(), at });
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
        ShopCommand::Search { query } => {
            let query = checks::filled_line("search", query)?;
            let id = state.next_id("shop-search");
            searches::remember(&mut state.apps.shop.recent_searches, Search { id: id.clone(), query });
            Ok(done("product_searched", &id))
        }
        ShopCommand::ForgetSearch { search } => {
            let shop = &mut state.apps.shop;
            let forgotten = searches::forget(&mut shop.recent_searches, search);
            shop.forgotten = vec![forgotten.ok_or_else(|| unknown("search", search))?];
            Ok(done("product_search_removed", search))
        }
        ShopCommand::ForgetSearches => {
            let shop = &mut state.apps.shop;
            shop.forgotten = searches::forget_all(&mut shop.recent_searches);
            Ok(done("product_searches_cleared", "searches"))
        }
        ShopCommand::RestoreSearches => {
            let shop = &mut state.apps.shop;
            if shop.forgotten.is_empty() {
                return Err(CommandError::NothingToUndo);
            }
            searches::restore(&mut shop.recent_searches, std::mem::take(&mut shop.forgotten));
            Ok(done("product_searches_restored", "searches"))
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

/// Of some products the shop has so many and no more.
fn check_stock(state: &WorkspaceState, title: &str, quantity: u32) -> Result<(), CommandError> {
    let offered = catalogue::offered(&state.apps.shop, &state.language);
    let stock = offered.into_iter().find(|product| product.title == title).and_then(|product| product.stock);
    match stock {
        Some(0) => Err(CommandError::SoldOut { title: title.to_owned() }),
        Some(left) if quantity > left => Err(CommandError::FewLeft { title: title.to_owned(), left }),
        _ => Ok(()),
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
    let held = state.apps.shop.cart.iter_mut().find(is_same).map(|held| held.quantity);
    let together = held.unwrap_or(0).saturating_add(line.quantity);
    check_quantity(together)?;
    check_stock(state, &line.title, together)?;
    if let Some(held) = state.apps.shop.cart.iter_mut().find(is_same) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::change::change as change_of;
    use crate::workspace::{Command, samples};

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
    fn what_is_sold_out_stays_on_the_shelf_and_what_is_scarce_is_not_sold_twice() {
        let mut state = samples::state();
        let titled = |stock: &dyn Fn(u32) -> bool| {
            let mut products = catalogue("en").iter();
            let product = products.find(|product| product.stock.is_some_and(stock)).unwrap();
            (product.title.clone(), product.stock.unwrap())
        };
        let (gone, _) = titled(&|stock| stock == 0);
        let (scarce, left) = titled(&|stock| stock > 1);
        let several = |title: &str, quantity| {
            let title = title.to_owned();
            Command::Shop(ShopCommand::AddSeveral { title, quantity, chosen: Vec::new() })
        };
        let sold_out = CommandError::SoldOut { title: gone.clone() };
        assert_eq!(
            run(&mut state.clone(), &Command::AddToCart { title: gone.clone() }),
            Err(sold_out.clone())
        );
        let wish = Command::Shop(ShopCommand::Wish { title: gone });
        assert_eq!(run(&mut state, &wish), Ok("wish_added"), "it can be wished for");
        let line = state.apps.shop.wish_list[0].id.clone();
        let to_cart = Command::Shop(ShopCommand::MoveToCart { line });
        assert_eq!(run(&mut state.clone(), &to_cart), Err(sold_out));
        let few_left = Err(CommandError::FewLeft { title: scarce.clone(), left });
        assert_eq!(run(&mut state.clone(), &several(&scarce, left + 1)), few_left);
        assert_eq!(run(&mut state, &several(&scarce, left)), Ok("cart_filled"));
        assert_eq!(run(&mut state.clone(), &several(&scarce, 1)), few_left);
        let line = state.apps.shop.cart.last().unwrap().id.clone();
        let more = Command::Shop(ShopCommand::SetQuantity { line, quantity: left + 1 });
        assert_eq!(run(&mut state, &more), few_left);
    }

    #[test]
    fn searches_are_remembered_forgotten_and_brought_back() {
        let mut state = samples::state();
        let search = |query: &str| Command::Shop(ShopCommand::Search { query: query.to_owned() });
        for query in ["lamp", "tea", " lamp "] {
            assert_eq!(run(&mut state, &search(query)), Ok("product_searched"));
        }
        let queries = |state: &WorkspaceState| {
            let searches = state.apps.shop.recent_searches.iter();
            searches.map(|search| search.query.clone()).collect::<Vec<_>>()
        };
        assert_eq!(queries(&state), ["lamp", "tea"]);
        assert!(matches!(run(&mut state, &search("  ")), Err(CommandError::Blank { .. })));
        let forget = ShopCommand::ForgetSearch { search: state.apps.shop.recent_searches[1].id.clone() };
        assert_eq!(run(&mut state, &Command::Shop(forget)), Ok("product_search_removed"));
        assert_eq!(
            run(&mut state, &Command::Shop(ShopCommand::RestoreSearches)),
            Ok("product_searches_restored")
        );
        assert_eq!(queries(&state), ["lamp", "tea"]);
        run(&mut state, &Command::Shop(ShopCommand::ForgetSearches)).unwrap();
        assert!(queries(&state).is_empty());
        run(&mut state, &Command::Shop(ShopCommand::RestoreSearches)).unwrap();
        assert_eq!(queries(&state), ["lamp", "tea"]);
        let again = run(&mut state, &Command::Shop(ShopCommand::RestoreSearches));
        assert_eq!(again, Err(CommandError::NothingToUndo));
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
