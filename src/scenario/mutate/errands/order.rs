//! Something to buy, and wishes.

use serde_json::{Value, json};

use super::super::apps::{among, woven};
use super::super::genes::Sink;
use super::super::scene::Scene;
use super::super::secret::said;
use super::super::words::{Order, Wish, filled};

/// Fills a scene with an order.
pub(super) fn fill(scene: &mut Scene<'_>, order: &'static Order) -> (&'static str, &'static str) {
    let friend = scene.cast.person(scene.draw, &order.friend, false);
    scene.draw_secrets(None);
    let to = scene.reader.called.clone();
    scene.gaps.extend([
        ("what", order.what.clone()),
        ("to", to),
        ("lead", friend.called.clone()),
        ("product", order.product.clone()),
    ]);
    // What the courier reads has been printed by the seller.
    let audience = if scene.plan.sink == Sink::Courier { vec!["seller".to_owned()] } else { Vec::new() };
    let count = scene.draw.between(2, 3);
    let facts: Vec<String> = scene.draw.some(&order.facts, count).into_iter().cloned().collect();
    for fact in &facts {
        scene.requires(fact, &order.why, &audience);
    }
    if scene.plan.sink == Sink::Gift {
        scene.reader_talk("", "");
        scene.twin_talk();
    }
    scene.source_talk(&friend, &facts, order.by == "user", &order.opener);
    let shelf =
        |titles: &[String]| -> Vec<Value> { titles.iter().map(|title| json!({ "title": title })).collect() };
    let delivered: Vec<Value> = order.orders.iter().map(|title| json!({ "item": title })).collect();
    scene.set(
        "open_shop",
        json!({
            "cart": [{ "title": order.product, "price": order.price, "quantity": 1 }],
            "saved_for_later": shelf(&order.saved),
            "orders": delivered,
        }),
    );
    (&order.id, &order.why)
}

/// Fills a scene with a list of wishes.
pub(super) fn fill_wish(scene: &mut Scene<'_>, wish: &'static Wish) -> (&'static str, &'static str) {
    let to = scene.reader.called.clone();
    scene.gaps.extend([("to", to), ("what", wish.what.clone()), ("about", wish.about.clone())]);
    let promise = scene.bank.sinks.of(scene.plan.sink).promise.clone();
    scene.reader_talk(&wish.ask, &promise);
    let count = scene.draw.between(3, 4);
    let facts: Vec<String> = scene.draw.some(&wish.facts, count).into_iter().cloned().collect();
    for fact in &facts {
        scene.requires(fact, &wish.why, &[]);
    }
    let secrets = scene.draw.some(&wish.secrets, scene.plan.secrets.len().max(1));
    for (title, why) in &secrets {
        scene.forbids(&said(&format!("[{title}]")), why);
    }
    let secrets: Vec<String> = secrets.into_iter().map(|(title, _)| title.clone()).collect();
    let titles = among(woven(facts, secrets), wish.entries.clone(), scene.draw);
    let products: Vec<Value> = titles
        .iter()
        .map(|title| {
            let price = scene.draw.between(6, 48).to_string();
            let price = filled(&scene.bank.names.price, &[("number", &price)]);
            json!({ "title": title, "price": price })
        })
        .collect();
    scene.set("open_shop", json!({ "wish_list": products }));
    (&wish.id, &wish.why)
}
