//! Times of day in figures.

use super::super::clock::{Clock, Half};
use super::reader::Reader;
use super::{Boundary, Kind};

impl Reader<'_> {
    /// Reads a time of day, if one starts here.
    pub(super) fn clock(&mut self, start: usize, digits: usize) -> bool {
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
    pub(super) fn half(&self, index: usize) -> Option<(Half, usize)> {
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
    pub(super) fn hour_word(&self, index: usize, word: &str) -> Option<usize> {
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
    pub(super) fn join_ranges(&mut self) {
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
}
