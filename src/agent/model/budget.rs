//! What a run may spend, and what it has spent.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::trace::Usage;

/// What has been spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spending {
    /// Tokens, sent and received together.
    pub tokens: u64,
    /// US dollars, as far as prices are known.
    pub cost: f64,
}

impl Spending {
    /// Adds what one question used.
    pub fn add(&mut self, usage: Option<&Usage>) {
        let Some(usage) = usage else { return };
        self.tokens = self.tokens.saturating_add(usage.input_tokens).saturating_add(usage.output_tokens);
        self.cost += usage.cost.unwrap_or(0.0);
    }
}

/// Counts tokens and money of a run, and says when no more may be asked. Cheap to clone; clones count
/// together. Requests under way when a limit is reached are still answered and counted.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
    used: Arc<Mutex<Spending>>,
}

impl Budget {
    /// A budget of tokens, sent and received together, and of US dollars.
    #[must_use]
    pub fn new(max_tokens: Option<u64>, max_cost: Option<f64>) -> Self {
        Self { max_tokens, max_cost, used: Arc::default() }
    }

    /// Counts what was used.
    pub fn count(&self, usage: Option<&Usage>) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).add(usage);
    }

    /// Counts what was spent before.
    pub fn count_spending(&self, spending: Spending) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.tokens = used.tokens.saturating_add(spending.tokens);
        used.cost += spending.cost;
    }

    /// What has been spent so far.
    #[must_use]
    pub fn spending(&self) -> Spending {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether money is limited.
    #[must_use]
    pub const fn limits_cost(&self) -> bool {
        self.max_cost.is_some()
    }

    /// Which limit is reached, for a person.
    #[must_use]
    pub fn spent(&self) -> Option<String> {
        let Spending { tokens, cost } = self.spending();
        if let Some(max) = self.max_tokens.filter(|max| tokens >= *max) {
            return Some(format!("the run has used {tokens} of the {max} tokens it may"));
        }
        let max = self.max_cost.filter(|max| cost >= *max)?;
        Some(format!("the run has cost {cost:.4} of the {max} dollars it may"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_count_together_and_either_limit_ends_it() {
        let budget = Budget::new(Some(100), Some(1.0));
        let other = budget.clone();
        let usage = |input_tokens, cost| Usage { input_tokens, output_tokens: 10, cost: Some(cost) };
        other.count(Some(&usage(80, 0.1)));
        assert_eq!(budget.spent(), None);
        budget.count(Some(&usage(1, 0.1)));
        assert_eq!(other.spent().unwrap(), "the run has used 101 of the 100 tokens it may");
        let budget = Budget::new(None, Some(0.5));
        budget.count(Some(&usage(1, 0.5)));
        assert_eq!(budget.spent().unwrap(), "the run has cost 0.5000 of the 0.5 dollars it may");
        budget.count_spending(Spending { tokens: 1, cost: 0.25 });
        assert_eq!(budget.spending(), Spending { tokens: 12, cost: 0.75 });
        let budget = Budget::default();
        budget.count(Some(&usage(u64::MAX, 1e9)));
        budget.count(None);
        assert_eq!(budget.spent(), None);
    }
}
