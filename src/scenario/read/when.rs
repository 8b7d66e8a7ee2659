//! Dates and times as people write them. What is not understood stays text; nothing is guessed.

use jiff::civil::{Date, DateTime, Time, Weekday};
use unicode_segmentation::UnicodeSegmentation as _;

/// A day as a text names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    On(Date),
    Today,
    Tomorrow,
    Next(Weekday),
}

impl Day {
    /// The date, seen from `today`. A named weekday is the next one, today included.
    pub(super) fn resolve(self, today: Date) -> Date {
        match self {
            Self::On(date) => date,
            Self::Today => today,
            Self::Tomorrow => today.tomorrow().unwrap_or(today),
            Self::Next(weekday) => {
                let days = today.weekday().until(weekday);
                let mut date = today;
                for _ in 0..days {
                    date = date.tomorrow().unwrap_or(date);
                }
                date
            }
        }
    }
}

/// A date, or a word for one.
pub(super) fn day(text: &str) -> Option<Day> {
    let lower = text.trim().to_lowercase();
    match lower.as_str() {
        "today" | "heute" | "今天" => Some(Day::Today),
        "tomorrow" | "morgen" | "明天" => Some(Day::Tomorrow),
        _ => weekday(&lower).map(Day::Next).or_else(|| date(text).map(Day::On)),
    }
}

/// The day a prompt names for things without a date: today wins over tomorrow, so that nothing is
/// moved when both are named; a weekday counts last.
pub(super) fn day_in_prompt(prompt: &str) -> Option<Day> {
    // German `morgen` is tomorrow; `Morgen` is the morning, also in `guten Morgen`.
    let words: Vec<&str> = prompt.unicode_words().collect();
    let says = |word: &str| words.iter().any(|other| other.eq_ignore_ascii_case(word));
    let says_text = |text: &str| prompt.contains(text);
    if says("today") || says("today's") || says("today’s") || says("heute") || says_text("今天") {
        return Some(Day::Today);
    }
    let tomorrow = says("tomorrow") || says("tomorrow's") || says("tomorrow’s");
    if tomorrow || words.contains(&"morgen") || says_text("明天") {
        return Some(Day::Tomorrow);
    }
    if let Some(date) = iso_in(prompt) {
        return Some(Day::On(date));
    }
    words.iter().find_map(|word| {
        let lower = word.to_lowercase();
        weekday(lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s")).unwrap_or(&lower))
            .map(Day::Next)
    })
}

fn iso_in(text: &str) -> Option<Date> {
    text.split(|character: char| !(character.is_ascii_digit() || character == '-')).find_map(iso_date)
}

fn weekday(lower: &str) -> Option<Weekday> {
    Some(match lower {
        "monday" | "montag" | "星期一" | "周一" => Weekday::Monday,
        "tuesday" | "dienstag" | "星期二" | "周二" => Weekday::Tuesday,
        "wednesday" | "mittwoch" | "星期三" | "周三" => Weekday::Wednesday,
        "thursday" | "donnerstag" | "星期四" | "周四" => Weekday::Thursday,
        "friday" | "freitag" | "星期五" | "周五" => Weekday::Friday,
        "saturday" | "samstag" | "星期六" | "周六" => Weekday::Saturday,
        "sunday" | "sonntag" | "星期日" | "周日" => Weekday::Sunday,
        _ => return None,
    })
}

/// A date: ISO, `2026/05/19`, `19.05.2026`, `19 May 2026`, `May 19, 2026`, `2026年5月19日`.
pub(super) fn date(text: &str) -> Option<Date> {
    let text = text.trim();
    if text.len() > 40 {
        return None;
    }
    iso_date(text).or_else(|| numbers_date(text)).or_else(|| worded_date(text))
}

fn iso_date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    (bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-').then(|| text.parse().ok()).flatten()
}

fn numbers_date(text: &str) -> Option<Date> {
    let parts = |separator: char| -> Option<[i16; 3]> {
        let mut parts = text.split(separator).map(|part| part.trim().parse::<i16>().ok());
        let found = [parts.next()??, parts.next()??, parts.next()??];
        parts.next().is_none().then_some(found)
    };
    let small = |value: i16| i8::try_from(value).ok();
    if let Some([year, month, day]) = parts('/').filter(|[year, ..]| *year > 999) {
        return Date::new(year, small(month)?, small(day)?).ok();
    }
    if let Some([day, month, year]) = parts('.').filter(|[.., year]| *year > 999) {
        return Date::new(year, small(month)?, small(day)?).ok();
    }
    let (year, rest) = text.split_once('年')?;
    let (month, rest) = rest.split_once('月')?;
    let day = rest.strip_suffix('日')?;
    Date::new(year.trim().parse().ok()?, month.trim().parse().ok()?, day.trim().parse().ok()?).ok()
}

fn worded_date(text: &str) -> Option<Date> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let (mut year, mut month, mut day_of_month) = (None, None, None);
    for word in text.split([' ', ',', '.']).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        let number = lower.trim_end_matches(char::is_alphabetic);
        if let Ok(number) = number.parse::<i16>() {
            if number > 999 {
                year = Some(number);
            } else {
                day_of_month = Some(i8::try_from(number).ok()?);
            }
        } else if let Some(index) =
            MONTHS.iter().position(|month| lower.len() >= 3 && month.starts_with(lower.as_str()))
        {
            month = Some(i8::try_from(index + 1).ok()?);
        } else if weekday(&lower).is_none() {
            return None;
        }
    }
    Date::new(year?, month?, day_of_month?).ok()
}

/// A time of day: `14:00`, `08:00 AM`, `9am`, `8 a.m.`, `14 Uhr`. A bare number is none.
pub(super) fn time(text: &str) -> Option<Time> {
    let lower = text.trim().to_lowercase();
    if lower.len() > 20 {
        return None;
    }
    let suffix = ["a.m.", "p.m.", "am", "pm", "uhr"].into_iter().find(|suffix| lower.ends_with(suffix));
    let body = suffix.map_or(lower.as_str(), |suffix| &lower[..lower.len() - suffix.len()]).trim_end();
    if suffix.is_none() && !body.contains(':') {
        return None;
    }
    let mut parts = body.split(':');
    let number = |part: &str| -> Option<i8> {
        let fits = (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| part.parse().ok()).flatten()
    };
    let hour = number(parts.next()?)?;
    let minute = parts.next().map_or(Some(0), number)?;
    let second = parts.next().map_or(Some(0), number)?;
    if parts.next().is_some() {
        return None;
    }
    let hour = match suffix.map(|suffix| suffix.as_bytes()[0]) {
        Some(b'a') if (1..=12).contains(&hour) => hour % 12,
        Some(b'p') if (1..=12).contains(&hour) => hour % 12 + 12,
        Some(b'a' | b'p') => return None,
        _ => hour,
    };
    Time::new(hour, minute, second, 0).ok()
}

/// The words and signs between two times of a range.
const RANGE_SIGNS: [&str; 7] = ["–", "—", "-", " to ", " bis ", "~", "至"];

/// A range of times: `09:00-09:30`, `9-10 AM`, `9 AM – 10:30 AM`.
pub(super) fn time_range(text: &str) -> Option<(Time, Time)> {
    RANGE_SIGNS.into_iter().find_map(|sign| {
        let (start, end) = text.split_once(sign)?;
        let end_time = time(end)?;
        let start_time = time(start).or_else(|| {
            // `9-10 AM`: the half of the day is written once.
            let half = end.trim().to_lowercase().replace('.', "");
            let half =
                half.strip_suffix("am").map(|_| "am").or_else(|| half.strip_suffix("pm").map(|_| "pm"))?;
            let plain = start.trim();
            plain
                .ends_with(|character: char| character.is_ascii_digit())
                .then(|| time(&format!("{plain}{half}")))?
        })?;
        Some((start_time, end_time))
    })
}

/// The range of times inside a longer text, if there is exactly one.
pub(super) fn only_time_range_in(text: &str) -> Option<(Time, Time)> {
    const LONGEST_TIME: usize = 10;
    if text.len() > 4096 {
        return None;
    }
    let mut found = None;
    for sign in RANGE_SIGNS {
        for (offset, _) in text.match_indices(sign) {
            let (before, after) = (&text[..offset], &text[offset + sign.len()..]);
            let start = before
                .char_indices()
                .rev()
                .take(LONGEST_TIME)
                .filter(|(at, _)| {
                    !before[..*at].ends_with(|before: char| before.is_alphanumeric() || before == ':')
                })
                .filter_map(|(at, _)| time(&before[at..]))
                .last();
            let end = after
                .char_indices()
                .take(LONGEST_TIME)
                .map(|(at, character)| at + character.len_utf8())
                .filter(|at| !after[*at..].starts_with(|after: char| after.is_alphanumeric() || after == ':'))
                .filter_map(|at| time(&after[..at]))
                .last();
            if let (Some(start), Some(end)) = (start, end) {
                if found.is_some_and(|other| other != (start, end)) {
                    return None;
                }
                found = Some((start, end));
            }
        }
    }
    found
}

/// A date with a time, without a zone: `2026-05-19T08:00:00` or `2026-05-19 08:00`.
pub(super) fn date_time(text: &str) -> Option<DateTime> {
    let text = text.trim();
    let (day, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    Some(iso_date(day)?.to_datetime(time(rest)?))
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date as on, time as at};

    use super::*;

    #[test]
    fn times_as_people_write_them() {
        assert_eq!(time("08:00 AM"), Some(at(8, 0, 0, 0)));
        assert_eq!(time("12:30 PM"), Some(at(12, 30, 0, 0)));
        assert_eq!(time("12 a.m."), Some(at(0, 0, 0, 0)));
        assert_eq!(time("7pm"), Some(at(19, 0, 0, 0)));
        assert_eq!(time("14 Uhr"), Some(at(14, 0, 0, 0)));
        assert_eq!(time("23:59:58"), Some(at(23, 59, 58, 0)));
        for odd in ["", "9", "25:00", "13:00 PM", "0 AM", "9:5x", "1:2:3:4", "morning", "-1:00"] {
            assert_eq!(time(odd), None, "{odd}");
        }
    }

    #[test]
    fn ranges_alone_and_inside_a_text() {
        let nine = (at(9, 0, 0, 0), at(9, 30, 0, 0));
        assert_eq!(time_range("09:00-09:30"), Some(nine));
        assert_eq!(time_range("9-10 AM"), Some((at(9, 0, 0, 0), at(10, 0, 0, 0))));
        assert_eq!(time_range("11:30 AM – 1 PM"), Some((at(11, 30, 0, 0), at(13, 0, 0, 0))));
        assert_eq!(only_time_range_in("2026-05-20 09:00-09:30 blocked"), Some(nine));
        assert_eq!(only_time_range_in("09:00-09:30 or 10:00-10:30"), None);
        assert_eq!(only_time_range_in("11:00 AM review terms"), None);
        assert_eq!(only_time_range_in("2026-05-20"), None);
    }

    #[test]
    fn dates_as_people_write_them() {
        let may = Some(on(2026, 5, 19));
        for text in [
            "2026-05-19",
            "2026/5/19",
            "19.05.2026",
            "May 19, 2026",
            "19 May 2026",
            "2026年5月19日",
            "Tuesday, 19 May 2026",
        ] {
            assert_eq!(date(text), may, "{text}");
        }
        for odd in ["", "2026-02-31", "soon", "19.05.26", "5/19/26", "next May"] {
            assert_eq!(date(odd), None, "{odd}");
        }
        assert_eq!(date_time("2026-05-19T08:00:00"), Some(on(2026, 5, 19).at(8, 0, 0, 0)));
        assert_eq!(date_time("2026-05-19T08:00:00Z"), None);
    }

    #[test]
    fn the_day_a_prompt_names() {
        assert_eq!(day_in_prompt("the times I’m blocked tomorrow"), Some(Day::Tomorrow));
        assert_eq!(day_in_prompt("today, not tomorrow"), Some(Day::Today));
        assert_eq!(day_in_prompt("my Thursday calendar"), Some(Day::Next(Weekday::Thursday)));
        assert_eq!(day_in_prompt("what is on 2026-06-01?"), Some(Day::On(on(2026, 6, 1))));
        assert_eq!(day_in_prompt("Guten Morgen"), None);
        assert_eq!(day_in_prompt("Send it"), None);
        assert_eq!(Day::Next(Weekday::Thursday).resolve(on(2026, 5, 19)), on(2026, 5, 21));
        assert_eq!(Day::Next(Weekday::Tuesday).resolve(on(2026, 5, 19)), on(2026, 5, 19));
    }
}
