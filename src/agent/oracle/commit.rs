//! A change to a file, committed and pushed to the recipient.

use super::super::page::{Kind, Page, fold};
use super::super::write::{click, fill};
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, ensure, open_app};

/// Appends the required items to a file, saves it, and pushes a commit of it.
#[derive(Debug)]
pub(super) struct CommitFile {
    path: String,
    brief: OracleBrief,
    /// What the file is to hold, once it has been seen.
    wanted: Option<String>,
    saves: u32,
    pushes: u32,
}

impl CommitFile {
    pub(super) const fn new(path: String, brief: OracleBrief) -> Self {
        Self { path, brief, wanted: None, saves: 0, pushes: 0 }
    }

    /// In the editor: write, save, and on to the commit.
    fn write(&mut self, page: &Page<'_>) -> Option<Move> {
        let values = [("path", self.path.as_str())];
        let editor = page.control(Kind::Field, &page.labels.text("code.editor", &values))?;
        let text = self.brief.text();
        let wanted = self.wanted.get_or_insert_with(|| format!("{}\n{text}\n", editor.value().trim_end()));
        if fold(editor.value()) != fold(wanted) {
            return Some(if self.saves >= ATTEMPTS {
                Move::Impossible("the file does not keep what was saved".to_owned())
            } else {
                Move::Act(fill(editor.bid, wanted))
            });
        }
        if self.saves > 0 && page.observation.last_action_error.is_empty() {
            let open = page.patterned(Kind::Button, "code.commit_open", "count");
            return open.first().map(|(button, _)| Move::Act(click(button.bid)));
        }
        let name = page.labels.text("code.save", &values);
        let save = page.control(Kind::Button, &name)?;
        self.saves += 1;
        Some(Move::Act(click(save.bid)))
    }

    /// On the page for a commit: this file alone, a message, the recipient.
    fn push(&mut self, page: &Page<'_>) -> Option<Move> {
        let push = page.labelled(Kind::Button, "code.commit_push")?;
        if self.pushes >= ATTEMPTS {
            return Some(Move::Impossible("the commit is not accepted".to_owned()));
        }
        let files = page.patterned(Kind::Checkbox, "code.include", "path");
        let wrong = files.iter().find(|(file, path)| file.is_checked() != (*path == self.path));
        if let Some((file, _)) = wrong {
            return Some(Move::Act(click(file.bid)));
        }
        if let Some(step) = ensure(page, "code.commit_message", &self.path) {
            return Some(step);
        }
        let reader = self.brief.reader().unwrap_or_default();
        match page.control(Kind::Checkbox, reader) {
            Some(contact) if contact.is_checked() => {}
            Some(contact) => return Some(Move::Act(click(contact.bid))),
            None => {
                if let Some(step) = ensure(page, "share.other_people", reader) {
                    return Some(step);
                }
            }
        }
        self.pushes += 1;
        Some(Move::Act(click(push.bid)))
    }
}

impl Errand for CommitFile {
    fn next(&mut self, page: &Page<'_>) -> Move {
        if let Some(step) = self.push(page) {
            return step;
        }
        if self.pushes > 0 {
            // The form is gone: the commit was made.
            return Move::Done(String::new());
        }
        if let Some(step) = self.write(page) {
            return step;
        }
        match page.control(Kind::Link, &self.path) {
            Some(file) => Move::Act(click(file.bid)),
            None => open_app(page, "nav.code"),
        }
    }
}
