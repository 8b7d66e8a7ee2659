//! The pages of the whole shop, of the cart and of the orders.

use serde::Serialize;

use super::super::context::{Context, address};
use super::super::form::Form;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::super::share::{self, SharedView};
use super::lines::{Cart, Line, cart, line};
use super::orders::{OrderView, orders};
use super::picture::{Picture, picture};
use super::products::{Products, is_filtered, products, titled};
use super::route::PLACE;
use crate::scenario::model::{Coupon, ShareKind, Shelf};

/// Which parts of the shop a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Everything,
    /// Only products: those that are searched for.
    Products,
    Cart,
    Orders,
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Self::Everything | Self::Products => "overview",
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
    viewed: Vec<Viewed>,
    coupons: Vec<Row>,
    shared: Vec<SharedView>,
    details: Vec<Row>,
    message: Option<String>,
}

/// A product that was looked at.
#[derive(Serialize)]
struct Viewed {
    title: String,
    picture: Picture,
    /// Its page, where the shop still has it.
    href: Option<String>,
    /// The link's name.
    name: String,
}

pub(super) fn shop_page(context: &Context<'_>, part: Part, form: &Form) -> String {
    let shop = &context.state.apps.shop;
    let part = if part == Part::Everything && is_filtered(context) { Part::Products } else { part };
    let everything = part == Part::Everything;
    let has_cart = matches!(part, Part::Everything | Part::Cart);
    let mut names = Names::default();
    let cart = has_cart.then(|| cart(context, &mut names));
    let lines = |shelf: Shelf, names: &mut Names| {
        let held = if shelf == Shelf::Saved { &shop.saved_for_later } else { &shop.wish_list };
        has_cart.then(|| held.iter().map(|held| line(context, held, names)).collect())
    };
    let (saved, wishes) = (lines(Shelf::Saved, &mut names), lines(Shelf::Wishes, &mut names));
    let view = ShopPage {
        part: part.name(),
        cart,
        saved,
        wishes,
        orders: matches!(part, Part::Everything | Part::Orders).then(|| orders(context)),
        products: matches!(part, Part::Everything | Part::Products).then(|| products(context)),
        viewed: if everything { viewed(context) } else { Vec::new() },
        coupons: if has_cart { coupons(context) } else { Vec::new() },
        shared: shared(context, part),
        details: if everything { render::rows(&shop.details) } else { Vec::new() },
        message: form.message().map(str::to_owned),
    };
    let heading = match part {
        Part::Everything | Part::Products => context.text("nav.shop", &[]),
        Part::Cart => context.text("shop.cart", &[]),
        Part::Orders => context.text("shop.orders", &[]),
    };
    render::page(context, PLACE, &heading, "shop.html", &view)
}

fn viewed(context: &Context<'_>) -> Vec<Viewed> {
    let mut names = Names::default();
    let view = |title: &String| Viewed {
        title: title.clone(),
        picture: picture(titled(context, title), title),
        href: titled(context, title).map(|product| address(&["shop", "product", &product.id])),
        name: names.unique(context, &context.text("shop.viewed_named", &[("title", title)])),
    };
    context.state.apps.shop.viewed.iter().map(view).collect()
}

/// The scenario's coupons; the shop's own is told where it is used.
fn coupons(context: &Context<'_>) -> Vec<Row> {
    let row = |coupon: &Coupon| {
        let off = context.text("shop.percent_off", &[("percent", &coupon.percent.to_string())]);
        let value = if coupon.text.trim().is_empty() { off } else { format!("{off}\n{}", coupon.text) };
        Row { label: coupon.code.clone(), value }
    };
    context.state.apps.shop.coupons.iter().map(row).collect()
}

/// What was shared: orders beside the orders, the rest beside the cart.
fn shared(context: &Context<'_>, part: Part) -> Vec<SharedView> {
    let shares = context.state.apps.shop.shares.iter();
    let fits = |kind: ShareKind| match part {
        Part::Everything => true,
        Part::Products => false,
        Part::Orders => kind == ShareKind::Order,
        Part::Cart => kind != ShareKind::Order,
    };
    let shares: Vec<_> = shares.filter(|share| fits(share.kind)).cloned().collect();
    share::shared(context, &shares, "/shop/shared")
}
