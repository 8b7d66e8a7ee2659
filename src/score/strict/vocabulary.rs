//! Numbers for everything the items are made of, so that texts are compared as numbers.

use super::clock::Clock;
use super::date::Date;
use super::hash::WordMap;
use super::token::{Kind, Token, Tokens};
use super::words::{look_alike, stem, umlauts_spelt_out, without_marks};

/// A word, number, time, character or pair of characters that occurs in an item.
pub(super) type Id = u32;

/// A token that occurs in no item.
pub(super) const NONE: Id = Id::MAX;

/// Shortest word that may be misspelt and still be recognised.
const MIN_MISSPELT: usize = 6;

/// What the items are made of.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    count: Id,
    words: WordMap<String, Id>,
    clocks: Vec<(Clock, Id)>,
    dates: Vec<(Date, Id)>,
    /// Pairs of neighbouring characters in scripts without spaces.
    pairs: WordMap<(Id, Id), Id>,
    /// Other spellings of the items' words.
    alternatives: WordMap<String, Id>,
    /// First letters of those words that may be misspelt: one bit each, by the letter's low bits.
    first_letters: u64,
    /// Words that may be misspelt, by their number of characters.
    long_words: WordMap<usize, Vec<(String, Id)>>,
}

/// How surely a token is the item's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    /// The item's token by value, or [`NONE`].
    pub(super) exact: Id,
    /// The same, or another spelling of it (without marks, with letters that look alike).
    pub(super) similar: Id,
    /// The same, or misspelt, or a time that could be meant.
    pub(super) possible: Id,
}

impl Vocabulary {
    /// The number of an item's token.
    pub(super) fn add(&mut self, tokens: &Tokens, token: &Token) -> Id {
        if let Kind::Clock(clock) = token.kind {
            if let Some((_, id)) = self.clocks.iter().find(|(known, _)| *known == clock) {
                return *id;
            }
            let id = self.next();
            self.clocks.push((clock, id));
            return id;
        }
        if let Kind::Date(date) = token.kind {
            // Two items may write one day with and without its year; a text that says it says both.
            if let Some((known, id)) = self.dates.iter_mut().find(|(known, _)| known.equals(date)) {
                if date.has_year() {
                    *known = date;
                }
                return *id;
            }
            let id = self.next();
            self.dates.push((date, id));
            return id;
        }
        let key = tokens.compared(token);
        if let Some(id) = self.words.get(key.as_ref()) {
            return *id;
        }
        let id = self.next();
        self.words.insert(key.clone().into_owned(), id);
        if token.kind == Kind::Word {
            for spelling in spellings(&key) {
                self.alternatives.entry(spelling).or_insert(id);
            }
            let length = key.chars().count();
            if length >= MIN_MISSPELT && key.chars().all(char::is_alphabetic) {
                self.first_letters |= key.chars().next().map_or(0, letter_bit);
                self.long_words.entry(length).or_default().push((key.into_owned(), id));
            }
        }
        id
    }

    /// The number of a pair of an item's characters.
    pub(super) fn add_pair(&mut self, first: Id, second: Id) -> Id {
        if let Some(id) = self.pairs.get(&(first, second)) {
            return *id;
        }
        let id = self.next();
        self.pairs.insert((first, second), id);
        id
    }

    fn next(&mut self) -> Id {
        self.count += 1;
        self.count - 1
    }

    /// One more than the greatest number.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// The number of a pair, or [`NONE`].
    pub(super) fn pair(&self, first: Id, second: Id) -> Id {
        if self.pairs.is_empty() { NONE } else { self.pairs.get(&(first, second)).copied().unwrap_or(NONE) }
    }

    /// What a text's token is among the items' tokens.
    pub(super) fn read(&self, tokens: &Tokens, token: &Token) -> Reading {
        if let Kind::Clock(clock) = token.kind {
            let find = |equal: fn(Clock, Clock) -> bool| {
                self.clocks.iter().find(|(known, _)| equal(*known, clock)).map(|(_, id)| *id)
            };
            let exact = find(Clock::equals).unwrap_or(NONE);
            let possible = if exact == NONE { find(Clock::could_equal).unwrap_or(NONE) } else { exact };
            return Reading { exact, similar: exact, possible };
        }
        if let Kind::Date(date) = token.kind {
            let find = |equal: fn(Date, Date) -> bool| {
                self.dates.iter().find(|(known, _)| equal(*known, date)).map(|(_, id)| *id)
            };
            let exact = find(Date::equals).unwrap_or(NONE);
            let possible = if exact == NONE { find(Date::could_equal).unwrap_or(NONE) } else { exact };
            return Reading { exact, similar: exact, possible };
        }
        let key = tokens.compared(token);
        if let Some(id) = self.words.get(key.as_ref()) {
            return Reading { exact: *id, similar: *id, possible: *id };
        }
        let nothing = Reading { exact: NONE, similar: NONE, possible: NONE };
        if token.kind != Kind::Word {
            return nothing;
        }
        if let Some(id) = self.similar(&key) {
            return Reading { exact: NONE, similar: id, possible: id };
        }
        Reading { possible: self.misspelt(&key).unwrap_or(NONE), ..nothing }
    }

    fn similar(&self, key: &str) -> Option<Id> {
        if !self.alternatives.is_empty()
            && let Some(id) = self.alternatives.get(key)
        {
            return Some(*id);
        }
        if key.is_ascii() {
            return None;
        }
        spellings(key).find_map(|spelling| {
            self.words.get(&spelling).or_else(|| self.alternatives.get(&spelling)).copied()
        })
    }

    /// The word of which `key` is one slip away: a letter more, less, other or swapped, but not
    /// the first.
    fn misspelt(&self, key: &str) -> Option<Id> {
        let first = key.chars().next()?;
        // Most words of a text begin otherwise.
        if key.len() < MIN_MISSPELT - 1 || self.first_letters & letter_bit(first) == 0 {
            return None;
        }
        let length = key.chars().count();
        (length - 1..=length + 1)
            .filter_map(|length| self.long_words.get(&length))
            .flatten()
            .find(|(word, _)| word.starts_with(first) && is_one_slip_apart(word, key))
            .map(|(_, id)| *id)
    }
}

/// The bit of a letter in a set of letters.
fn letter_bit(letter: char) -> u64 {
    1 << (u32::from(letter) % 64)
}

/// Whether one letter more, less, other, or swapped with its neighbour makes two different words
/// equal.
fn is_one_slip_apart(one: &str, other: &str) -> bool {
    let mut first = one.chars();
    let mut second = other.chars();
    loop {
        let (rest_one, rest_other) = (first.as_str(), second.as_str());
        let (left, right) = (first.next(), second.next());
        if left == right {
            if left.is_none() {
                return true;
            }
            continue;
        }
        if first.as_str() == second.as_str() || first.as_str() == rest_other || rest_one == second.as_str() {
            return true;
        }
        // Swapped neighbours.
        return first.next() == right && second.next() == left && first.as_str() == second.as_str();
    }
}

/// Other ways to write a word that is not plain ASCII, as they are compared.
fn spellings(key: &str) -> impl Iterator<Item = String> {
    [without_marks(key), umlauts_spelt_out(key), look_alike(key)]
        .into_iter()
        .flatten()
        .map(|spelling| stem(&spelling).into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::is_one_slip_apart;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn one_slip_is_a_distance_of_one(one in "[abä]{0,6}", other in "[abä]{0,6}") {
            prop_assert_eq!(is_one_slip_apart(&one, &other), strsim::osa_distance(&one, &other) <= 1);
        }
    }
}
