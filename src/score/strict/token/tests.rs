//! What is one token, and which tokens are equal.

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
    assert_eq!(keys("1,200.50 007 12,50 € v2.3.1 5th"), ["1200.5", "7", "12.5", "2.3.1", "5"]);
    assert_eq!(keys("2 hr, HR, 45min"), ["2", "hour", "hr", "45", "minute"]);
    assert_eq!(keys("体检 at 店"), ["体", "检", "at", "店"]);
    assert_eq!(keys("19.15.2026 192.168.0.1"), ["19.15.2026", "192.168.0.1"]);
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

fn only_date(text: &str) -> Date {
    let tokens = tokenize(&fold(text));
    match tokens.list.as_slice() {
        [Token { kind: Kind::Date(date), .. }] => *date,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn one_day_in_many_spellings() {
    let day = only_date("2026-05-19");
    for text in [
        "May 19",
        "may 19th",
        "May 19, 2026",
        "19 May 2026",
        "19th of May",
        "19. Mai",
        "19. Mai 2026",
        "19.05.2026",
        "19.5.2026",
        "2026/05/19",
        "05/19/2026",
        "5/19",
        "5/19/26",
        "5月19日",
        "2026年5月19日",
        "五月十九号",
        "5월 19일",
        "２０２６-０５-１９",
    ] {
        assert!(only_date(text).equals(day), "{text}");
    }
    for text in ["May 18", "2025-05-19", "19.06.2026", "5月20日", "2026年6月19日"] {
        assert!(!only_date(text).equals(day), "{text}");
    }
    assert!(only_date("Jan. 5").equals(only_date("5 January")));
}

#[test]
fn a_day_and_a_time_stand_side_by_side() {
    let tokens = tokenize(&fold("2026-05-19T09:00:00"));
    assert!(matches!(tokens.list[0].kind, Kind::Date(_)), "{:?}", tokens.list);
    assert!(matches!(tokens.list[1].kind, Kind::Clock(_)), "{:?}", tokens.list);
}

#[test]
fn what_is_no_day() {
    for text in [
        "24/7",
        "5/6",
        "1.2.3",
        "7.1.4",
        "2026-05-19-003",
        "555-01-02",
        "May 2026",
        "in May. 19 people",
        "at 12 may I go",
        "2026-13-01",
        "3 月",
        "40 May",
    ] {
        let tokens = tokenize(&fold(text));
        assert!(!tokens.list.iter().any(|token| matches!(token.kind, Kind::Date(_))), "{text}");
    }
}
