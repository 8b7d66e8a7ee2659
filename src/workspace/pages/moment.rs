//! Dates and times: shown in the workspace's language, read as people type them.

use jiff::civil::{Date, DateTime, Time};

use super::context::Context;

/// A date with its weekday, such as `Tuesday, 19 May 2026`.
pub(super) fn long_date(context: &Context<'_>, date: Date) -> String {
    with_parts(context, date, "date.long")
}

/// The heading of a month, such as `May 2026`.
pub(super) fn month_title(context: &Context<'_>, date: Date) -> String {
    with_parts(context, date, "date.month_title")
}

fn with_parts(context: &Context<'_>, date: Date, key: &str) -> String {
    let weekday = date.weekday().to_monday_one_offset();
    let weekday = context.text(&format!("date.weekday.{weekday}"), &[]);
    let month_number = date.month().to_string();
    let month = context.text(&format!("date.month.{month_number}"), &[]);
    let (day, year) = (date.day().to_string(), date.year().to_string());
    context.text(
        key,
        &[
            ("weekday", &weekday),
            ("day", &day),
            ("month", &month),
            ("month_number", &month_number),
            ("year", &year),
        ],
    )
}

/// `09:05`; seconds only where there are some.
pub(super) fn clock(time: Time) -> String {
    if time.second() == 0 {
        format!("{:02}:{:02}", time.hour(), time.minute())
    } else {
        format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
    }
}

/// `2026-05-19 09:05`.
pub(super) fn stamp(at: DateTime) -> String {
    format!("{} {}", at.date(), clock(at.time()))
}

/// Reads a date: `2026-05-19`, `2026/5/19`, `19.5.2026`, `5/19/2026` (month first unless that is
/// no month), `19 May 2026`, `May 19, 2026`, `19. Mai 2026`, `2026年5月19日`, or the words for
/// today and tomorrow. A year of two digits is one of this century.
pub(super) fn read_date(text: &str, today: Date) -> Option<Date> {
    let lower = text.trim().to_lowercase();
    match lower.as_str() {
        "today" | "heute" | "今天" => return Some(today),
        "tomorrow" | "morgen" | "明天" => return today.tomorrow().ok(),
        _ => {}
    }
    let numbers = numbers(&lower)?;
    if let Some(month) = named_month(&lower) {
        return match numbers.as_slice() {
            [year, day] if *year > 31 => date(*year, month, *day),
            [day, year] => date(*year, month, *day),
            _ => None,
        };
    }
    let [first, second, third] = numbers.as_slice() else { return None };
    if *first > 31 {
        return date(*first, *second, *third);
    }
    if lower.contains('/') && *first <= 12 {
        return date(*third, *first, *second);
    }
    date(*third, *second, *first)
}

/// Reads a time of day: `14:30`, `14:30:15`, `9:00 AM`, `2pm`, `14.30 Uhr`, `9 Uhr`, `14h30`,
/// `下午2:30`, `14时30分`, `noon`, `midnight`.
pub(super) fn read_time(text: &str) -> Option<Time> {
    let lower = text.trim().to_lowercase();
    match lower.as_str() {
        "noon" | "mittag" | "中午" => return Time::new(12, 0, 0, 0).ok(),
        "midnight" | "mitternacht" | "午夜" => return Some(Time::midnight()),
        _ => {}
    }
    let plain: String = lower.chars().filter(|letter| !matches!(letter, '.' | ' ' | '\u{a0}')).collect();
    let after_noon =
        plain.ends_with("pm") || ["下午", "晚上", "中午"].iter().any(|word| plain.contains(word));
    let before_noon =
        plain.ends_with("am") || ["上午", "早上", "凌晨"].iter().any(|word| plain.contains(word));
    if !only_time_words(&lower) {
        return None;
    }
    let numbers = numbers(&lower)?;
    let (hour, minute, second) = match numbers.as_slice() {
        [hour] => (*hour, 0, 0),
        [hour, minute] => (*hour, *minute, 0),
        [hour, minute, second] => (*hour, *minute, *second),
        _ => return None,
    };
    let hour = match (hour, before_noon, after_noon) {
        (_, true, true) | (13.., true, false) => return None,
        (12, true, false) => 0,
        (0..=11, false, true) => hour + 12,
        _ => hour,
    };
    Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, i8::try_from(second).ok()?, 0).ok()
}

/// A month as an address writes it: `2026-05`.
pub(super) fn read_month(text: &str) -> Option<Date> {
    let (year, month) = text.split_once('-')?;
    if year.len() != 4 || month.len() != 2 || !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()
}

/// A day as an address writes it: `2026-05-19`.
pub(super) fn read_iso(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    (bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-').then(|| text.parse().ok()).flatten()
}

fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    let year = if year < 100 { 2000 + year } else { year };
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// The runs of digits in a text; `None` where one is too long for a date or a time.
fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(|letter: char| !letter.is_ascii_digit())
        .filter(|run| !run.is_empty())
        .map(|run| if run.len() <= 4 { run.parse().ok() } else { None })
        .collect()
}

/// The number of the month that the text names in English or German, by its first three letters.
fn named_month(lower: &str) -> Option<u32> {
    const STARTS: [&[&str]; 12] = [
        &["jan", "jän"],
        &["feb"],
        &["mar", "mär", "mrz"],
        &["apr"],
        &["may", "mai"],
        &["jun"],
        &["jul"],
        &["aug"],
        &["sep"],
        &["oct", "okt"],
        &["nov"],
        &["dec", "dez"],
    ];
    let mut words =
        lower.split(|letter: char| !letter.is_alphabetic()).filter(|word| word.chars().count() >= 3);
    words.find_map(|word| {
        (1..)
            .zip(STARTS)
            .find(|(_, starts)| starts.iter().any(|start| word.starts_with(start)))
            .map(|(n, _)| n)
    })
}

/// Whether a text holds nothing but digits, separators and the words of a time of day.
fn only_time_words(lower: &str) -> bool {
    const WORDS: [&str; 15] = [
        "a.m.", "p.m.", "am", "pm", "uhr", "h", "下午", "晚上", "中午", "上午", "早上", "凌晨", "时", "点",
        "分",
    ];
    let mut rest = lower.to_owned();
    for word in WORDS {
        rest = rest.replace(word, " ");
    }
    rest.chars()
        .all(|letter| letter.is_ascii_digit() || letter.is_whitespace() || matches!(letter, ':' | '.' | '：'))
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;

    #[test]
    fn dates_are_read_as_people_type_them() {
        let today = date(2026, 5, 18);
        let written = [
            "2026-05-19",
            " 2026/5/19 ",
            "19.5.2026",
            "19.05.26",
            "5/19/2026",
            "05/19/26",
            "19/5/2026",
            "19 May 2026",
            "May 19, 2026",
            "19. Mai 2026",
            "Tue, 19 May 2026",
            "Dienstag, 19. Mai 2026",
            "2026年5月19日",
            "Tomorrow",
            "明天",
        ];
        for text in written {
            assert_eq!(read_date(text, today), Some(date(2026, 5, 19)), "{text}");
        }
        for text in ["", "soon", "2026-02-30", "19.5", "99999-01-01", "1 2 3 4", "5/2026", "13/13/2026"] {
            assert_eq!(read_date(text, today), None, "{text}");
        }
    }

    #[test]
    fn times_are_read_as_people_type_them() {
        let half_past_two = [
            "14:30",
            "14:30:00",
            "2:30 PM",
            "2:30pm",
            "2:30 p.m.",
            "14.30 Uhr",
            "14h30",
            "下午2:30",
            "14时30分",
            "14：30",
        ];
        for text in half_past_two {
            assert_eq!(read_time(text), Some(time(14, 30, 0, 0)), "{text}");
        }
        for text in ["9", "9 am", "9:00 AM", "09:00", "9 Uhr", "上午9点"] {
            assert_eq!(read_time(text), Some(time(9, 0, 0, 0)), "{text}");
        }
        assert_eq!(read_time("12 am"), Some(Time::midnight()));
        assert_eq!(read_time("12:15 PM"), Some(time(12, 15, 0, 0)));
        for text in ["", "later", "25:00", "14:61", "13:00 am", "9-10", "9:00 to 10:00"] {
            assert_eq!(read_time(text), None, "{text}");
        }
    }

    #[test]
    fn months_of_addresses_are_strict() {
        assert_eq!(read_month("2026-05"), Some(date(2026, 5, 1)));
        for text in ["2026-5", "2026-13", "26-05", "2026-05-01", "+026-05", "x"] {
            assert_eq!(read_month(text), None, "{text}");
        }
    }
}
