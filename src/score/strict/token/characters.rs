//! Times of day and small numbers in Chinese, Japanese and Korean.

use super::super::clock::{Clock, Half};
use super::reader::Reader;
use super::{Boundary, Kind, Token};

impl Reader<'_> {
    /// `下午1点30分`, `上午9点半`, `午後3時`, `오후 3시`.
    pub(super) fn join_character_clocks(&mut self) {
        if !self.tokens.list.iter().any(|token| self.is_hour_mark(token)) && !self.follows_half_word() {
            return;
        }
        let old = std::mem::take(&mut self.tokens.list);
        let mut index = 0;
        while index < old.len() {
            let (half, half_length) = self.half_word(&old, index);
            let start = index + half_length;
            if let Some((clock, end)) = self.character_clock(&old, start, half) {
                let (first, last) = (old[index], old[end - 1]);
                let text = (first.raw.0, last.raw.1.max(first.raw.1));
                self.tokens.list.push(Token {
                    kind: Kind::Clock(clock),
                    raw: text,
                    key: text,
                    end: last.end,
                    is_function: false,
                    ..first
                });
                index = end;
            } else {
                self.tokens.list.push(old[index]);
                index += 1;
            }
        }
    }

    pub(super) fn is_hour_mark(&self, token: &Token) -> bool {
        matches!(self.tokens.raw(token), "点" | "點" | "时" | "時" | "시")
    }

    pub(super) fn follows_half_word(&self) -> bool {
        self.tokens
            .list
            .windows(2)
            .any(|pair| pair[0].kind == Kind::Character && matches!(pair[1].kind, Kind::Clock(_)))
    }

    /// The half of the day named by the characters at `index`, and how many there are.
    pub(super) fn half_word(&self, tokens: &[Token], index: usize) -> (Option<Half>, usize) {
        let raw = |index: usize| tokens.get(index).map_or("", |token| self.tokens.raw(token));
        let half = match (raw(index), raw(index + 1)) {
            ("上", "午") | ("午", "前") | ("凌", "晨") | ("早", "上") | ("오", "전") => Half::Am,
            ("下" | "中", "午") | ("午", "後") | ("晚", "上") | ("傍", "晚") | ("오", "후") => {
                Half::Pm
            }
            _ => return (None, 0),
        };
        (Some(half), 2)
    }

    /// The time at `index` and the index after it.
    pub(super) fn character_clock(
        &self,
        tokens: &[Token],
        index: usize,
        half: Option<Half>,
    ) -> Option<(Clock, usize)> {
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
    pub(super) fn small_number(&self, tokens: &[Token], index: usize) -> Option<(u16, usize)> {
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
