//! Which page an address shows, and what a form sent there does.

use super::super::context::{Context, address, confirmed};
use super::super::form::Form;
use super::super::render::{self, Place};
use super::super::router::{Answer, Reading};
use super::super::searches::search_address;
use super::super::share::{self};
use super::addresses::addresses_page;
use super::checkout::{checkout, new_order, review_page};
use super::orders::{cancel_page, order_page};
use super::overview::{Part, shop_page};
use super::products::{chosen_options, product_of, product_page, titled};
use crate::scenario::model::{Product, ShareKind};
use crate::workspace::{App, Command, ShopCommand, coupon};

pub(super) const PLACE: Place = Place::In(App::Shop);

pub(in super::super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let blank = Form::default();
    let html = match segments {
        [] => shop_page(context, Part::Everything, &blank),
        ["cart"] => shop_page(context, Part::Cart, &blank),
        ["orders"] => shop_page(context, Part::Orders, &blank),
        ["checkout"] => checkout(context, &blank),
        ["addresses"] => addresses_page(context, &blank),
        ["share", "order", id] => share_order_page(context, id, &blank)?,
        ["product", id] => product_page(context, product_of(context, id)?, &blank),
        ["orders", id] => order_page(context, id)?,
        ["orders", id, "cancel"] => cancel_page(context, id, &blank)?,
        ["share", kind] => share_page(context, kind, &blank)?,
        _ => return None,
    };
    Some(render::answer(html))
}

pub(in super::super) fn post(context: &Context<'_>, segments: &[&str], form: Form) -> Option<Reading> {
    let done = |command: ShopCommand, then: String| Some(Ok((Command::Shop(command), then)));
    let shop = &context.state.apps.shop;
    match segments {
        ["cart", "add"] => {
            // The title comes from the page's own button; another one is no product.
            let product = titled(context, form.value("title"))?;
            let then = confirmed("/shop", "cart_added", "{entity}");
            if product.options.is_empty() {
                return Some(Ok((Command::AddToCart { title: product.title.clone() }, then)));
            }
            // What nobody chose is the usual one.
            let chosen = chosen_options(context, product, &Form::default());
            done(ShopCommand::AddSeveral { title: product.title.clone(), quantity: 1, chosen }, then)
        }
        ["search", rest @ ..] => post_search(context, rest, form),
        ["product", id, rest @ ..] => post_product(context, product_of(context, id)?, rest, form),
        ["line", id, way] => {
            let mut lines = shop.cart.iter().chain(&shop.saved_for_later).chain(&shop.wish_list);
            let line = lines.find(|line| line.id == *id)?.id.clone();
            let own = |done: &str| confirmed("/shop/cart", done, &line);
            match *way {
                "quantity" => Some(post_quantity(context, &line, form)),
                "remove" => done(ShopCommand::RemoveLine { line: line.clone() }, own("line_removed")),
                "select" => {
                    let selected = form.value("selected") == "true";
                    let then = own(if selected { "line_selected" } else { "line_left_out" });
                    done(ShopCommand::SelectLine { line: line.clone(), selected }, then)
                }
                "save" => done(ShopCommand::SaveForLater { line: line.clone() }, own("line_saved")),
                "cart" => {
                    let then = confirmed("/shop/cart", "cart_added", "{entity}");
                    done(ShopCommand::MoveToCart { line }, then)
                }
                _ => None,
            }
        }
        // These only show the order: to change, or to look at.
        ["checkout"] if form.value("action") == "change" => Some(Err(form)),
        ["checkout"] if !has_coupon(context, &form) => {
            let mut form = form;
            let code = form.line("coupon");
            form.fail("coupon", context.text("error.unknown_coupon", &[("code", &code)]));
            Some(Err(form))
        }
        ["checkout"] if form.value("action") == "review" => Some(Err(form)),
        ["addresses"] => {
            let mut form = form;
            form.require(context, "text");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let (name, text) = (form.line("name"), form.value("text").trim().to_owned());
            done(
                ShopCommand::AddAddress { name, text },
                confirmed("/shop/addresses", "address_added", "{entity}"),
            )
        }
        ["addresses", id, "remove"] => {
            let address = shop.addresses.iter().find(|held| held.id == *id)?.id.clone();
            let then = confirmed("/shop/addresses", "address_removed", &address);
            done(ShopCommand::RemoveAddress { address }, then)
        }
        ["checkout"] => {
            let order = new_order(context, &form);
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
        ["share", "order", id] => {
            let new = share::snapshot(context, ShareKind::Order, id, form)?;
            let then = confirmed("/shop/orders", "order_shared", "{entity}");
            Some(new.map(|new| (Command::Shop(ShopCommand::Share(new)), then)))
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

/// A search for products, and what can be done with earlier ones.
fn post_search(context: &Context<'_>, rest: &[&str], mut form: Form) -> Option<Reading> {
    let (command, then) = match rest {
        [] => {
            let query = form.line("q");
            if query.is_empty() {
                form.refuse(&context.text("shop.type_something", &[]));
                return Some(Err(form));
            }
            let then = search_address("/shop", &query);
            (ShopCommand::Search { query }, then)
        }
        ["clear"] => {
            (ShopCommand::ForgetSearches, confirmed("/shop", "product_searches_cleared", "searches"))
        }
        ["undo"] => {
            (ShopCommand::RestoreSearches, confirmed("/shop", "product_searches_restored", "searches"))
        }
        [id, "forget"] => {
            let searches = &context.state.apps.shop.recent_searches;
            let search = searches.iter().find(|search| search.id == *id)?.id.clone();
            let then = confirmed("/shop", "product_search_removed", &search);
            (ShopCommand::ForgetSearch { search }, then)
        }
        _ => return None,
    };
    Some(Ok((Command::Shop(command), then)))
}

/// Whether what was typed as a coupon is one, or nothing.
fn has_coupon(context: &Context<'_>, form: &Form) -> bool {
    let typed = form.value("coupon").trim();
    typed.is_empty() || coupon(&context.state.apps.shop, typed).is_some()
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
            let to = if form.value("action") == "buy" { "/shop/checkout" } else { "/shop/cart" };
            let chosen = chosen_options(context, product, &form);
            let then = confirmed(to, "cart_added", "{entity}");
            (ShopCommand::AddSeveral { title, quantity, chosen }, then)
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

pub(in super::super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["checkout"] if form.value("action") == "review" && form.is_valid() && form.message().is_none() => {
            Some(review_page(context, form))
        }
        ["checkout"] => Some(checkout(context, form)),
        ["addresses", ..] => Some(addresses_page(context, form)),
        ["share", "order", id] => share_order_page(context, id, form),
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

fn share_order_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let action = address(&["shop", "share", "order", id]);
    share::snapshot_page(context, PLACE, (ShareKind::Order, id), (action, "/shop/orders".to_owned()), form)
}
