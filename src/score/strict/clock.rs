//! Clock times as values: `13:00`, `1 PM` and `1:00 p.m.` are one time, `08:00` and `11:00` are
//! two.

/// Minutes of a day.
const DAY: u16 = 24 * 60;
/// Minutes of half a day.
const HALF_DAY: u16 = 12 * 60;

/// A time of day as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    /// Minutes since midnight, read on the 24-hour clock where nothing says otherwise.
    minutes: u16,
    /// Whether it says which half of the day it is in.
    marked: bool,
    /// Whether it could be meant either way (`1:00`, `3 o'clock`); not `01:00`, which is how the
    /// 24-hour clock is written.
    open: bool,
}

/// The half of the day that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// Before noon.
    Am,
    /// After noon.
    Pm,
}

impl Clock {
    /// The time that `hour`, `minute` and an optional half of the day mean; `None` where they
    /// mean none. `padded` says whether the hour was written with two digits.
    pub(super) fn new(hour: u16, minute: u16, half: Option<Half>, padded: bool) -> Option<Self> {
        if minute > 59 || hour > 24 || (hour == 24 && minute > 0) {
            return None;
        }
        let twelve_hours = (1..=12).contains(&hour);
        let minutes = match half {
            Some(Half::Am) if twelve_hours => hour % 12 * 60 + minute,
            Some(Half::Pm) if twelve_hours => hour % 12 * 60 + minute + HALF_DAY,
            // `13:00 PM` means 13:00; `0:30 AM` means 0:30.
            _ => hour * 60 + minute,
        } % DAY;
        let marked = half.is_some() || !twelve_hours;
        Some(Self { minutes, marked, open: !marked && !padded })
    }

    /// The same time said to be definite (`9 Uhr`).
    pub(super) const fn definite(self) -> Self {
        Self { marked: true, open: false, ..self }
    }

    /// Whether it names its half of the day.
    pub(super) const fn is_marked(self) -> bool {
        self.marked
    }

    /// This time as the start of a range that ends with `end`, which names its half of the day:
    /// the latest reading that is not after the end.
    pub(super) const fn before(self, end: Self) -> Self {
        if self.marked {
            return self;
        }
        let late = (self.minutes + HALF_DAY) % DAY;
        let (first, second) = if late > self.minutes { (self.minutes, late) } else { (late, self.minutes) };
        Self { minutes: if second <= end.minutes { second } else { first }, marked: true, open: false }
    }

    /// Whether the two are the same time for a reader who takes nothing for granted.
    pub(super) const fn equals(self, other: Self) -> bool {
        self.minutes == other.minutes
            || ((self.open || other.open) && self.minutes % HALF_DAY == other.minutes % HALF_DAY)
    }

    /// Whether the two could be the same time: a time that does not name its half of the day could
    /// be in either.
    pub(super) const fn could_equal(self, other: Self) -> bool {
        self.minutes == other.minutes
            || ((!self.marked || !other.marked) && self.minutes % HALF_DAY == other.minutes % HALF_DAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(hour: u16, minute: u16, half: Option<Half>, padded: bool) -> Clock {
        Clock::new(hour, minute, half, padded).unwrap()
    }

    #[test]
    fn equal_times() {
        let one = clock(1, 0, Some(Half::Pm), true);
        assert!(one.equals(clock(13, 0, None, true)));
        assert!(one.equals(clock(1, 0, None, false)));
        assert!(!one.equals(clock(1, 0, None, true)));
        assert!(one.could_equal(clock(1, 0, None, true)));
        assert!(!one.could_equal(clock(1, 0, Some(Half::Am), true)));
        assert!(clock(12, 0, Some(Half::Am), true).equals(clock(0, 0, None, true)));
        assert!(clock(24, 0, None, true).equals(clock(0, 0, None, true)));
        assert_eq!(Clock::new(25, 0, None, true), None);
        assert_eq!(Clock::new(9, 60, None, true), None);
    }

    #[test]
    fn the_start_of_a_range_takes_the_half_that_comes_before_its_end() {
        let end = clock(1, 0, Some(Half::Pm), false);
        assert!(clock(11, 0, None, true).before(end).equals(clock(11, 0, Some(Half::Am), true)));
        assert!(clock(12, 30, None, true).before(end).equals(clock(12, 30, Some(Half::Pm), true)));
        let morning = clock(10, 30, Some(Half::Am), true);
        assert!(clock(9, 0, None, false).before(morning).equals(clock(9, 0, Some(Half::Am), true)));
    }
}
