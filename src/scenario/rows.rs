//! The layout of the public data set: one row per scenario, with `initial_states` and `ground_truth`
//! as strings that hold JSON.
//!
//! Reading it is the loader's business, which takes a row like any other scenario. What is written
//! here loads as the same scenario, ground truth and content hash included, and so does what is
//! made of a row again.

use serde_json::{Map, Value, json};

use super::canonical;
use super::ground_truth::{GroundTruth, Item};
use super::loaded::LoadedScenario;

/// A scenario as one JSON object, as a scenario file holds it.
#[must_use]
pub fn document(loaded: &LoadedScenario) -> Value {
    let mut document = fields(loaded);
    document.insert("ground_truth".to_owned(), truth(&loaded.ground_truth));
    Value::Object(document)
}

/// A scenario as a row of the data set.
#[must_use]
pub fn row(loaded: &LoadedScenario) -> Value {
    let mut row = fields(loaded);
    row.insert("ground_truth".to_owned(), canonical::to_string(&truth(&loaded.ground_truth)).into());
    if let Some(states) = row.get_mut("initial_states") {
        *states = canonical::to_string(states).into();
    }
    Value::Object(row)
}

fn fields(loaded: &LoadedScenario) -> Map<String, Value> {
    loaded.public_json.as_object().cloned().unwrap_or_default()
}

fn truth(truth: &GroundTruth) -> Value {
    let items = |items: &[Item]| -> Vec<Value> { items.iter().map(item).collect() };
    json!({"must_share": items(&truth.must_share), "must_not_share": items(&truth.must_not_share)})
}

/// A plain item is a string, as in the data set.
fn item(item: &Item) -> Value {
    let mut fields = Map::new();
    let mut list = |name: &str, texts: &[String]| {
        if !texts.is_empty() {
            fields.insert(name.to_owned(), json!(texts));
        }
    };
    list("any_of", &item.any_of);
    list("audience_ok", &item.audience_ok);
    if let Some(why) = &item.why {
        fields.insert("why".to_owned(), why.as_str().into());
    }
    if fields.is_empty() {
        return item.text.as_str().into();
    }
    fields.insert("text".to_owned(), item.text.as_str().into());
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::{load_paths, load_text};

    fn again(text: &str, name: &str) -> LoadedScenario {
        *load_text(Path::new(name), text).remove(0).result.unwrap()
    }

    #[test]
    fn rows_and_documents_load_as_the_same_scenario() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
        let given = std::env::var_os("DISCREET_SHARED")
            .map(|shared| Path::new(&shared).join("data/agentcibench/test"))
            .filter(|folder| folder.is_dir());
        let mut count = 0;
        for file in load_paths(&[own].into_iter().chain(given).collect::<Vec<_>>()) {
            let loaded = *file.result.unwrap();
            let row = row(&loaded);
            assert!(row["initial_states"].is_string() && row["ground_truth"].is_string());
            let from_row = again(&row.to_string(), "rows.jsonl");
            assert_eq!(from_row, loaded, "{}", loaded.scenario.scenario_id);
            let from_document = again(&document(&from_row).to_string(), "one.json");
            assert_eq!(from_document, loaded, "{}", loaded.scenario.scenario_id);
            assert_eq!(super::row(&from_document), row);
            count += 1;
        }
        assert!(count >= 60);
    }

    #[test]
    fn plain_items_stay_plain() {
        let truth = GroundTruth {
            must_share: vec![Item::plain("bring chairs")],
            must_not_share: vec![Item { why: Some("private".to_owned()), ..Item::plain("the flat is sold") }],
        };
        let expected = json!({
            "must_share": ["bring chairs"],
            "must_not_share": [{"text": "the flat is sold", "why": "private"}],
        });
        assert_eq!(super::truth(&truth), expected);
    }
}
