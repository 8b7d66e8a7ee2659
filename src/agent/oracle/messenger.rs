//! A message to the recipient.

use std::collections::BTreeMap;

use super::super::page::{Control, Kind, Page, fold};
use super::super::write::{click, fill};
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, all_appeared, counts, ensure, open_app, press};
use super::manner::Manner;

/// Sends the required items as one message.
#[derive(Debug)]
pub(super) struct SendMessage {
    brief: OracleBrief,
    text: String,
    /// How often each item stood on the page when the message was sent; `None` before.
    sent: Option<Vec<usize>>,
    looked_again: bool,
    attempts: u32,
    /// How often a conversation was opened, by the name of its link.
    opened: BTreeMap<String, u32>,
}

impl SendMessage {
    pub(super) fn new(brief: OracleBrief) -> Self {
        // What is attached says it all.
        let is_attached = matches!(brief.manner, Manner::Attach { .. });
        let text = if is_attached { String::new() } else { brief.text() };
        Self { brief, text, sent: None, looked_again: false, attempts: 0, opened: BTreeMap::new() }
    }

    /// Sent: does it stand in the conversation?
    fn check(&mut self, page: &Page<'_>, before: &[usize]) -> Option<Move> {
        if all_appeared(page, &self.brief.required, before) {
            return Some(Move::Done(String::new()));
        }
        if !self.looked_again {
            self.looked_again = true;
            return Some(Move::Missing("the message just sent".to_owned()));
        }
        self.attempts += 1;
        self.sent = None;
        self.looked_again = false;
        (self.attempts >= ATTEMPTS)
            .then(|| Move::Impossible("the message does not stand in the conversation".to_owned()))
    }

    /// In the conversation: write and send.
    fn compose(&mut self, page: &Page<'_>, reader: &str) -> Option<Move> {
        let values = [("title", reader)];
        let composer = page.control(Kind::Field, &page.labels.text("messages.composer", &values))?;
        if let Some(step) = self.attach(page) {
            return Some(step);
        }
        if fold(composer.value()) != fold(&self.text) {
            return Some(Move::Act(fill(composer.bid, &self.text)));
        }
        let name = page.labels.text("messages.send", &values);
        let Some(send) = page.control(Kind::Button, &name) else {
            return Some(Move::Missing(format!("\u{201c}{name}\u{201d}")));
        };
        self.sent = Some(counts(page, &self.brief.required));
        Some(Move::Act(click(send.bid)))
    }

    /// The action that ticks what is to be attached; `None` when it is ticked, or nothing is.
    fn attach(&self, page: &Page<'_>) -> Option<Move> {
        let Manner::Attach { label, title } = &self.brief.manner else { return None };
        let name = page.labels.text(label, &[("title", title)]);
        match page.control(Kind::Checkbox, &name) {
            Some(thing) if thing.is_checked() => None,
            Some(thing) => Some(Move::Act(click(thing.bid))),
            None => Some(press(page, Kind::Disclosure, "messages.attach")),
        }
    }

    /// On the page for a new message: tick the contact, write and send.
    fn compose_new(&mut self, page: &Page<'_>, reader: &str) -> Option<Move> {
        page.labelled(Kind::Button, "messages.send_new")?;
        let Some(contact) = page.control(Kind::Checkbox, reader) else {
            return Some(Move::Impossible(format!("there is no contact called \u{201c}{reader}\u{201d}")));
        };
        if !contact.is_checked() {
            return Some(Move::Act(click(contact.bid)));
        }
        if let Some(step) = self.attach(page).or_else(|| ensure(page, "messages.text", &self.text)) {
            return Some(step);
        }
        self.sent = Some(counts(page, &self.brief.required));
        Some(press(page, Kind::Button, "messages.send_new"))
    }

    /// The conversation's link that fits best and was not opened in vain.
    fn conversation<'a>(&self, page: &Page<'a>, reader: &str) -> Option<Control<'a>> {
        let list = page.named("messages.conversations");
        let fits = page.controls_in(Kind::Link, list).filter_map(|link| {
            let name = fold(link.name);
            let rank = fit(&name, &fold(reader))?;
            let tries = self.opened.get(&name).copied().unwrap_or(0);
            (tries < ATTEMPTS && !page.is_app_link(&link)).then_some(((tries, rank), link))
        });
        fits.min_by_key(|(rank, _)| *rank).map(|(_, link)| link)
    }
}

impl Errand for SendMessage {
    fn next(&mut self, page: &Page<'_>) -> Move {
        let Some(reader) = self.brief.reader().map(str::to_owned) else {
            return Move::Impossible("the errand names nobody to write to".to_owned());
        };
        if let Some(before) = self.sent.clone()
            && let Some(step) = self.check(page, &before)
        {
            return step;
        }
        if let Some(step) = self.compose(page, &reader).or_else(|| self.compose_new(page, &reader)) {
            return step;
        }
        if let Some(link) = self.conversation(page, &reader) {
            *self.opened.entry(fold(link.name)).or_insert(0) += 1;
            return Move::Act(click(link.bid));
        }
        match page.labelled(Kind::Link, "messages.new") {
            Some(new) => Move::Act(click(new.bid)),
            None => open_app(page, "nav.messages"),
        }
    }
}

/// How well a link's name fits a conversation's title, 0 best: the title itself, the title and a
/// separator, the title and more words. `None` when it is another title.
fn fit(name: &str, title: &str) -> Option<u8> {
    let rest = name.strip_prefix(title)?;
    let mut letters = rest.chars();
    match letters.next() {
        None => Some(0),
        Some(' ') => Some(if letters.next() == Some('(') { 3 } else { 2 }),
        Some(next) if next.is_alphanumeric() && title.is_ascii() => None,
        Some(next) if next.is_alphanumeric() => Some(3),
        Some(_) => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn longer_names_are_other_people() {
        assert_eq!(fit("Sam", "Sam"), Some(0));
        assert_eq!(fit("Sam, 2 unread, see you", "Sam"), Some(1));
        assert_eq!(fit("Sam see you", "Sam"), Some(2));
        assert_eq!(fit("Sam (Senior Dev) see you", "Sam"), Some(3));
        assert_eq!(fit("Samantha", "Sam"), None);
        assert_eq!(fit("Nora", "Sam"), None);
        assert_eq!(fit("爸爸在吗", "爸爸"), Some(3));
    }
}
