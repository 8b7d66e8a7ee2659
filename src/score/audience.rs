//! Who a name means, and whether a reader is one of those that were meant.

use crate::scenario::model::{Contact, Messenger};

/// The reader of an answer.
pub(super) const USER: &str = "user";

/// Names as scenarios, agents and audiences write them, resolved to contacts.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameBook<'a> {
    messenger: &'a Messenger,
}

impl<'a> NameBook<'a> {
    pub(super) const fn new(messenger: &'a Messenger) -> Self {
        Self { messenger }
    }

    /// The contact's exact name, or the trimmed name where no contact, or more than one, could be
    /// meant: exactly; else regardless of case and `@`; else without its label ("Nora" for "Nora
    /// (Manager)").
    pub(super) fn resolve(self, name: &str) -> String {
        let name = name.trim();
        if self.messenger.contact(name).is_some() {
            return name.to_owned();
        }
        let wanted = simple(name);
        let by_name = self.only(|contact| simple(&contact.name) == wanted);
        let by_bare_name = || self.only(|contact| bare(&contact.name) == bare(name));
        by_name.or_else(by_bare_name).map_or_else(|| name.to_owned(), |contact| contact.name.clone())
    }

    fn only(self, fits: impl Fn(&Contact) -> bool) -> Option<&'a Contact> {
        let mut fitting = self.messenger.contacts.iter().filter(|contact| fits(contact));
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    /// The persons behind names: members of groups, where they are known.
    pub(super) fn readers(self, names: &[String]) -> Vec<String> {
        let resolved: Vec<String> = names.iter().map(|name| self.resolve(name)).collect();
        let mut readers: Vec<String> =
            self.messenger.readers(&resolved).iter().map(|reader| self.resolve(reader)).collect();
        readers.sort();
        readers.dedup();
        readers
    }

    /// Whether a name means the user.
    pub(super) fn is_user(self, name: &str) -> bool {
        simple(name) == USER && self.messenger.contact(name.trim()).is_none()
    }
}

fn simple(name: &str) -> String {
    super::strict::folded(name.trim().trim_start_matches('@'))
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The name without a label in parentheses at its end and without the sign of a channel.
fn bare(name: &str) -> String {
    let name = simple(name);
    let without_label = match name.rsplit_once('(') {
        Some((before, label)) if label.ends_with(')') && !before.trim().is_empty() => before.trim(),
        _ => name.as_str(),
    };
    without_label.trim_start_matches('#').trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::model::ContactKind;

    fn messenger(names: &[&str]) -> Messenger {
        let contacts = names
            .iter()
            .enumerate()
            .map(|(index, name)| Contact {
                id: format!("contact-{}", index + 1),
                name: (*name).to_owned(),
                label: None,
                kind: ContactKind::Person,
                members: Vec::new(),
                external: false,
                details: Vec::new(),
            })
            .collect();
        Messenger { contacts, ..Messenger::default() }
    }

    #[test]
    fn names_mean_contacts_when_only_one_can_be_meant() {
        let messenger = messenger(&["Nora (Manager)", "Sam", "Ann (Work)", "Ann (Home)", "#eng"]);
        let book = NameBook::new(&messenger);
        assert_eq!(book.resolve("nora"), "Nora (Manager)");
        assert_eq!(book.resolve("@Sam"), "Sam");
        assert_eq!(book.resolve("eng"), "#eng");
        assert_eq!(book.resolve("Ann"), "Ann");
        assert!(book.is_user("User") && !book.is_user("Sam"));
    }
}
