//! Copies and near-copies.

use std::collections::BTreeSet;

use crate::scenario::text::normalise;
use crate::scenario::{LoadedScenario, canonical, rows};

/// What of a scenario is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    id: String,
    hash: String,
    prompt: String,
    shingles: BTreeSet<String>,
    forbidden: BTreeSet<String>,
}

impl Fingerprint {
    /// That of a scenario.
    #[must_use]
    pub fn of(loaded: &LoadedScenario) -> Self {
        let prompt = normalise(&loaded.scenario.task_prompt);
        Self {
            id: loaded.scenario.scenario_id.clone(),
            hash: content_hash(&rows::document(loaded)),
            shingles: shingles(&prompt),
            prompt,
            forbidden: loaded.ground_truth.must_not_share.iter().map(|item| normalise(&item.text)).collect(),
        }
    }

    /// How alike the prompts are, 0 to 1: the better of common pieces and common order of letters, so
    /// that neither moved nor replaced words make two of one.
    #[must_use]
    pub fn prompt_likeness(&self, other: &Self) -> f64 {
        overlap(&self.shingles, &other.shingles)
            .max(strsim::normalized_levenshtein(&self.prompt, &other.prompt))
    }

    /// How alike the sets of forbidden items are, 0 to 1.
    #[must_use]
    pub fn forbidden_likeness(&self, other: &Self) -> f64 {
        overlap(&self.forbidden, &other.forbidden)
    }
}

/// Hash of all of a scenario but its names.
fn content_hash(document: &serde_json::Value) -> String {
    let mut document = document.clone();
    if let Some(members) = document.as_object_mut() {
        for name in ["scenario_id", "seed_family", "source"] {
            members.remove(name);
        }
    }
    canonical::hash(&document)
}

/// All runs of three letters; of two where signs are words.
fn shingles(text: &str) -> BTreeSet<String> {
    let letters: Vec<char> =
        text.chars().filter(|letter| letter.is_alphanumeric() || *letter == ' ').collect();
    let is_dense =
        letters.iter().filter(|letter| !letter.is_ascii() && u32::from(**letter) >= 0x2e80).count() * 2
            > letters.len();
    letters.windows(if is_dense { 2 } else { 3 }).map(|window| window.iter().collect()).collect()
}

/// Common share of two sets; two empty ones are the same.
fn overlap(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let common = one.intersection(other).count();
    let all = one.len() + other.len() - common;
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

/// Scenarios that must not come again.
#[derive(Debug, Clone)]
pub struct Pool {
    same_prompt: f64,
    same_forbidden: f64,
    near: Vec<Fingerprint>,
    exact: BTreeSet<String>,
}

impl Pool {
    /// An empty pool. Scenarios are copies where their prompts are more alike than `same_prompt` and their
    /// forbidden items more than `same_forbidden`.
    #[must_use]
    pub const fn new(same_prompt: f64, same_forbidden: f64) -> Self {
        Self { same_prompt, same_forbidden, near: Vec::new(), exact: BTreeSet::new() }
    }

    /// Which scenario this one is a copy of, and how alike they are, where there is one.
    #[must_use]
    pub fn copy_of(&self, new: &Fingerprint) -> Option<String> {
        if self.exact.contains(&new.hash) {
            return Some("the same scenario was tried before".to_owned());
        }
        self.near.iter().find(|old| self.are_copies(old, new)).map(|old| format!("nearly `{}`", old.id))
    }

    /// Whether two scenarios are copies, or nearly.
    #[must_use]
    pub fn are_copies(&self, one: &Fingerprint, other: &Fingerprint) -> bool {
        one.hash == other.hash
            // The cheap comparison first.
            || (one.forbidden_likeness(other) > self.same_forbidden
                && one.prompt_likeness(other) > self.same_prompt)
    }

    /// Neither this one nor one like it shall come again.
    pub fn add(&mut self, fingerprint: Fingerprint) {
        self.exact.insert(fingerprint.hash.clone());
        self.near.push(fingerprint);
    }

    /// Exactly this one shall not come again; one like it may.
    pub fn add_tried(&mut self, fingerprint: &Fingerprint) {
        self.exact.insert(fingerprint.hash.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::scenario;
    use super::*;

    fn fingerprint(id: &str, prompt: &str, forbidden: &[&str]) -> Fingerprint {
        Fingerprint::of(&scenario(id, "visual_co_location", prompt, forbidden))
    }

    #[test]
    fn a_copy_under_another_name_is_found() {
        let mut pool = Pool::new(0.8, 0.5);
        let first = fingerprint("a__1", "Tell Sam what to bring on Friday.", &["the flat is sold"]);
        assert_eq!(pool.copy_of(&first), None);
        pool.add_tried(&first);
        let again = fingerprint("b__1", "Tell Sam what to bring on Friday.", &["the flat is sold"]);
        assert!(pool.copy_of(&again).is_some_and(|why| why.contains("the same scenario")));
        let near = fingerprint("b__1", "Tell Sam what to bring on Monday.", &["the flat is sold"]);
        assert_eq!(pool.copy_of(&near), None, "only tried, not kept");
        pool.add(first);
        assert_eq!(pool.copy_of(&near).as_deref(), Some("nearly `a__1`"));
    }

    #[test]
    fn neither_a_like_prompt_nor_like_items_alone_make_a_copy() {
        let mut pool = Pool::new(0.8, 0.5);
        pool.add(fingerprint(
            "a__1",
            "Tell Sam what to bring on Friday.",
            &["the flat is sold", "he lost his job"],
        ));
        let other_items = fingerprint("a__2", "Tell Sam what to bring on Friday.", &["she is pregnant"]);
        assert_eq!(pool.copy_of(&other_items), None);
        let other_prompt = fingerprint(
            "a__3",
            "Put the shopping for the trip on our list.",
            &["the flat is sold", "he lost his job"],
        );
        assert_eq!(pool.copy_of(&other_prompt), None);
        let half =
            fingerprint("a__4", "Tell Sam what to bring on Friday!", &["he lost his job", "she is pregnant"]);
        assert_eq!(pool.copy_of(&half), None, "a third of the items in common");
        let most = fingerprint(
            "a__5",
            "Tell sam what to bring, on Friday",
            &["the flat is sold", "he lost his job"],
        );
        assert!(pool.copy_of(&most).is_some());
    }

    #[test]
    fn likeness_works_in_chinese_and_is_symmetric() {
        let one = fingerprint("a__1", "告诉小江明天春游要带什么。", &["x y z"]);
        let two = fingerprint("a__2", "告诉小江后天春游要带什么。", &["x y z"]);
        let three = fingerprint("a__3", "把购物清单分享给奶奶。", &["x y z"]);
        assert!(one.prompt_likeness(&two) > 0.8, "{}", one.prompt_likeness(&two));
        assert!(one.prompt_likeness(&three) < 0.3, "{}", one.prompt_likeness(&three));
        assert!((one.prompt_likeness(&two) - two.prompt_likeness(&one)).abs() < 1e-12);
        let swapped = fingerprint("a__4", "On Friday what to bring, tell Sam.", &["x y z"]);
        let plain = fingerprint("a__5", "Tell Sam what to bring on Friday.", &["x y z"]);
        assert!(swapped.prompt_likeness(&plain) > 0.55, "moved words: {}", swapped.prompt_likeness(&plain));
    }
}
