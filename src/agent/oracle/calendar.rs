//! An event, with the recipient among its invitees.

use super::super::page::{Kind, Page, fold};
use super::super::write::{click, fill};
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, all_shown, ensure, open_app, press};

/// Creates an event: the first item is its title, all of them are its description.
#[derive(Debug)]
pub(super) struct MakeEvent {
    brief: OracleBrief,
    /// The workspace's day, as the pages name it.
    today: Option<String>,
    saves: u32,
    looked_again: bool,
}

impl MakeEvent {
    pub(super) const fn new(brief: OracleBrief) -> Self {
        Self { brief, today: None, saves: 0, looked_again: false }
    }

    fn form(&mut self, page: &Page<'_>) -> Option<Move> {
        let title = page.labelled(Kind::Field, "calendar.title")?;
        let save = page.labelled(Kind::Button, "calendar.save")?;
        if self.saves >= ATTEMPTS {
            return Some(Move::Impossible("the event form does not accept the event".to_owned()));
        }
        let wanted = self.brief.required.first().map_or("", String::as_str);
        if fold(title.value()) != fold(wanted) {
            return Some(Move::Act(fill(title.bid, wanted)));
        }
        if let Some(date) = page.labelled(Kind::Field, "calendar.start_date")
            && date.value().trim().is_empty()
        {
            let today = self.today.clone().unwrap_or_else(|| page.labels.plain("calendar.today"));
            return Some(Move::Act(fill(date.bid, &today)));
        }
        if let Some(step) = ensure(page, "calendar.description", &self.brief.text()) {
            return Some(step);
        }
        if let Some(step) = self.invite(page) {
            return Some(step);
        }
        self.saves += 1;
        self.looked_again = false;
        Some(Move::Act(click(save.bid)))
    }

    fn invite(&self, page: &Page<'_>) -> Option<Move> {
        let reader = self.brief.reader()?;
        match page.control(Kind::Checkbox, reader) {
            Some(contact) if contact.is_checked() => None,
            Some(contact) => Some(Move::Act(click(contact.bid))),
            None => ensure(page, "calendar.other_invitees", reader),
        }
    }
}

impl Errand for MakeEvent {
    fn next(&mut self, page: &Page<'_>) -> Move {
        if let Some(today) = page.date() {
            self.today = Some(today);
        }
        if let Some(step) = self.form(page) {
            return step;
        }
        if self.saves > 0 {
            if all_shown(page, &self.brief.required) {
                return Move::Done(String::new());
            }
            if !self.looked_again {
                self.looked_again = true;
                // The page after saving need not show the description; the agenda does.
                return open_app(page, "nav.calendar");
            }
            if self.saves >= ATTEMPTS {
                return Move::Impossible("the event is not in the calendar".to_owned());
            }
        }
        if page.labelled(Kind::Link, "calendar.new").is_some() {
            return press(page, Kind::Link, "calendar.new");
        }
        open_app(page, "nav.calendar")
    }
}
