//! Shop: search, products, cart, what is saved and wished for, checkout, orders, sharing.

use std::collections::BTreeSet;

use serde::Serialize;

use super::context::{Context, address, confirmed};
use super::form::{Field, Form, untouched};
use super::names::Names;
use super::render::{self, Place, Row};
use super::router::{Answer, Reading};
use super::share::{self, SharedView};
use crate::scenario::model::{CartLine, Order, Price, Product, ShareKind, Shelf};
use crate::workspace::{App, CANCELLED, Command, NewOrder, ShopCommand, cart_total, catalogue};

const PLACE: Place = Place::In(App::Shop);

/// Products of the catalogue on one page.
const PAGE: usize = 24;

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
    wishes: Option<Vec<Line>>,
    orders: Option<Vec<OrderView>>,
    products: Option<Products>,
    shared: Vec<SharedView>,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Products {
    query: Field,
    category: String,
    categories: Vec<String>,
    sort: &'static str,
    filtered: bool,
    found: String,
    list: Vec<ProductView>,
    page: usize,
    previous: Option<usize>,
    next: Option<usize>,
    pages: usize,
}

#[derive(Serialize)]
struct Cart {
    lines: Vec<Line>,
    total: Option<String>,
}

#[derive(Serialize)]
struct Line {
    id: String,
    /// As controls of the page are called.
    control: String,
    title: String,
    price: Option<String>,
    quantity: u32,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct OrderView {
    address: String,
    number: usize,
    heading: String,
    status: String,
    cancelled: bool,
    lines: Vec<Line>,
    rows: Vec<Row>,
    total: Option<String>,
}

#[derive(Serialize)]
struct ProductView {
    id: String,
    title: String,
    add: String,
    open: String,
    price: Option<String>,
    category: String,
    description: String,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct ProductPage {
    id: String,
    title: String,
    price: Option<String>,
    category: String,
    description: String,
    details: Vec<Row>,
    quantity: Field,
    stars: String,
    review: Field,
    reviews: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Checkout {
    cart: Cart,
    deliver_to: Field,
    gift_recipient: Field,
    gift_message: Field,
    hides_prices: bool,
    delivery_note: Field,
    seller_note: Field,
    reference: Field,
    people: Vec<String>,
    message: Option<String>,
}

#[derive(Serialize)]
struct CancelPage {
    order: OrderView,
    message: Option<String>,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let blank = Form::default();
    let html = match segments {
        [] => shop_page(context, Part::Everything, &blank),
        ["cart"] => shop_page(context, Part::Cart, &blank),
        ["orders"] => shop_page(context, Part::Orders, &blank),
        ["checkout"] => checkout(context, &blank),
        ["product", id] => product_page(context, product_of(context, id)?, &blank),
        ["orders", id, "cancel"] => cancel_page(context, id, &blank)?,
        ["share", kind] => share_page(context, kind, &blank)?,
        _ => return None,
    };
    Some(render::answer(html))
}

pub(super) fn post(context: &Context<'_>, segments: &[&str], form: Form) -> Option<Reading> {
    let done = |command: ShopCommand, then: String| Some(Ok((Command::Shop(command), then)));
    let shop = &context.state.apps.shop;
    match segments {
        ["cart", "add"] => {
            let title = form.value("title").to_owned();
            // The title comes from the page's own button; another one is no product.
            let offered = catalogue::offered(shop);
            let product = offered.into_iter().find(|product| product.title == title)?;
            let command = Command::AddToCart { title: product.title.clone() };
            Some(Ok((command, confirmed("/shop", "cart_added", "{entity}"))))
        }
        ["product", id, rest @ ..] => post_product(context, product_of(context, id)?, rest, form),
        ["line", id, way] => {
            let mut lines = shop.cart.iter().chain(&shop.saved_for_later).chain(&shop.wish_list);
            let line = lines.find(|line| line.id == *id)?.id.clone();
            let own = |done: &str| confirmed("/shop/cart", done, &line);
            match *way {
                "quantity" => Some(post_quantity(context, &line, form)),
                "remove" => done(ShopCommand::RemoveLine { line: line.clone() }, own("line_removed")),
                "save" => done(ShopCommand::SaveForLater { line: line.clone() }, own("line_saved")),
                "cart" => {
                    let then = confirmed("/shop/cart", "cart_added", "{entity}");
                    done(ShopCommand::MoveToCart { line }, then)
                }
                _ => None,
            }
        }
        ["checkout"] => {
            let order = NewOrder {
                deliver_to: form.value("deliver_to").trim().to_owned(),
                gift_recipient: form.line("gift_recipient"),
                gift_message: form.value("gift_message").trim().to_owned(),
                delivery_note: form.value("delivery_note").trim().to_owned(),
                seller_note: form.value("seller_note").trim().to_owned(),
                reference: form.line("reference"),
                shows_prices: !form.has("hides_prices", "yes"),
            };
            Some(Ok((Command::PlaceOrder(order), confirmed("/shop/orders", "order_placed", "{entity}"))))
        }
        ["orders", id, way] => {
            let order = shop.orders.iter().find(|order| order.id == *id)?.id.clone();
            match *way {
                "cancel" => {
                    let then = confirmed("/shop/orders", "order_cancelled", &order);
                    done(ShopCommand::CancelOrder { order }, then)
                }
                "again" => {
                    let then = confirmed("/shop/cart", "cart_added", "{entity}");
                    done(ShopCommand::BuyAgain { order }, then)
                }
                _ => None,
            }
        }
        ["share", kind] => {
            let kind = share_kind(kind)?;
            let confirmation = if kind == ShareKind::Cart { "cart_shared" } else { "wish_list_shared" };
            let new = share::snapshot(context, kind, "", form)?;
            Some(new.map(|new| {
                (Command::Shop(ShopCommand::Share(new)), confirmed("/shop/cart", confirmation, "{entity}"))
            }))
        }
        ["shared", id, "stop"] => {
            let share = shop.shares.iter().find(|share| share.id == *id)?.id.clone();
            let then = confirmed("/shop/cart", "share_removed", &share);
            done(ShopCommand::Unshare { share }, then)
        }
        ["undo"] => done(ShopCommand::Undo, confirmed("/shop/cart", "line_restored", "{entity}")),
        _ => None,
    }
}

fn post_product(context: &Context<'_>, product: &Product, rest: &[&str], mut form: Form) -> Option<Reading> {
    let own = address(&["shop", "product", &product.id]);
    let title = product.title.clone();
    let (command, then) = match rest {
        ["cart"] => {
            let Ok(quantity) = form.line("quantity").parse() else {
                form.fail("quantity", context.text("shop.no_number", &[]));
                return Some(Err(form));
            };
            let then = confirmed("/shop/cart", "cart_added", "{entity}");
            (ShopCommand::AddSeveral { title, quantity }, then)
        }
        ["save"] => (ShopCommand::SaveProduct { title }, confirmed(&own, "line_saved", "{entity}")),
        ["wish"] => (ShopCommand::Wish { title }, confirmed(&own, "wish_added", "{entity}")),
        ["review"] => {
            form.require(context, "text");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let stars = form.value("stars").parse().unwrap_or_default();
            let text = form.value("text").trim().to_owned();
            (ShopCommand::Review { title, stars, text }, confirmed(&own, "review_posted", "{entity}"))
        }
        _ => return None,
    };
    Some(Ok((Command::Shop(command), then)))
}

fn post_quantity(context: &Context<'_>, line: &str, mut form: Form) -> Reading {
    let Ok(quantity) = form.line("quantity").parse() else {
        form.refuse(&context.text("shop.no_number", &[]));
        return Err(form);
    };
    let command = ShopCommand::SetQuantity { line: line.to_owned(), quantity };
    Ok((Command::Shop(command), confirmed("/shop/cart", "quantity_changed", line)))
}

pub(super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["checkout"] => Some(checkout(context, form)),
        ["product", id, ..] => Some(product_page(context, product_of(context, id)?, form)),
        ["orders", id, "cancel"] => cancel_page(context, id, form),
        ["orders", ..] => Some(shop_page(context, Part::Orders, form)),
        ["share", kind] => share_page(context, kind, form),
        ["line" | "shared" | "undo", ..] => Some(shop_page(context, Part::Cart, form)),
        _ => Some(shop_page(context, Part::Everything, form)),
    }
}

fn share_kind(name: &str) -> Option<ShareKind> {
    [ShareKind::Cart, ShareKind::WishList].into_iter().find(|kind| kind.name() == name)
}

fn share_page(context: &Context<'_>, kind: &str, form: &Form) -> Option<String> {
    let action = address(&["shop", "share", kind]);
    share::snapshot_page(context, PLACE, (share_kind(kind)?, ""), (action, "/shop/cart".to_owned()), form)
}

fn product_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a Product> {
    catalogue::offered(&context.state.apps.shop).into_iter().find(|product| product.id == id)
}

fn shop_page(context: &Context<'_>, part: Part, form: &Form) -> String {
    let shop = &context.state.apps.shop;
    let everything = part == Part::Everything;
    let mut names = Names::default();
    let cart = (part != Part::Orders).then(|| cart(context, &mut names));
    let mut lines = |shelf: Shelf| {
        let held = if shelf == Shelf::Saved { &shop.saved_for_later } else { &shop.wish_list };
        (part != Part::Orders).then(|| held.iter().map(|held| line(context, held, &mut names)).collect())
    };
    let view = ShopPage {
        part: part.name(),
        cart,
        saved: lines(Shelf::Saved),
        wishes: lines(Shelf::Wishes),
        orders: (part != Part::Cart).then(|| orders(context)),
        products: everything.then(|| products(context)),
        shared: if part == Part::Orders {
            Vec::new()
        } else {
            share::shared(context, &shop.shares, "/shop/shared")
        },
        details: if everything { render::rows(&shop.details) } else { Vec::new() },
        message: form.message().map(str::to_owned),
    };
    let heading = match part {
        Part::Everything => context.text("nav.shop", &[]),
        Part::Cart => context.text("shop.cart", &[]),
        Part::Orders => context.text("shop.orders", &[]),
    };
    render::page(context, PLACE, &heading, "shop.html", &view)
}

fn cart(context: &Context<'_>, names: &mut Names) -> Cart {
    let lines = &context.state.apps.shop.cart;
    let total = cart_total(lines).map(|price| price.text);
    Cart {
        lines: lines.iter().map(|held| line(context, held, names)).collect(),
        total: total.map(|price| context.text("shop.total", &[("price", &price)])),
    }
}

fn shown(price: Option<&Price>) -> Option<String> {
    price.map(|price| price.text.clone()).filter(|text| !text.is_empty())
}

fn line(context: &Context<'_>, line: &CartLine, names: &mut Names) -> Line {
    Line {
        id: line.id.clone(),
        control: names.unique(context, &line.title),
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
    render::add_row(&mut rows, context, "shop.reference", &order.reference);
    rows.extend(render::rows(&order.details));
    // Within an order nothing can be pressed, so its lines need no names of their own.
    let mut names = Names::default();
    OrderView {
        address: address(&["shop", "orders", &order.id]),
        number,
        heading: context.text("shop.order", &[("number", &number.to_string())]),
        status: order.status.clone(),
        cancelled: order.status == CANCELLED,
        lines: order.lines.iter().map(|held| line(context, held, &mut names)).collect(),
        rows,
        total: shown(order.total.as_ref()).map(|price| context.text("shop.total", &[("price", &price)])),
    }
}

fn products(context: &Context<'_>) -> Products {
    let shop = &context.state.apps.shop;
    let offered = catalogue::offered(shop);
    let categories: BTreeSet<&str> = offered
        .iter()
        .map(|product| product.category.as_str())
        .filter(|category| !category.is_empty())
        .collect();
    let query = context.query("q").unwrap_or_default();
    let words = query.to_lowercase();
    let category = context.query("category").unwrap_or_default();
    let sort = ["shelf", "price", "price_down", "title"]
        .into_iter()
        .find(|sort| context.query("sort") == Some(sort))
        .unwrap_or("shelf");
    let fits = |product: &&&Product| {
        let text = format!("{} {} {}", product.title, product.category, product.description).to_lowercase();
        (category.is_empty() || product.category == category)
            && words.split_whitespace().all(|word| text.contains(word))
    };
    let mut found: Vec<&Product> = offered.iter().filter(fits).copied().collect();
    let cents = |product: &&Product| product.price.as_ref().and_then(|price| price.cents);
    match sort {
        // What has no price comes last, whichever way.
        "price" => found.sort_by_key(|product| (cents(product).is_none(), cents(product))),
        "price_down" => found.sort_by_key(|product| std::cmp::Reverse(cents(product))),
        "title" => found.sort_by_key(|product| product.title.to_lowercase()),
        _ => {}
    }
    // The scenario's own products are never split over pages.
    let size = PAGE.max(shop.products.len());
    let pages = found.len().div_ceil(size).max(1);
    let page = context.query("page").and_then(|page| page.parse().ok()).unwrap_or(1_usize).clamp(1, pages);
    let mut names = Names::default();
    let view = |product: &Product| ProductView {
        id: product.id.clone(),
        title: product.title.clone(),
        add: names.unique(context, &context.text("shop.add", &[("title", &product.title)])),
        open: names.unique(context, &context.text("shop.open", &[("title", &product.title)])),
        price: shown(product.price.as_ref()),
        category: product.category.clone(),
        description: product.description.clone(),
        details: render::rows(&product.details),
    };
    let count = found.len();
    Products {
        query: untouched("q", query),
        category: category.to_owned(),
        categories: categories.into_iter().map(str::to_owned).collect(),
        sort,
        filtered: !query.is_empty() || !category.is_empty() || sort != "shelf",
        found: context.counted("shop.found", count, &[]),
        list: found.into_iter().skip((page - 1) * size).take(size).map(view).collect(),
        page,
        previous: (page > 1).then(|| page - 1),
        next: (page < pages).then_some(page + 1),
        pages,
    }
}

fn product_page(context: &Context<'_>, product: &Product, form: &Form) -> String {
    let reviews = context.state.apps.shop.reviews.iter();
    let own = reviews.filter(|review| review.product == product.title).map(|review| Row {
        label: context.counted("shop.stars", usize::from(review.stars), &[]),
        value: review.text.clone(),
    });
    let stars = form.value("stars");
    let view = ProductPage {
        id: product.id.clone(),
        title: product.title.clone(),
        price: shown(product.price.as_ref()),
        category: product.category.clone(),
        description: product.description.clone(),
        details: render::rows(&product.details),
        quantity: match form.given("quantity") {
            Some(_) => form.field("quantity"),
            None => untouched("quantity", "1"),
        },
        stars: if stars.is_empty() { "5".to_owned() } else { stars.to_owned() },
        review: form.field("text"),
        reviews: own.collect(),
        message: form.message().map(str::to_owned),
    };
    render::page(context, PLACE, &product.title, "shop_product.html", &view)
}

fn cancel_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let orders = &context.state.apps.shop.orders;
    let position = orders.iter().position(|order| order.id == id)?;
    let order = order_view(context, position + 1, &orders[position]);
    let heading = context.text("shop.cancel_heading", &[("number", &order.number.to_string())]);
    let view = CancelPage { order, message: form.message().map(str::to_owned) };
    Some(render::page(context, PLACE, &heading, "shop_cancel.html", &view))
}

fn checkout(context: &Context<'_>, form: &Form) -> String {
    let contacts = context.state.apps.messenger.contacts.iter();
    let view = Checkout {
        cart: cart(context, &mut Names::default()),
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
