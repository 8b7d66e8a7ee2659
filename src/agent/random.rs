//! Random legal actions on what is on the page.

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::page::{Kind, Page};
use super::types::{Agent, AgentError, Reply, Task};
use super::write::{click, fill, finish, noop};
use crate::action::quote;
use crate::observe::Observation;

/// Chooses a random element and does something that fits its role. The same seed and the same pages
/// give the same actions.
///
/// Half of the time it takes a link, so that it gets around; fields get a text that is on the page.
#[derive(Debug, Clone)]
pub(super) struct Random {
    seed: u64,
    generator: ChaCha8Rng,
}

impl Random {
    /// A random agent; every episode starts from the seed again.
    #[must_use]
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, generator: ChaCha8Rng::seed_from_u64(seed) }
    }

    fn choose<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        if from.is_empty() { None } else { from.get(self.generator.random_range(0..from.len())) }
    }

    fn decide(&mut self, observation: &Observation) -> String {
        let Some(page) = Page::new(observation) else {
            return noop(0);
        };
        match self.generator.random_range(0..100_u32) {
            0 => return finish(""),
            1..=4 => return "go_back()".to_owned(),
            5..=9 => return "scroll(0, 400)".to_owned(),
            10..=12 => return noop(0),
            _ => {}
        }
        let mut kinds = [Kind::Link, Kind::Field, Kind::Button, Kind::Checkbox];
        let first =
            if self.generator.random_bool(0.5) { 0 } else { self.generator.random_range(0..kinds.len()) };
        kinds.rotate_left(first);
        for kind in kinds {
            let controls: Vec<_> = page.controls(kind).collect();
            let Some(control) = self.choose(&controls).copied() else { continue };
            if kind != Kind::Field {
                return click(control.bid);
            }
            let texts = page.everything();
            let text = self.choose(&texts).map_or("hello", |(_, text)| *text);
            let text: String = text.chars().take(500).collect();
            return if self.generator.random_bool(0.1) {
                format!("press({}, 'Enter')", quote(control.bid))
            } else {
                fill(control.bid, &text)
            };
        }
        noop(0)
    }
}

impl Agent for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn reset(&mut self, _task: &Task) {
        self.generator = ChaCha8Rng::seed_from_u64(self.seed);
    }

    fn act<'a>(&'a mut self, observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>> {
        ready(Ok(Reply { action: self.decide(observation), thought: None, ..Reply::default() })).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{act, observation, task};
    use super::*;

    #[test]
    fn the_seed_decides() {
        let page = observation(&[
            (0, "", "RootWebArea", "x", ""),
            (1, "a", "link", "Messages", ""),
            (1, "b", "link", "Calendar", ""),
            (1, "c", "textbox", "Search", ""),
            (1, "d", "button", "Go", ""),
        ]);
        let play = |seed: u64| {
            let mut agent = Random::new(seed);
            agent.reset(&task("", 20));
            (0..40).map(|_| act(&mut agent, &page)).collect::<Vec<_>>()
        };
        assert_eq!(play(7), play(7));
        assert_ne!(play(7), play(8));
        let all: std::collections::BTreeSet<_> = (0..20).flat_map(play).collect();
        for expected in ["click('a')", "click('b')", "click('d')", "fill('c', 'Messages')"] {
            assert!(all.contains(expected), "{expected} is never chosen");
        }
    }
}
