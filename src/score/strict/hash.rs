//! A hash for short words: every token of every text is looked up in several tables.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Multiplies and rotates eight bytes at a time. It resists no attack and need not: keys come from
/// tables of ours and from items, which are few.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0_u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    fn finish(&self) -> u64 {
        // The upper bits are the mixed ones, and tables look at both ends.
        self.0 ^ (self.0 >> 29)
    }
}

/// A table of words.
pub(super) type WordMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// A set of words.
pub(super) type WordSet<K> = HashSet<K, BuildHasherDefault<WordHasher>>;

#[cfg(test)]
mod tests {
    use std::hash::Hash as _;

    use super::*;

    fn hash(word: &str) -> u64 {
        let mut hasher = WordHasher::default();
        word.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn different_words_have_different_hashes() {
        let words = ["", "a", "b", "ab", "ba", "appointment", "appointmens", "ppointment", "体检", "检体"];
        for (index, one) in words.iter().enumerate() {
            assert!(words[..index].iter().all(|other| hash(other) != hash(one)), "{one}");
        }
    }
}
