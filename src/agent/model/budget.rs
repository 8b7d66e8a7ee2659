//! What a run may spend.

use std::sync::{Arc, Mutex, PoisonError};

use crate::trace::Usage;

/// Counts tokens and money of a run, and says when no more may be asked. Cheap to clone; clones count
/// together. Requests under way when a limit is reached are still answered and counted.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
    used: Arc<Mutex<(u64, f64)>>,
}

impl Budget {
    /// A budget of tokens, sent and received together, and of US dollars.
    #[must_use]
    pub fn new(max_tokens: Option<u64>, max_cost: Option<f64>) -> Self {
        Self { max_tokens, max_cost, used: Arc::default() }
    }

    /// Counts what was used.
    pub fn count(&self, usage: Option<&Usage>) {
        let Some(usage) = usage else { return };
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.0 = used.0.saturating_add(usage.input_tokens).saturating_add(usage.output_tokens);
        used.1 += usage.cost.unwrap_or(0.0);
    }

    /// Whether money is limited.
    #[must_use]
    pub const fn limits_cost(&self) -> bool {
        self.max_cost.is_some()
    }

    /// Which limit is reached, for a person.
    #[must_use]
    pub fn spent(&self) -> Option<String> {
        let (tokens, cost) = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
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
        let budget = Budget::default();
        budget.count(Some(&usage(u64::MAX, 1e9)));
        budget.count(None);
        assert_eq!(budget.spent(), None);
    }
}
