//! Calls as JSON, for machines that read `discreet action parse`.
//!
//! What JSON and Python share is written plainly: booleans, null, strings, lists, whole numbers of
//! 64 bits. The rest is an object with one key that names the type: `{"float": "1.5"}` (Python's
//! `repr`), `{"int": "999…"}`, `{"tuple": […]}`, `{"dict": [[key, value], …]}`.

use serde_json::{Map, Value as Json, json};

use super::quote::python_float;
use super::types::{Call, Value};

impl Call {
    /// `{"name", "args", "kwargs"}` with the value encoding of this module. Where an argument is
    /// given twice by name, the last one counts.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let kwargs: Map<String, Json> =
            self.kwargs.iter().map(|(name, value)| (name.clone(), value.to_json())).collect();
        json!({
            "name": self.name,
            "args": self.args.iter().map(Value::to_json).collect::<Vec<_>>(),
            "kwargs": kwargs,
        })
    }
}

impl Value {
    /// The value in the encoding of this module.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let list = |items: &[Self]| items.iter().map(Self::to_json).collect::<Vec<_>>();
        match self {
            Self::Bool(flag) => json!(flag),
            Self::None => Json::Null,
            Self::Int(number) => json!(number),
            Self::BigInt(digits) => json!({"int": digits}),
            Self::Float(number) => json!({"float": python_float(*number)}),
            Self::Str(text) => json!(text),
            Self::List(items) => json!(list(items)),
            Self::Tuple(items) => json!({"tuple": list(items)}),
            Self::Dict(entries) => {
                let entries: Vec<Json> =
                    entries.iter().map(|(key, value)| json!([key, value.to_json()])).collect();
                json!({"dict": entries})
            }
        }
    }
}
