//! Which words of a text are new, word by word.
//!
//! A word is what Unicode's word boundaries say, so that a Chinese text has one word per character
//! and is compared as finely as an English one. White space is no word: a changed line break is no
//! change.
//!
//! Design note, 2026-05: problem: a plain word diff breaks a new phrase where one of its words
//! happened to stand there before. "Buy milk for the week" changed to "Vet appointment for the dog"
//! adds "Vet appointment" and "dog", and the phrase that a reader now sees is in neither. Choice:
//! a short stretch of unchanged words between two new ones counts as new where the new ones around
//! it say more than it does. Refused: whole lines or sentences, which would claim that what stood
//! there before was disclosed by an edit beside it.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Unchanged words between two new runs that may count as new.
const BRIDGE: usize = 3;

/// A text with some of its words marked.
#[derive(Debug, Clone)]
pub(super) struct Marked<'a> {
    text: &'a str,
    words: Vec<Word<'a>>,
    marks: Vec<bool>,
}

#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    start: usize,
    text: &'a str,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Letters and digits; 0 for punctuation.
    fn letters(&self) -> usize {
        self.text.chars().filter(|letter| letter.is_alphanumeric()).count()
    }
}

impl Marked<'_> {
    /// The marked stretches, one per line, each as it stands in the text.
    pub(super) fn text(&self) -> String {
        let runs: Vec<&str> = runs(&self.marks)
            .into_iter()
            .map(|(first, end)| &self.text[self.words[first].start..self.words[end - 1].end()])
            .collect();
        runs.join("\n")
    }
}

/// The words of `text` that are not in `before`; all of them where `before` has none.
pub(super) fn added<'a>(before: &str, text: &'a str) -> Marked<'a> {
    let words = words(text);
    let mut marks = unmatched(before, &words);
    bridge(&words, &mut marks);
    Marked { text, words, marks }
}

/// The words of `text` that are neither in `before` nor in `after`.
pub(super) fn added_and_gone<'a>(before: &str, text: &'a str, after: &str) -> Marked<'a> {
    let Marked { words, marks: new, .. } = added(before, text);
    let gone = unmatched(after, &words);
    let mut marks: Vec<bool> = new.iter().zip(&gone).map(|(new, gone)| *new && *gone).collect();
    bridge(&words, &mut marks);
    // Moved within the text is not gone.
    let last = self::words(after);
    let last: Vec<&str> = last.iter().map(|word| word.text).collect();
    for (first, end) in runs(&marks) {
        let run: Vec<&str> = words[first..end].iter().map(|word| word.text).collect();
        if last.windows(run.len()).any(|window| window == run) {
            marks[first..end].fill(false);
        }
    }
    Marked { text, words, marks }
}

fn words(text: &str) -> Vec<Word<'_>> {
    text.split_word_bound_indices()
        .filter(|(_, word)| !word.trim().is_empty())
        .map(|(start, text)| Word { start, text })
        .collect()
}

/// Which words have no counterpart in `other`. Myers' algorithm with its own limits on work, so
/// that two long texts without anything in common take no longer than they may.
fn unmatched(other: &str, words: &[Word<'_>]) -> Vec<bool> {
    let old: Vec<&str> = self::words(other).into_iter().map(|word| word.text).collect();
    let new: Vec<&str> = words.iter().map(|word| word.text).collect();
    let mut marks = vec![true; new.len()];
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal { new_index, len, .. } = op {
            marks[new_index..new_index + len].fill(false);
        }
    }
    marks
}

/// Marks short stretches between marked runs where the runs around them say more.
fn bridge(words: &[Word<'_>], marks: &mut [bool]) {
    let found = runs(marks);
    let letters = |first: usize, end: usize| words[first..end].iter().map(Word::letters).sum::<usize>();
    for pair in found.windows(2) {
        let [(left, gap), (right, end)] = [pair[0], pair[1]];
        let said = words[gap..right].iter().filter(|word| word.letters() > 0).count();
        if said <= BRIDGE && letters(gap, right) <= letters(left, gap).max(letters(right, end)) {
            marks[gap..right].fill(true);
        }
    }
}

/// First and past-the-last index of each run of marks.
fn runs(marks: &[bool]) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut start = None;
    for (index, marked) in marks.iter().copied().chain([false]).enumerate() {
        match (marked, start) {
            (true, None) => start = Some(index),
            (false, Some(first)) => {
                runs.push((first, index));
                start = None;
            }
            _ => {}
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn added_words_are_given_as_they_stand() {
        assert_eq!(added("", "All of  it.\nYes").text(), "All of  it.\nYes");
        assert_eq!(added("alpha\nbeta\n", "alpha\nbeta\ngamma delta\n").text(), "gamma delta");
        assert_eq!(added("alpha beta", "alpha\n  beta").text(), "");
        assert_eq!(added("一二三", "一二四五三").text(), "四五");
    }

    #[test]
    fn a_phrase_is_not_broken_by_words_that_stood_there_before() {
        let text = added("Buy milk for the week", "Vet appointment for the dog").text();
        assert_eq!(text, "Vet appointment for the dog");
    }

    #[test]
    fn an_edit_beside_a_word_does_not_disclose_the_word() {
        let text = added("Dinner at 7, call with HR at 5", "Dinner at 8, call with HR at 6").text();
        assert_eq!(text, "8\n6");
    }

    #[test]
    fn gone_is_what_was_new_and_is_no_longer_there() {
        assert_eq!(added_and_gone("a", "a secret b", "a b").text(), "secret");
        assert_eq!(added_and_gone("old", "old", "new").text(), "");
        assert_eq!(added_and_gone("", "first second", "second first").text(), "", "moved, not gone");
    }

    #[test]
    fn long_texts_without_anything_in_common_take_their_time_only() {
        let long = |from: usize| {
            (from..from + 20_000).fold(String::new(), |mut text, number| {
                write!(text, "w{number} ").unwrap();
                text
            })
        };
        let (left, right) = (long(0), long(1_000_000));
        let started = std::time::Instant::now();
        assert_eq!(added(&left, &right).text(), right.trim_end());
        assert!(started.elapsed().as_secs() < 20, "took {:?}", started.elapsed());
    }

    proptest! {
        #[test]
        fn nothing_is_added_to_the_same_text(text in "[a-c \n]{0,60}") {
            prop_assert_eq!(added(&text, &text).text(), "");
        }

        #[test]
        fn every_word_of_the_text_is_old_or_added(before in "[a-c ]{0,30}", text in "[a-e ]{0,30}") {
            let known: std::collections::BTreeSet<&str> = before.split_whitespace().collect();
            let added = added(&before, &text).text();
            let new: std::collections::BTreeSet<&str> = added.split_whitespace().collect();
            for word in text.split_whitespace() {
                prop_assert!(known.contains(word) || new.contains(word), "{word} in neither");
            }
        }
    }
}
