//! A file that the recipient reads, or a new one where nobody else is to read it.

use std::collections::BTreeSet;

use super::super::page::{Control, Kind, Page, fold};
use super::super::write::{click, fill};
use super::brief::OracleBrief;
use super::errand::{ATTEMPTS, Errand, Move, ensure, open_app, press};

/// Appends the required items to the file shared with the recipient.
#[derive(Debug)]
pub(super) struct WriteFile {
    brief: OracleBrief,
    /// What the file is to hold, once it has been seen.
    wanted: Option<String>,
    saves: u32,
    /// Names of the links that were followed in search of the file.
    opened: BTreeSet<String>,
}

/// Where a new file goes.
const NEW_PATH: &str = "notes/for-you.md";

impl WriteFile {
    pub(super) const fn new(brief: OracleBrief) -> Self {
        Self { brief, wanted: None, saves: 0, opened: BTreeSet::new() }
    }

    /// Whether the file in the editor is one that the recipient reads: said in the nearest part of
    /// the page around the editor that says anything about sharing, as long as no link to another
    /// file is in it.
    fn is_shared(&self, page: &Page<'_>, editor: &Control<'_>) -> bool {
        let (before, after) = page.labels.around("code.shared_with", "names");
        for part in page.ancestors(editor.index) {
            if page.has_role(part, "RootWebArea") {
                return false;
            }
            let texts = page.texts_in(Some(part));
            let names: Vec<&str> = texts
                .iter()
                .filter_map(|text| text.trim().strip_prefix(before.trim())?.strip_suffix(after.trim()))
                .collect();
            match names.as_slice() {
                [] => {}
                [names] => return self.brief.is_named_in(names) && links(page, Some(part)).is_empty(),
                _ => return false,
            }
        }
        false
    }

    fn write(&mut self, page: &Page<'_>, editor: &Control<'_>, path: &str) -> Move {
        let wanted = self.wanted.get_or_insert_with(|| {
            let text = self.brief.text();
            let before = editor.value().trim_end();
            if before.is_empty() { format!("{text}\n") } else { format!("{before}\n{text}\n") }
        });
        if fold(editor.value()) != fold(wanted) {
            if self.saves >= ATTEMPTS {
                return Move::Impossible("the file does not keep what was saved".to_owned());
            }
            return Move::Act(fill(editor.bid, wanted));
        }
        if self.saves > 0 && page.observation.last_action_error.is_empty() {
            return Move::Done(String::new());
        }
        let name = page.labels.text("code.save", &[("path", path)]);
        match page.control(Kind::Button, &name) {
            Some(save) => {
                self.saves += 1;
                Move::Act(click(save.bid))
            }
            None => Move::Missing(format!("\u{201c}{name}\u{201d}")),
        }
    }

    fn create(&mut self, page: &Page<'_>) -> Move {
        if page.labelled(Kind::Button, "code.create").is_some() {
            if self.saves >= ATTEMPTS {
                return Move::Impossible("the form for a new file does not accept the file".to_owned());
            }
            if let Some(step) = ensure(page, "code.path", NEW_PATH) {
                return step;
            }
            if let Some(step) = ensure(page, "code.content", &self.brief.text()) {
                return step;
            }
            self.saves += 1;
            return press(page, Kind::Button, "code.create");
        }
        if self.saves > 0 {
            return Move::Done(String::new());
        }
        match page.labelled(Kind::Link, "code.new") {
            Some(new) => Move::Act(click(new.bid)),
            None => open_app(page, "nav.code"),
        }
    }
}

impl Errand for WriteFile {
    fn next(&mut self, page: &Page<'_>) -> Move {
        if self.brief.reader().is_none() {
            return self.create(page);
        }
        let editors = page.patterned(Kind::Field, "code.editor", "path");
        if let Some((editor, path)) = editors.first()
            && (self.wanted.is_some() || self.is_shared(page, editor))
        {
            return self.write(page, editor, path);
        }
        if editors.is_empty() && page.labelled(Kind::Link, "code.new").is_none() {
            return open_app(page, "nav.code");
        }
        let mut links = links(page, None);
        links.retain(|link| !self.opened.contains(&fold(link.name)));
        links.sort_by_key(|link| (!self.brief.is_named_in(link.name), !is_marked_shared(page, link)));
        match links.first() {
            Some(link) => {
                self.opened.insert(fold(link.name));
                Move::Act(click(link.bid))
            }
            None => Move::Impossible("no file is shared with the recipient".to_owned()),
        }
    }
}

/// Whether the list of files says beside a link that somebody else reads that file.
fn is_marked_shared(page: &Page<'_>, link: &Control<'_>) -> bool {
    let shared = page.labels.plain("code.shared");
    let is_row = |above: &usize| page.has_role(*above, "treeitem") || page.has_role(*above, "listitem");
    let row = page.ancestors(link.index).find(is_row);
    row.is_some_and(|row| page.texts_in(Some(row)).into_iter().any(|text| text.trim() == shared))
}

/// Links that may lead to a file.
fn links<'a>(page: &Page<'a>, below: Option<usize>) -> Vec<Control<'a>> {
    let files = page.named("code.files");
    let below = below.or(files);
    let new = fold(&page.labels.plain("code.new"));
    page.controls_in(Kind::Link, below)
        .filter(|link| {
            let name = fold(link.name);
            name != new && !page.is_app_link(link) && (files.is_some() || name.contains(['.', '/']))
        })
        .collect()
}
