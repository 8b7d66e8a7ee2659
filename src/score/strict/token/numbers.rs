//! Numbers, versions and addresses.

use super::super::words::unit;
use super::Kind;
use super::reader::Reader;

impl Reader<'_> {
    /// The end of digits in at least three groups with points between them: a version, an address
    /// or a date, whose groups mean nothing apart.
    pub(super) fn dotted_end(&self, start: usize) -> Option<usize> {
        let mut end = self.digits_end(start);
        let mut groups = usize::from(end > start);
        while self.at(end) == Some('.') && self.is_digit(end + 1) {
            end = self.digits_end(end + 1);
            groups += 1;
        }
        (groups >= 3 && !self.is_letter(end)).then_some(end)
    }

    /// A token that starts with a digit.
    pub(super) fn number(&mut self) {
        let start = self.position;
        if let Some(end) = self.dotted_end(start) {
            let groups: Vec<String> =
                self.text(start, end).split('.').map(|group| canonical_digits(group, "")).collect();
            self.push(Kind::Number, &groups.join("."), end);
            return;
        }
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
    pub(super) fn grouped(&self, start: usize, digits: usize) -> (String, String, usize) {
        let first = self.text(start, digits);
        let group_end = |index: usize| {
            let is_separator = match self.at(index)? {
                ',' | '\'' | '’' => true,
                // A plain space separates numbers too often; three zeros after it are thousands.
                ' ' => self.text(index + 1, self.units.len().min(index + 4)) == "000",
                _ => false,
            };
            (is_separator && self.digits_end(index + 1) == index + 4).then_some(index + 4)
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
}

/// The digits of a value: no leading zeros, no trailing zeros of a fraction.
pub(super) fn canonical_digits(whole: &str, fraction: &str) -> String {
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}
