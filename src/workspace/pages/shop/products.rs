//! What the shop offers: search, filters, a product and its reviews.

use serde::Serialize;

use super::super::context::Context;
use super::super::form::{Field, Form, untouched};
use super::super::names::Names;
use super::super::pager::page_numbers;
use super::super::render::{self, Row};
use super::super::searches::{RecentSearch, recent_searches};
use super::checkout::Choice;
use super::filter::{Filter, Group};
use super::lines::shown;
use super::picture::{Picture, picture};
use super::route::PLACE;
use crate::scenario::model::{Detail, Product};
use crate::workspace::catalogue;

/// Products of the catalogue on one page.
const PAGE: usize = 24;

#[derive(Serialize)]
pub(super) struct Products {
    query: Field,
    suggestions: Vec<String>,
    recent: Vec<RecentSearch>,
    groups: Vec<Group>,
    /// The filter as fields, for the forms that go to other pages of what it finds.
    fields: Vec<(&'static str, String)>,
    /// How many boxes are ticked, where some are.
    ticked: Option<String>,
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

/// Whether there is some of a product: in words, and as the stylesheet calls it.
#[derive(Serialize)]
struct Stock {
    text: String,
    level: &'static str,
}

#[derive(Serialize)]
struct ProductView {
    id: String,
    title: String,
    picture: Picture,
    add: String,
    open: String,
    price: Option<String>,
    brand: String,
    stock: Stock,
    category: String,
    description: String,
    features: Vec<String>,
    /// The options with all their values.
    options: Vec<Row>,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct ProductPage {
    id: String,
    title: String,
    picture: Picture,
    price: Option<String>,
    brand: String,
    stock: Stock,
    category: String,
    description: String,
    features: Vec<String>,
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

pub(super) fn products(context: &Context<'_>) -> Products {
    let shop = &context.state.apps.shop;
    let offered = offered(context);
    let filter = Filter::of(context);
    let found = filter.found(&offered);
    // The scenario's own products are never split over pages.
    let size = PAGE.max(shop.products.len());
    let pages = found.len().div_ceil(size).max(1);
    let page = page_asked(context).clamp(1, pages);
    let mut names = Names::default();
    let list = found.iter().skip((page - 1) * size).take(size);
    let ticked = filter.ticked();
    Products {
        query: untouched("q", filter.query),
        suggestions: shop.recent_searches.iter().map(|search| search.query.clone()).collect(),
        recent: recent_searches(context, &mut Names::default(), "shop", "/shop", &shop.recent_searches),
        groups: filter.groups(context, &offered),
        fields: filter.fields().into_iter().map(|(name, value)| (name, value.to_owned())).collect(),
        ticked: (ticked > 0).then(|| context.counted("shop.filters_on", ticked, &[])),
        sort: filter.sort,
        filtered: !filter.is_empty(),
        found: context.counted("shop.found", found.len(), &[]),
        list: list.map(|product| product_view(context, product, &mut names)).collect(),
        page,
        previous: (page > 1).then(|| page - 1),
        next: (page < pages).then_some(page + 1),
        numbers: page_numbers(page, pages),
        pages,
    }
}

/// Whether the address asks for some of the products, rather than for the shop.
pub(super) fn is_filtered(context: &Context<'_>) -> bool {
    !Filter::of(context).is_empty() || page_asked(context) > 1
}

fn page_asked(context: &Context<'_>) -> usize {
    context.query("page").and_then(|page| page.parse().ok()).unwrap_or(1)
}

fn product_view(context: &Context<'_>, product: &Product, names: &mut Names) -> ProductView {
    let options = product.options.iter();
    ProductView {
        id: product.id.clone(),
        title: product.title.clone(),
        picture: picture(Some(product), &product.title),
        add: names.unique(context, &context.text("shop.add", &[("title", &product.title)])),
        open: names.unique(context, &context.text("shop.open", &[("title", &product.title)])),
        price: shown(product.price.as_ref()),
        brand: product.brand.clone(),
        stock: Stock::of(context, product),
        category: product.category.clone(),
        description: product.description.clone(),
        // The scenario's own words are shown where they are met first; the shop's on the product's page.
        features: if product.picture.is_empty() { product.features.clone() } else { Vec::new() },
        options: options
            .map(|option| Row { label: option.name.clone(), value: context.joined(&option.values) })
            .collect(),
        details: render::rows(&product.details),
    }
}

impl Stock {
    fn of(context: &Context<'_>, product: &Product) -> Self {
        let (text, level) = match product.stock {
            Some(0) => (context.text("shop.sold_out", &[]), "out"),
            Some(left) => (context.counted("shop.left", left as usize, &[]), "low"),
            None => (context.text("shop.in_stock", &[]), "in"),
        };
        Self { text, level }
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
        picture: picture(Some(product), &product.title),
        brand: product.brand.clone(),
        stock: Stock::of(context, product),
        category: product.category.clone(),
        description: product.description.clone(),
        features: product.features.clone(),
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
