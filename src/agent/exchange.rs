//! What went to a model and what came back, for the trace.

use std::time::Duration;

use crate::trace::Usage;

/// One request to a model and its answer, as the bytes they were.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exchange {
    /// The body of the request. It holds no key.
    pub request: Vec<u8>,
    /// The body of the answer; `None` when none came.
    pub response: Option<Vec<u8>>,
    /// Tokens and cost, where the answer names them.
    pub usage: Option<Usage>,
    /// Why the answer was not used; `None` for the one that was.
    pub error: Option<String>,
    /// What was left out of the request to fit, and other things worth knowing.
    pub notes: Vec<String>,
    /// Time until the answer was there.
    pub latency: Duration,
}

/// The sum of two usages. A cost that is not known makes the sum unknown, never smaller.
#[must_use]
pub fn add_usage(one: Option<Usage>, other: Option<Usage>) -> Option<Usage> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Usage {
            input_tokens: one.input_tokens.saturating_add(other.input_tokens),
            output_tokens: one.output_tokens.saturating_add(other.output_tokens),
            cost: one.cost.zip(other.cost).map(|(one, other)| one + other),
        }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_cost_stays_unknown_in_a_sum() {
        let usage = |input_tokens, cost| Some(Usage { input_tokens, output_tokens: 1, cost });
        assert_eq!(add_usage(None, None), None);
        assert_eq!(add_usage(usage(3, None), None), usage(3, None));
        let sum = add_usage(usage(3, Some(0.5)), usage(4, Some(0.25))).unwrap();
        assert_eq!((sum.input_tokens, sum.output_tokens, sum.cost), (7, 2, Some(0.75)));
        assert_eq!(add_usage(usage(3, Some(0.5)), usage(4, None)).unwrap().cost, None);
    }
}
