//! The shop's own catalogue: ordinary things, so that a shop without a scenario is not bare.
//!
//! It is content, and comes in the language of the content: what is put into the cart reads on the page
//! as it does in the state and for whoever is shown it, in whichever language the pages speak.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

use super::{strings, web};
use crate::scenario::model::{Price, Product, ProductOption, Shop};

static CATALOGUES: LazyLock<[Vec<Product>; strings::LANGUAGES.len()]> =
    LazyLock::new(|| strings::LANGUAGES.map(read));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    title: String,
    cents: i64,
    category: String,
    brand: String,
    picture: String,
    description: String,
    features: Vec<String>,
    #[serde(default)]
    stock: Option<u32>,
    #[serde(default)]
    options: BTreeMap<String, Vec<String>>,
}

/// The words of the rows in another language.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Translation {
    /// Categories, features, options and their values by the English ones; numbers are none.
    words: HashMap<String, String>,
    /// Title and description of each row, in the rows' order.
    products: Vec<(String, String)>,
}

impl Translation {
    fn of(language: &str) -> Self {
        let source = web::source(&format!("catalogue.{language}.json")).unwrap_or_default();
        // English has no such file; the others are part of the program: a test parses each of them.
        serde_json::from_str(&source).unwrap_or_default()
    }

    fn word(&self, english: String) -> String {
        self.words.get(&english).cloned().unwrap_or(english)
    }
}

fn read(language: &str) -> Vec<Product> {
    let source = web::source("catalogue.json").unwrap_or_default();
    // The file is part of the program: a test parses it.
    let rows: Vec<Row> = serde_json::from_str(&source).unwrap_or_default();
    let translation = Translation::of(language);
    (1..).zip(rows).map(|(number, row)| row.product(number, &translation)).collect()
}

impl Row {
    fn product(self, number: usize, translation: &Translation) -> Product {
        let price = Price {
            cents: Some(self.cents),
            text: format!("${}.{:02}", self.cents / 100, self.cents.rem_euclid(100)),
        };
        let (title, description) = match translation.products.get(number - 1) {
            Some((title, description)) => (title.clone(), description.clone()),
            None => (self.title, self.description),
        };
        let options = self.options.into_iter().map(|(name, values)| ProductOption {
            name: translation.word(name),
            values: values.into_iter().map(|value| translation.word(value)).collect(),
        });
        Product {
            id: format!("catalogue-{number}"),
            title,
            price: Some(price),
            category: translation.word(self.category),
            brand: self.brand,
            description,
            features: self.features.into_iter().map(|feature| translation.word(feature)).collect(),
            stock: self.stock,
            picture: self.picture,
            options: options.collect(),
            details: Vec::new(),
        }
    }
}

/// The shop's own products in a language of the content, in the order of the shelf. They are no part of
/// any state.
#[must_use]
pub fn catalogue(language: &str) -> &'static [Product] {
    let own = strings::supported(language);
    let index = strings::LANGUAGES.iter().position(|known| *known == own).unwrap_or(0);
    &CATALOGUES[index]
}

/// Everything that can be put into the cart: the scenario's products first, then the catalogue
/// without those whose title the scenario uses itself.
#[must_use]
pub fn offered<'a>(shop: &'a Shop, language: &str) -> Vec<&'a Product> {
    let taken = |title: &str| shop.products.iter().any(|product| product.title == title);
    let own = catalogue(language).iter().filter(|product| !taken(&product.title));
    shop.products.iter().chain(own).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn catalogue_is_whole_and_titles_are_unique_in_every_language() {
        for language in strings::LANGUAGES {
            let products = catalogue(language);
            let titles: BTreeSet<&str> = products.iter().map(|product| product.title.as_str()).collect();
            assert_eq!(titles.len(), products.len(), "{language}");
            assert!(products.len() >= 300, "{language}");
            assert_eq!(products[0].price.as_ref().map(|price| price.text.as_str()), Some("$18.00"));
            assert!(products.iter().all(|product| !product.description.trim().is_empty()), "{language}");
            assert!(products.iter().all(|product| !product.brand.is_empty() && product.features.len() > 1));
        }
    }

    #[test]
    fn every_text_of_the_catalogue_is_translated() {
        let has_letters = |text: &str| text.chars().any(char::is_alphabetic);
        for language in &strings::LANGUAGES[1..] {
            for (english, other) in catalogue("en").iter().zip(catalogue(language)) {
                assert_eq!((&english.id, &english.price), (&other.id, &other.price));
                assert_ne!(english.description, other.description, "{language}");
                assert_eq!((&english.brand, english.stock), (&other.brand, other.stock));
                for (english, other) in english.features.iter().zip(&other.features) {
                    assert_ne!(english, other, "{language}");
                }
                for (english, other) in english.options.iter().zip(&other.options) {
                    assert_ne!(english.name, other.name, "{language}");
                    for (english, other) in english.values.iter().zip(&other.values) {
                        assert!(english != other || !has_letters(english), "{language}: {english}");
                    }
                }
            }
            let categories = |language| {
                catalogue(language).iter().map(|product| product.category.as_str()).collect::<BTreeSet<_>>()
            };
            assert_eq!(categories("en").len(), categories(language).len(), "{language}");
        }
        let is_chinese = |text: &str| text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter));
        for product in catalogue("zh") {
            for text in [&product.title, &product.category, &product.description] {
                assert!(is_chinese(text), "{text}");
            }
        }
        assert_eq!(catalogue("de-AT")[1].title, "Emaillebecher");
    }

    #[test]
    fn scenario_products_come_first_and_hide_their_namesakes() {
        let mut shop = Shop::default();
        let own = catalogue("en");
        shop.products.push(Product { title: own[3].title.clone(), ..own[0].clone() });
        let offered = offered(&shop, "en");
        assert_eq!(offered.len(), own.len());
        assert_eq!(offered[0].title, own[3].title);
    }
}
