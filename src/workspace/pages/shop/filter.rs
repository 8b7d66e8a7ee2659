//! What is wanted of all that the shop offers: words, boxes that are ticked, an order.

use std::collections::BTreeSet;

use serde::Serialize;

use super::super::context::Context;
use super::super::names::Names;
use crate::scenario::model::Product;

/// Most brands that are offered as boxes; of more, nobody chooses.
const BRANDS: usize = 18;
/// Ranges of prices in cents, from and below, with the names that addresses give them.
const PRICES: [(&str, i64, i64); 4] = [
    ("below-10", i64::MIN, 1_000),
    ("10-25", 1_000, 2_500),
    ("25-50", 2_500, 5_000),
    ("from-50", 5_000, i64::MAX),
];
/// The orders in which products can stand.
const SORTS: [&str; 4] = ["shelf", "price", "price_down", "title"];
/// What the box for the stock says in addresses.
const IN_STOCK: &str = "yes";

/// A filter as the address gives it.
#[derive(Debug, Clone)]
pub(super) struct Filter<'a> {
    pub(super) query: &'a str,
    categories: Vec<&'a str>,
    brands: Vec<&'a str>,
    prices: Vec<&'static str>,
    in_stock: bool,
    pub(super) sort: &'static str,
}

/// Boxes to tick.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    name: &'static str,
    legend: String,
    ticks: Vec<Tick>,
    /// What is said where there are none.
    hint: String,
}

#[derive(Debug, Serialize)]
struct Tick {
    value: String,
    label: String,
    chosen: bool,
}

impl<'a> Filter<'a> {
    pub(super) fn of(context: &Context<'a>) -> Self {
        let asked: Vec<&str> = context.queries("price").collect();
        Self {
            query: context.query("q").unwrap_or_default().trim(),
            categories: context.queries("category").filter(|category| !category.is_empty()).collect(),
            brands: context.queries("brand").filter(|brand| !brand.is_empty()).collect(),
            prices: PRICES.iter().map(|(name, ..)| *name).filter(|name| asked.contains(name)).collect(),
            in_stock: context.query("stock") == Some(IN_STOCK),
            sort: SORTS.into_iter().find(|sort| context.query("sort") == Some(sort)).unwrap_or(SORTS[0]),
        }
    }

    /// How many boxes are ticked.
    pub(super) fn ticked(&self) -> usize {
        self.categories.len() + self.brands.len() + self.prices.len() + usize::from(self.in_stock)
    }

    /// Whether it leaves the shelf as it is.
    pub(super) fn is_empty(&self) -> bool {
        self.query.is_empty() && self.ticked() == 0 && self.sort == SORTS[0]
    }

    /// Its values as the fields of a form.
    pub(super) fn fields(&self) -> Vec<(&'static str, &str)> {
        let mut fields = vec![("q", self.query), ("sort", self.sort)];
        fields.extend(self.categories.iter().map(|category| ("category", *category)));
        fields.extend(self.brands.iter().map(|brand| ("brand", *brand)));
        fields.extend(self.prices.iter().map(|price| ("price", *price)));
        fields.extend(self.in_stock.then_some(("stock", IN_STOCK)));
        fields
    }

    /// What it lets through, in its order.
    pub(super) fn found<'p>(&self, offered: &[&'p Product]) -> Vec<&'p Product> {
        let is_in_stock = |product: &Product| !self.in_stock || product.stock != Some(0);
        let fits = |product: &&&Product| {
            self.has_words(product)
                && self.is_of_category(product)
                && (self.brands.is_empty() || self.brands.contains(&product.brand.as_str()))
                && self.is_of_price(product)
                && is_in_stock(product)
        };
        let mut found: Vec<&Product> = offered.iter().filter(fits).copied().collect();
        let cents = |product: &&Product| product.price.as_ref().and_then(|price| price.cents);
        match self.sort {
            // What has no price comes last, whichever way.
            "price" => found.sort_by_key(|product| (cents(product).is_none(), cents(product))),
            "price_down" => found.sort_by_key(|product| std::cmp::Reverse(cents(product))),
            "title" => found.sort_by_key(|product| product.title.to_lowercase()),
            _ => {}
        }
        found
    }

    fn has_words(&self, product: &Product) -> bool {
        let Product { title, category, brand, description, .. } = product;
        let text = format!("{title} {category} {brand} {description}").to_lowercase();
        self.query.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }

    fn is_of_category(&self, product: &Product) -> bool {
        self.categories.is_empty() || self.categories.contains(&product.category.as_str())
    }

    fn is_of_price(&self, product: &Product) -> bool {
        let cents = product.price.as_ref().and_then(|price| price.cents);
        let is_in = |name: &&'static str| {
            let range = PRICES.iter().find(|(known, ..)| known == name);
            range.zip(cents).is_some_and(|((_, from, below), cents)| (*from..*below).contains(&cents))
        };
        self.prices.is_empty() || self.prices.iter().any(is_in)
    }

    /// The boxes, with those ticked that the address says.
    pub(super) fn groups(&self, context: &Context<'_>, offered: &[&Product]) -> Vec<Group> {
        let mut names = Names::default();
        let mut tick = |value: &str, label: &str, chosen: bool| Tick {
            value: value.to_owned(),
            label: names.unique(context, label),
            chosen,
        };
        let filled = |text: &&str| !text.is_empty();
        let categories: BTreeSet<&str> =
            offered.iter().map(|product| product.category.as_str()).filter(filled).collect();
        let categories: Vec<Tick> = categories
            .into_iter()
            .map(|category| tick(category, category, self.categories.contains(&category)))
            .collect();
        // Only brands of what would be found, so that there are few.
        let near = offered.iter().filter(|product| self.has_words(product) && self.is_of_category(product));
        let mut brands: BTreeSet<&str> = near.map(|product| product.brand.as_str()).filter(filled).collect();
        if brands.len() > BRANDS {
            brands.clear();
        }
        brands.extend(&self.brands);
        let brands: Vec<Tick> =
            brands.into_iter().map(|brand| tick(brand, brand, self.brands.contains(&brand))).collect();
        let prices = PRICES.map(|(name, ..)| {
            let label = context.text(&format!("shop.price.{name}"), &[]);
            tick(name, &label, self.prices.contains(&name))
        });
        let stock = tick(IN_STOCK, &context.text("shop.in_stock_only", &[]), self.in_stock);
        let group = |name, key: &str, boxes: Vec<Tick>| Group {
            name,
            legend: context.text(key, &[]),
            hint: if boxes.is_empty() { context.text("shop.no_brands", &[]) } else { String::new() },
            ticks: boxes,
        };
        vec![
            group("category", "shop.category", categories),
            group("brand", "shop.brand", brands),
            group("price", "shop.price", prices.into()),
            group("stock", "shop.stock", vec![stock]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::look::Look;
    use super::super::super::router::Request;
    use super::super::super::tests::full::empty_state;
    use super::*;
    use crate::workspace::catalogue;

    fn with<T>(query: &[(&str, &str)], look: impl Fn(&Context<'_>, &Filter<'_>) -> T) -> T {
        let state = empty_state("en");
        let pairs: Vec<(String, String)> =
            query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let request = Request { path: "/shop", query: &pairs, look: Look::usual("en") };
        let context = Context::new(&state, &request);
        look(&context, &Filter::of(&context))
    }

    fn found(query: &[(&str, &str)]) -> Vec<&'static Product> {
        let offered: Vec<&'static Product> = catalogue("en").iter().collect();
        with(query, |_, filter| filter.found(&offered))
    }

    #[test]
    fn boxes_of_one_kind_add_up_and_those_of_several_kinds_narrow() {
        let of =
            |category: &str| catalogue("en").iter().filter(|product| product.category == category).count();
        let both = found(&[("category", "Baby"), ("category", "Pets")]);
        assert_eq!(both.len(), of("Baby") + of("Pets"));
        let cheap = found(&[("category", "Baby"), ("category", "Pets"), ("price", "10-25")]);
        assert!(!cheap.is_empty() && cheap.len() < both.len());
        assert!(
            cheap.iter().all(|product| product.price.as_ref().is_some_and(|price| price.cents < Some(2_500)))
        );
        let brand = both[0].brand.as_str();
        assert!(found(&[("brand", brand)]).iter().all(|product| product.brand == brand));
        assert!(found(&[]).iter().any(|product| product.stock == Some(0)));
        assert!(found(&[("stock", "yes")]).iter().all(|product| product.stock != Some(0)));
        let words = found(&[("q", "Baby SMALL")]);
        assert!(!words.is_empty() && words.len() < of("Baby"));
        assert_eq!(found(&[("price", "made-up"), ("sort", "made-up")]).len(), catalogue("en").len());
    }

    #[test]
    fn every_price_is_in_one_range() {
        for product in catalogue("en") {
            let cents = product.price.as_ref().and_then(|price| price.cents).unwrap();
            let ranges = PRICES.iter().filter(|(_, from, below)| (*from..*below).contains(&cents)).count();
            assert_eq!(ranges, 1, "{}", product.title);
        }
    }

    #[test]
    fn brands_are_offered_where_they_are_few_and_what_is_ticked_stays() {
        let offered: Vec<&Product> = catalogue("en").iter().collect();
        let brands = |query: &[(&str, &str)]| {
            with(query, |context, filter| {
                let groups = filter.groups(context, &offered);
                groups[1].ticks.iter().filter(|tick| tick.chosen).count() * 100 + groups[1].ticks.len()
            })
        };
        assert_eq!(brands(&[]), 0, "too many");
        assert_eq!(brands(&[("category", "Clothing")]), 2);
        assert_eq!(brands(&[("brand", "Thornbay")]), 101, "it can be unticked");
    }
}
