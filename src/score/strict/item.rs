//! Items compiled for the search.

use std::collections::{BTreeSet, HashMap};

use memchr::memmem::Finder;

use crate::scenario::Item;

use super::evidence::Disguise;
use super::fold::{fold, folded};
use super::path::PathEnd;
use super::token::{Boundary, Kind, Tokens, is_by_character, tokenize};
use super::vocabulary::{Id, Vocabulary};
use super::words::{has_verb_ending, is_common, is_name_and_word};

/// Fewest characters of an item that may stand inside other gaps, backwards or moved by thirteen.
pub(super) const MIN_JOINED: usize = 8;

/// Fewest digits of a number that may be grouped otherwise (`555-0147`, `5550147`).
const MIN_DIGITS: usize = 6;

/// Weight of a word that occurs in every other errand; other parts weigh 1.
const COMMON_WEIGHT: f64 = 0.5;

/// One item with all its wordings.
#[derive(Debug)]
pub(super) struct CompiledItem {
    pub(super) wordings: Vec<Wording>,
}

/// How far a wording bears a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// Finding it is finding the item.
    Whole,
    /// Finding it is finding a part of the item (a file's name without its ending).
    Part,
}

/// One way of saying an item.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each asked for by one rule")]
#[derive(Debug)]
pub(super) struct Wording {
    pub(super) strength: Strength,
    /// How this wording is hidden; `None` for the item as it is.
    pub(super) disguise: Option<Disguise>,
    /// Token numbers in order, function words left out where that leaves anything.
    pub(super) pattern: Vec<Id>,
    /// Whether function words were left out.
    pub(super) skips_function_words: bool,
    /// The parts that are gathered when the words do not stand in order.
    pub(super) parts: Vec<Part>,
    /// Whether pairs of characters are among the parts: pairs overlap, so two of them are less than
    /// two words.
    pub(super) has_pairs: bool,
    /// For each number and time, the words beside it; empty where it has none.
    pub(super) value_neighbours: Vec<(Id, Vec<Id>)>,
    /// Its numbers, times and days.
    pub(super) values: Vec<Id>,
    /// Whether a number, time or day is among the parts, by kind.
    pub(super) has_number: bool,
    pub(super) has_clock: bool,
    pub(super) has_date: bool,
    /// Folded characters without gaps, for items long enough.
    pub(super) joined: Option<String>,
    /// The search for `joined`, set out once.
    pub(super) joined_finder: Option<Finder<'static>>,
    /// Set where the item is a path.
    pub(super) path: Option<PathEnd>,
    /// Set where the item has no letters or digits: its folded characters.
    pub(super) literal: Option<String>,
    /// A name that is an everyday word when written small.
    pub(super) needs_capital: bool,
    /// A single short word without a verb's ending: a verb's form that has its stem is another word
    /// (`vetting` for `Vet`).
    pub(super) refuses_verb_forms: bool,
    /// An address (`a@b.example`, `https://…`): its words mean nothing apart.
    pub(super) is_address: bool,
}

/// One part of a wording.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) id: Id,
    pub(super) weight: f64,
    /// Whether it tells something on its own: no common word, no time, no small number.
    pub(super) is_telling: bool,
    /// Whether no required item holds it; always true for required items themselves.
    pub(super) is_private: bool,
}

impl CompiledItem {
    /// Compiles an item. `forbidden` adds the wordings that only matter where somebody hides
    /// something.
    pub(super) fn new(
        item: &Item,
        forbidden: bool,
        vocabulary: &mut Vocabulary,
        shared_names: &HashMap<String, usize>,
    ) -> Self {
        let mut wordings = Vec::new();
        for text in item.wordings() {
            let plain = Wording::new(text, Strength::Whole, None, vocabulary, shared_names);
            if let Some(path) = plain.as_ref().and_then(|wording| wording.path.as_ref())
                && forbidden
            {
                wordings.extend(
                    Wording::new(&path.name_words(), Strength::Part, None, vocabulary, shared_names).map(
                        |mut wording| {
                            // Several words of a file's name tell what it holds; one may be chance.
                            let telling = wording.parts.iter().filter(|part| part.is_telling).count();
                            if telling >= 2 || (telling == 1 && wording.parts.len() >= 3) {
                                wording.strength = Strength::Whole;
                            }
                            wording
                        },
                    ),
                );
            }
            let alphabetic: String = text.chars().filter(|character| character.is_alphabetic()).collect();
            if forbidden && letters(&alphabetic) >= MIN_JOINED {
                let folded = folded(text);
                let backwards: String = folded.chars().rev().collect();
                let moved: String = folded.chars().map(rot13).collect();
                for (hidden, disguise) in [(backwards, Disguise::Reversed), (moved, Disguise::Rot13)] {
                    if hidden != folded {
                        wordings.extend(Wording::new(
                            &hidden,
                            Strength::Whole,
                            Some(disguise),
                            vocabulary,
                            shared_names,
                        ));
                    }
                }
            }
            wordings.extend(plain);
        }
        // The item as it is comes first: its evidence is the plainest.
        wordings.sort_by_key(|wording| (wording.disguise.is_some(), wording.strength == Strength::Part));
        Self { wordings }
    }

    /// Marks the parts that required items hold too.
    pub(super) fn mark_shared(&mut self, required: &BTreeSet<Id>) {
        for part in self.wordings.iter_mut().flat_map(|wording| &mut wording.parts) {
            part.is_private = !required.contains(&part.id);
        }
    }

    /// Numbers of all parts.
    pub(super) fn part_ids(&self) -> impl Iterator<Item = Id> {
        self.wordings.iter().flat_map(|wording| wording.parts.iter().map(|part| part.id))
    }
}

impl Wording {
    fn new(
        text: &str,
        strength: Strength,
        disguise: Option<Disguise>,
        vocabulary: &mut Vocabulary,
        shared_names: &HashMap<String, usize>,
    ) -> Option<Self> {
        let mut tokens = tokenize(&fold(text));
        tokens.mark_acronyms();
        mark_lone_acronym(&mut tokens);
        if tokens.list.is_empty() {
            let literal: String =
                folded(text).chars().filter(|character| !character.is_whitespace()).collect();
            return (!literal.is_empty()).then(|| Self::literal(literal, strength));
        }
        let ids: Vec<Id> = tokens.list.iter().map(|token| vocabulary.add(&tokens, token)).collect();
        let has_content_word =
            tokens.list.iter().any(|token| !token.is_function && token.kind != Kind::Number);
        let pattern = (0..ids.len())
            .filter(|index| !has_content_word || !tokens.list[*index].is_function)
            .map(|index| ids[index])
            .collect();
        let joined: String = tokens.list.iter().map(|token| tokens.raw(token)).collect();
        let path = disguise.is_none().then(|| PathEnd::new(text, shared_names)).flatten();
        let only = &tokens.list[0];
        let needs_capital = tokens.list.len() == 1 && only.upper == 1 && is_name_and_word(tokens.raw(only));
        Some(Self {
            strength,
            disguise,
            pattern,
            skips_function_words: has_content_word,
            parts: parts(&tokens, &ids, vocabulary),
            value_neighbours: value_neighbours(&tokens, &ids),
            values: (0..ids.len())
                .filter(|index| tokens.list[*index].is_value())
                .map(|index| ids[index])
                .collect(),
            has_pairs: tokens.list.iter().any(|token| token.kind == Kind::Character),
            has_number: tokens.list.iter().any(|token| token.kind == Kind::Number),
            has_clock: tokens.list.iter().any(|token| matches!(token.kind, Kind::Clock(_))),
            has_date: tokens.list.iter().any(|token| matches!(token.kind, Kind::Date(_))),
            joined_finder: is_long_enough(&joined).then(|| Finder::new(&joined).into_owned()),
            joined: is_long_enough(&joined).then_some(joined),
            path,
            literal: None,
            needs_capital,
            refuses_verb_forms: tokens.list.len() == 1
                && only.length <= 4
                && !has_verb_ending(tokens.raw(only)),
            is_address: !text.trim().contains(char::is_whitespace)
                && (text.contains('@') || text.contains("://")),
        })
    }

    fn literal(literal: String, strength: Strength) -> Self {
        Self {
            strength,
            disguise: None,
            pattern: Vec::new(),
            skips_function_words: false,
            parts: Vec::new(),
            value_neighbours: Vec::new(),
            values: Vec::new(),
            has_pairs: false,
            has_number: false,
            has_clock: false,
            has_date: false,
            joined: None,
            joined_finder: None,
            path: None,
            literal: Some(literal),
            needs_capital: false,
            refuses_verb_forms: false,
            is_address: false,
        }
    }
}

/// Number of characters, where one of a script without spaces counts as two: it says as much.
fn letters(text: &str) -> usize {
    text.chars().map(|character| if is_by_character(character) { 2 } else { 1 }).sum()
}

/// Whether characters without gaps are enough to know an item by; digits tell more than letters.
fn is_long_enough(joined: &str) -> bool {
    let digits = joined.bytes().filter(u8::is_ascii_digit).count();
    letters(joined) >= MIN_JOINED || (digits == joined.len() && digits >= MIN_DIGITS)
}

fn value_neighbours(tokens: &Tokens, ids: &[Id]) -> Vec<(Id, Vec<Id>)> {
    (0..ids.len())
        .filter(|index| tokens.list[*index].is_value())
        .map(|index| (ids[index], tokens.words_beside(index).into_iter().map(|beside| ids[beside]).collect()))
        .collect()
}

/// An item that is nothing but a function word in capitals ("IT") is a name as well.
fn mark_lone_acronym(tokens: &mut Tokens) {
    if let [only] = tokens.list.as_mut_slice()
        && only.is_function
        && only.upper >= 2
        && only.upper == only.length
    {
        only.is_acronym = true;
        only.is_function = false;
    }
}

fn parts(tokens: &Tokens, ids: &[Id], vocabulary: &mut Vocabulary) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut add = |id: Id, weight: f64, is_telling: bool| {
        if !parts.iter().any(|part| part.id == id) {
            parts.push(Part { id, weight, is_telling, is_private: true });
        }
    };
    let is_pair = |index: usize| {
        tokens.list.get(index + 1).is_some_and(|next| {
            next.kind == Kind::Character
                && next.boundary <= Boundary::Soft
                && tokens.list[index].kind == Kind::Character
        })
    };
    for (index, token) in tokens.list.iter().enumerate() {
        match token.kind {
            Kind::Character => {
                if is_pair(index) {
                    add(vocabulary.add_pair(ids[index], ids[index + 1]), 1.0, true);
                } else if (index == 0 || !is_pair(index - 1)) && !token.is_function {
                    add(ids[index], 1.0, false);
                }
            }
            Kind::Clock(_) | Kind::Date(_) => add(ids[index], 1.0, false),
            Kind::Number => add(ids[index], 1.0, is_telling_number(tokens, index)),
            Kind::Word if token.is_function => {}
            Kind::Word => {
                let common = is_common(tokens.key(token)) && !token.is_acronym;
                let single_letter = token.length == 1;
                add(
                    ids[index],
                    if common || single_letter { COMMON_WEIGHT } else { 1.0 },
                    !common && !single_letter,
                );
            }
        }
    }
    parts
}

/// Whether a number tells something on its own: many digits, alone or in groups as telephone and
/// card numbers have them; not a date.
fn is_telling_number(tokens: &Tokens, index: usize) -> bool {
    let is_number = |index: usize| tokens.list.get(index).is_some_and(|token| token.kind == Kind::Number);
    // Whether the number continues the one before it.
    let is_grouped = |index: usize| {
        index > 0
            && is_number(index - 1)
            && is_number(index)
            && tokens.list[index].gap == 1
            && matches!(tokens.list[index].separator, '-' | ' ' | '.')
    };
    let first = (0..=index).rev().find(|index| !is_grouped(*index)).unwrap_or(index);
    let last = (index..tokens.list.len()).find(|index| !is_grouped(index + 1)).unwrap_or(index);
    let lengths: Vec<u32> = tokens.list[first..=last].iter().map(|token| token.length).collect();
    let is_date = matches!(lengths.as_slice(), [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 4]);
    tokens.list[index].length >= 5 || (!is_date && lengths.iter().sum::<u32>() >= 6)
}

fn rot13(character: char) -> char {
    let base = match character {
        'a'..='z' => b'a',
        'A'..='Z' => b'A',
        _ => return character,
    };
    // The match above leaves ASCII letters only.
    let letter = u8::try_from(character).map_or(0, |byte| byte - base);
    char::from((letter + 13) % 26 + base)
}
