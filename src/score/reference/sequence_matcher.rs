//! Python's `difflib.SequenceMatcher(a=…, b=…).ratio()` on characters, with its "autojunk"
//! heuristic.
//!
//! Own port because the crates of that name differ: one inverts the heuristic from 200 characters
//! on, others compute a different alignment. The measure is not symmetric.

use std::collections::HashMap;

/// The similarity of `a` and `b`, 0 to 1: twice the number of matched characters over the number
/// of characters; 1 for two empty texts.
#[must_use]
pub fn ratio(a: &str, b: &str) -> f64 {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    quotient(matched(&a, &b), a.len() + b.len())
}

/// Whether [`ratio`] reaches `threshold`; computes it only where an upper bound does not decide.
pub(super) fn ratio_reaches(a: &str, b: &str, threshold: f64) -> bool {
    // The normal forms are ASCII, so bytes are characters there; for other texts the bound from
    // byte lengths would be wrong.
    if a.is_ascii() && b.is_ascii() {
        let total = a.len() + b.len();
        if quotient(a.len().min(b.len()), total) < threshold {
            return false;
        }
        let mut available = [0_usize; 128];
        for byte in b.bytes() {
            available[usize::from(byte)] += 1;
        }
        let mut common = 0;
        for byte in a.bytes() {
            let left = &mut available[usize::from(byte)];
            if *left > 0 {
                *left -= 1;
                common += 1;
            }
        }
        // No alignment matches more characters than the two multisets share.
        if quotient(common, total) < threshold {
            return false;
        }
    }
    ratio(a, b) >= threshold
}

fn quotient(matches: usize, total: usize) -> f64 {
    if total == 0 { 1.0 } else { 2.0 * matches as f64 / total as f64 }
}

/// A half-open stretch of both sequences that is still to be aligned.
#[derive(Clone, Copy)]
struct Stretch {
    a_low: usize,
    a_high: usize,
    b_low: usize,
    b_high: usize,
}

/// The number of characters in all matching blocks.
fn matched(a: &[char], b: &[char]) -> usize {
    let positions = positions(b);
    let mut lengths = Lengths::new(b.len());
    let mut open = vec![Stretch { a_low: 0, a_high: a.len(), b_low: 0, b_high: b.len() }];
    let mut total = 0;
    while let Some(stretch) = open.pop() {
        let (a_start, b_start, size) = longest_match(a, b, &positions, &mut lengths, stretch);
        if size == 0 {
            continue;
        }
        total += size;
        if stretch.a_low < a_start && stretch.b_low < b_start {
            open.push(Stretch { a_high: a_start, b_high: b_start, ..stretch });
        }
        if a_start + size < stretch.a_high && b_start + size < stretch.b_high {
            open.push(Stretch { a_low: a_start + size, b_low: b_start + size, ..stretch });
        }
    }
    total
}

/// Where each character stands in `b`. From 200 characters on, a character that makes up more
/// than one in a hundred (plus one) is "popular" and left out.
fn positions(b: &[char]) -> HashMap<char, Vec<usize>> {
    let mut positions: HashMap<char, Vec<usize>> = HashMap::new();
    for (index, character) in b.iter().enumerate() {
        positions.entry(*character).or_default().push(index);
    }
    if b.len() >= 200 {
        let limit = b.len() / 100 + 1;
        positions.retain(|_, indices| indices.len() <= limit);
    }
    positions
}

/// Lengths of the matches that end at each position of `b`, for the row before and the current
/// one; entries that were written are cleared after each row, so a row costs what it touches.
struct Lengths {
    previous: Vec<usize>,
    current: Vec<usize>,
    previous_written: Vec<usize>,
    current_written: Vec<usize>,
}

impl Lengths {
    fn new(length: usize) -> Self {
        Self {
            previous: vec![0; length + 1],
            current: vec![0; length + 1],
            previous_written: Vec::new(),
            current_written: Vec::new(),
        }
    }

    fn next_row(&mut self) {
        for index in self.previous_written.drain(..) {
            self.previous[index] = 0;
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        std::mem::swap(&mut self.previous_written, &mut self.current_written);
    }

    fn clear(&mut self) {
        self.next_row();
        self.next_row();
    }
}

/// The longest block that both stretches share: earliest in `a`, then earliest in `b`; then grown
/// over popular characters on both sides.
fn longest_match(
    a: &[char],
    b: &[char],
    positions: &HashMap<char, Vec<usize>>,
    lengths: &mut Lengths,
    stretch: Stretch,
) -> (usize, usize, usize) {
    let Stretch { a_low, a_high, b_low, b_high } = stretch;
    let (mut best_a, mut best_b, mut best_size) = (a_low, b_low, 0);
    for (a_index, character) in a.iter().enumerate().take(a_high).skip(a_low) {
        if let Some(indices) = positions.get(character) {
            let first = indices.partition_point(|index| *index < b_low);
            for &b_index in indices[first..].iter().take_while(|index| **index < b_high) {
                // Entry k + 1 belongs to position k, so position 0 has a predecessor.
                let size = lengths.previous[b_index] + 1;
                lengths.current[b_index + 1] = size;
                lengths.current_written.push(b_index + 1);
                if size > best_size {
                    (best_a, best_b, best_size) = (a_index + 1 - size, b_index + 1 - size, size);
                }
            }
        }
        lengths.next_row();
    }
    lengths.clear();
    while best_a > a_low && best_b > b_low && a[best_a - 1] == b[best_b - 1] {
        best_a -= 1;
        best_b -= 1;
        best_size += 1;
    }
    while best_a + best_size < a_high
        && best_b + best_size < b_high
        && a[best_a + best_size] == b[best_b + best_size]
    {
        best_size += 1;
    }
    (best_a, best_b, best_size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_and_asymmetry() {
        assert!((ratio("01 00", "01 00 pm") - 0.769_230_769_230_769_3).abs() < 1e-12);
        assert!((ratio("", "") - 1.0).abs() < 1e-12);
        assert!(ratio("abc", "").abs() < 1e-12);
        // CPython 3.11: 0.25 one way, 0.5 the other.
        assert!((ratio("tide", "diet") - 0.25).abs() < 1e-12);
        assert!((ratio("diet", "tide") - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_popular_character_of_a_long_text_starts_no_match() {
        // Where both begin alike, the popular character still grows the empty match: CPython's quirk.
        let long = "x".repeat(200);
        assert!(ratio("yxxx", &long).abs() < 1e-12);
        assert!((ratio("xxx", &long) - 0.029_556_650_246_305_417).abs() < 1e-12);
        assert!(ratio("yxxx", &"x".repeat(199)) > 0.0);
    }

    #[test]
    fn the_bound_never_changes_the_answer() {
        for (a, b) in [("abcdef", "abcxef"), ("aaaa", "bbbb"), ("ab", "abababab"), ("ßab", "ab")] {
            for threshold in [0.1, 0.5, 0.7, 0.82, 0.88, 1.0] {
                assert_eq!(ratio_reaches(a, b, threshold), ratio(a, b) >= threshold, "{a} {b} {threshold}");
            }
        }
    }
}
