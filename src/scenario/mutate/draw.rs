//! Random choices.

use rand::{Rng, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A generator with the choices that are wanted here. It is seeded from another one, so that how many
/// choices are made here does not change what that one draws next.
#[derive(Debug)]
pub(super) struct Draw(ChaCha8Rng);

impl Draw {
    pub(super) fn new(rng: &mut impl Rng) -> Self {
        Self(ChaCha8Rng::seed_from_u64(rng.next_u64()))
    }

    #[cfg(test)]
    pub(super) fn seeded(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `end`, 0 where there is none.
    pub(super) fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { self.0.random_range(0..end) }
    }

    /// A number of the range, both ends included.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.0.random_bool(probability)
    }

    /// One of them; `None` where there is none.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// One of the texts, empty where there is none.
    pub(super) fn text<'a>(&mut self, from: &'a [String]) -> &'a str {
        self.pick(from).map_or("", String::as_str)
    }

    /// At most `count` of them, each once, in random order.
    pub(super) fn some<'a, T>(&mut self, from: &'a [T], count: usize) -> Vec<&'a T> {
        let mut left: Vec<&T> = from.iter().collect();
        let mut chosen = Vec::new();
        while chosen.len() < count && !left.is_empty() {
            chosen.push(left.swap_remove(self.below(left.len())));
        }
        chosen
    }
}
