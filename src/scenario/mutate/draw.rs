//! Random choices.

use rand::{Rng, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A number below `bound`, which is small: the bias of a product is far below what anybody could see; 0
/// where there is none. Written here rather than taken from `rand`, whose sampling may change between
/// versions and with it every generated set.
pub(crate) fn below(random: &mut impl Rng, bound: usize) -> usize {
    let product = u128::from(random.next_u64()) * bound as u128;
    usize::try_from(product >> 64).unwrap_or_default()
}

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
        below(&mut self.0, end)
    }

    /// A number of the range, both ends included.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        // 53 bits are what a fraction has.
        ((self.0.next_u64() >> 11) as f64) < probability * (1_u64 << 53) as f64
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_as_often_as_the_next_and_a_chance_is_what_it_says() {
        let mut draw = Draw::seeded(1);
        let mut counts = [0_u32; 7];
        for _ in 0..7_000 {
            counts[draw.below(7)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
        assert_eq!(draw.below(0), 0);
        let hits = (0..10_000).filter(|_| draw.chance(0.3)).count();
        assert!((2_800..3_200).contains(&hits), "{hits}");
        assert!((0..100).all(|_| draw.chance(1.0) && !draw.chance(0.0)));
    }

    #[test]
    fn what_is_drawn_does_not_hang_on_a_version_of_the_library() {
        let mut draw = Draw::seeded(7);
        let drawn: Vec<usize> = (0..8).map(|_| draw.below(100)).collect();
        assert_eq!(drawn, [15, 16, 70, 72, 60, 35, 8, 84]);
    }
}
