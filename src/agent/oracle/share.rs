//! Something that is there, shown to the recipient: a route, an arrival, places, a list, a file, the
//! wish list.

use super::super::page::{Control, Kind, Page, fold};
use super::super::write::click;
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, ensure, open_app};
use super::manner::Sharing;
use crate::scenario::model::ShareKind;

/// Shares it, with no more than what is wanted.
#[derive(Debug)]
pub(super) struct ShareThing {
    sharing: Sharing,
    brief: OracleBrief,
    shares: u32,
}

impl ShareThing {
    pub(super) const fn new(sharing: Sharing, brief: OracleBrief) -> Self {
        Self { sharing, brief, shares: 0 }
    }

    /// On the page for sharing: who, what of it, and what is written beside it.
    fn fill_in(&mut self, page: &Page<'_>) -> Option<Move> {
        let name = format!("share.button.{}", self.sharing.kind.name());
        page.labelled(Kind::Field, "share.message")?;
        let share = page.labelled(Kind::Button, &name)?;
        if self.shares >= ATTEMPTS {
            return Some(Move::Impossible("the form for sharing is not accepted".to_owned()));
        }
        let reader = self.brief.reader().unwrap_or_default();
        match page.control(Kind::Checkbox, reader) {
            Some(contact) if !contact.is_checked() => return Some(Move::Act(click(contact.bid))),
            Some(_) => {}
            None => {
                if let Some(step) = ensure(page, "share.other_people", reader) {
                    return Some(step);
                }
            }
        }
        let is_wanted = |part: &str| self.sharing.parts.iter().any(|wanted| fold(wanted) == fold(part));
        let parts = page.patterned(Kind::Checkbox, "share.include", "what").into_iter();
        let parts = parts.map(|(switch, part)| (switch, is_wanted(part)));
        let notes =
            page.labelled(Kind::Checkbox, "share.with_notes").map(|switch| (switch, self.sharing.notes));
        if let Some((switch, _)) = parts.chain(notes).find(|(switch, wanted)| switch.is_checked() != *wanted)
        {
            return Some(Move::Act(click(switch.bid)));
        }
        if let Some(step) = ensure(page, "share.message", &self.sharing.rest.join("\n")) {
            return Some(step);
        }
        self.shares += 1;
        Some(Move::Act(click(share.bid)))
    }

    /// The button that opens the page for sharing.
    fn opener<'a>(&self, page: &Page<'a>) -> Option<Control<'a>> {
        let title = self.sharing.title.as_str();
        let (key, placeholder) = match self.sharing.kind {
            ShareKind::Route => ("maps.share_route", "route"),
            ShareKind::Eta => ("maps.share_eta", "route"),
            ShareKind::Place => ("maps.share_place", "place"),
            ShareKind::Places => ("maps.share_list", "list"),
            ShareKind::List => ("todo.share", "list"),
            ShareKind::Cart => ("shop.share_cart", ""),
            ShareKind::WishList => ("shop.share_wishes", ""),
            ShareKind::File => {
                page.control(Kind::Field, &page.labels.text("code.editor", &[("path", title)]))?;
                ("code.share", "")
            }
            // Nothing that is required is looked for in these.
            ShareKind::Folder
            | ShareKind::Event
            | ShareKind::Calendar
            | ShareKind::Order
            | ShareKind::Invitation => return None,
        };
        page.control(Kind::Button, &page.labels.text(key, &[(placeholder, title)]))
    }

    /// The way to the page that has the button.
    fn approach(&self, page: &Page<'_>) -> Move {
        let link = match self.sharing.kind {
            ShareKind::Route | ShareKind::Eta | ShareKind::Place | ShareKind::Places => {
                return open_app(page, "nav.maps");
            }
            ShareKind::Cart | ShareKind::WishList => page.labelled(Kind::Link, "shop.cart"),
            ShareKind::List | ShareKind::File => page.control(Kind::Link, &self.sharing.title),
            kind @ (ShareKind::Folder
            | ShareKind::Event
            | ShareKind::Calendar
            | ShareKind::Order
            | ShareKind::Invitation) => {
                return Move::Impossible(format!("a share of kind `{}` is not known to it", kind.name()));
            }
        };
        let app = match self.sharing.kind {
            ShareKind::List => "nav.todo",
            ShareKind::File => "nav.code",
            _ => "nav.shop",
        };
        match link {
            Some(link) => Move::Act(click(link.bid)),
            None => open_app(page, app),
        }
    }
}

impl Errand for ShareThing {
    fn next(&mut self, page: &Page<'_>) -> Move {
        if let Some(step) = self.fill_in(page) {
            return step;
        }
        if self.shares > 0 {
            // The form is gone: it was accepted.
            return Move::Done(String::new());
        }
        match self.opener(page) {
            Some(button) => Move::Act(click(button.bid)),
            None => self.approach(page),
        }
    }
}
