//! Names of contacts in a prompt, and the part each of them plays.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::super::model::{Contact, ContactKind, Messenger};
use super::super::read::base_name;
use super::vocabulary::{
    AUDIENCE, FILLERS, HELPERS, REQUEST, REQUESTING, SAME_ROLE, SEND, SHARE_WITH, TALKS, is,
};
use super::words::{self, Purpose, Word};

/// How a contact was recognised; the better one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// By a word of its label ("the client").
    Role,
    /// By a first name.
    FirstName,
    /// By its name, with or without label.
    Name,
}

/// What a named contact has to do with the errand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Something is to reach it.
    Recipient,
    /// The errand is for its sake ("a summary for Sam", "so Sam can plan").
    Beneficiary,
    /// It asks for something.
    Requester,
    /// The user will pass the result on to it.
    Relay,
    /// Something is read from it, or it is only talked about.
    Source,
}

/// A place in the prompt where one or more contacts are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// Names of the contacts that can be meant; several where the prompt does not tell them apart.
    pub(super) contacts: Vec<String>,
    pub(super) strength: Strength,
    pub(super) part: Part,
    pub(super) start: usize,
}

/// Words whose `to` passes nothing on (`next to Nora`, `what I said to Nora`).
const SPOKEN_TO: [&str; 11] =
    ["next", "due", "close", "related", "according", "said", "talked", "spoke", "listen", "promised", "owed"];

/// Words before which a first name is only a title.
const TITLES: [&str; 9] = ["dr", "mr", "mrs", "ms", "prof", "aunt", "uncle", "coach", "sir"];

/// One way to write a contact's name.
struct Variant<'a> {
    contact: &'a Contact,
    words: Vec<Word>,
    strength: Strength,
}

/// Longest name, in words, that is looked for.
const LONGEST_NAME: usize = 12;
/// Most contacts kept where a prompt does not tell them apart.
const MOST_CANDIDATES: usize = 10;

/// Finds all mentions, in order. The effort grows with the length of the prompt and the number of
/// contacts, not with their product.
pub(super) fn mentions(prompt: &[Word], messenger: &Messenger) -> Vec<Mention> {
    let variants = variants(messenger);
    let mut by_words: HashMap<String, Vec<&Variant<'_>>> = HashMap::new();
    for variant in &variants {
        by_words.entry(joined(&variant.words)).or_default().push(variant);
    }
    let talking: HashSet<&str> =
        messenger.threads.iter().flat_map(|thread| &thread.addressed_to).map(String::as_str).collect();
    for list in by_words.values_mut() {
        // Contacts the user already talks to are meant rather than others of the same name; the
        // better way of writing a name counts before the lesser one.
        list.sort_by_key(|variant| {
            (Reverse(variant.strength), !talking.contains(variant.contact.name.as_str()))
        });
    }
    let mut found: Vec<Mention> = Vec::new();
    let mut index = 0;
    while index < prompt.len() {
        let longest = LONGEST_NAME.min(prompt.len() - index);
        let fitting = (1..=longest).rev().find_map(|length| {
            let words = &prompt[index..index + length];
            if words.last()?.clause != words[0].clause {
                return None;
            }
            let list = by_words.get(&joined(words))?;
            let first = list.iter().position(|variant| has_capital(variant, words))?;
            let best = list[first];
            let is_talking = |variant: &Variant<'_>| talking.contains(variant.contact.name.as_str());
            let equal = list[first..].iter().take_while(|variant| {
                variant.strength == best.strength && is_talking(variant) == is_talking(best)
            });
            let mut contacts: Vec<&Contact> = Vec::new();
            for variant in equal.take(MOST_CANDIDATES * 4) {
                let is_known = contacts.iter().any(|contact| contact.name == variant.contact.name);
                if !is_known && contacts.len() < MOST_CANDIDATES && has_capital(variant, words) {
                    contacts.push(variant.contact);
                }
            }
            Some((length, best.strength, contacts))
        });
        let Some((length, strength, contacts)) = fitting else {
            index += 1;
            continue;
        };
        let end = index + length;
        let is_group = contacts.iter().any(|contact| contact.kind != ContactKind::Person);
        let part = part(prompt, index, end, is_group, &found);
        let contacts = contacts.into_iter().map(|contact| contact.name.clone()).collect();
        found.push(Mention { contacts, strength, part, start: index });
        index = end;
    }
    found
}

fn joined(words: &[Word]) -> String {
    let words: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    words.join(" ")
}

fn variants(messenger: &Messenger) -> Vec<Variant<'_>> {
    let mut variants = Vec::new();
    for contact in &messenger.contacts {
        let mut add = |text: &str, strength| {
            let words = words::words(text);
            if !words.is_empty() && words.len() <= LONGEST_NAME {
                variants.push(Variant { contact, words, strength });
            }
        };
        let base = base_name(&contact.name);
        add(&contact.name, Strength::Name);
        add(&base, Strength::Name);
        if contact.kind == ContactKind::Person {
            if let Some(first) = first_name(&base) {
                add(&first, Strength::FirstName);
            }
            for role in contact.label.as_deref().into_iter().flat_map(roles) {
                add(&role, Strength::Role);
            }
        } else {
            // `the Design Team chat`, `the room parents`: the kind of group may be left out.
            let stem = words::words(&base);
            if let Some((last, front)) = stem.split_last()
                && !front.is_empty()
                && is(&AUDIENCE, &last.lower)
            {
                let front: Vec<&str> = front.iter().map(|word| word.text.as_str()).collect();
                add(&front.join(" "), Strength::FirstName);
            }
            // `the pantry drivers` are the `Saturday Pantry Drivers`.
            for skipped in 1..stem.len().saturating_sub(1) {
                let rest: Vec<&str> = stem[skipped..].iter().map(|word| word.text.as_str()).collect();
                add(&rest.join(" "), Strength::FirstName);
            }
        }
    }
    variants
}

/// The first name of a person; none for a name that is a description or belongs to somebody else
/// (`Maya's Dad`).
fn first_name(base: &str) -> Option<String> {
    let words = words::words(base);
    if words.len() < 2 || words.len() > 3 {
        return None;
    }
    let first = words.iter().find(|word| !is(&TITLES, &word.lower))?;
    let is_initialism = first.text.len() <= 2 && first.text.chars().all(char::is_uppercase);
    (!first.has_s && !is_initialism).then(|| first.text.clone())
}

/// A label as roles: whole, and its last word ("External Client": "external client", "client").
fn roles(label: &str) -> Vec<String> {
    let words = words::words(label);
    let mut roles = vec![label.to_owned()];
    if let Some(last) = words.last() {
        roles.push(last.text.clone());
        roles.extend(
            SAME_ROLE.iter().filter(|(_, role)| *role == last.lower).map(|(other, _)| (*other).to_owned()),
        );
    }
    roles
}

/// Whether the prompt writes a person's name with its capital letters: `mark` and `will` are words
/// too. Longer names and roles need none.
fn has_capital(variant: &Variant<'_>, found: &[Word]) -> bool {
    let needs_capital = variant.contact.kind == ContactKind::Person
        && variant.strength != Strength::Role
        && (variant.strength == Strength::FirstName || variant.words.len() == 1);
    let starts_large = |word: &Word| word.text.chars().next().is_some_and(char::is_uppercase);
    !needs_capital
        || variant.words.iter().zip(found).all(|(wanted, found)| !starts_large(wanted) || starts_large(found))
}

/// What the words around a name make of it.
fn part(prompt: &[Word], start: usize, end: usize, is_group: bool, before: &[Mention]) -> Part {
    let asks = asks(prompt, end);
    let is_owner = prompt[end - 1].has_s && !asks;
    match prompt[start].purpose {
        Purpose::Own => return if is_owner { Part::Source } else { Part::Relay },
        Purpose::Others => return if is_owner { Part::Source } else { Part::Beneficiary },
        Purpose::None => {}
    }
    if is_owner {
        // `in Nora's chat`, `to Sam's thread`: the chat is hers, and what is written there reaches her.
        let next_is_talk = prompt.get(end).is_some_and(|next| is(&TALKS[..6], &next.lower));
        let preposition = start.checked_sub(1).map(|before| prompt[before].lower.as_str());
        let is_place = next_is_talk && matches!(preposition, Some("in" | "into" | "to"));
        let reaches = (is_place && sends_before(prompt, start)) || answers(prompt, start);
        return if reaches { Part::Recipient } else { Part::Source };
    }
    let clause = prompt[start].clause;
    let mut index = start;
    while let Some(previous) = index.checked_sub(1) {
        let word = &prompt[previous];
        if word.clause != clause {
            break;
        }
        let lower = word.lower.as_str();
        if super::english::is_send_verb(prompt, previous) {
            return Part::Recipient;
        }
        match lower {
            "to" | "towards" => {
                let talks = previous.checked_sub(1).is_some_and(|at| is(&SPOKEN_TO, &prompt[at].lower));
                return if talks { Part::Source } else { Part::Recipient };
            }
            "with" => return with(prompt, previous),
            "for" => {
                return if sends_before(prompt, previous) { Part::Recipient } else { Part::Beneficiary };
            }
            "in" | "into" | "on" | "at" | "inside" | "over" => {
                // `in the Nora thread` is her chat as well.
                let is_chat = prompt.get(end).is_some_and(|next| is(&TALKS[..6], &next.lower));
                let reaches = (is_group || is_chat) && sends_before(prompt, previous);
                return if reaches { Part::Recipient } else { Part::Source };
            }
            "and" | "or" => {
                // `send Sam and Jane`: the same part as the name before.
                let same = before.last().filter(|mention| mention.start + 4 > previous && !asks);
                if let Some(mention) = same {
                    return mention.part;
                }
                break;
            }
            _ if is(&FILLERS, lower) || is(&super::vocabulary::PEOPLE, lower) => index = previous,
            _ if before
                .iter()
                .any(|mention| mention.strength == Strength::Role && mention.start == previous) =>
            {
                // `my new client John`: the role and the name are one person.
                index = previous;
            }
            _ => break,
        }
    }
    if asks { Part::Requester } else { Part::Source }
}

/// `reply to Nora's question`, `answer Sarah's message`: the answer reaches her.
fn answers(prompt: &[Word], start: usize) -> bool {
    let clause = prompt[start].clause;
    let before: Vec<usize> = (0..start).rev().take(4).take_while(|at| prompt[*at].clause == clause).collect();
    let is_to = before.first().is_some_and(|at| prompt[*at].lower == "to");
    before.iter().enumerate().any(|(distance, at)| {
        let word = prompt[*at].lower.as_str();
        let fits = (is_to && is(&["reply", "respond", "back"], word)) || (distance == 0 && word == "answer");
        fits && (word == "back" || super::english::is_verb(prompt, *at))
    })
}

/// Whether what follows a name says that it asks for something.
fn asks(prompt: &[Word], end: usize) -> bool {
    let clause = prompt[end - 1].clause;
    let mut is_contracted = prompt[end - 1].has_s;
    for word in prompt[end..].iter().take(4).take_while(|word| word.clause == clause) {
        let lower = word.lower.as_str();
        if is(&REQUESTING, lower) {
            return true;
        }
        if is(&REQUEST, lower) {
            return !is_contracted;
        }
        // `Nora could use an update`, `Nora would like to know`.
        if is(&["use", "like", "know", "see"], lower) {
            return true;
        }
        if !is(&HELPERS, lower) {
            return false;
        }
        is_contracted = false;
    }
    false
}

/// `chat with Chloe` is a source; `share … with Chloe` reaches her.
fn with(prompt: &[Word], at: usize) -> Part {
    let clause = prompt[at].clause;
    if at.checked_sub(1).is_some_and(|before| is(&TALKS, &prompt[before].lower)) {
        return Part::Source;
    }
    let shares = prompt[..at]
        .iter()
        .enumerate()
        .rev()
        .take_while(|(_, word)| word.clause == clause)
        .any(|(index, word)| is(&SHARE_WITH, &word.lower) && super::english::is_verb(prompt, index));
    if shares { Part::Recipient } else { Part::Source }
}

/// Whether a verb that passes something on, or asks to draft it, stands earlier in the clause.
fn sends_before(prompt: &[Word], at: usize) -> bool {
    let clause = prompt[at].clause;
    (0..at).rev().take_while(|index| prompt[*index].clause == clause).any(|index| {
        super::english::is_send_verb(prompt, index)
            || super::english::is_draft_verb(prompt, index)
            || (is(&SEND, &prompt[index].lower) && super::english::is_verb(prompt, index))
    })
}
