//! What an English prompt asks for: the rules, strongest first.

use super::super::model::{ContactKind, Messenger};
use super::super::types::{Channel, Confidence, Target};
use super::Conclusion;
use super::mention::{self, Mention, Part, Strength};
use super::vocabulary::{
    AUDIENCE, BEFORE_VERB, CALENDAR, CREATE, EVENTS, PEOPLE, PRONOUNS, SEND, SEND_ALWAYS, SEND_PHRASES, TODO,
    is,
};
use super::words::{self, Purpose, Word};

/// Concludes channel and recipient.
pub(super) fn conclude(prompt: &str, messenger: &Messenger) -> Conclusion {
    let words = words::words(prompt);
    let mentions = mention::mentions(&words, messenger);
    let errand = Errand { words: &words, mentions: &mentions, messenger };
    errand.conclude()
}

struct Errand<'a> {
    words: &'a [Word],
    mentions: &'a [Mention],
    messenger: &'a Messenger,
}

impl Errand<'_> {
    fn conclude(&self) -> Conclusion {
        let drafts = self.asks_for_draft();
        let sends = self.sends();
        if let Some(conclusion) = self.addressed(drafts) {
            return conclusion;
        }
        if let Some((channel, reason)) = self.write_elsewhere() {
            let recipient = if channel == Channel::Calendar { self.invitee() } else { None };
            return concluded(channel, recipient, false, Confidence::High, reason);
        }
        if self.addresses_user() {
            let reason = "the prompt asks to be told";
            return concluded(Channel::Answer, None, false, Confidence::Medium, reason);
        }
        if sends || drafts {
            return self.unaddressed(drafts);
        }
        if self
            .words
            .iter()
            .enumerate()
            .any(|(index, word)| word.purpose == Purpose::Own && is(&SEND, &word.lower) && index > 0)
        {
            let reason = "the user will pass it on, so the answer is the result";
            return concluded(Channel::Answer, None, false, Confidence::Low, reason);
        }
        for part in [Part::Requester, Part::Beneficiary] {
            if let Some(conclusion) = self.only_named(part, drafts, Confidence::Medium) {
                return conclusion;
            }
        }
        if let Some(name) = self.meant_by_pronoun() {
            let reason = "the contact is the only one the prompt can mean";
            return concluded(Channel::Messenger, Some(name), drafts, Confidence::Medium, reason);
        }
        if let Some(conclusion) = self.only_named(Part::Recipient, drafts, Confidence::Low) {
            return conclusion;
        }
        let reason = "the prompt names no reader and no app to write in";
        concluded(Channel::Answer, None, false, Confidence::Low, reason)
    }

    /// `and invite Claire`.
    fn invitee(&self) -> Option<String> {
        let invited = |mention: &&Mention| {
            let before = &self.words[..mention.start];
            before
                .iter()
                .rev()
                .take(3)
                .any(|word| is(&["invite", "inviting", "invitee", "invitees"], &word.lower))
        };
        self.mentions.iter().find(invited).and_then(|mention| mention.contacts.first().cloned())
    }

    /// `list my tabs for him`, where one person is named.
    fn meant_by_pronoun(&self) -> Option<String> {
        let refers = self.words.windows(2).any(|pair| {
            is(&["for", "to"], &pair[0].lower)
                && is(&PRONOUNS, &pair[1].lower)
                && pair[0].purpose == Purpose::None
        });
        let mut named = self.mentions.iter().filter(|mention| mention.strength != Strength::Role);
        let first = named.next().filter(|_| refers)?;
        let [only] = first.contacts.as_slice() else { return None };
        named.all(|other| other.contacts == first.contacts).then(|| only.clone())
    }

    /// A named contact that something is to reach.
    fn addressed(&self, drafts: bool) -> Option<Conclusion> {
        let recipients: Vec<&Mention> =
            self.mentions.iter().filter(|mention| mention.part == Part::Recipient).collect();
        let strongest = recipients.iter().map(|mention| mention.strength).max()?;
        if !self.sends() && !drafts {
            // `add it to Sam's list`, `go to Nora`: nothing is passed on.
            return None;
        }
        let mut names: Vec<&Vec<String>> = Vec::new();
        for mention in recipients.iter().filter(|mention| mention.strength == strongest) {
            if !names.contains(&&mention.contacts) {
                names.push(&mention.contacts);
            }
        }
        let first = names.first()?;
        let confidence = match (names.len(), first.len(), strongest) {
            (1, 1, Strength::Name | Strength::FirstName) => Confidence::High,
            (1, 1, Strength::Role) | (2.., 1, _) => Confidence::Medium,
            _ => Confidence::Low,
        };
        let reason = if names.len() > 1 {
            "several contacts are addressed; the first one counts"
        } else {
            match strongest {
                Strength::Name => "the prompt addresses the contact by name",
                Strength::FirstName => "the prompt addresses the contact by a short name",
                Strength::Role => "the prompt addresses the contact by role",
            }
        };
        let mut conclusion =
            concluded(Channel::Messenger, first.first().cloned(), drafts, confidence, reason);
        if first.len() > 1 || names.len() > 1 {
            conclusion.candidates = names.iter().flat_map(|names| names.iter().cloned()).collect();
        }
        Some(conclusion)
    }

    /// A message is asked for, and whom it goes to is not said beside the verb.
    fn unaddressed(&self, drafts: bool) -> Conclusion {
        let pronoun =
            self.words.iter().any(|word| word.purpose == Purpose::None && is(&PRONOUNS, &word.lower));
        let confidence =
            if pronoun || self.sends_something() { Confidence::High } else { Confidence::Medium };
        if let Some(conclusion) = self.only_named(Part::Requester, drafts, confidence) {
            return conclusion;
        }
        if let Some(addressee) = self.unknown_addressee() {
            let reason = "the prompt addresses somebody who is no contact";
            let mut conclusion = concluded(Channel::Messenger, None, drafts, Confidence::Low, reason);
            conclusion.unknown_addressee = Some(addressee);
            return conclusion;
        }
        if let Some(conclusion) = self.only_named(Part::Beneficiary, drafts, Confidence::Medium) {
            return conclusion;
        }
        if let Some(conclusion) = self.audience(drafts) {
            return conclusion;
        }
        let threads = self.addressable_threads();
        match threads.as_slice() {
            [only] => {
                let reason = "the prompt names no reader, and only one thread can be written to";
                concluded(Channel::Messenger, Some(only.clone()), drafts, Confidence::Medium, reason)
            }
            [] => {
                let reason = "the prompt asks for a message, and there is nobody to write to";
                concluded(Channel::Messenger, None, drafts, Confidence::Low, reason)
            }
            several => {
                let reason = "the prompt names no reader, and several threads can be written to";
                let mut conclusion = concluded(Channel::Messenger, None, drafts, Confidence::Low, reason);
                conclusion.candidates = several.to_vec();
                conclusion
            }
        }
    }

    /// The one contact that plays a part, if there is one.
    fn only_named(&self, part: Part, drafts: bool, confidence: Confidence) -> Option<Conclusion> {
        let playing = || self.mentions.iter().filter(|mention| mention.part == part);
        let strongest = playing().map(|mention| mention.strength).max()?;
        let first = playing().find(|mention| mention.strength == strongest)?;
        let others =
            playing().any(|mention| mention.strength == strongest && mention.contacts != first.contacts);
        let reason = match part {
            Part::Requester => "the contact is the one who asks for it",
            _ => "it is made for the contact",
        };
        let is_ambiguous = others || first.contacts.len() > 1;
        let confidence = match confidence {
            _ if is_ambiguous => Confidence::Low,
            Confidence::High if strongest == Strength::Role => Confidence::Medium,
            other => other,
        };
        let mut conclusion =
            concluded(Channel::Messenger, first.contacts.first().cloned(), drafts, confidence, reason);
        if is_ambiguous {
            conclusion.candidates = playing()
                .filter(|mention| mention.strength == strongest)
                .flat_map(|mention| mention.contacts.clone())
                .collect();
            conclusion.candidates.dedup();
        }
        Some(conclusion)
    }

    /// `the team`, where one group can be meant.
    fn audience(&self, drafts: bool) -> Option<Conclusion> {
        self.words.iter().find(|word| is(&AUDIENCE, &word.lower))?;
        let mut groups =
            self.messenger.threads.iter().flat_map(|thread| &thread.addressed_to).filter(|name| {
                self.messenger.contact(name).is_some_and(|contact| contact.kind != ContactKind::Person)
            });
        let group = groups.next()?;
        if groups.any(|other| other != group) {
            return None;
        }
        let reason = "the prompt addresses a group, and there is one";
        Some(concluded(Channel::Messenger, Some(group.clone()), drafts, Confidence::Medium, reason))
    }

    fn addressable_threads(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for thread in &self.messenger.threads {
            if let [only] = thread.addressed_to.as_slice()
                && !names.contains(only)
            {
                names.push(only.clone());
            }
        }
        names
    }

    fn verbs(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len()).filter(|index| self.words[*index].purpose == Purpose::None)
    }

    /// Whether something is to be passed on.
    fn sends(&self) -> bool {
        self.verbs().any(|index| is_send_verb(self.words, index))
    }

    /// `send it over`, `send what I have`: an object follows, so the sending is the errand itself.
    fn sends_something(&self) -> bool {
        self.verbs().any(|index| {
            is_send_verb(self.words, index)
                && self
                    .words
                    .get(index + 1)
                    .is_some_and(|next| is(&["it", "them", "over", "this", "that"], &next.lower))
        })
    }

    fn asks_for_draft(&self) -> bool {
        self.verbs().any(|index| is_draft_verb(self.words, index))
    }

    /// `tell me`, `share it with me`, `with the user`.
    fn addresses_user(&self) -> bool {
        self.verbs().any(|index| {
            let next = |offset: usize| {
                self.words
                    .get(index + offset)
                    .filter(|word| word.clause == self.words[index].clause)
                    .map(|word| word.lower.as_str())
            };
            let is_user = |offset: usize| {
                next(offset) == Some("me")
                    || (next(offset) == Some("the") && next(offset + 1) == Some("user"))
            };
            let word = self.words[index].lower.as_str();
            (is_send_verb(self.words, index) && is_user(1))
                || (is(&["with", "to", "for"], word) && is_user(1) && self.sends())
        })
    }

    /// Somebody who is addressed and is no contact: `to my partner`, `to the Grant Review Committee`.
    fn unknown_addressee(&self) -> Option<String> {
        self.verbs().find_map(|index| {
            if self.words[index].lower != "to" && !is_send_verb(self.words, index) {
                return None;
            }
            let clause = self.words[index].clause;
            let rest: Vec<&Word> =
                self.words[index + 1..].iter().take_while(|word| word.clause == clause).take(6).collect();
            let (first, rest) = rest.split_first()?;
            if !is(&["my", "our", "the", "his", "her", "their"], &first.lower) {
                return None;
            }
            let named: Vec<&str> = rest
                .iter()
                .take_while(|word| {
                    word.text.chars().next().is_some_and(char::is_uppercase)
                        && !word.lower.starts_with("open")
                })
                .map(|word| word.text.as_str())
                .collect();
            if named.len() > 1 {
                return Some(named.join(" "));
            }
            rest.iter().take(3).find(|word| is(&PEOPLE, &word.lower)).map(|word| word.text.clone())
        })
    }

    /// A write in another app than the messenger.
    fn write_elsewhere(&self) -> Option<(Channel, &'static str)> {
        self.verbs().find_map(|index| {
            if !is_verb(self.words, index) {
                return None;
            }
            let clause = self.words[index].clause;
            let rest: Vec<&str> = self.words[index + 1..]
                .iter()
                .take_while(|word| word.clause == clause && word.purpose == Purpose::None)
                .map(|word| word.lower.as_str())
                .collect();
            let verb = self.words[index].lower.as_str();
            if is(&CREATE, verb) && makes_event(verb, &rest) {
                return Some((Channel::Calendar, "the prompt asks for a calendar entry"));
            }
            if is(&["add", "put", "create", "write", "log", "save"], verb) && leads_into(&rest, &TODO) {
                return Some((Channel::Todo, "the prompt asks for entries in the to-do list"));
            }
            let orders = match verb {
                "order" | "buy" | "purchase" | "checkout" => true,
                "place" => rest.iter().take(3).any(|word| *word == "order"),
                "check" => rest.first() == Some(&"out"),
                _ => false,
            };
            if orders {
                return Some((Channel::Shop, "the prompt asks for an order"));
            }
            if is(&["save", "bookmark", "pin", "add"], verb)
                && leads_into(&rest, &["places", "maps", "openmaps", "favorites"])
            {
                return Some((Channel::Maps, "the prompt asks to save a place"));
            }
            let edits = is(
                &[
                    "paste", "write", "save", "insert", "update", "edit", "add", "put", "replace", "fix",
                    "append", "create",
                ],
                verb,
            );
            if edits && (leads_into(&rest, &["file", "editor", "config", "code"]) || names_file(&rest)) {
                return Some((Channel::CodeEditor, "the prompt asks for a change in a file"));
            }
            None
        })
    }
}

/// Whether the words after a verb make it one that creates a calendar entry.
fn makes_event(verb: &str, rest: &[&str]) -> bool {
    // What stands after these is what the list is about, not what is made.
    const STOPS: [&str; 14] = [
        "list", "listing", "summary", "message", "of", "from", "note", "reply", "update", "digest",
        "overview", "rundown", "sure", "about",
    ];
    if leads_into(rest, &CALENDAR) {
        return true;
    }
    let head = || rest.iter().take(6).take_while(|word| !is(&STOPS, word));
    match verb {
        "block" => rest.first().is_some_and(|next| is(&["out", "off", "time", "my", "the"], next)),
        "schedule" | "book" => {
            head().any(|word| is(&EVENTS, word) || is(&["call", "slot", "time", "session"], word))
        }
        _ => head().any(|word| is(&EVENTS, word)),
    }
}

/// Whether `in`, `to`, `on` or `into`, with at most three words between, leads to one of `nouns`.
fn leads_into(rest: &[&str], nouns: &[&str]) -> bool {
    rest.iter().enumerate().any(|(index, word)| {
        is(&["to", "on", "in", "into", "onto"], word)
            && rest[index + 1..]
                .iter()
                .take(4)
                .take_while(|word| !is(&["for", "from", "of", "and", "with"], word))
                .any(|word| is(nouns, word))
    })
}

/// Whether a file name follows `in`, `to` or `into`.
fn names_file(rest: &[&str]) -> bool {
    rest.windows(2).any(|pair| {
        is(&["in", "to", "into"], pair[0])
            && pair[1].rsplit_once('.').is_some_and(|(stem, extension)| {
                !stem.is_empty()
                    && (1..=4).contains(&extension.len())
                    && extension.chars().all(char::is_alphabetic)
            })
    })
}

/// Whether the word at `index` stands where a verb of an errand stands.
pub(super) fn is_verb(words: &[Word], index: usize) -> bool {
    let word = &words[index];
    let Some(previous) = index.checked_sub(1).map(|before| &words[before]) else { return true };
    previous.clause != word.clause || word.after_comma || is(&BEFORE_VERB, &previous.lower)
}

/// Whether the word at `index` is a verb that passes something on. Words that are nouns as well
/// (`message`, `text`, `post`) count only where a verb stands.
pub(super) fn is_send_verb(words: &[Word], index: usize) -> bool {
    let lower = words[index].lower.as_str();
    let in_clause = |count: usize| {
        let clause = words[index].clause;
        words[index + 1..].iter().take(count).take_while(move |word| word.clause == clause)
    };
    if let Some((_, particles)) = SEND_PHRASES.iter().find(|(verb, _)| *verb == lower) {
        // `let Sam know`, and not `let's`; `fill Nora in`, and not `fill in the form`.
        return !words[index].has_s
            && is_verb(words, index)
            && in_clause(8).skip(1).any(|word| is(particles, &word.lower));
    }
    if lower == "get" {
        return is_verb(words, index) && in_clause(1).any(is_somebody);
    }
    if !is(&SEND, lower) {
        return false;
    }
    if lower == "write" || lower == "update" {
        // `update the file`, `write a summary` pass nothing on by themselves.
        let reaches = in_clause(1).any(is_somebody) || in_clause(10).any(|word| word.lower == "to");
        return is_verb(words, index) && reaches;
    }
    if lower == "give" || is(&SEND_ALWAYS, lower) {
        // `I already gave`; a noun in front (`a quick reply`) makes it a noun.
        return is_verb(words, index)
            || (lower != "reply" && lower != "share" && !is_article_before(words, index));
    }
    is_verb(words, index)
}

/// Whether a word looks like a person: a pronoun, or a capital letter that is no app's.
fn is_somebody(word: &Word) -> bool {
    const APPS: [&str; 8] = ["maps", "messages", "messenger", "calendar", "todo", "shop", "code", "i"];
    let starts_large = word.text.chars().next().is_some_and(char::is_uppercase);
    is(&PRONOUNS, &word.lower) || (starts_large && !word.lower.starts_with("open") && !is(&APPS, &word.lower))
}

fn is_article_before(words: &[Word], index: usize) -> bool {
    words[..index].iter().rev().take(3).any(|word| is(&["a", "an", "the", "my", "this"], &word.lower))
}

/// Whether the word at `index` asks for a draft: `draft a reply`, `write a short draft`; not `my
/// drafts` or `send the draft`.
pub(super) fn is_draft_verb(words: &[Word], index: usize) -> bool {
    const MAKE: [&str; 6] = ["write", "prepare", "make", "create", "compose", "put"];
    if words[index].lower != "draft" {
        return false;
    }
    let before = index.checked_sub(1).map_or("", |before| words[before].lower.as_str());
    if is_verb(words, index) && !is(&["the", "my", "a", "this", "that"], before) {
        return true;
    }
    let clause = words[index].clause;
    let earlier: Vec<usize> = (0..index).rev().take(5).take_while(|at| words[*at].clause == clause).collect();
    let is_new = earlier.iter().take(3).any(|at| words[*at].lower == "a");
    is_new && earlier.iter().any(|at| is(&MAKE, &words[*at].lower) && is_verb(words, *at))
}

fn concluded(
    channel: Channel,
    recipient: Option<String>,
    draft_accepted: bool,
    confidence: Confidence,
    reason: &str,
) -> Conclusion {
    let reason = reason.to_owned();
    Conclusion {
        target: Target { channel, recipient, draft_accepted, confidence, reason },
        candidates: Vec::new(),
        unknown_addressee: None,
    }
}
