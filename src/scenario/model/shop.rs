//! Shop: products, cart, saved for later, orders.

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use super::{Detail, Search, Share};

/// Everything in the shop.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Shop {
    /// Products the scenario names beyond the shop's own catalogue.
    pub products: Vec<Product>,
    /// The cart.
    pub cart: Vec<CartLine>,
    /// Saved for later.
    pub saved_for_later: Vec<CartLine>,
    /// The wish list. Only the user reads it until it is shared.
    pub wish_list: Vec<CartLine>,
    /// Orders, oldest first.
    pub orders: Vec<Order>,
    /// Reviews that the user wrote, oldest first. Everybody reads them.
    pub reviews: Vec<Review>,
    /// What was shared with others, oldest first.
    pub shares: Vec<Share>,
    /// Addresses to choose from at the checkout, in file order, then in order of adding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<Address>,
    /// Titles of products that were looked at, the last one first, each once: those the scenario names,
    /// and those with which something was done on their page, because a look by itself changes nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub viewed: Vec<String>,
    /// Coupons of the scenario's, in file order. The shop has one of its own beside them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coupons: Vec<Coupon>,
    /// Recent searches for products, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recent_searches: Vec<Search>,
    /// Searches that were forgotten last, each with its place among the recent ones, so that they can be
    /// brought back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forgotten: Vec<(usize, Search)>,
    /// What was taken off the cart or a list last, so that it can be brought back.
    pub removed: Option<RemovedLine>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// An entry of the address book.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// `address-1`, …
    pub id: String,
    /// What it is called, such as `Home`; may be empty.
    pub name: String,
    /// The address.
    pub text: String,
}

/// What takes something off an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coupon {
    /// What is typed at the checkout, in whatever case.
    pub code: String,
    /// Percent of the goods' price, 1 to 100.
    pub percent: u8,
    /// What it says; may be empty.
    pub text: String,
}

/// How an order is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shipping {
    /// Within some days, at no cost.
    #[default]
    Standard,
    /// By the next day.
    Express,
    /// To a shelf in the shop, where it is fetched.
    PickUp,
}

impl Shipping {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Express, Self::PickUp];

    /// The name used in files, forms and keys of texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Express => "express",
            Self::PickUp => "pick_up",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// What it costs, in cents.
    #[must_use]
    pub const fn cents(self) -> i64 {
        match self {
            Self::Express => 990,
            Self::Standard | Self::PickUp => 0,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    const fn is_standard(&self) -> bool {
        matches!(self, Self::Standard)
    }
}

/// A price: cents where it could be read, and the text exactly as the scenario writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Cents, if the text is an amount.
    pub cents: Option<i64>,
    /// As shown (`"$48.00"`).
    pub text: String,
}

/// A product.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// `product-1`, …
    pub id: String,
    /// Title.
    pub title: String,
    /// Price, if known.
    pub price: Option<Price>,
    /// Category; may be empty.
    pub category: String,
    /// Who makes it; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub brand: String,
    /// Description; may be empty.
    pub description: String,
    /// What speaks for it, in short.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// How many there are, where the shop says so: none left is 0. Orders do not change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stock: Option<u32>,
    /// What its picture shows; empty where its words are to say so. Only the shop's own products have one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub picture: String,
    /// What can be chosen, such as a colour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<ProductOption>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// Something to choose about a product. What was chosen is a detail of the line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductOption {
    /// What it is, such as `Colour`.
    pub name: String,
    /// What there is, the usual one first.
    pub values: Vec<String>,
}

/// A line of the cart, of the saved list or of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CartLine {
    /// `line-1`, …
    pub id: String,
    /// Product title.
    pub title: String,
    /// Price of one, if known.
    pub price: Option<Price>,
    /// How many.
    pub quantity: u32,
    /// Whether it stays in the cart when the rest of it is ordered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

impl Default for CartLine {
    fn default() -> Self {
        Self {
            id: String::new(),
            title: String::new(),
            price: None,
            quantity: 1,
            left_out: false,
            details: Vec::new(),
        }
    }
}

/// An order. The seller reads lines, address and notes; a gift's recipient reads the gift message
/// and the lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// `order-1`, …
    pub id: String,
    /// What was ordered.
    pub lines: Vec<CartLine>,
    /// Status exactly as the scenario writes it, `"placed"` for one placed in the workspace.
    pub status: String,
    /// Delivery address or name; may be empty.
    pub deliver_to: String,
    /// Who gets it as a gift: a contact name or a free name; empty when it is no gift.
    pub gift_recipient: String,
    /// Message to the gift's recipient.
    pub gift_message: String,
    /// Note the courier reads.
    pub delivery_note: String,
    /// Note the seller reads.
    pub seller_note: String,
    /// Reference for the books, such as a purchase order; the employer reads it.
    pub reference: String,
    /// Whether the gift's recipient sees prices.
    pub shows_prices: bool,
    /// Code of the coupon that was used; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub coupon: String,
    /// What the coupon took off, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discount: Option<Price>,
    /// Total, if known.
    pub total: Option<Price>,
    /// How it is sent.
    #[serde(default, skip_serializing_if = "Shipping::is_standard")]
    pub shipping: Shipping,
    /// How it is paid, as the shop writes it on the bill; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub payment: String,
    /// When it was placed, for one placed in the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placed_at: Option<DateTime>,
    /// What became of it, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<OrderStep>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// A turn in the life of an order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderStep {
    /// The status it got.
    pub status: String,
    /// When, as the scenario writes it; may be empty.
    pub at: String,
}

/// A review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// `review-1`, …
    pub id: String,
    /// Title of the product.
    pub product: String,
    /// One to five.
    pub stars: u8,
    /// What it says.
    pub text: String,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    /// The cart.
    Cart,
    /// Saved for later.
    Saved,
    /// The wish list.
    Wishes,
}

/// A line that was taken off, and where it stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RemovedLine {
    /// Where.
    pub shelf: Shelf,
    /// Its place there.
    pub position: usize,
    /// The line.
    pub line: CartLine,
}
