//! Words, numbers, clock times and single characters, each with its place.

use std::borrow::Cow;

use super::clock::{Clock, Half};
use super::fold::Unit;
use super::words::{is_function_character, is_function_word, number_word, stem, unit};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, or letters and digits mixed (`q3`).
    Word,
    /// A number; its text is its canonical digits.
    Number,
    /// A time of day.
    Clock(Clock),
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
        let words = || self.list.iter().filter(|token| token.kind == Kind::Word);
        let is_shouted = words().count() > 1 && words().all(|token| token.upper == token.length);
        if is_shouted {
            return;
        }
        for token in &mut self.list {
            if token.is_function
                && token.kind == Kind::Word
                && token.upper >= 2
                && token.upper == token.length
            {
                token.is_acronym = true;
                token.is_function = false;
            }
        }
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

    fn keep(&mut self, text: &str) -> (u32, u32) {
        let start = self.arena.len();
        self.arena.push_str(text);
        (offset(start), offset(self.arena.len()))
    }
}

fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Splits folded text into tokens.
pub(super) fn tokenize(units: &[Unit]) -> Tokens {
    let mut reader = Reader { units, position: 0, tokens: Tokens::default(), gap_start: 0 };
    reader.run();
    reader.tokens
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

struct Reader<'a> {
    units: &'a [Unit],
    position: usize,
    tokens: Tokens,
    /// Where the separator before the next token starts.
    gap_start: usize,
}

impl Reader<'_> {
    fn at(&self, index: usize) -> Option<char> {
        self.units.get(index).map(|unit| unit.character)
    }

    fn is_digit(&self, index: usize) -> bool {
        self.at(index).is_some_and(|character| character.is_ascii_digit())
    }

    fn is_letter(&self, index: usize) -> bool {
        self.at(index).is_some_and(|character| {
            !character.is_ascii_digit()
                && !is_by_character(character)
                && (character.is_alphanumeric() || unicode_normalization::char::is_combining_mark(character))
        })
    }

    fn run(&mut self) {
        while let Some(character) = self.at(self.position) {
            if is_by_character(character) {
                self.push(Kind::Character, &character.to_string(), self.position + 1);
            } else if character.is_ascii_digit() {
                self.number();
            } else if self.is_letter(self.position) {
                self.word();
            } else {
                self.position += 1;
            }
        }
        self.join_ranges();
        self.join_character_clocks();
    }

    /// Appends a token that reaches from the current position to `end`.
    fn push(&mut self, kind: Kind, key: &str, end: usize) {
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
        let raw: String = self.units[start..end].iter().map(|unit| unit.character).collect();
        let raw_stretch = self.tokens.keep(&raw);
        let key_stretch = if key == raw { raw_stretch } else { self.tokens.keep(key) };
        let is_function = match kind {
            Kind::Word => is_function_word(&raw),
            Kind::Character => raw.chars().all(is_function_character),
            Kind::Number | Kind::Clock(_) => false,
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

    fn text(&self, start: usize, end: usize) -> String {
        self.units[start..end].iter().map(|unit| unit.character).collect()
    }

    fn digits_end(&self, start: usize) -> usize {
        (start..).find(|index| !self.is_digit(*index)).unwrap_or(start)
    }

    fn letters_end(&self, start: usize) -> usize {
        (start..).find(|index| !self.is_letter(*index)).unwrap_or(start)
    }

    fn alphanumeric_end(&self, start: usize) -> usize {
        (start..).find(|index| !self.is_letter(*index) && !self.is_digit(*index)).unwrap_or(start)
    }

    /// A token that starts with a letter.
    fn word(&mut self) {
        let start = self.position;
        let letters = self.letters_end(start);
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
            Some(singular) => singular.to_owned(),
            None => stem(&key).into_owned(),
        };
        self.push(Kind::Word, &key, end);
    }

    /// "12 noon": the number belongs to the time.
    fn replace_twelve(&mut self) {
        if let Some(last) = self.tokens.list.last().copied()
            && last.kind == Kind::Number
            && self.tokens.key(&last) == "12"
            && self.position - self.gap_start <= 1
        {
            self.tokens.list.pop();
        }
    }

    /// A token that starts with a digit.
    fn number(&mut self) {
        let start = self.position;
        let digits = self.digits_end(start);
        if self.clock(start, digits) {
            return;
        }
        if self.is_letter(digits) {
            let end = self.alphanumeric_end(digits);
            let suffix = self.text(digits, end);
            let ordinal = matches!(suffix.as_str(), "st" | "nd" | "rd" | "th");
            let splits = suffix.chars().all(|character| !character.is_ascii_digit())
                && (suffix.chars().count() > 1 || unit(&suffix).is_some());
            if ordinal {
                let key = canonical_digits(&self.text(start, digits), "");
                self.push(Kind::Number, &key, end);
            } else if splits {
                let key = canonical_digits(&self.text(start, digits), "");
                self.push(Kind::Number, &key, digits);
            } else {
                let key = self.text(start, end);
                self.push(Kind::Word, &key, end);
            }
            return;
        }
        let (whole, fraction, end) = self.grouped(start, digits);
        let key = canonical_digits(&whole, &fraction);
        self.push(Kind::Number, &key, end);
    }

    /// Reads `1,200.50`, `12.5` and `12,50 €`; versions, addresses and dates stay split.
    fn grouped(&self, start: usize, digits: usize) -> (String, String, usize) {
        let first = self.text(start, digits);
        let group_end = |index: usize| {
            (self.at(index) == Some(',') && self.digits_end(index + 1) == index + 4).then_some(index + 4)
        };
        if digits - start <= 3
            && let Some(mut end) = group_end(digits)
        {
            let mut whole = first + &self.text(digits + 1, end);
            while let Some(next) = group_end(end) {
                whole.push_str(&self.text(end + 1, next));
                end = next;
            }
            if self.at(end) == Some('.') && self.is_digit(end + 1) {
                let fraction_end = self.digits_end(end + 1);
                let fraction = self.text(end + 1, fraction_end);
                return (whole, fraction, fraction_end);
            }
            return (whole, String::new(), end);
        }
        let after = self.digits_end(digits + 1);
        let one_part = after > digits + 1
            && !(self.at(after) == self.at(digits) && self.is_digit(after + 1))
            && !(start >= 2 && matches!(self.at(start - 1), Some('.' | ',')) && self.is_digit(start - 2));
        let decimal_point = self.at(digits) == Some('.');
        let price = |index: usize| matches!(self.at(index), Some('€' | '$' | '£' | '%'));
        let decimal_comma = self.at(digits) == Some(',')
            && after == digits + 3
            && (price(after)
                || (self.at(after) == Some(' ') && price(after + 1))
                || (start > 0 && price(start - 1)));
        if one_part && (decimal_point || decimal_comma) {
            return (first, self.text(digits + 1, after), after);
        }
        (first, String::new(), digits)
    }

    /// Reads a time of day, if one starts here.
    fn clock(&mut self, start: usize, digits: usize) -> bool {
        if digits - start > 2 {
            return false;
        }
        let Ok(hour) = self.text(start, digits).parse::<u16>() else { return false };
        let padded = digits - start == 2;
        let separator = self.at(digits);
        let two_digits = self.digits_end(digits + 1) == digits + 3;
        let minute = || self.text(digits + 1, digits + 3).parse::<u16>().unwrap_or(u16::MAX);
        let preceded_by_colon =
            start >= 2 && matches!(self.at(start - 1), Some(':' | '.')) && self.is_digit(start - 2);
        if preceded_by_colon {
            return false;
        }
        let (minute, mut end, certain) = match separator {
            Some(':') if two_digits => {
                let mut end = digits + 3;
                if self.at(end) == Some(':') && self.digits_end(end + 1) == end + 3 {
                    end += 3;
                }
                if self.at(end) == Some(':') {
                    return false;
                }
                (minute(), end, true)
            }
            Some('h') if two_digits => (minute(), digits + 3, true),
            Some('.') if two_digits => (minute(), digits + 3, false),
            _ => (0, digits, false),
        };
        let mut half = None;
        let mut definite = false;
        let mut said = false;
        if let Some((found, after)) = self.half(end) {
            (half, end, said) = (Some(found), after, true);
        } else if let Some(after) = self.hour_word(end, "uhr") {
            (definite, end, said) = (true, after, true);
        } else if let Some(after) = self.hour_word(end, "o'clock").or_else(|| self.hour_word(end, "o’clock"))
        {
            (end, said) = (after, true);
        }
        if !certain && !said {
            return false;
        }
        if half.is_some() && !certain && hour == 0 {
            return false;
        }
        let Some(mut clock) = Clock::new(hour, minute, half, padded) else { return false };
        if definite {
            clock = clock.definite();
        }
        let key = self.text(start, end);
        self.push(Kind::Clock(clock), &key, end);
        true
    }

    /// `am`, `p.m.` and the like, after at most one space.
    fn half(&self, index: usize) -> Option<(Half, usize)> {
        let mut index = if self.at(index).is_some_and(char::is_whitespace) { index + 1 } else { index };
        let half = match self.at(index)? {
            'a' => Half::Am,
            'p' => Half::Pm,
            _ => return None,
        };
        index += 1;
        let dotted = self.at(index) == Some('.');
        index += usize::from(dotted);
        if self.at(index) != Some('m') {
            return None;
        }
        index += 1;
        if self.is_letter(index) || self.is_digit(index) {
            return None;
        }
        Some((half, index + usize::from(dotted && self.at(index) == Some('.'))))
    }

    /// A word that marks an hour, after at most one space.
    fn hour_word(&self, index: usize, word: &str) -> Option<usize> {
        let start = if self.at(index).is_some_and(char::is_whitespace) { index + 1 } else { index };
        let mut end = start;
        for expected in word.chars() {
            if self.at(end) != Some(expected) {
                return None;
            }
            end += 1;
        }
        (!self.is_letter(end) && !self.is_digit(end)).then_some(end)
    }

    /// `1-2 PM`, `9:00 to 10:30 am`: the start takes its half of the day from the end.
    fn join_ranges(&mut self) {
        for index in (1..self.tokens.list.len()).rev() {
            let end = self.tokens.list[index];
            let Kind::Clock(end_clock) = end.kind else { continue };
            let start_index = if matches!(end.separator, '-' | '–' | '—' | '~' | '‑') {
                index - 1
            } else if index >= 2
                && matches!(self.tokens.raw(&self.tokens.list[index - 1]), "to" | "until" | "till" | "bis")
                && end.boundary <= Boundary::Soft
                && self.tokens.list[index - 1].boundary <= Boundary::Soft
            {
                index - 2
            } else {
                continue;
            };
            let start = self.tokens.list[start_index];
            let clock = match start.kind {
                Kind::Clock(clock) if end_clock.is_marked() => clock.before(end_clock),
                // A bare number is an hour only before an end that says it is a time.
                Kind::Number if start.length <= 2 && end_clock.is_marked() => {
                    let hour = self.tokens.key(&start).parse().ok().filter(|hour| (1..=12).contains(hour));
                    match hour.and_then(|hour| Clock::new(hour, 0, None, false)) {
                        Some(clock) => clock.before(end_clock),
                        None => continue,
                    }
                }
                _ => continue,
            };
            self.tokens.list[start_index].kind = Kind::Clock(clock);
        }
    }

    /// `下午1点30分`, `上午9点半`, `午後3時`, `오후 3시`.
    fn join_character_clocks(&mut self) {
        if !self.tokens.list.iter().any(|token| self.is_hour_mark(token)) && !self.follows_half_word() {
            return;
        }
        let old = std::mem::take(&mut self.tokens.list);
        let mut index = 0;
        while index < old.len() {
            let (half, half_length) = self.half_word(&old, index);
            let start = index + half_length;
            match self.character_clock(&old, start, half) {
                Some((clock, end)) => {
                    let (first, last) = (old[index], old[end - 1]);
                    self.tokens.list.push(Token {
                        kind: Kind::Clock(clock),
                        raw: (first.raw.0, last.raw.1.max(first.raw.1)),
                        key: (first.raw.0, last.raw.1.max(first.raw.1)),
                        end: last.end,
                        is_function: false,
                        ..first
                    });
                    index = end;
                }
                None => {
                    self.tokens.list.push(old[index]);
                    index += 1;
                }
            }
        }
    }

    fn is_hour_mark(&self, token: &Token) -> bool {
        matches!(self.tokens.raw(token), "点" | "點" | "时" | "時" | "시")
    }

    fn follows_half_word(&self) -> bool {
        self.tokens
            .list
            .windows(2)
            .any(|pair| pair[0].kind == Kind::Character && matches!(pair[1].kind, Kind::Clock(_)))
    }

    /// The half of the day named by the characters at `index`, and how many there are.
    fn half_word(&self, tokens: &[Token], index: usize) -> (Option<Half>, usize) {
        let raw = |index: usize| tokens.get(index).map_or("", |token| self.tokens.raw(token));
        let half = match (raw(index), raw(index + 1)) {
            ("上" | "午", "午" | "前") | ("早", "上") | ("凌", "晨") | ("오", "전") => Half::Am,
            ("下", "午") | ("午", "後") | ("晚", "上") | ("傍", "晚") | ("中", "午") | ("오", "후") => {
                Half::Pm
            }
            _ => return (None, 0),
        };
        (Some(half), 2)
    }

    /// The time at `index` and the index after it.
    fn character_clock(&self, tokens: &[Token], index: usize, half: Option<Half>) -> Option<(Clock, usize)> {
        let first = tokens.get(index)?;
        if let Kind::Clock(_) = first.kind {
            let half = half?;
            let mut parts = self.tokens.raw(first).split(':');
            let hour = parts.next()?.parse().ok()?;
            let minute = parts.next()?.parse().ok()?;
            return Some((Clock::new(hour, minute, Some(half), true)?, index + 1));
        }
        let (hour, hour_length) = self.small_number(tokens, index)?;
        let mut end = index + hour_length;
        if !tokens.get(end).is_some_and(|token| self.is_hour_mark(token)) {
            return None;
        }
        end += 1;
        let mut minute = 0;
        if tokens.get(end).is_some_and(|token| self.tokens.raw(token) == "半") {
            (minute, end) = (30, end + 1);
        } else if let Some((found, length)) = self.small_number(tokens, end)
            && tokens.get(end).is_some_and(|token| token.boundary <= Boundary::Soft)
            && (found >= 10
                || tokens
                    .get(end + length)
                    .is_some_and(|token| matches!(self.tokens.raw(token), "分" | "분")))
        {
            (minute, end) = (found, end + length);
            if tokens.get(end).is_some_and(|token| matches!(self.tokens.raw(token), "分" | "분")) {
                end += 1;
            }
        }
        Some((Clock::new(hour, minute, half, false)?, end))
    }

    /// A number below 60, in digits or Chinese characters, and how many tokens it takes.
    fn small_number(&self, tokens: &[Token], index: usize) -> Option<(u16, usize)> {
        let first = tokens.get(index)?;
        if first.kind == Kind::Number {
            let value = self.tokens.key(first).parse().ok()?;
            return (value < 60).then_some((value, 1));
        }
        let digit = |index: usize| {
            let token = tokens.get(index)?;
            let mut characters = self.tokens.raw(token).chars();
            let value =
                "零一二三四五六七八九十".chars().position(|known| Some(known) == characters.clone().next());
            match characters.next()? {
                '两' => Some(2),
                _ => u16::try_from(value?).ok(),
            }
        };
        let first = digit(index)?;
        match (first, digit(index + 1), digit(index + 2)) {
            (10, Some(ones), _) if ones < 10 => Some((10 + ones, 2)),
            (tens, Some(10), Some(ones)) if tens < 6 && ones < 10 => Some((tens * 10 + ones, 3)),
            (tens, Some(10), _) if tens < 6 => Some((tens * 10, 2)),
            (value, _, _) => Some((value, 1)),
        }
    }
}

/// The digits of a value: no leading zeros, no trailing zeros of a fraction.
fn canonical_digits(whole: &str, fraction: &str) -> String {
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::super::fold::fold;
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        let tokens = tokenize(&fold(text));
        tokens.list.iter().map(|token| tokens.key(token).to_owned()).collect()
    }

    fn only_clock(text: &str) -> Clock {
        let tokens = tokenize(&fold(text));
        match tokens.list.as_slice() {
            [Token { kind: Kind::Clock(clock), .. }] => *clock,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn words_numbers_and_characters() {
        assert_eq!(keys("The dog's toys, don't!"), ["the", "dog", "toy", "dont"]);
        assert_eq!(keys("PR #44, pr45; Q3 2b574f90"), ["pr", "44", "pr", "45", "q3", "2b574f90"]);
        assert_eq!(keys("1,200.50 007 12,50 € v2.3.1 5th"), ["1200.5", "7", "12.5", "v2", "3", "1", "5"]);
        assert_eq!(keys("2 hr, HR, 45min"), ["2", "hour", "hr", "45", "minute"]);
        assert_eq!(keys("体检 at 店"), ["体", "检", "at", "店"]);
        assert_eq!(keys("19.05.2026 192.168.0.1"), ["19", "5", "2026", "192", "168", "0", "1"]);
        assert_eq!(keys("useAuth.js my_file"), ["useauth", "js", "my", "file"]);
    }

    #[test]
    fn one_time_in_many_spellings() {
        let one = only_clock("1:00 PM");
        for text in [
            "13:00",
            "1 PM",
            "1pm",
            "1:00 p.m.",
            "01:00 PM",
            "13:00:00",
            "13 Uhr",
            "13.00 Uhr",
            "13h00",
            "下午1点",
            "下午一点",
            "13点",
            "午後1時",
            "오후 1시",
            "１３：００",
            "下午1:00",
        ] {
            assert!(only_clock(text).equals(one), "{text}");
        }
        for text in ["1 AM", "01:00", "11:00 PM", "13:01", "上午1点", "下午1点半"] {
            assert!(!only_clock(text).equals(one), "{text}");
        }
        assert!(only_clock("noon").equals(only_clock("12 noon")));
        assert!(only_clock("下午三点四十五分").equals(only_clock("15:45")));
    }

    #[test]
    fn what_is_no_time() {
        assert_eq!(
            keys("1:1 with 3 amps, 25:99, 1:2:3"),
            ["1", "1", "with", "3", "amp", "25", "99", "1", "2", "3"]
        );
    }

    #[test]
    fn ranges_take_the_half_of_their_end() {
        for text in ["1-2 PM", "1:00–2:00 pm", "1 to 2 p.m."] {
            let tokens = tokenize(&fold(text));
            let Kind::Clock(clock) = tokens.list[0].kind else { panic!("{text}") };
            assert!(clock.equals(only_clock("13:00")) && clock.is_marked(), "{text}");
        }
    }
}
