//! From characters to tokens.

use std::borrow::Cow;

use super::super::clock::Clock;
use super::super::fold::Unit;
use super::super::words::{is_function_character, is_function_word, number_word, stem, unit};
use super::{Boundary, Kind, Token, Tokens, is_by_character, offset};

/// Splits folded text into tokens.
pub(in super::super) fn tokenize(units: &[Unit]) -> Tokens {
    let mut reader = Reader { units, position: 0, tokens: Tokens::with_room(units.len()), gap_start: 0 };
    reader.run();
    reader.tokens
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | 'ʼ' | '`' | '´')
}

fn boundary_of(character: char, next: Option<char>) -> Boundary {
    let ends_here = next.is_none_or(char::is_whitespace);
    match character {
        '\n' | '\r' | '!' | '?' | '。' | '\u{2028}' | '\u{2029}' => Boundary::Sentence,
        '.' | ';' if ends_here => Boundary::Sentence,
        ',' | ':' if ends_here => Boundary::Clause,
        '—' | '–' | '(' | ')' | '[' | ']' | '、' | ';' => Boundary::Clause,
        _ => Boundary::Soft,
    }
}

pub(super) struct Reader<'a> {
    pub(super) units: &'a [Unit],
    pub(super) position: usize,
    pub(super) tokens: Tokens,
    /// Where the separator before the next token starts.
    pub(super) gap_start: usize,
}

impl Reader<'_> {
    pub(super) fn at(&self, index: usize) -> Option<char> {
        self.units.get(index).map(|unit| unit.character)
    }

    pub(super) fn is_digit(&self, index: usize) -> bool {
        self.at(index).is_some_and(|character| character.is_ascii_digit())
    }

    pub(super) fn is_letter(&self, index: usize) -> bool {
        self.at(index).is_some_and(|character| {
            // Most text is ASCII, and the tables are not free.
            if character.is_ascii() {
                return character.is_ascii_alphabetic();
            }
            !is_by_character(character)
                && (character.is_alphanumeric() || unicode_normalization::char::is_combining_mark(character))
        })
    }

    pub(super) fn run(&mut self) {
        while let Some(character) = self.at(self.position) {
            if !character.is_ascii() && is_by_character(character) {
                self.push(Kind::Character, &character.to_string(), self.position + 1);
            } else if character.is_ascii_digit() {
                if !self.date() {
                    self.number();
                }
            } else if self.is_letter(self.position) {
                self.word();
            } else {
                self.position += 1;
            }
        }
        self.join_dates();
        self.join_ranges();
        self.join_character_clocks();
    }

    /// Appends a token that reaches from the current position to `end`.
    pub(super) fn push(&mut self, kind: Kind, key: &str, end: usize) {
        let start = self.position;
        let mut boundary = if self.tokens.list.is_empty() { Boundary::Sentence } else { Boundary::Glued };
        let mut separator = ' ';
        for index in self.gap_start..start {
            let character = self.units[index].character;
            boundary = boundary.max(boundary_of(character, self.at(index + 1)));
            if !character.is_whitespace() {
                separator = character;
            }
        }
        let raw_stretch = self.tokens.keep_units(&self.units[start..end]);
        let raw = self.tokens.stretch(raw_stretch);
        let is_function = match kind {
            Kind::Word => is_function_word(raw),
            Kind::Character => raw.chars().all(is_function_character),
            Kind::Number | Kind::Clock(_) | Kind::Date(_) => false,
        };
        // Most keys are the word itself or its beginning.
        let key_stretch = if raw.starts_with(key) {
            (raw_stretch.0, raw_stretch.0 + offset(key.len()))
        } else {
            self.tokens.keep(key)
        };
        self.tokens.list.push(Token {
            kind,
            key: key_stretch,
            raw: raw_stretch,
            start: self.units[start].start,
            end: self.units[end - 1].end,
            boundary,
            separator,
            gap: offset(start - self.gap_start),
            upper: offset(self.units[start..end].iter().filter(|unit| unit.upper).count()),
            length: offset(end - start),
            is_function,
            is_acronym: false,
        });
        self.position = end;
        self.gap_start = end;
    }

    pub(super) fn text(&self, start: usize, end: usize) -> String {
        self.units[start..end].iter().map(|unit| unit.character).collect()
    }

    pub(super) fn digits_end(&self, start: usize) -> usize {
        (start..self.units.len()).find(|index| !self.is_digit(*index)).unwrap_or(self.units.len().max(start))
    }

    pub(super) fn letters_end(&self, start: usize) -> usize {
        (start..self.units.len()).find(|index| !self.is_letter(*index)).unwrap_or(self.units.len().max(start))
    }

    pub(super) fn alphanumeric_end(&self, start: usize) -> usize {
        (start..self.units.len())
            .find(|index| !self.is_letter(*index) && !self.is_digit(*index))
            .unwrap_or(self.units.len().max(start))
    }

    /// A token that starts with a letter.
    pub(super) fn word(&mut self) {
        let start = self.position;
        let letters = self.letters_end(start);
        // `v2.3.1` is version 2.3.1.
        if letters - start == 1
            && self.at(start) == Some('v')
            && let Some(end) = self.dotted_end(letters)
        {
            let key = self.text(letters, end);
            self.push(Kind::Number, &key, end);
            return;
        }
        if self.is_digit(letters) {
            // `pr45` is a word and a number, `q3` one word, and what alternates (a hash, a key)
            // one word too.
            let digits = self.digits_end(letters);
            if letters - start == 1 || self.is_letter(digits) {
                let end = self.alphanumeric_end(start);
                let key = self.text(start, end);
                self.push(Kind::Word, &key, end);
            } else {
                let key = self.text(start, letters);
                self.push(Kind::Word, &stem(&key), letters);
            }
            return;
        }
        let mut key = self.text(start, letters);
        let mut end = letters;
        while self.at(end).is_some_and(is_apostrophe) && self.is_letter(end + 1) {
            let part_end = self.letters_end(end + 1);
            let part = self.text(end + 1, part_end);
            // `dog's` is the dog; `don't` and `dont` are one word.
            if part != "s" {
                key.push_str(&part);
            }
            end = part_end;
        }
        if key == "noon" || key == "midnight" {
            let clock = Clock::new(if key == "noon" { 12 } else { 0 }, 0, None, true).map(Clock::definite);
            if let Some(clock) = clock {
                self.replace_twelve();
                self.push(Kind::Clock(clock), &key, end);
                return;
            }
        }
        if let Some(digits) = number_word(&key) {
            self.push(Kind::Number, digits, end);
            return;
        }
        // `2 hr` is two hours, `HR` is not.
        let follows_number = self.tokens.list.last().is_some_and(|token| token.kind == Kind::Number)
            && self.units[self.gap_start..start]
                .iter()
                .all(|unit| unit.character.is_whitespace() || unit.character == '-')
            && start - self.gap_start <= 1
            && !self.units[start].upper;
        if follows_number && let Some(unit) = unit(&key) {
            self.push(Kind::Word, unit, end);
            return;
        }
        // `PRs` are several `PR`; short words in small letters keep their `s` (`gas`).
        let letters = &self.units[start..end];
        let is_plural_acronym =
            letters.len() == 3 && letters[0].upper && letters[1].upper && !letters[2].upper;
        let key = match key.strip_suffix('s').filter(|_| is_plural_acronym) {
            Some(singular) => Cow::Borrowed(singular),
            None => stem(&key),
        };
        self.push(Kind::Word, &key, end);
    }

    /// "12 noon": the number belongs to the time.
    pub(super) fn replace_twelve(&mut self) {
        if let Some(last) = self.tokens.list.last().copied()
            && last.kind == Kind::Number
            && self.tokens.key(&last) == "12"
            && self.position - self.gap_start <= 1
        {
            self.tokens.list.pop();
        }
    }
}
