//! A message of somebody else, passed on to the recipient.

use std::collections::BTreeSet;

use super::super::page::{Control, Kind, Page, fold};
use super::super::write::click;
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, all_shown, open_app};
use super::manner::fits;

/// Looks for the message that holds every required item and no forbidden one, and forwards it.
#[derive(Debug)]
pub(super) struct ForwardMessage {
    brief: OracleBrief,
    sends: u32,
    /// Names of the links of conversations that were opened.
    opened: BTreeSet<String>,
}

impl ForwardMessage {
    pub(super) const fn new(brief: OracleBrief) -> Self {
        Self { brief, sends: 0, opened: BTreeSet::new() }
    }

    /// On the page that passes a message on: tick the contact and send.
    fn send(&mut self, page: &Page<'_>) -> Option<Move> {
        let send = page.labelled(Kind::Button, "messages.send_new")?;
        let reader = self.brief.reader().unwrap_or_default();
        if self.sends >= ATTEMPTS {
            return Some(Move::Impossible("the message is not passed on".to_owned()));
        }
        match page.control(Kind::Checkbox, reader) {
            None => Some(Move::Impossible(format!("there is no contact called \u{201c}{reader}\u{201d}"))),
            Some(contact) if contact.is_checked() => {
                self.sends += 1;
                Some(Move::Act(click(send.bid)))
            }
            Some(contact) => Some(Move::Act(click(contact.bid))),
        }
    }

    /// The control of the wanted message: its link for forwarding, or what unfolds its menu.
    fn message<'a>(&self, page: &Page<'a>) -> Option<Control<'a>> {
        let links = page.patterned(Kind::Link, "messages.forward_named", "number");
        let menus = page.patterned(Kind::Disclosure, "messages.actions", "number");
        let mut controls = links.into_iter().chain(menus).map(|(control, _)| control);
        controls.find(|control| {
            let article = page.ancestors(control.index).find(|&above| page.has_role(above, "article"));
            // By the rule that found this manner: what it takes for the message is found on the page.
            article.is_some() && fits(&page.texts_in(article).join("\n"), &self.brief)
        })
    }
}

impl Errand for ForwardMessage {
    fn next(&mut self, page: &Page<'_>) -> Move {
        if let Some(step) = self.send(page) {
            return step;
        }
        if self.sends > 0 {
            return if all_shown(page, &self.brief.required) {
                Move::Done(String::new())
            } else {
                Move::Missing("the message just passed on".to_owned())
            };
        }
        if let Some(control) = self.message(page) {
            return Move::Act(click(control.bid));
        }
        let Some(list) = page.named("messages.conversations") else {
            return open_app(page, "nav.messages");
        };
        let mut links = page.controls_in(Kind::Link, Some(list));
        match links.find(|link| !page.is_app_link(link) && !self.opened.contains(&fold(link.name))) {
            Some(link) => {
                self.opened.insert(fold(link.name));
                Move::Act(click(link.bid))
            }
            None => Move::Missing("the message to pass on".to_owned()),
        }
    }
}
