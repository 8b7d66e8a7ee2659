//! Calendar days as values: `2026-05-19`, `May 19` and `19.05.2026` are one day.

/// A day as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    /// `None` where none is said.
    year: Option<u16>,
    month: u8,
    day: u8,
    /// Whether month and day could be meant the other way round (`05/06/2026`).
    open: bool,
}

impl Date {
    /// The day that the numbers mean; `None` where they mean none.
    pub(super) fn new(year: Option<u16>, month: u16, day: u16) -> Option<Self> {
        let longest = match month {
            2 => 29,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let is_year = year.is_none_or(|year| (1900..=2199).contains(&year));
        if !is_year || !(1..=longest).contains(&day) {
            return None;
        }
        Some(Self { year, month: u8::try_from(month).ok()?, day: u8::try_from(day).ok()?, open: false })
    }

    /// A day written with slashes: month first where only that is possible, day first where only
    /// that is, open otherwise.
    pub(super) fn with_slashes(year: u16, first: u16, second: u16) -> Option<Self> {
        match (Self::new(Some(year), first, second), Self::new(Some(year), second, first)) {
            (Some(one), Some(_)) => Some(Self { open: first != second, ..one }),
            (one, other) => one.or(other),
        }
    }

    /// The same day in a year.
    pub(super) const fn in_year(self, year: u16) -> Self {
        Self { year: Some(year), ..self }
    }

    /// Whether it says its year.
    pub(super) const fn has_year(self) -> bool {
        self.year.is_some()
    }

    /// Whether the two are the same day for a reader who takes nothing for granted; where only one
    /// says its year, it is meant by both.
    pub(super) fn equals(self, other: Self) -> bool {
        self.open == other.open
            && self.agrees_in_year(other)
            && (self.month, self.day) == (other.month, other.day)
    }

    /// Whether the two could be the same day.
    pub(super) fn could_equal(self, other: Self) -> bool {
        let swapped = (self.open || other.open) && (self.month, self.day) == (other.day, other.month);
        self.agrees_in_year(other) && (swapped || (self.month, self.day) == (other.month, other.day))
    }

    fn agrees_in_year(self, other: Self) -> bool {
        match (self.year, other.year) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }
}

/// The month that a folded word names, in English or German, whole or shortened.
pub(super) fn month(word: &str) -> Option<u16> {
    Some(match word {
        "jan" | "january" | "januar" | "jänner" => 1,
        "feb" | "february" | "februar" => 2,
        "mar" | "march" | "märz" | "mär" => 3,
        "apr" | "april" => 4,
        "may" | "mai" => 5,
        "jun" | "june" | "juni" => 6,
        "jul" | "july" | "juli" => 7,
        "aug" | "august" => 8,
        "sep" | "sept" | "september" => 9,
        "oct" | "october" | "okt" | "oktober" => 10,
        "nov" | "november" => 11,
        "dec" | "december" | "dez" | "dezember" => 12,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_days() {
        let day = Date::new(Some(2026), 5, 19).unwrap();
        assert!(day.equals(Date::new(None, 5, 19).unwrap()));
        assert!(day.equals(Date::with_slashes(2026, 5, 19).unwrap()));
        assert!(day.equals(Date::with_slashes(2026, 19, 5).unwrap()));
        for other in [
            Date::new(Some(2025), 5, 19).unwrap(),
            Date::new(None, 5, 18).unwrap(),
            Date::new(None, 6, 19).unwrap(),
        ] {
            assert!(!day.equals(other) && !day.could_equal(other));
        }
    }

    #[test]
    fn a_day_that_could_be_read_both_ways_is_sure_only_against_itself() {
        let open = Date::with_slashes(2026, 5, 6).unwrap();
        assert!(open.equals(open));
        for day in [Date::new(None, 5, 6).unwrap(), Date::new(None, 6, 5).unwrap()] {
            assert!(!open.equals(day) && open.could_equal(day));
        }
        assert!(Date::with_slashes(2026, 6, 6).unwrap().equals(Date::new(None, 6, 6).unwrap()));
    }

    #[test]
    fn what_is_no_day() {
        for (year, month, day) in
            [(None, 13, 1), (None, 0, 1), (None, 2, 30), (None, 4, 31), (None, 1, 0), (Some(1850), 1, 1)]
        {
            assert_eq!(Date::new(year, month, day), None);
        }
        assert_eq!(Date::with_slashes(2026, 13, 32), None);
    }
}
