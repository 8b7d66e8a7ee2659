//! The shop's own catalogue: ordinary things, so that a shop without a scenario is not bare.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::web;
use crate::scenario::model::{Price, Product, ProductOption, Shop};

static CATALOGUE: LazyLock<Vec<Product>> = LazyLock::new(|| {
    let source = web::source("catalogue.json").unwrap_or_default();
    // The file is part of the program: a test parses it.
    let rows: Vec<Row> = serde_json::from_str(&source).unwrap_or_default();
    (1..).zip(rows).map(|(number, row)| row.product(number)).collect()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    title: String,
    cents: i64,
    category: String,
    description: String,
    #[serde(default)]
    options: BTreeMap<String, Vec<String>>,
}

impl Row {
    fn product(self, number: usize) -> Product {
        let price = Price {
            cents: Some(self.cents),
            text: format!("${}.{:02}", self.cents / 100, self.cents.rem_euclid(100)),
        };
        Product {
            id: format!("catalogue-{number}"),
            title: self.title,
            price: Some(price),
            category: self.category,
            description: self.description,
            options: self.options.into_iter().map(|(name, values)| ProductOption { name, values }).collect(),
            details: Vec::new(),
            ..Product::default()
        }
    }
}

/// The shop's own products, in the order of the shelf. They are no part of any state.
#[must_use]
pub fn catalogue() -> &'static [Product] {
    &CATALOGUE
}

/// Everything that can be put into the cart: the scenario's products first, then the catalogue
/// without those whose title the scenario uses itself.
#[must_use]
pub fn offered(shop: &Shop) -> Vec<&Product> {
    let taken = |title: &str| shop.products.iter().any(|product| product.title == title);
    let own = catalogue().iter().filter(|product| !taken(&product.title));
    shop.products.iter().chain(own).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn catalogue_is_whole_and_titles_are_unique() {
        let titles: BTreeSet<&str> = catalogue().iter().map(|product| product.title.as_str()).collect();
        assert_eq!(titles.len(), catalogue().len());
        assert!(catalogue().len() >= 60);
        assert_eq!(catalogue()[0].price.as_ref().map(|price| price.text.as_str()), Some("$18.00"));
    }

    #[test]
    fn scenario_products_come_first_and_hide_their_namesakes() {
        let mut shop = Shop::default();
        shop.products.push(Product { title: catalogue()[3].title.clone(), ..catalogue()[0].clone() });
        let offered = offered(&shop);
        assert_eq!(offered.len(), catalogue().len());
        assert_eq!(offered[0].title, catalogue()[3].title);
    }
}
