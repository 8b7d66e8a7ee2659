//! What the shop offers: search, filters, a product and its reviews.

use std::collections::BTreeSet;

use serde::Serialize;

use super::super::context::Context;
use super::super::form::{Field, Form, untouched};
use super::super::names::Names;
use super::super::render::{self, Row};
use super::checkout::Choice;
use super::lines::shown;
use super::route::PLACE;
use crate::scenario::model::{Detail, Product};
use crate::workspace::catalogue;

/// Products of the catalogue on one page.
const PAGE: usize = 24;

#[derive(Serialize)]
pub(super) struct Products {
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
    /// Pages to go to by number; 0 stands for those that are left out.
    numbers: Vec<usize>,
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
    /// The options with all their values.
    options: Vec<Row>,
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
    options: Vec<OptionView>,
    quantity: Field,
    stars: String,
    review: Field,
    reviews: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct OptionView {
    name: String,
    /// The field's name; options are numbered.
    field: String,
    values: Vec<Choice>,
}

pub(super) fn product_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a Product> {
    offered(context).into_iter().find(|product| product.id == id)
}

/// The product of a title, where the shop has it.
pub(super) fn titled<'a>(context: &Context<'a>, title: &str) -> Option<&'a Product> {
    offered(context).into_iter().find(|product| product.title == title)
}

pub(super) fn offered<'a>(context: &Context<'a>) -> Vec<&'a Product> {
    catalogue::offered(&context.state.apps.shop, &context.state.language)
}

/// The first page, the last one, and those about the one that is shown.
fn page_numbers(page: usize, pages: usize) -> Vec<usize> {
    let mut numbers = Vec::new();
    for number in (1..=pages).filter(|number| [1, pages].contains(number) || page.abs_diff(*number) <= 1) {
        if numbers.last().is_some_and(|last| last + 1 < number) {
            numbers.push(0);
        }
        numbers.push(number);
    }
    numbers
}

pub(super) fn products(context: &Context<'_>) -> Products {
    let shop = &context.state.apps.shop;
    let offered = offered(context);
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
        options: product
            .options
            .iter()
            .map(|option| Row { label: option.name.clone(), value: context.joined(&option.values) })
            .collect(),
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
        numbers: page_numbers(page, pages),
        pages,
    }
}

pub(super) fn product_page(context: &Context<'_>, product: &Product, form: &Form) -> String {
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
        options: option_views(context, product, form),
        quantity: form.field_or("quantity", "1"),
        stars: if stars.is_empty() { "5".to_owned() } else { stars.to_owned() },
        review: form.field("text"),
        reviews: own.collect(),
        message: form.message().map(str::to_owned),
    };
    render::page(context, PLACE, &product.title, "shop_product.html", &view)
}

/// What was chosen of a product's options; the usual value where nothing was.
pub(super) fn chosen_options(context: &Context<'_>, product: &Product, form: &Form) -> Vec<Detail> {
    let chosen = |(views, option): (OptionView, &crate::scenario::model::ProductOption)| {
        let value = views.values.iter().find(|choice| choice.chosen)?.value.clone();
        Some(Detail { label: option.name.clone(), value })
    };
    option_views(context, product, form).into_iter().zip(&product.options).filter_map(chosen).collect()
}

/// The options with one value of each chosen. Their fields are numbered, because names may be alike.
fn option_views(context: &Context<'_>, product: &Product, form: &Form) -> Vec<OptionView> {
    let mut names = Names::default();
    let mut views = Vec::new();
    for (field, option) in OPTION_FIELDS.into_iter().zip(&product.options) {
        let asked = form.value(field);
        let chosen = option.values.iter().position(|value| value == asked).unwrap_or(0);
        let choice = |(number, value): (usize, &String)| Choice {
            value: value.clone(),
            label: names.unique(context, value),
            about: String::new(),
            chosen: number == chosen,
        };
        let values = option.values.iter().enumerate().map(choice).collect();
        views.push(OptionView { name: option.name.clone(), field: field.to_owned(), values });
    }
    views
}

/// Fields of a product's options; the loader keeps as many.
const OPTION_FIELDS: [&str; 4] = ["option-1", "option-2", "option-3", "option-4"];

#[cfg(test)]
mod tests {
    use super::page_numbers;

    #[test]
    fn pages_are_told_by_their_ends_and_their_neighbours() {
        assert_eq!(page_numbers(1, 1), [1]);
        assert_eq!(page_numbers(1, 13), [1, 2, 0, 13]);
        assert_eq!(page_numbers(4, 13), [1, 0, 3, 4, 5, 0, 13]);
        assert_eq!(page_numbers(3, 5), [1, 2, 3, 4, 5]);
        assert_eq!(page_numbers(13, 13), [1, 0, 12, 13]);
    }
}
