//! Whether the words around a place deny it.
//!
//! For a forbidden item this is noted and changes nothing: "I left out the vet appointment" tells
//! the reader about the vet appointment. A required item that is denied ("do not run migration
//! 12") has not been passed on.

use super::text::View;
use super::token::{Boundary, Kind};
use super::vocabulary::NONE;

/// How many tokens before a place are looked at.
const BEFORE: usize = 7;
/// How many tokens after it.
const AFTER: usize = 3;

#[rustfmt::skip] // one word a line would hide the table
const NEGATORS: &[&str] = &[
    "not", "never", "dont", "wont", "cant", "cannot", "didnt", "doesnt", "isnt", "arent", "wasnt", "shouldnt",
    "wouldnt", "couldnt", "havent", "hasnt", "without", "except", "excluding", "exclude", "excluded", "omit",
    "omitted", "omitting", "skip", "skipped", "skipping", "cancel", "cancelled", "canceled", "nicht", "kein",
    "keine", "keinen", "ohne", "nie", "kept", "außer",
];

/// Stems; after a negator these turn it into an encouragement ("don't forget to …").
#[rustfmt::skip] // one word a line would hide the table
const REVERSERS: &[&str] = &[
    "forget", "miss", "hesitate", "only", "late", "later", "overlook", "neglect", "fail", "vergessen",
    "vergiss", "nur", "problem", "worry", "just", "sur", "delay",
];

const NEGATING_CHARACTERS: &str = "不没沒未别別勿無无除";

/// Whether the stretch of tokens from `first` to `last` is denied by the words around it, or by
/// one that stands between its words and is not the item's own.
pub(super) fn is_negated(view: &View, first: usize, last: usize) -> bool {
    before(view, first) || after(view, last) || inside(view, first, last)
}

fn inside(view: &View, first: usize, last: usize) -> bool {
    (first + 1..last).any(|index| {
        let token = view.token(index);
        view.readings[index].exact == NONE
            && token.boundary < Boundary::Clause
            && matches!(
                view.tokens.raw(token),
                "not" | "never" | "nicht" | "nie" | "kein" | "keine" | "keinen"
            )
            && !REVERSERS.contains(&view.tokens.key(view.token(index + 1)))
    })
}

fn before(view: &View, first: usize) -> bool {
    let mut index = first;
    let mut reversed = false;
    let mut characters = 0;
    for _ in 0..BEFORE {
        // The boundary of a token is what stands before it.
        if index == 0 || view.token(index).boundary >= Boundary::Clause {
            return false;
        }
        index -= 1;
        let token = view.token(index);
        let raw = view.tokens.raw(token);
        let key = view.tokens.key(token);
        if matches!(raw, "but" | "aber" | "sondern" | "however") {
            return false;
        }
        if REVERSERS.contains(&key) {
            reversed = true;
        }
        if token.kind == Kind::Character {
            characters += 1;
            if characters <= 4 && raw.chars().any(|character| NEGATING_CHARACTERS.contains(character)) {
                // 不要忘记: "don't forget".
                let forgets = (index..first).any(|next| view.tokens.raw(view.token(next)) == "忘");
                return !forgets;
            }
        }
        let left_out = raw == "out"
            && index > 0
            && matches!(view.tokens.raw(view.token(index - 1)), "left" | "leave" | "leaving");
        let key_negates = token.kind == Kind::Word && (NEGATORS.contains(&key) || NEGATORS.contains(&raw));
        if key_negates || left_out {
            return !reversed;
        }
    }
    false
}

fn after(view: &View, last: usize) -> bool {
    let mut words = Vec::new();
    for index in last + 1..view.tokens.list.len().min(last + 1 + AFTER) {
        let token = view.token(index);
        if token.boundary >= Boundary::Clause {
            break;
        }
        words.push(view.tokens.raw(token));
    }
    match words.as_slice() {
        ["is" | "are" | "was" | "were", "not", "only" | "just" | "yet"] => false,
        ["is" | "are" | "was" | "were", "not" | "off" | "cancelled" | "canceled", ..]
        | ["isnt" | "arent" | "wasnt" | "cancelled" | "canceled" | "entfällt", ..]
        | ["has" | "have", "been", "cancelled" | "canceled"]
        | ["out", "of", ..] => true,
        _ => false,
    }
}
