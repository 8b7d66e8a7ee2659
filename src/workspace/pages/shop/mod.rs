//! Shop: search, products, cart, what is saved and wished for, checkout, orders, sharing.

mod addresses;
mod checkout;
mod filter;
mod lines;
mod orders;
mod overview;
mod picture;
mod products;
mod route;

pub(super) use route::{again, get, post};
