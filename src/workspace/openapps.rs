//! The state in the shapes of OpenApps' own read endpoints, for tools written for it. Pure.
//!
//! Our state holds more than these shapes can say (audiences, times of day, shares, drafts);
//! whoever needs that reads `/state`. What OpenApps asks for and our state lacks is stated here: a
//! product's `asin` is its title, pictures are empty, an order of the scenario has no date, and the city has coordinates of its own
//! around latitude and longitude 0, where no real place is meant.

use std::sync::Arc;

use serde_json::{Value, json};

use super::WorkspaceState;
use super::atlas::{METRES, city};
use crate::scenario::model::{CartLine, CodeEditor, Messenger, SourceFile};

/// The addresses, as OpenApps calls them.
pub(super) const PATHS: [&str; 6] =
    ["/todo_all", "/messages_all", "/calendar_all", "/maps/landmarks", "/codeeditor_all", "/onlineshop_all"];

/// Metres of a degree.
const DEGREE: f64 = 111_320.0;

/// The state as OpenApps tells it at this address; `None` for any other.
pub(super) fn read(state: &Arc<WorkspaceState>, path: &str) -> Option<Value> {
    let apps = &state.apps;
    Some(match path {
        "/todo_all" => apps
            .todo
            .lists
            .iter()
            .flat_map(|list| &list.items)
            .map(|item| json!({ "id": number(&item.id), "title": item.title, "done": u8::from(item.done) }))
            .collect(),
        "/messages_all" => messages(&apps.messenger),
        "/calendar_all" => apps
            .calendar
            .events
            .iter()
            .map(|event| {
                let invitees: Vec<&str> = event.invitees.iter().map(|one| one.name.as_str()).collect();
                json!({
                    "id": number(&event.id),
                    "title": event.title,
                    "date": event.date.to_string(),
                    "description": event.description,
                    "url": event.url,
                    "location": event.location,
                    "invitees": (!invitees.is_empty()).then(|| invitees.join(", ")),
                    "recurring": event.recurrence.as_ref().map(|recurrence| recurrence.frequency.name()),
                })
            })
            .collect(),
        "/maps/landmarks" => apps
            .maps
            .places
            .iter()
            .map(|place| {
                json!({
                    "name": place.name,
                    "coords": coordinates(&place.name),
                    "markerStyle": { "icon": "marker", "color": "blue" },
                })
            })
            .collect(),
        "/codeeditor_all" => files(&apps.code_editor),
        "/onlineshop_all" => {
            let orders: Vec<Value> = apps
                .shop
                .orders
                .iter()
                .map(|order| {
                    json!({
                        "order_id": order.id,
                        "items": items(&order.lines),
                        "total": order.total.as_ref().map(|total| match total.cents {
                            Some(cents) => json!(cents as f64 / 100.0),
                            None => json!(total.text),
                        }),
                        "name": order.gift_recipient,
                        "address": order.deliver_to,
                        "date": order.placed_at.map(|at| at.to_string()).unwrap_or_default(),
                        "status": order.status,
                    })
                })
                .collect();
            let cart: Vec<Value> = apps.shop.cart.iter().map(cart_line).collect();
            json!({ "cart": cart, "orders": orders })
        }
        _ => return None,
    })
}

/// The number in one of our ids (`task-12`); 0 where there is none.
fn number(id: &str) -> u64 {
    id.rsplit_once('-').and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}

/// Conversations in the order in which they were made. A draft that stands among a conversation's
/// messages is told as one: OpenApps knows no drafts, and its reader would miss it.
fn messages(messenger: &Messenger) -> Value {
    let told = messenger.threads.iter().map(|thread| {
        let messages: Vec<Value> = thread
            .messages
            .iter()
            .map(|message| {
                let sender = if message.author.is_user { "you" } else { message.author.name.as_str() };
                json!([message.text, sender, message.at.to_string()])
            })
            .collect();
        json!({ "user": thread.title, "messages": messages })
    });
    told.collect()
}

/// Latitude and longitude to a metre or so.
fn coordinates(name: &str) -> [f64; 2] {
    let point = city().point(name);
    let degrees = |units: i32| (f64::from(units * METRES) / DEGREE * 1e6).round() / 1e6;
    [degrees(-point.y), degrees(point.x)]
}

/// The files as a tree of folders, in the order in which they first come.
fn files(editor: &CodeEditor) -> Value {
    let all: Vec<(Vec<&str>, &SourceFile)> = editor
        .files
        .iter()
        .map(|file| (file.path.split('/').filter(|part| !part.is_empty()).collect(), file))
        .collect();
    json!({ "type": "folder", "name": "", "children": children(&all, 0) })
}

/// What lies in a folder that is `depth` names deep: `inside` holds all files below it.
fn children(inside: &[(Vec<&str>, &SourceFile)], depth: usize) -> Vec<Value> {
    let mut told: Vec<Value> = Vec::new();
    let mut folders: Vec<&str> = Vec::new();
    for (parts, file) in inside {
        match parts.get(depth) {
            Some(folder) if parts.len() > depth + 1 => {
                if folders.contains(folder) {
                    continue;
                }
                folders.push(folder);
                let below: Vec<(Vec<&str>, &SourceFile)> = inside
                    .iter()
                    .filter(|(parts, _)| parts.len() > depth + 1 && parts[depth] == *folder)
                    .cloned()
                    .collect();
                told.push(json!({
                    "type": "folder", "name": folder, "children": children(&below, depth + 1),
                }));
            }
            name => told.push(json!({
                "type": "file",
                "name": name.copied().unwrap_or_default(),
                "path": file.path,
                "content": file.content,
            })),
        }
    }
    told
}

fn cart_line(line: &CartLine) -> Value {
    json!({ "asin": line.title, "options": options(line), "quantity": line.quantity, "image": "" })
}

/// What was chosen, by the option's name.
fn options(line: &CartLine) -> serde_json::Map<String, Value> {
    line.details.iter().map(|detail| (detail.label.clone(), Value::from(detail.value.as_str()))).collect()
}

/// The lines of an order by what they are of; a second line of the same adds to the first.
fn items(lines: &[CartLine]) -> serde_json::Map<String, Value> {
    let mut items = serde_json::Map::new();
    for line in lines {
        let mut told = cart_line(line);
        let key = item_key(line);
        if let Some(earlier) = items.get(&key).and_then(|earlier| earlier["quantity"].as_u64()) {
            told["quantity"] = json!(earlier + u64::from(line.quantity));
        }
        items.insert(key, told);
    }
    items
}

/// The key of an order's item: title and options, a pair as Python prints it.
fn item_key(line: &CartLine) -> String {
    let options: Vec<String> = options(line)
        .iter()
        .map(|(name, value)| format!("{}: {value}", Value::from(name.as_str())))
        .collect();
    format!("({}, {})", python_text(&line.title), python_text(&format!("{{{}}}", options.join(", "))))
}

/// A text as Python prints it.
fn python_text(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\n', "\\n");
    if escaped.contains('\'') && !escaped.contains('"') {
        format!("\"{escaped}\"")
    } else {
        format!("'{}'", escaped.replace('\'', "\\'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::model::{Detail, Frequency, Invitee, Order, Place, Price, Recurrence};
    use crate::workspace::samples;

    fn told(state: WorkspaceState, path: &str) -> Value {
        read(&Arc::new(state), path).unwrap()
    }

    #[test]
    fn every_address_answers_and_others_do_not() {
        let state = Arc::new(samples::state());
        for path in PATHS {
            assert!(read(&state, path).is_some(), "{path}");
        }
        assert_eq!(read(&state, "/state"), None);
    }

    #[test]
    fn tasks_messages_and_events_have_their_shape() {
        let mut state = samples::state();
        state.apps.todo.lists[0].items[0].done = true;
        let item = &state.apps.todo.lists[0].items[0];
        let (id, title) = (number(&item.id), item.title.clone());
        assert_eq!(told(state.clone(), "/todo_all")[0], json!({ "id": id, "title": title, "done": 1 }));
        let thread = state.apps.messenger.threads[0].clone();
        let first = &thread.messages[0];
        let messages = told(state.clone(), "/messages_all");
        assert_eq!(messages[0]["user"], json!(thread.title));
        let sender = if first.author.is_user { "you" } else { first.author.name.as_str() };
        assert_eq!(messages[0]["messages"][0], json!([first.text, sender, first.at.to_string()]));
        let event = &mut state.apps.calendar.events[0];
        event.id = "event-7".to_owned();
        event.invitees =
            ["Nora", "Sam"].map(|name| Invitee { name: name.into(), response: "yes".into() }).into();
        event.recurrence = Some(Recurrence::every(Frequency::Weekly));
        let expected = json!({
            "id": 7, "title": event.title, "date": event.date.to_string(), "description": event.description,
            "url": event.url, "location": event.location, "invitees": "Nora, Sam", "recurring": "weekly",
        });
        assert_eq!(told(state.clone(), "/calendar_all")[0], expected);
        state.apps.calendar.events[0].invitees.clear();
        state.apps.calendar.events[0].recurrence = None;
        let event = &told(state, "/calendar_all")[0];
        assert_eq!((&event["invitees"], &event["recurring"]), (&Value::Null, &Value::Null));
    }

    #[test]
    fn places_files_and_orders_have_their_shape() {
        let mut state = samples::state();
        state.apps.maps.places = vec![Place { name: "Depot".into(), ..Place::default() }];
        let landmark = &told(state.clone(), "/maps/landmarks")[0];
        assert_eq!(
            (landmark["name"].as_str(), landmark["coords"].as_array().map(Vec::len)),
            (Some("Depot"), Some(2))
        );
        assert_eq!(landmark, &told(state.clone(), "/maps/landmarks")[0], "a place stays where it is");
        assert!(landmark["markerStyle"]["icon"].is_string() && landmark["markerStyle"]["color"].is_string());
        let file =
            |path: &str| SourceFile { path: path.into(), content: "x".into(), ..SourceFile::default() };
        state.apps.code_editor.files = vec![file("a/b/c.md"), file("d.md"), file("a/e.md")];
        let leaf =
            |name: &str, path: &str| json!({ "type": "file", "name": name, "path": path, "content": "x" });
        let folder =
            |name: &str, children: Value| json!({ "type": "folder", "name": name, "children": children });
        let deep = folder("b", json!([leaf("c.md", "a/b/c.md")]));
        assert_eq!(
            told(state.clone(), "/codeeditor_all"),
            folder("", json!([folder("a", json!([deep, leaf("e.md", "a/e.md")])), leaf("d.md", "d.md")]))
        );
        let mut line = state.apps.shop.cart[0].clone();
        line.title = "Nora's lamp".to_owned();
        state.apps.shop.cart = vec![line.clone()];
        state.apps.shop.orders = vec![Order {
            id: "order-1".into(),
            lines: vec![line],
            deliver_to: "1 Mill Street".into(),
            status: "placed".into(),
            total: Some(Price { cents: Some(1850), text: "$18.50".into() }),
            placed_at: Some(jiff::civil::datetime(2026, 5, 19, 9, 4, 0, 0)),
            ..Order::default()
        }];
        let shop = told(state, "/onlineshop_all");
        let row = json!({ "asin": "Nora's lamp", "options": {}, "quantity": shop["cart"][0]["quantity"], "image": "" });
        assert_eq!(shop["cart"], json!([row]));
        assert_eq!(
            shop["orders"],
            json!([{
                "order_id": "order-1", "items": { "(\"Nora's lamp\", '{}')": row }, "total": 18.5, "name": "",
                "address": "1 Mill Street", "date": "2026-05-19T09:04:00", "status": "placed",
            }])
        );
    }

    #[test]
    fn lines_of_one_title_stay_apart_where_something_else_was_chosen() {
        let mut state = samples::state();
        let line = |colour: Option<&str>, quantity: u32| CartLine {
            title: "Enamel mug".to_owned(),
            quantity,
            details: colour
                .map(|value| Detail { label: "Colour".to_owned(), value: value.to_owned() })
                .into_iter()
                .collect(),
            ..CartLine::default()
        };
        let lines =
            vec![line(Some("White"), 1), line(Some("Blue"), 2), line(Some("White"), 4), line(None, 7)];
        state.apps.shop.cart = lines[..1].to_vec();
        state.apps.shop.orders = vec![Order { lines, ..Order::default() }];
        let shop = told(state, "/onlineshop_all");
        assert_eq!(shop["cart"][0]["options"], json!({ "Colour": "White" }));
        let items = shop["orders"][0]["items"].as_object().unwrap();
        let quantities: Vec<(&str, u64)> =
            items.iter().map(|(key, item)| (key.as_str(), item["quantity"].as_u64().unwrap())).collect();
        let mut expected = [
            (r#"('Enamel mug', '{"Colour": "White"}')"#, 5),
            (r#"('Enamel mug', '{"Colour": "Blue"}')"#, 2),
            ("('Enamel mug', '{}')", 7),
        ];
        expected.sort_unstable();
        let mut quantities = quantities;
        quantities.sort_unstable();
        assert_eq!(quantities, expected);
        assert_eq!(shop["orders"][0]["date"], "");
    }
}
