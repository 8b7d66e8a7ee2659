//! The address book.

use serde::Serialize;

use super::super::context::{Context, address};
use super::super::form::{Field, Form};
use super::super::names::Names;
use super::super::render::{self};
use super::route::PLACE;

#[derive(Serialize)]
struct AddressesPage {
    addresses: Vec<AddressView>,
    name: Field,
    text: Field,
    message: Option<String>,
}

#[derive(Serialize)]
struct AddressView {
    name: String,
    text: String,
    remove: String,
    remove_name: String,
}

pub(super) fn addresses_page(context: &Context<'_>, form: &Form) -> String {
    let mut names = Names::default();
    let view = |held: &crate::scenario::model::Address| {
        let called = if held.name.is_empty() { &held.text } else { &held.name };
        let remove = context.text("shop.remove_address", &[("name", called)]);
        AddressView {
            name: held.name.clone(),
            text: held.text.clone(),
            remove: address(&["shop", "addresses", &held.id, "remove"]),
            remove_name: names.unique(context, &remove),
        }
    };
    let view = AddressesPage {
        addresses: context.state.apps.shop.addresses.iter().map(view).collect(),
        name: form.field("name"),
        text: form.field("text"),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("shop.addresses", &[]);
    render::page(context, PLACE, &heading, "shop_addresses.html", &view)
}
