//! Calendar days: `2026-05-19`, `19.05.2026`, `05/19/2026`, `May 19th, 2026`, `19. Mai`,
//! `2026年5月19日`.

use super::super::date::{Date, month};
use super::reader::Reader;
use super::{Boundary, Kind, Token};

/// `T` between a day and a time.
fn followed_by_time(reader: &Reader<'_>, end: usize) -> bool {
    reader.at(end) == Some('t') && reader.is_digit(end + 1)
}

/// Words between the day and its month ("19th of May").
const LINKS: [&str; 1] = ["of"];

impl Reader<'_> {
    /// Reads a day in figures, if one starts here: year first with any one sign between the
    /// parts, else day first with points, else with slashes.
    pub(super) fn date(&mut self) -> bool {
        let start = self.position;
        let preceded = start >= 2
            && matches!(self.at(start - 1), Some('-' | '/' | '.' | ','))
            && self.is_digit(start - 2);
        if preceded {
            return false;
        }
        let first = self.digits_end(start);
        let Some(sign @ ('-' | '/' | '.')) = self.at(first) else { return false };
        let second = self.digits_end(first + 1);
        let groups = [first - start, second - first - 1];
        if !matches!(groups, [1 | 2 | 4, 1 | 2]) {
            return false;
        }
        let value = |start: usize, end: usize| self.text(start, end).parse::<u16>().ok();
        let (Some(one), Some(two)) = (value(start, first), value(first + 1, second)) else { return false };
        let third = if self.at(second) == Some(sign) { self.digits_end(second + 1) } else { second };
        let length = third.saturating_sub(second + 1);
        let continues = matches!(self.at(third), Some('-' | '/' | '.')) && self.is_digit(third + 1);
        let (date, end) = if third > second && !continues {
            let Some(three) = value(second + 1, third) else { return false };
            let date = match (groups[0], length, sign) {
                (4, 1 | 2, _) => Date::new(Some(one), two, three),
                (1 | 2, 4, '/') => Date::with_slashes(three, one, two),
                (1 | 2, 2, '/') => Date::with_slashes(2000 + three, one, two),
                (1 | 2, 4, '.') => Date::new(Some(three), two, one),
                _ => None,
            };
            (date, third)
        } else if sign == '/' && third == second && !continues && two > 12 && groups[0] <= 2 {
            // `5/19` can only be a day; `5/6` and `24/7` need not be.
            (Date::new(None, one, two), second)
        } else {
            return false;
        };
        // A time may follow (`2026-05-19T09:00`); other letters make it a name.
        let followed = self.is_letter(end) && !followed_by_time(self, end);
        let Some(date) = date.filter(|_| !followed) else { return false };
        let key = self.text(start, end);
        self.push(Kind::Date(date), &key, end);
        if followed_by_time(self, end) {
            self.position = end + 1;
        }
        true
    }

    /// Joins month names and numbers to days.
    pub(super) fn join_dates(&mut self) {
        let has_month = self.tokens.list.iter().any(|token| match token.kind {
            Kind::Word => month(self.tokens.raw(token)).is_some(),
            Kind::Character => matches!(self.tokens.raw(token), "月" | "월"),
            _ => false,
        });
        if !has_month {
            return;
        }
        let old = std::mem::take(&mut self.tokens.list);
        let mut index = 0;
        while index < old.len() {
            let found = self
                .month_first(&old, index)
                .or_else(|| self.day_first(&old, index))
                .or_else(|| self.character_date(&old, index));
            if let Some((date, end)) = found {
                self.push_date(&old[index..end], date);
                index = end;
            } else {
                self.tokens.list.push(old[index]);
                index += 1;
            }
        }
    }

    fn push_date(&mut self, parts: &[Token], date: Date) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let raw: String = parts.iter().map(|part| self.tokens.raw(part)).collect();
        let raw = self.tokens.keep(&raw);
        self.tokens.list.push(Token {
            kind: Kind::Date(date),
            raw,
            key: raw,
            end: last.end,
            upper: parts.iter().map(|part| part.upper).sum(),
            length: parts.iter().map(|part| part.length).sum(),
            is_function: false,
            is_acronym: false,
            ..*first
        });
    }

    /// A number from 1 to 31 that is nothing else.
    fn day_at(&self, tokens: &[Token], index: usize) -> Option<u16> {
        let token = tokens.get(index).filter(|token| token.kind == Kind::Number)?;
        self.tokens.key(token).parse().ok().filter(|day| (1..=31).contains(day))
    }

    fn year_at(&self, tokens: &[Token], index: usize) -> Option<u16> {
        let token = tokens.get(index).filter(|token| token.kind == Kind::Number && token.length == 4)?;
        let joins = token.gap <= 2 && matches!(token.separator, ' ' | ',');
        self.tokens.key(token).parse().ok().filter(|year| joins && (1900..=2199).contains(year))
    }

    fn month_at(&self, tokens: &[Token], index: usize) -> Option<u16> {
        let token = tokens.get(index).filter(|token| token.kind == Kind::Word)?;
        month(self.tokens.raw(token))
    }

    /// `May 19`, `May 19th, 2026`, `Jan. 5`.
    fn month_first(&self, tokens: &[Token], index: usize) -> Option<(Date, usize)> {
        let month = self.month_at(tokens, index)?;
        let day = self.day_at(tokens, index + 1)?;
        let next = tokens[index + 1];
        let is_whole =
            matches!(self.tokens.raw(&tokens[index]), "may" | "mai" | "june" | "juni" | "july" | "juli");
        let is_short = tokens[index].length <= 4 && !is_whole && next.separator == '.' && next.gap <= 2;
        if next.gap > 2 || (next.boundary > Boundary::Soft && !is_short) {
            return None;
        }
        Some(self.with_year(tokens, index + 2, Date::new(None, month, day)?))
    }

    /// `19 May`, `19th of May 2026`, `19. Mai`.
    fn day_first(&self, tokens: &[Token], index: usize) -> Option<(Date, usize)> {
        let day = self.day_at(tokens, index)?;
        let link = tokens.get(index + 1)?;
        let is_linked = link.kind == Kind::Word && LINKS.contains(&self.tokens.raw(link));
        let place = if is_linked { index + 2 } else { index + 1 };
        let month = self.month_at(tokens, place)?;
        let token = tokens[place];
        let after_point = token.separator == '.' && token.boundary == Boundary::Sentence && !is_linked;
        // "at 12 may I": the verb is written small; "I have 19. March on": the point ends a sentence.
        let word = self.tokens.raw(&token);
        let is_verb = matches!(word, "may" | "march") && (token.upper == 0 || after_point);
        if is_verb || token.gap > 2 || (token.boundary > Boundary::Soft && !after_point) {
            return None;
        }
        Some(self.with_year(tokens, place + 1, Date::new(None, month, day)?))
    }

    fn with_year(&self, tokens: &[Token], index: usize, date: Date) -> (Date, usize) {
        match self.year_at(tokens, index) {
            Some(year) => (date.in_year(year), index + 1),
            None => (date, index),
        }
    }

    /// `5月19日`, `2026年5月19日`, `五月十九号`, `5월 19일`.
    fn character_date(&self, tokens: &[Token], index: usize) -> Option<(Date, usize)> {
        let raw = |index: usize| tokens.get(index).map_or("", |token| self.tokens.raw(token));
        let follows = |index: usize| tokens.get(index).is_some_and(|token| token.boundary <= Boundary::Soft);
        let year = self
            .year_number(tokens, index)
            .filter(|_| matches!(raw(index + 1), "年" | "년") && follows(index + 1));
        let mut place = if year.is_some() { index + 2 } else { index };
        let (month, length) = self.small_number(tokens, place)?;
        place += length;
        if !matches!(raw(place), "月" | "월") || !follows(place) || !follows(place + 1) {
            return None;
        }
        let (day, length) = self.small_number(tokens, place + 1)?;
        place += 1 + length;
        if !matches!(raw(place), "日" | "号" | "號" | "일") || !follows(place) {
            return None;
        }
        Some((Date::new(year, month, day)?, place + 1))
    }

    fn year_number(&self, tokens: &[Token], index: usize) -> Option<u16> {
        let token = tokens.get(index).filter(|token| token.kind == Kind::Number && token.length == 4)?;
        self.tokens.key(token).parse().ok().filter(|year| (1900..=2199).contains(year))
    }
}
