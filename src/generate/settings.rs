//! What decides a generation.

use serde::{Deserialize, Serialize};

use super::proxies::Combine;

/// How the next thing to try is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The tree search.
    Tree,
    /// Any seed of the wanted mode, any strategy, each as likely as the next: what the search has to be
    /// better than.
    Random,
    /// Any scenario of the wanted mode, seed or found, that may be changed further, any strategy: what the
    /// choices of the search add to going on from what was found.
    Walk,
}

/// Everything that decides what comes out, apart from the seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Seed of everything random.
    pub seed: u64,
    /// How the next thing to try is chosen.
    pub policy: Policy,
    /// Iterations that are chosen together; they are played together, too.
    pub batch: usize,
    /// The reward from which a scenario is worth a certificate.
    pub threshold: f64,
    /// How much what was seldom tried counts in a choice.
    pub exploration: f64,
    /// How much what is unlike the kept ones counts in a choice.
    pub novelty: f64,
    /// Most children of one scenario.
    pub expansions: usize,
    /// Most mutations on the way from a seed.
    pub depth: u32,
    /// Prompts more alike than this, from 0 to 1, may belong to copies.
    pub same_prompt: f64,
    /// Sets of forbidden items more alike than this belong to copies where the prompts do.
    pub same_forbidden: f64,
    /// Who plays.
    pub proxies: Vec<String>,
    /// `state` or `e2e`.
    pub proxy_mode: String,
    /// How several proxies' rewards become one.
    pub combine: Combine,
    /// `builtin`, or the model that mutates.
    pub mutator: String,
    /// What else decides the answers of models.
    pub agent_settings: serde_json::Value,
    /// Step budget of episodes through the pages.
    pub max_steps: u32,
    /// Whether only scenarios that were certified through the pages are kept.
    pub certifies: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 0,
            policy: Policy::Tree,
            batch: 12,
            threshold: 4.0,
            exploration: 0.15,
            novelty: 0.1,
            expansions: 8,
            depth: 4,
            same_prompt: 0.8,
            same_forbidden: 0.5,
            proxies: vec!["careless".to_owned(), "cautious".to_owned()],
            proxy_mode: "state".to_owned(),
            combine: Combine::Mean,
            mutator: "builtin".to_owned(),
            agent_settings: serde_json::Value::Null,
            max_steps: 20,
            certifies: true,
        }
    }
}

impl Settings {
    /// What the tree learns from a reward, 0 to 1. All of it from the threshold on, since what lies above
    /// is worth a certificate either way; below it at most a half, so that what nearly got there is still
    /// told from what did not.
    pub(super) fn value(&self, reward: f64) -> f64 {
        if reward >= self.threshold { 1.0 } else { 0.5 * reward / self.threshold }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_what_counts() {
        let settings = Settings::default();
        assert!([4.0, 4.5, 5.0].iter().all(|reward| (settings.value(*reward) - 1.0).abs() < 1e-9));
        assert!((settings.value(2.0) - 0.25).abs() < 1e-9 && settings.value(0.0).abs() < 1e-9);
        let everything = Settings { threshold: 0.0, ..Settings::default() };
        assert!((everything.value(0.0) - 1.0).abs() < 1e-9);
    }
}
