//! What agents are told of the actions: prose for prompts, JSON schemas for models that call tools.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};

use super::set::ActionSet;
use super::table::{Definition, Kind, Parameter};
use super::types::{Call, Value};

impl ActionSet {
    /// The text that tells an agent which actions there are and how to write them.
    #[must_use]
    pub fn describe(&self, multi: bool) -> String {
        let mut text = format!("{} different types of actions are available.\n", self.definitions().len());
        for definition in self.definitions() {
            // Writing to a `String` cannot fail.
            let _ = write!(
                text,
                "\n{}\n    Description: {}\n    Examples:\n",
                signature(definition),
                definition.description
            );
            for example in definition.examples {
                let _ = writeln!(text, "        {example}");
            }
        }
        text.push('\n');
        text.push_str(if multi {
            "Several actions can be given at once, one per line. They run one after the other, without \
             a look at the page in between. Examples of a single action:"
        } else {
            "Exactly one action can be given at a time. Examples:"
        });
        let telling = self
            .definitions()
            .iter()
            .filter(|definition| definition.parameters.iter().any(|parameter| parameter.default.is_none()));
        for example in telling.filter_map(|definition| definition.examples.last()).take(3) {
            let _ = write!(text, "\n{example}");
        }
        text.push('\n');
        text
    }

    /// One line per action: its signature and what it does.
    #[must_use]
    pub fn summary(&self) -> String {
        let lines: Vec<String> = self
            .definitions()
            .iter()
            .map(|definition| format!("{}\n    {}", signature(definition), definition.description))
            .collect();
        lines.join("\n")
    }

    /// The actions as function tools: `{"name", "description", "parameters": <JSON schema>}` each.
    /// [`Call::from_tool`] turns a model's use of one back into a call.
    #[must_use]
    pub fn tools(&self) -> Vec<Json> {
        self.definitions().iter().map(|definition| tool(definition)).collect()
    }
}

impl Call {
    /// The call that a model means by using the tool `name` with `arguments`. All arguments are
    /// given by name; what is wrong with them shows when the call is bound.
    #[must_use]
    pub fn from_tool(name: &str, arguments: &Map<String, Json>) -> Self {
        let kwargs = arguments.iter().map(|(name, value)| (name.clone(), from_json(value))).collect();
        Self { name: name.to_owned(), args: Vec::new(), kwargs }
    }
}

fn from_json(value: &Json) -> Value {
    match value {
        Json::Null => Value::None,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::Int(whole),
            (None, Some(float)) if number.is_f64() => Value::Float(float),
            _ => Value::BigInt(number.to_string()),
        },
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(from_json).collect()),
        Json::Object(entries) => {
            Value::Dict(entries.iter().map(|(key, value)| (key.clone(), from_json(value))).collect())
        }
    }
}

/// The action as a Python signature: `click(bid: str, button: … = 'left', …)`.
pub(crate) fn signature(definition: &Definition) -> String {
    let parameters: Vec<String> = definition
        .parameters
        .iter()
        .map(|parameter| {
            let default = parameter.default.map(|default| format!(" = {default}")).unwrap_or_default();
            format!("{}: {}{default}", parameter.name, parameter.kind.annotation())
        })
        .collect();
    format!("{}({})", definition.name, parameters.join(", "))
}

fn tool(definition: &Definition) -> Json {
    let properties: Map<String, Json> = definition
        .parameters
        .iter()
        .map(|parameter| (parameter.name.to_owned(), schema(parameter)))
        .collect();
    let required: Vec<&str> = definition
        .parameters
        .iter()
        .filter(|parameter| parameter.default.is_none())
        .map(|parameter| parameter.name)
        .collect();
    json!({
        "name": definition.name,
        "description": definition.description,
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
    })
}

fn schema(parameter: &Parameter) -> Json {
    let mut schema = match parameter.kind {
        Kind::Bid | Kind::Message | Kind::Text => json!({"type": "string"}),
        Kind::Wait | Kind::Pixels | Kind::WholePixels => json!({"type": "number"}),
        Kind::Index => json!({"type": "integer"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Button => json!({"type": "string", "enum": ["left", "middle", "right"]}),
        Kind::Modifiers => json!({
            "type": "array",
            "items": {"type": "string", "enum": ["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]},
        }),
        Kind::Texts => json!({
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
        }),
    };
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("description".to_owned(), json!(parameter.about));
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::ParseOptions;
    use crate::action::table::{DEFINITIONS, SETS, find};

    #[test]
    fn every_example_is_read_and_bound() {
        let strict = ParseOptions { strict: true, multi: false, compat: true };
        for definition in DEFINITIONS {
            assert!(!definition.examples.is_empty(), "{}", definition.name);
            for example in definition.examples {
                let actions = ActionSet::all().parse(example, strict).unwrap();
                let written = serde_json::to_value(&actions[0]).unwrap();
                assert_eq!(written["name"], definition.name, "{example}");
            }
        }
    }

    #[test]
    fn sets_name_existing_actions_once() {
        for (name, members) in SETS {
            for (index, member) in members.iter().enumerate() {
                assert!(find(member).is_some(), "{name}: {member}");
                assert!(!members[..index].contains(member), "{name}: {member} twice");
            }
        }
    }

    #[test]
    fn the_prompt_text_is_complete() {
        let set = ActionSet::named("workspace").unwrap();
        let text = set.describe(true);
        assert!(text.starts_with("15 different types of actions are available.\n\nnoop("));
        for definition in set.definitions() {
            assert!(text.contains(&signature(definition)) && text.contains(definition.description));
            assert!(definition.examples.iter().all(|example| text.contains(example)));
        }
        assert!(text.contains("Several actions"));
        assert!(set.describe(false).contains("Exactly one action"));
        assert!(!text.contains("new_tab"));
    }

    #[test]
    fn a_use_of_a_tool_binds_like_a_written_call() {
        let set = ActionSet::all();
        assert_eq!(set.tools().len(), DEFINITIONS.len());
        let arguments = json!({"bid": "12", "button": "right", "modifiers": ["Shift"]});
        let call = Call::from_tool("click", arguments.as_object().unwrap());
        let written = set.parse("click('12', 'right', ['Shift'])", ParseOptions::default()).unwrap();
        assert_eq!(set.bind(&call).unwrap(), written[0]);
        let tool = set.tools().into_iter().find(|tool| tool["name"] == "fill").unwrap();
        assert_eq!(tool["parameters"]["required"], json!(["bid", "value"]));
    }
}
