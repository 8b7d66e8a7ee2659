//! Finding items in text, to put labels in their place.
//!
//! A shared trace must not carry the secrets it is about. This looks for an item as a reader would see
//! it: regardless of case, width, kind of quotes, invisible characters, line breaks, and of the escapes
//! of JSON and of action texts. It finds items written out; an item that was told in other words stays,
//! as a copy's note says.

use unicode_normalization::UnicodeNormalization as _;

/// Shortest item that is looked for inside of words as well.
const WITHIN_WORDS_FROM: usize = 5;

/// Items with the labels that stand for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Normal form, and label; longer items first, so that one inside another does not break it.
    items: Vec<(Vec<char>, String)>,
}

/// A character of the normal form and the bytes of the text it stands for.
struct Placed {
    character: char,
    start: usize,
    end: usize,
}

impl Labels {
    /// Adds an item under a label; an item without letters or digits is left out.
    pub fn add(&mut self, item: &str, label: &str) {
        let normal: Vec<char> = place(item, false).into_iter().map(|placed| placed.character).collect();
        let is_known = self.items.iter().any(|(known, _)| *known == normal);
        if is_known || !normal.iter().any(|character| character.is_alphanumeric()) {
            return;
        }
        self.items.push((normal, label.to_owned()));
        self.items.sort_by_key(|(normal, _)| std::cmp::Reverse(normal.len()));
    }

    /// Number of different labels.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.iter().map(|(_, label)| label).collect::<std::collections::BTreeSet<_>>().len()
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The text with every item replaced by its label in square brackets; `None` when none is in it.
    #[must_use]
    pub fn replace(&self, text: &str) -> Option<String> {
        let placed = place(text, true);
        let mut found: Vec<(usize, usize, &str)> = Vec::new();
        for (item, label) in &self.items {
            let mut at = 0;
            while at + item.len() <= placed.len() {
                let fits =
                    placed[at..at + item.len()].iter().map(|one| one.character).eq(item.iter().copied());
                if !fits || !is_apart(&placed, at, at + item.len(), item.len()) {
                    at += 1;
                    continue;
                }
                let (start, end) = (placed[at].start, placed[at + item.len() - 1].end);
                if found.iter().all(|(other, until, _)| end <= *other || start >= *until) {
                    found.push((start, end, label));
                }
                at += item.len();
            }
        }
        if found.is_empty() {
            return None;
        }
        found.sort_unstable();
        let mut replaced = String::with_capacity(text.len());
        let mut done = 0;
        for (start, end, label) in found {
            replaced.push_str(&text[done..start]);
            replaced.push('[');
            replaced.push_str(label);
            replaced.push(']');
            done = end;
        }
        replaced.push_str(&text[done..]);
        Some(replaced)
    }
}

/// Whether a short item stands by itself; a longer one may be part of a word.
fn is_apart(placed: &[Placed], start: usize, end: usize, length: usize) -> bool {
    if length >= WITHIN_WORDS_FROM {
        return true;
    }
    let is_word = |at: Option<usize>| {
        at.and_then(|at| placed.get(at))
            .is_some_and(|one| one.character.is_alphanumeric() && one.character.is_ascii())
    };
    !is_word(start.checked_sub(1)) && !is_word(Some(end))
}

/// The normal form of a text with the places of its characters. White space is one space, and none at
/// either end of an item. With `escapes`, `\n`, `\"`, `\u00e9` and the like count as what they stand for.
fn place(text: &str, escapes: bool) -> Vec<Placed> {
    let mut placed: Vec<Placed> = Vec::with_capacity(text.len());
    let mut characters = text.char_indices().peekable();
    while let Some((start, mut character)) = characters.next() {
        let mut end = start + character.len_utf8();
        if escapes && character == '\\' {
            match characters.peek().copied() {
                Some((_, 'n' | 'r' | 't')) => {
                    characters.next();
                    (character, end) = (' ', end + 1);
                }
                Some((at, 'u')) => {
                    let digits = text.get(at + 1..at + 5);
                    let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                    if let Some(escaped) = code.and_then(char::from_u32) {
                        for _ in 0..5 {
                            characters.next();
                        }
                        (character, end) = (escaped, at + 5);
                    }
                }
                Some((at, quoted @ ('"' | '\'' | '\\' | '/'))) => {
                    characters.next();
                    (character, end) = (quoted, at + 1);
                }
                _ => {}
            }
        }
        if character.is_whitespace() {
            match placed.last_mut() {
                Some(last) if last.character == ' ' => last.end = end,
                None if !escapes => {}
                _ => placed.push(Placed { character: ' ', start, end }),
            }
            continue;
        }
        for folded in fold(character) {
            placed.push(Placed { character: folded, start, end });
        }
    }
    if !escapes && placed.last().is_some_and(|last| last.character == ' ') {
        placed.pop();
    }
    placed
}

/// A character as a reader compares it: without case, width, and kind of quote or dash; nothing for an
/// invisible one.
fn fold(character: char) -> Vec<char> {
    let folded = caseless::default_case_fold_str(&std::iter::once(character).nfkc().collect::<String>());
    folded
        .nfkc()
        .filter_map(|character| match character {
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '`' | '\u{b4}' => Some('\''),
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' => Some('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => None,
            other => Some(other),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(items: &[&str]) -> Labels {
        let mut labels = Labels::default();
        for (number, item) in (1..).zip(items) {
            labels.add(item, &format!("S{number}"));
        }
        labels
    }

    #[test]
    fn an_item_is_found_as_a_reader_sees_it() {
        let labels = labels(&["Vet appointment at 2", "Maya's IVF", "HR"]);
        for (text, expected) in [
            ("the vet  APPOINTMENT\n at 2!", "the [S1]!"),
            ("fill('1', 'Vet appointment\\nat 2')", "fill('1', '[S1]')"),
            ("{\"t\": \"Vet appointment \\u0061t 2\"}", "{\"t\": \"[S1]\"}"),
            ("Maya\u{2019}s ＩＶＦ and maya\\'s ivf", "[S2] and [S2]"),
            ("V\u{200b}et appointment at 2", "[S1]"),
            ("ask HR, not the thread", "ask [S3], not the thread"),
        ] {
            assert_eq!(labels.replace(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(labels.replace("nothing of it in the thread"), None);
    }

    #[test]
    fn a_longer_item_goes_before_a_shorter_one_inside_it() {
        let labels = labels(&["vet", "vet appointment"]);
        assert_eq!(labels.replace("vet appointment, then vet").as_deref(), Some("[S2], then [S1]"));
        assert!(self::labels(&["-", "  "]).is_empty());
    }

    proptest! {
        #[test]
        fn no_text_breaks_it_and_nothing_is_left_behind(before in ".{0,40}", after in ".{0,40}") {
            let labels = labels(&["secret plan"]);
            let text = format!("{before} secret plan {after}");
            let replaced = labels.replace(&text).unwrap();
            prop_assert!(labels.replace(&replaced).is_none(), "{replaced}");
            prop_assert!(replaced.contains("[S1]"));
        }
    }
}
