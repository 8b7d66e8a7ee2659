//! Tasks in a list that the recipient reads.

use std::collections::BTreeSet;

use super::super::page::{Kind, Page, fold};
use super::super::write::{click, fill};
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, open_app};

/// Adds one task per required item.
#[derive(Debug)]
pub(super) struct AddTasks {
    brief: OracleBrief,
    /// The item in hand.
    item: usize,
    /// How often the item stood on the page when it was added; `None` before.
    added: Option<usize>,
    attempts: u32,
    /// Names of the links of lists that were opened.
    opened: BTreeSet<String>,
}

impl AddTasks {
    pub(super) const fn new(brief: OracleBrief) -> Self {
        Self { brief, item: 0, added: None, attempts: 0, opened: BTreeSet::new() }
    }

    /// The name of the list on this page that the recipient reads; the first one where nobody else
    /// is to read it.
    fn list<'a>(&self, page: &Page<'a>) -> Option<&'a str> {
        let fields = page.patterned(Kind::Field, "todo.new_task", "list");
        if self.brief.reader().is_none() {
            return fields.first().map(|(_, list)| *list);
        }
        let indices: Vec<usize> = fields.iter().map(|(field, _)| field.index).collect();
        let (before, after) = page.labels.around("todo.shared_with", "names");
        let read_by = |text: &str| {
            let names =
                text.trim().strip_prefix(before.trim()).and_then(|rest| rest.strip_suffix(after.trim()));
            names.is_some_and(|names| self.brief.is_named_in(names))
        };
        let shared = |index: usize| {
            // The list's own part of the page: as far up as no other list is in it.
            let own = page.ancestors(index).take_while(|&above| {
                let inside =
                    page.controls_in(Kind::Field, Some(above)).filter(|field| indices.contains(&field.index));
                inside.count() == 1 && !page.has_role(above, "main")
            });
            own.last().is_some_and(|part| page.texts_in(Some(part)).into_iter().any(read_by))
        };
        fields.iter().find(|(field, _)| shared(field.index)).map(|(_, list)| *list)
    }

    fn add(&mut self, page: &Page<'_>, list: &str) -> Move {
        let Some(item) = self.brief.required.get(self.item) else {
            return Move::Done(String::new());
        };
        let values = [("list", list)];
        let count = page.count(item);
        if let Some(before) = self.added.take() {
            if count > before {
                self.item += 1;
                self.attempts = 0;
                return self.add(page, list);
            }
            self.attempts += 1;
            if self.attempts >= ATTEMPTS {
                return Move::Impossible(format!("the task \u{201c}{item}\u{201d} is not in the list"));
            }
        }
        let name = page.labels.text("todo.new_task", &values);
        let Some(field) = page.control(Kind::Field, &name) else {
            return Move::Missing(format!("\u{201c}{name}\u{201d}"));
        };
        if fold(field.value()) != fold(item) {
            return Move::Act(fill(field.bid, item));
        }
        let name = page.labels.text("todo.add", &values);
        let Some(button) = page.control(Kind::Button, &name) else {
            return Move::Missing(format!("\u{201c}{name}\u{201d}"));
        };
        self.added = Some(count);
        Move::Act(click(button.bid))
    }
}

impl Errand for AddTasks {
    fn next(&mut self, page: &Page<'_>) -> Move {
        if let Some(list) = self.list(page) {
            return self.add(page, list);
        }
        let on_todo = !page.patterned(Kind::Field, "todo.new_task", "list").is_empty();
        let lists = page.named("todo.lists");
        if !on_todo && lists.is_none() {
            return open_app(page, "nav.todo");
        }
        // A list that this page does not show: those that name the reader first.
        let unopened = |name: &str| !self.opened.contains(&fold(name));
        let mut links: Vec<_> = page
            .controls_in(Kind::Link, lists)
            .filter(|link| lists.is_some() && unopened(link.name))
            .collect();
        links.sort_by_key(|link| !self.brief.is_named_in(link.name));
        match links.first() {
            Some(link) => {
                self.opened.insert(fold(link.name));
                Move::Act(click(link.bid))
            }
            None if on_todo && self.attempts == 0 && self.added.is_none() => {
                Move::Impossible("no list is shared with the recipient".to_owned())
            }
            None => Move::Missing("the shared list".to_owned()),
        }
    }
}
