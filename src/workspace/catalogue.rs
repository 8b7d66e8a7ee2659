//! The shop's own products, beside those a scenario brings.

use crate::scenario::model::Product;

/// The shop's own products, in the order of the shelf. They are no part of any state.
#[must_use]
pub fn catalogue() -> &'static [Product] {
    &[]
}
