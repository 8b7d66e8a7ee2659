//! Which episodes of a run one machine does.

use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A share of a run's episodes: the `index`-th of `count`, counted from 1; written `2/3`.
///
/// Every episode is in exactly one share, the shares differ by one episode at most, and neighbours
/// (the agents of one scenario, trials of one episode) are spread over them, so that a slow agent
/// does not fall to one machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: NonZeroU32,
    count: NonZeroU32,
}

/// A text names no share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read `{0}` as a shard: it is not `I/N` with 1 <= I <= N")]
pub struct ShardError(String);

impl Shard {
    /// The `index`-th of `count` shares, from 1; `None` where there is no such share.
    #[must_use]
    pub fn new(index: u32, count: u32) -> Option<Self> {
        let (index, count) = (NonZeroU32::new(index)?, NonZeroU32::new(count)?);
        (index <= count).then_some(Self { index, count })
    }

    /// Which of the shares, from 1.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index.get()
    }

    /// How many shares there are.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count.get()
    }

    /// Whether the episode of that number (from 1, in the whole run) belongs to the share.
    #[must_use]
    pub const fn holds(self, number: u64) -> bool {
        let (count, position) = (self.count.get() as u64, number.saturating_sub(1));
        // Turning by one from block to block keeps an agent that comes every `count` episodes from
        // meeting the same share each time.
        (position + position / count) % count == self.index.get() as u64 - 1
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parsed = || {
            let (index, count) = text.split_once('/')?;
            Self::new(index.trim().parse().ok()?, count.trim().parse().ok()?)
        };
        parsed().ok_or_else(|| ShardError(text.chars().take(40).collect()))
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_episode_is_in_one_share_and_shares_are_even(count in 1_u32..12, episodes in 0_u64..200) {
            let shards: Vec<Shard> = (1..=count).map(|index| Shard::new(index, count).unwrap()).collect();
            let sizes: Vec<usize> = shards
                .iter()
                .map(|shard| (1..=episodes).filter(|number| shard.holds(*number)).count())
                .collect();
            for number in 1..=episodes {
                prop_assert_eq!(shards.iter().filter(|shard| shard.holds(number)).count(), 1);
            }
            let (most, least) = (sizes.iter().max().unwrap(), sizes.iter().min().unwrap());
            prop_assert!(most - least <= 1, "{:?}", sizes);
        }
    }

    #[test]
    fn an_agent_is_spread_over_the_shares() {
        // Three agents, three shares: without turning, each share would get one agent only.
        let first = Shard::new(1, 3).unwrap();
        let agents: Vec<u64> =
            (1..=27).filter(|number| first.holds(*number)).map(|number| (number - 1) % 3).collect();
        for agent in 0..3 {
            assert_eq!(agents.iter().filter(|of| **of == agent).count(), 3, "{agents:?}");
        }
    }

    #[test]
    fn texts_are_read_whole_or_refused() {
        assert_eq!("2/3".parse(), Ok(Shard::new(2, 3).unwrap()));
        assert_eq!(Shard::new(2, 3).unwrap().to_string(), "2/3");
        for text in ["", "2", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "1/99999999999"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
