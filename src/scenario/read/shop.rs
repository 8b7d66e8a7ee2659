//! Shop: products, cart, saved for later, orders.

use super::super::json::{Json, JsonPath};
use super::super::model::{
    Address, CartLine, Coupon, Order, OrderStep, Price, Product, ProductOption, Search, Shipping, Shop,
};
use super::context::Context;
use super::fields::{Field, Fields, Items};

/// Options that a product page offers.
const MOST_OPTIONS: usize = 4;
/// Names under which a product's title is found.
const TITLES: [&str; 4] = ["title", "item", "name", "product"];

pub(super) fn read(context: &mut Context, value: &Json, path: &JsonPath) -> Shop {
    let mut shop = Shop::default();
    let Some(mut fields) = Fields::open(context, value, path) else { return shop };
    if let Some(items) = fields.take_list(context, &["products", "catalogue"]) {
        for (value, path) in items.iter() {
            shop.products.extend(read_product(context, value, &path));
        }
    }
    if let Some(items) = fields.take_list(context, &["items"]) {
        for (value, path) in items.iter() {
            read_item(context, &mut shop, value, &path);
        }
    }
    if let Some(items) = fields.take_list(context, &["cart"]) {
        shop.cart.extend(read_lines(context, &items));
    }
    if let Some(items) = fields.take_list(context, &["saved_for_later", "saved"]) {
        shop.saved_for_later.extend(read_lines(context, &items));
    }
    if let Some(items) = fields.take_list_or_keep(&["wish_list", "wishlist"]) {
        shop.wish_list.extend(read_lines(context, &items));
    }
    if let Some(items) = fields.take_list_or_keep(&["addresses", "address_book"]) {
        for (value, path) in items.iter() {
            shop.addresses.extend(read_address(context, value, &path));
        }
    }
    if let Some(items) = fields.take_list(context, &["orders"]) {
        for (value, path) in items.iter() {
            shop.orders.extend(read_order(context, value, &path));
        }
    }
    if let Some(items) = fields.take_list_or_keep(&["recently_viewed"]) {
        for title in items.texts(context) {
            view(&mut shop, title);
        }
    }
    if let Some(field) = fields.take(&["recent_searches"]) {
        match read_texts(&field) {
            Some(queries) => {
                let search = |query| Search { id: context.next_id("shop-search"), query };
                shop.recent_searches = queries.into_iter().map(search).collect();
            }
            None => fields.keep_value(&field),
        }
    }
    if let Some(field) = fields.take(&["coupons"]) {
        match read_coupons(&field) {
            Some(coupons) => shop.coupons = coupons,
            None => fields.keep_value(&field),
        }
    }
    shop.details = fields.into_details(context);
    shop
}

/// Notes that a product was looked at; the file names the last one first.
fn view(shop: &mut Shop, title: String) {
    if !shop.viewed.contains(&title) {
        shop.viewed.push(title);
    }
}

/// Coupons as `[{"code": "SPRING", "percent": 15, "text": "For regulars"}]`; `None` where one of them is
/// something else.
fn read_coupons(field: &Field<'_>) -> Option<Vec<Coupon>> {
    let Json::Array(all) = field.value else { return None };
    let coupon = |one: &Json| {
        let Json::Object(entries) = one else { return None };
        let code = one.get("code")?.scalar_text()?.trim().to_owned();
        let percent: u8 = one.get("percent")?.scalar_text()?.trim().parse().ok()?;
        let text = match one.get("text") {
            Some(text) => text.scalar_text()?,
            None => String::new(),
        };
        let is_whole = entries.len() == 2 + usize::from(one.get("text").is_some());
        (is_whole && !code.is_empty() && (1..=100).contains(&percent)).then_some(Coupon {
            code,
            percent,
            text,
        })
    };
    all.iter().map(coupon).collect()
}

/// An item is in the cart, or a product the shop offers.
fn read_item(context: &mut Context, shop: &mut Shop, value: &Json, path: &JsonPath) {
    if matches!(value.get("in_cart"), Some(Json::Bool(true))) {
        shop.cart.extend(read_line(context, value, path));
    } else if let Some(product) = read_product(context, value, path) {
        // It is shown to the user because the user came across it.
        view(shop, product.title.clone());
        shop.products.push(product);
    }
}

fn read_product(context: &mut Context, value: &Json, path: &JsonPath) -> Option<Product> {
    let id = context.next_id("product");
    let mut product = Product {
        id,
        title: String::new(),
        price: None,
        description: String::new(),
        details: Vec::new(),
        ..Product::default()
    };
    if let Some(title) = value.scalar_text() {
        product.title = title;
        return Some(product);
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(title) = fields.take_text(&TITLES) else {
        fields.missing(context, "title");
        return None;
    };
    product.title = title;
    product.price = fields.take_text(&["price"]).map(price);
    product.category = fields.take_text(&["category"]).unwrap_or_default();
    product.brand = fields.take_text(&["brand"]).unwrap_or_default();
    product.description = fields.take_text(&["description"]).unwrap_or_default();
    if let Some(field) = fields.take(&["features"]) {
        match read_texts(&field) {
            Some(features) => product.features = features,
            None => fields.keep_value(&field),
        }
    }
    if let Some(field) = fields.take(&["stock"]) {
        product.stock = field.value.scalar_text().and_then(|text| text.trim().parse().ok());
        if product.stock.is_none() {
            fields.keep_value(&field);
        }
    }
    if let Some(field) = fields.take(&["options"]) {
        match read_options(&field) {
            Some(options) => product.options = options,
            None => fields.keep_value(&field),
        }
    }
    take_in_cart(&mut fields);
    product.details = fields.into_details(context);
    Some(product)
}

/// Options as `{"Colour": ["Red", "Blue"]}` or `[{"name": "Colour", "values": [..]}]`; `None` where
/// it is neither, or more than a product page offers.
fn read_options(field: &Field<'_>) -> Option<Vec<ProductOption>> {
    let values = |value: &Json| match value {
        Json::Array(values) if !values.is_empty() => {
            values.iter().map(Json::scalar_text).collect::<Option<Vec<String>>>()
        }
        _ => None,
    };
    let option =
        |name: &str, held: &Json| Some(ProductOption { name: name.to_owned(), values: values(held)? });
    let options: Option<Vec<ProductOption>> = match field.value {
        Json::Object(entries) => entries.iter().map(|(name, held)| option(name, held)).collect(),
        Json::Array(all) => all
            .iter()
            .map(|one| match one {
                Json::Object(entries) if entries.len() == 2 => {
                    option(&one.get("name")?.scalar_text()?, one.get("values")?)
                }
                _ => None,
            })
            .collect(),
        _ => None,
    };
    options.filter(|options| options.len() <= MOST_OPTIONS)
}

/// A list of texts; `None` where one of them is something else.
fn read_texts(field: &Field<'_>) -> Option<Vec<String>> {
    let Json::Array(all) = field.value else { return None };
    all.iter().map(Json::scalar_text).collect()
}

/// The turns of an order as `[{"status": "shipped", "at": "2026-05-18"}]`; `None` where one of them is
/// something else.
fn read_history(field: &Field<'_>) -> Option<Vec<OrderStep>> {
    let Json::Array(all) = field.value else { return None };
    let step = |one: &Json| {
        let Json::Object(entries) = one else { return None };
        let status = one.get("status")?.scalar_text()?;
        let at = match one.get("at") {
            Some(at) => at.scalar_text()?,
            None => String::new(),
        };
        (entries.len() == 1 + usize::from(one.get("at").is_some())).then_some(OrderStep { status, at })
    };
    all.iter().map(step).collect()
}

/// An address of the book: a text, or an object with a name beside it.
fn read_address(context: &mut Context, value: &Json, path: &JsonPath) -> Option<Address> {
    let id = context.next_id("address");
    if let Some(text) = value.scalar_text() {
        return Some(Address { id, name: String::new(), text });
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(text) = fields.take_text(&["text", "address"]) else {
        fields.missing(context, "address");
        return None;
    };
    let name = fields.take_text(&["name", "label"]).unwrap_or_default();
    let more = fields.into_details(context);
    let more = more.into_iter().map(|detail| format!("\n{}: {}", detail.label, detail.value));
    Some(Address { id, name, text: std::iter::once(text).chain(more).collect() })
}

fn read_lines(context: &mut Context, items: &Items<'_>) -> Vec<CartLine> {
    items.iter().filter_map(|(value, path)| read_line(context, value, &path)).collect()
}

fn read_line(context: &mut Context, value: &Json, path: &JsonPath) -> Option<CartLine> {
    let id = context.next_id("line");
    let mut line = CartLine { id, ..CartLine::default() };
    if let Some(title) = value.scalar_text() {
        line.title = title;
        return Some(line);
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(title) = fields.take_text(&TITLES) else {
        fields.missing(context, "title");
        return None;
    };
    line.title = title;
    take_line_facts(&mut fields, &mut line);
    take_in_cart(&mut fields);
    line.details = fields.into_details(context);
    Some(line)
}

/// `in_cart` says where a thing is shown; the page shows it there, so the flag itself is no text.
fn take_in_cart(fields: &mut Fields<'_>) {
    if let Some(field) = fields.take(&["in_cart"])
        && !matches!(field.value, Json::Bool(_))
    {
        fields.keep_value(&field);
    }
}

fn take_line_facts(fields: &mut Fields<'_>, line: &mut CartLine) {
    line.price = fields.take_text(&["price"]).map(price);
    if let Some(field) = fields.take(&["quantity", "qty"]) {
        match quantity(&field) {
            Some(quantity) => line.quantity = quantity,
            None => fields.keep_value(&field),
        }
    }
}

fn quantity(field: &Field<'_>) -> Option<u32> {
    field.value.scalar_text()?.trim().parse().ok().filter(|quantity| *quantity > 0)
}

fn read_order(context: &mut Context, value: &Json, path: &JsonPath) -> Option<Order> {
    let mut order = Order {
        id: context.next_id("order"),
        lines: Vec::new(),
        status: String::new(),
        deliver_to: String::new(),
        gift_recipient: String::new(),
        gift_message: String::new(),
        delivery_note: String::new(),
        seller_note: String::new(),
        total: None,
        details: Vec::new(),
        ..Order::default()
    };
    let bare_line = |context: &mut Context, title: String| CartLine {
        id: context.next_id("line"),
        title,
        ..CartLine::default()
    };
    if let Some(title) = value.scalar_text() {
        order.lines.push(bare_line(context, title));
        return Some(order);
    }
    let mut fields = Fields::open(context, value, path)?;
    let several = fields.take(&["lines", "items"]);
    if let Some(field) = &several {
        let items = Items::open(context, field)?;
        order.lines = read_lines(context, &items);
    }
    if let Some(title) = fields.take_text(&["item", "title", "name", "product"]) {
        let mut line = bare_line(context, title);
        take_line_facts(&mut fields, &mut line);
        order.lines.push(line);
    }
    if several.is_none() && order.lines.is_empty() {
        fields.missing(context, "item");
        return None;
    }
    order.status = fields.take_text(&["status"]).unwrap_or_default();
    order.deliver_to = fields.take_text(&["deliver_to", "address"]).unwrap_or_default();
    order.gift_recipient = fields.take_text(&["gift_recipient"]).unwrap_or_default();
    order.gift_message = fields.take_text(&["gift_message"]).unwrap_or_default();
    order.delivery_note = fields.take_text(&["delivery_note"]).unwrap_or_default();
    order.seller_note = fields.take_text(&["seller_note"]).unwrap_or_default();
    order.reference = fields.take_text(&["reference", "order_reference"]).unwrap_or_default();
    if let Some(text) = fields.take_text(&["shipping"]).filter(|text| !text.trim().is_empty()) {
        match Shipping::from_name(&text.trim().to_lowercase()) {
            Some(shipping) => order.shipping = shipping,
            None => fields.keep("shipping", text),
        }
    }
    order.payment = fields.take_text(&["payment"]).unwrap_or_default();
    order.total = fields.take_text(&["total"]).map(price);
    if let Some(field) = fields.take(&["history"]) {
        match read_history(&field) {
            Some(history) => order.history = history,
            None => fields.keep_value(&field),
        }
    }
    order.details = fields.into_details(context);
    Some(order)
}

/// A price: the text as it is, and the cents where it is an amount.
fn price(text: String) -> Price {
    Price { cents: cents(&text), text }
}

/// Cents of an amount such as `$48.00`, `1.234,56 €`, `29.9` or `¥1,200`; `None` where the text is no
/// amount or its separators could be read in two ways.
fn cents(text: &str) -> Option<i64> {
    let is_currency = |character: char| "$€£¥₹￥".contains(character) || character.is_whitespace();
    let bare = text.trim_matches(is_currency);
    let bare = ["USD", "EUR", "GBP", "CNY"]
        .into_iter()
        .fold(bare, |bare, code| bare.trim_start_matches(code).trim_end_matches(code))
        .trim_matches(is_currency);
    if bare.is_empty() || bare.len() > 15 {
        return None;
    }
    let decimal = bare.rfind(['.', ',']).filter(|at| (1..=2).contains(&(bare.len() - at - 1)));
    let (whole, fraction) = decimal.map_or((bare, ""), |at| (&bare[..at], &bare[at + 1..]));
    let mut groups = whole.split(['.', ',']);
    let mut digits = groups.next()?.to_owned();
    for group in groups {
        if group.len() != 3 || digits.is_empty() {
            return None;
        }
        digits.push_str(group);
    }
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || !is_number(&digits) || !is_number(fraction) {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<2}").parse().ok()?;
    digits.parse::<i64>().ok()?.checked_mul(100)?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_become_cents() {
        for (text, expected) in [
            ("$48.00", Some(4800)),
            ("29.99", Some(2999)),
            ("45.0", Some(4500)),
            ("29.9", Some(2990)),
            ("1.234,56 €", Some(123_456)),
            ("¥1,200", Some(120_000)),
            ("USD 12", Some(1200)),
            ("free", None),
            ("", None),
            ("12-15", None),
            ("1,2,3", None),
            (".50", None),
        ] {
            assert_eq!(cents(text), expected, "{text}");
        }
    }
}
