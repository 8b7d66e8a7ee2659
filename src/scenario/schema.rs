//! The JSON Schema of scenario files.

/// The JSON Schema (draft 2020-12) of one scenario. It is kept by hand in
/// `docs/scenario.schema.json`, since the accepted shapes are wider than any one type; a test
/// compares it with what the loader takes.
///
/// # Panics
/// Never: the schema is part of the program and parsed by a test.
#[must_use]
pub fn schema() -> serde_json::Value {
    serde_json::from_str(include_str!("../../docs/scenario.schema.json"))
        .expect("the schema in the package is valid JSON")
}
