//! A saved place with a note, for the user alone.

use super::super::page::{Kind, Page};
use super::super::write::click;
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, all_shown, ensure, open_app};

/// Saves a place: the first item is its name, all of them are its note.
#[derive(Debug)]
pub(super) struct SavePlace {
    brief: OracleBrief,
    saves: u32,
}

impl SavePlace {
    pub(super) const fn new(brief: OracleBrief) -> Self {
        Self { brief, saves: 0 }
    }
}

impl Errand for SavePlace {
    fn next(&mut self, page: &Page<'_>) -> Move {
        if self.brief.reader().is_some() {
            return Move::Impossible("saved places are read by nobody but the user".to_owned());
        }
        let save = page.labelled(Kind::Button, "maps.save");
        if self.saves > 0 && all_shown(page, &self.brief.required) {
            return Move::Done(String::new());
        }
        if let Some(save) = save {
            if self.saves >= ATTEMPTS {
                return Move::Impossible("the place is not among the saved ones".to_owned());
            }
            let name = self.brief.required.first().map_or("", String::as_str);
            if let Some(step) = ensure(page, "maps.place_name", name) {
                return step;
            }
            if let Some(step) = ensure(page, "maps.note", &self.brief.text()) {
                return step;
            }
            self.saves += 1;
            return Move::Act(click(save.bid));
        }
        match page.labelled(Kind::Link, "maps.new") {
            Some(new) => Move::Act(click(new.bid)),
            None => open_app(page, "nav.maps"),
        }
    }
}
