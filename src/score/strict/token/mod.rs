//! Words, numbers, dates, clock times and single characters, each with its place.

mod characters;
mod clocks;
mod dates;
mod numbers;
mod reader;

use std::borrow::Cow;

use super::clock::Clock;
use super::date::Date;
use super::fold::Unit;
use super::words::{is_function_word, stem};
use numbers::canonical_digits;

pub(super) use reader::tokenize;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, or letters and digits mixed (`q3`).
    Word,
    /// A number; its text is its canonical digits.
    Number,
    /// A time of day.
    Clock(Clock),
    /// A calendar day.
    Date(Date),
    /// One character of a script that writes without spaces.
    Character,
}

/// What stands between a token and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Boundary {
    /// Nothing.
    Glued,
    /// Spaces, hyphens, slashes and the like.
    Soft,
    /// A comma, colon, dash or bracket.
    Clause,
    /// The end of a sentence or line.
    Sentence,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// What it is compared by: a stretch of the arena.
    key: (u32, u32),
    /// The folded text as written: a stretch of the arena.
    raw: (u32, u32),
    /// Its place in the text that was tokenised.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) boundary: Boundary,
    /// First and only character between the two tokens that is not a space, if any.
    pub(super) separator: char,
    /// How many characters stand between the two tokens.
    pub(super) gap: u32,
    /// Letters that are upper case in the source.
    pub(super) upper: u32,
    /// Number of folded characters as written.
    pub(super) length: u32,
    /// Whether it carries no content.
    pub(super) is_function: bool,
    /// Whether it is a function word in capitals, which makes it a name.
    pub(super) is_acronym: bool,
}

impl Token {
    /// Whether it is a number, a time or a day.
    pub(super) const fn is_value(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Clock(_) | Kind::Date(_))
    }
}

/// The tokens of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    arena: String,
    pub(super) list: Vec<Token>,
}

impl Tokens {
    /// What the token is compared by.
    pub(super) fn key(&self, token: &Token) -> &str {
        &self.arena[token.key.0 as usize..token.key.1 as usize]
    }

    /// The token's folded text.
    pub(super) fn raw(&self, token: &Token) -> &str {
        &self.arena[token.raw.0 as usize..token.raw.1 as usize]
    }

    /// What the token is compared by, in capitals for words that are only themselves in capitals
    /// (`IT`, `US`).
    pub(super) fn compared(&self, token: &Token) -> Cow<'_, str> {
        if token.is_acronym {
            Cow::Owned(self.raw(token).to_uppercase())
        } else {
            Cow::Borrowed(self.key(token))
        }
    }

    /// Finds function words that are written in capitals in a text that is not: they are names.
    pub(super) fn mark_acronyms(&mut self) {
        let could_be = |token: &Token| {
            token.is_function && token.kind == Kind::Word && token.upper >= 2 && token.upper == token.length
        };
        if !self.list.iter().any(could_be) {
            return;
        }
        let words = || self.list.iter().filter(|token| token.kind == Kind::Word);
        let is_shouted = words().count() > 1 && words().all(|token| token.upper == token.length);
        if is_shouted {
            return;
        }
        for token in &mut self.list {
            if could_be(token) {
                token.is_acronym = true;
                token.is_function = false;
            }
        }
    }

    /// The words that belong to a value: those directly beside it ("3 boxes"), else the nearest
    /// ones with function words between ("boxes: 3").
    pub(super) fn words_beside(&self, index: usize) -> Vec<usize> {
        let is_word = |other: usize| !self.list[other].is_function && !self.list[other].is_value();
        let joins = |later: usize| self.list[later].boundary <= Boundary::Soft;
        let mut beside = Vec::new();
        beside.extend(index.checked_sub(1).filter(|before| is_word(*before) && joins(index)));
        beside.extend(
            Some(index + 1).filter(|after| *after < self.list.len() && is_word(*after) && joins(*after)),
        );
        if beside.is_empty() {
            let has_content = |other: &usize| !self.list[*other].is_function;
            let before = (index.saturating_sub(8)..index).rev().find(has_content);
            let after = (index + 1..self.list.len().min(index + 9)).find(has_content);
            beside.extend([before, after].into_iter().flatten().filter(|other| is_word(*other)));
        }
        beside
    }

    /// A copy that holds the first tokens only.
    pub(super) fn before(&self, index: usize) -> Self {
        Self { arena: self.arena.clone(), list: self.list[..index].to_vec() }
    }

    /// Appends a token of another list.
    pub(super) fn push_copy(&mut self, other: &Self, token: &Token) {
        let key = self.keep(other.key(token));
        let raw = self.keep(other.raw(token));
        self.list.push(Token { key, raw, ..*token });
    }

    /// Appends one word made of neighbouring single letters of another list.
    pub(super) fn push_joined(&mut self, other: &Self, letters: &[Token]) {
        let (Some(first), Some(last)) = (letters.first(), letters.last()) else { return };
        if letters.len() == 1 {
            self.push_copy(other, first);
            return;
        }
        let raw: String = letters.iter().map(|token| other.raw(token)).collect();
        let all_digits = raw.bytes().all(|byte| byte.is_ascii_digit());
        let key = if all_digits { canonical_digits(&raw, "") } else { stem(&raw).into_owned() };
        let is_function = is_function_word(&raw);
        let (key, raw) = (self.keep(&key), self.keep(&raw));
        self.list.push(Token {
            kind: if all_digits { Kind::Number } else { Kind::Word },
            key,
            raw,
            end: last.end,
            upper: letters.iter().map(|token| token.upper).sum(),
            length: letters.iter().map(|token| token.length).sum(),
            is_function,
            ..*first
        });
    }

    /// At most the length of all raw texts together.
    pub(super) fn raw_length(&self) -> usize {
        self.arena.len()
    }

    /// Room for the tokens of a text of so many characters.
    fn with_room(characters: usize) -> Self {
        Self {
            arena: String::with_capacity(characters + characters / 4),
            list: Vec::with_capacity(characters / 5 + 1),
        }
    }

    /// The text of a stretch of the arena.
    fn stretch(&self, stretch: (u32, u32)) -> &str {
        &self.arena[stretch.0 as usize..stretch.1 as usize]
    }

    fn keep_units(&mut self, units: &[Unit]) -> (u32, u32) {
        let start = self.arena.len();
        self.arena.extend(units.iter().map(|unit| unit.character));
        (offset(start), offset(self.arena.len()))
    }

    fn keep(&mut self, text: &str) -> (u32, u32) {
        let start = self.arena.len();
        self.arena.push_str(text);
        (offset(start), offset(self.arena.len()))
    }
}

fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Whether a script is written without spaces between words, so that its characters are tokens.
/// Hangul has spaces, but its words carry endings, so it is compared by syllables.
pub(super) fn is_by_character(character: char) -> bool {
    matches!(
        character,
        '\u{e01}'..='\u{edf}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17d3}' | '\u{3005}'..='\u{3007}'
            | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{3105}'..='\u{312f}'
            | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests;
