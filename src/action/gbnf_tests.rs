//! Writes texts that the grammar allows, by a small reader of GBNF, and reads them as actions.

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::action::ParseOptions;

/// A piece of a rule.
#[derive(Debug, Clone)]
enum Piece {
    Literal(String),
    Class(Vec<(char, char)>, bool),
    Rule(String),
    Choice(Vec<Vec<Piece>>),
    Repeat(Box<Piece>, usize, usize),
}

struct Rules(BTreeMap<String, Piece>);

fn rules(text: &str) -> Rules {
    let rules = text.lines().filter(|line| !line.trim().is_empty()).map(|line| {
        let (name, body) = line.split_once(" ::= ").expect("a rule per line");
        let letters: Vec<char> = body.chars().collect();
        let mut at = 0;
        let piece = choice(&letters, &mut at);
        assert_eq!(at, letters.len(), "{line}");
        (name.to_owned(), piece)
    });
    Rules(rules.collect())
}

fn choice(letters: &[char], at: &mut usize) -> Piece {
    let mut ways = vec![Vec::new()];
    while *at < letters.len() && letters[*at] != ')' {
        match letters[*at] {
            ' ' => *at += 1,
            '|' => {
                ways.push(Vec::new());
                *at += 1;
            }
            _ => {
                let piece = piece(letters, at);
                ways.last_mut().unwrap().push(piece);
            }
        }
    }
    Piece::Choice(ways)
}

fn letter(letters: &[char], at: &mut usize) -> char {
    let first = letters[*at];
    *at += 1;
    if first != '\\' {
        return first;
    }
    let escaped = letters[*at];
    *at += 1;
    match escaped {
        'n' => '\n',
        'r' => '\r',
        'x' => {
            let digits: String = letters[*at..*at + 2].iter().collect();
            *at += 2;
            char::from(u8::from_str_radix(&digits, 16).unwrap())
        }
        other => other,
    }
}

fn piece(letters: &[char], at: &mut usize) -> Piece {
    let piece = match letters[*at] {
        '"' => {
            *at += 1;
            let mut text = String::new();
            while letters[*at] != '"' {
                text.push(letter(letters, at));
            }
            *at += 1;
            Piece::Literal(text)
        }
        '[' => {
            *at += 1;
            let negated = letters[*at] == '^';
            *at += usize::from(negated);
            let mut ranges = Vec::new();
            while letters[*at] != ']' {
                let from = letter(letters, at);
                let to = if letters[*at] == '-' && letters[*at + 1] != ']' {
                    *at += 1;
                    letter(letters, at)
                } else {
                    from
                };
                ranges.push((from, to));
            }
            *at += 1;
            Piece::Class(ranges, negated)
        }
        '(' => {
            *at += 1;
            let inner = choice(letters, at);
            assert_eq!(letters[*at], ')');
            *at += 1;
            inner
        }
        _ => {
            let start = *at;
            while *at < letters.len() && (letters[*at].is_ascii_alphanumeric() || letters[*at] == '-') {
                *at += 1;
            }
            assert!(*at > start, "what is {:?}?", letters[*at]);
            Piece::Rule(letters[start..*at].iter().collect())
        }
    };
    match letters.get(*at) {
        Some('?') => {
            *at += 1;
            Piece::Repeat(Box::new(piece), 0, 1)
        }
        Some('{') => {
            let end = *at + letters[*at..].iter().position(|letter| *letter == '}').unwrap();
            let bounds: String = letters[*at + 1..end].iter().collect();
            *at = end + 1;
            let (least, most) = bounds.split_once(',').unwrap();
            Piece::Repeat(Box::new(piece), least.parse().unwrap(), most.parse().unwrap())
        }
        _ => piece,
    }
}

impl Rules {
    fn write(&self, piece: &Piece, random: &mut ChaCha8Rng, out: &mut String) {
        match piece {
            Piece::Literal(text) => out.push_str(text),
            Piece::Rule(name) => {
                let rule = self.0.get(name).unwrap_or_else(|| panic!("there is no rule `{name}`"));
                self.write(rule, random, out);
            }
            Piece::Choice(ways) => {
                let way = &ways[random.random_range(0..ways.len())];
                for piece in way {
                    self.write(piece, random, out);
                }
            }
            Piece::Repeat(piece, least, most) => {
                let most = (*most).min(least + 6);
                for _ in 0..random.random_range(*least..=most) {
                    self.write(piece, random, out);
                }
            }
            Piece::Class(ranges, false) => {
                let (from, to) = ranges[random.random_range(0..ranges.len())];
                let code = random.random_range(u32::from(from)..=u32::from(to));
                out.push(char::from_u32(code).unwrap());
            }
            Piece::Class(ranges, true) => {
                let fits = |letter: &char| !ranges.iter().any(|(from, to)| (from..=to).contains(&letter));
                let letters: Vec<char> = "aZ3 \"#(),=é李[]{}'\\\n\u{1}".chars().filter(fits).collect();
                out.push(letters[random.random_range(0..letters.len())]);
            }
        }
    }
}

#[test]
fn whatever_the_grammar_allows_is_an_action_of_the_set() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for name in ["workspace", "screenshot", "all", "click,finish"] {
        let set = ActionSet::named(name).unwrap();
        let rules = rules(&gbnf(&set));
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..2_000 {
            let mut text = String::new();
            rules.write(&Piece::Rule("root".into()), &mut random, &mut text);
            let action =
                text.strip_prefix("<action>").and_then(|rest| rest.strip_suffix("</action>")).unwrap();
            let strict = ParseOptions { strict: true, multi: false, compat: false };
            let actions = set.parse(action, strict).unwrap_or_else(|error| panic!("{action}: {error}"));
            assert_eq!(actions.len(), 1);
            seen.insert(action.split('(').next().unwrap().to_owned());
        }
        assert_eq!(seen.len(), set.actions().len(), "{name}: every action can be written");
    }
}

#[test]
fn whatever_the_grammar_of_state_mode_allows_is_json_of_the_right_shape() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let rules = rules(&state_gbnf());
    for _ in 0..500 {
        let mut text = String::new();
        rules.write(&Piece::Rule("root".into()), &mut random, &mut text);
        let value: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(value["completed"].is_boolean() && value["shared_content"].is_array());
    }
}
