//! Requests that were refused because they would leave the workspace.

use serde::{Deserialize, Serialize};

/// Refused requests that are kept; later ones are only counted.
const KEPT: usize = 1_000;
/// Characters of a target that are kept.
const TARGET_LIMIT: usize = 500;

/// A refused request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedRequest {
    /// 1, 2, 3, … within its log.
    pub seq: u64,
    /// Such as `GET` or `CONNECT`.
    pub method: String,
    /// What was asked for, at most 500 characters.
    pub target: String,
    /// Why it was refused, for a person.
    pub reason: String,
}

/// A log of refused requests, bounded.
#[derive(Debug, Default)]
pub(super) struct BlockedLog {
    kept: Vec<BlockedRequest>,
    count: u64,
}

impl BlockedLog {
    pub(super) fn note(&mut self, method: &str, target: &str, reason: &str) {
        self.count += 1;
        if self.kept.len() < KEPT {
            self.kept.push(BlockedRequest {
                seq: self.count,
                method: method.chars().take(32).collect(),
                target: target.chars().take(TARGET_LIMIT).collect(),
                reason: reason.to_owned(),
            });
        }
    }

    pub(super) fn since(&self, seq: u64) -> Vec<BlockedRequest> {
        self.kept.iter().filter(|blocked| blocked.seq > seq).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_bounded_and_targets_are_cut() {
        let mut log = BlockedLog::default();
        for _ in 0..KEPT + 5 {
            log.note("GET", &"ä".repeat(10_000), "another host");
        }
        let all = log.since(0);
        assert_eq!(all.len(), KEPT);
        assert_eq!(all[0].target.chars().count(), TARGET_LIMIT);
        assert_eq!(log.since(KEPT as u64 - 1).len(), 1);
    }
}
