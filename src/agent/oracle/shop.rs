//! An order with a gift message, with a note to seller or courier, or with a reference for the
//! employer's books.

use super::super::page::{Kind, Page};
use super::super::write::click;
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, ensure, open_app, press};

/// Orders what is in the cart.
#[derive(Debug)]
pub(super) struct PlaceOrder {
    brief: OracleBrief,
    orders: u32,
    /// Whether the cart was looked into, and whether something was put into it.
    looked: bool,
    added: bool,
}

impl PlaceOrder {
    pub(super) const fn new(brief: OracleBrief) -> Self {
        Self { brief, orders: 0, looked: false, added: false }
    }

    /// The fields of the checkout and what goes into them.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let text = self.brief.text();
        match self.brief.reader() {
            Some("courier") => vec![("shop.delivery_note", text)],
            Some("employer") => vec![("shop.reference", text)],
            Some("seller") | None => vec![("shop.seller_note", text)],
            Some(name) => vec![("shop.gift_recipient", name.to_owned()), ("shop.gift_message", text)],
        }
    }

    fn checkout(&mut self, page: &Page<'_>) -> Option<Move> {
        let place = page.labelled(Kind::Button, "shop.place")?;
        if self.orders >= ATTEMPTS {
            return Some(Move::Impossible("the checkout does not accept the order".to_owned()));
        }
        if let Some(field) = page.labelled(Kind::Field, "shop.deliver_to")
            && field.value().trim().is_empty()
        {
            let name = match self.brief.reader() {
                Some(name) if !matches!(name, "seller" | "courier" | "employer") => name.to_owned(),
                // The same words whatever the language of the pages is.
                _ => "Home".to_owned(),
            };
            return ensure(page, "shop.deliver_to", &name);
        }
        for (key, text) in self.fields() {
            if let Some(step) = ensure(page, key, &text) {
                return Some(step);
            }
        }
        self.orders += 1;
        Some(Move::Act(click(place.bid)))
    }
}

impl Errand for PlaceOrder {
    fn next(&mut self, page: &Page<'_>) -> Move {
        if let Some(step) = self.checkout(page) {
            return step;
        }
        if self.orders > 0 {
            // The form is gone: the shop took the order.
            return Move::Done(String::new());
        }
        for kind in [Kind::Link, Kind::Button] {
            if page.labelled(kind, "shop.checkout").is_some() {
                return press(page, kind, "shop.checkout");
            }
        }
        if let Some(cart) = page.labelled(Kind::Link, "shop.cart")
            && !self.looked
        {
            self.looked = true;
            return Move::Act(click(cart.bid));
        }
        // An empty cart offers no checkout: something has to be in it for a note to travel.
        let products = page.patterned(Kind::Button, "shop.add", "title");
        if let Some((product, _)) = products.first()
            && !self.added
        {
            self.added = true;
            self.looked = false;
            return Move::Act(click(product.bid));
        }
        open_app(page, "nav.shop")
    }
}
