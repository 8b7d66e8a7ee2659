//! What tokens cost: a shipped table of list prices. A model that is not in it has an unknown price,
//! which is not zero.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

const TABLE: &str = include_str!("prices.json");

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Sent.
    pub input: f64,
    /// Received.
    pub output: f64,
}

#[derive(Deserialize)]
struct Table {
    models: BTreeMap<String, Price>,
}

impl Price {
    /// The list price of a model, by its name; a date or `-latest` at the end of the name is not
    /// looked at.
    #[must_use]
    pub fn of(model: &str) -> Option<Self> {
        let table: Table = serde_json::from_str(TABLE).ok()?;
        // `vendor/model`, as routers call them.
        let name = model.rsplit('/').next().unwrap_or(model);
        table.models.get(name).or_else(|| table.models.get(without_version(name))).copied()
    }

    /// What so many tokens cost.
    #[must_use]
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> f64 {
        (input_tokens as f64 * self.input + output_tokens as f64 * self.output) / 1e6
    }
}

fn without_version(name: &str) -> &str {
    if let Some(start) = name.strip_suffix("-latest") {
        return start;
    }
    // `-20250514` and `-2024-08-06`.
    let is_number =
        |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let cut = |name: &'_ str| name.rfind('-');
    let Some(last) = cut(name) else { return name };
    if is_number(&name[last + 1..], 8) {
        return &name[..last];
    }
    let Some(middle) = cut(&name[..last]) else { return name };
    let Some(first) = cut(&name[..middle]) else { return name };
    let is_date = is_number(&name[last + 1..], 2)
        && is_number(&name[middle + 1..last], 2)
        && is_number(&name[first + 1..middle], 4);
    if is_date { &name[..first] } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dated_names_have_the_price_of_the_model_and_unknown_ones_none() {
        let mini = Price::of("gpt-5-mini").unwrap();
        for name in ["gpt-5-mini-2025-08-07", "openai/gpt-5-mini", "gpt-5-mini-latest"] {
            assert_eq!(Price::of(name), Some(mini), "{name}");
        }
        assert_eq!(Price::of("claude-sonnet-4-5-20250929"), Price::of("claude-sonnet-4-5"));
        for name in ["gpt-5-mini-tuned", "gemma", "", "4-5", "2025-08-07"] {
            assert_eq!(Price::of(name), None, "{name}");
        }
        assert!((mini.cost(2_000_000, 500_000) - (0.5 + 1.0)).abs() < 1e-12);
    }
}
