//! Checks on what was typed. Every text has a limit in characters, line ends become `\n`, and a
//! NUL character is refused; nothing else is changed, because what was typed is what is read.

use super::super::CommandError;
use crate::scenario::model::Messenger;

/// Characters in a message, a description, a file's content or a note.
pub(crate) const TEXT_LIMIT: usize = 200_000;
/// Characters in a title, a name, an address or a path.
pub(crate) const LINE_LIMIT: usize = 2_000;
/// Names in a list of recipients or invitees.
pub(crate) const NAMES_LIMIT: usize = 500;

/// Nothing has this id.
pub(super) fn unknown(what: &'static str, id: &str) -> CommandError {
    CommandError::Unknown { what, id: id.to_owned() }
}

/// A text of several lines that may be empty.
pub(super) fn text(field: &'static str, typed: &str) -> Result<String, CommandError> {
    bounded(field, typed, TEXT_LIMIT)
}

/// A text of several lines that says something.
pub(super) fn filled_text(field: &'static str, typed: &str) -> Result<String, CommandError> {
    filled(field, text(field, typed)?)
}

/// A title, name or path that may be empty; white space around it is no part of it.
pub(super) fn line(field: &'static str, typed: &str) -> Result<String, CommandError> {
    Ok(bounded(field, typed, LINE_LIMIT)?.trim().to_owned())
}

/// A title, name or path that says something.
pub(super) fn filled_line(field: &'static str, typed: &str) -> Result<String, CommandError> {
    filled(field, line(field, typed)?)
}

/// Names in order, without doubles and blanks, each a contact's where exactly one is meant.
pub(super) fn names(
    field: &'static str,
    messenger: &Messenger,
    typed: &[String],
) -> Result<Vec<String>, CommandError> {
    let mut names: Vec<String> = Vec::new();
    for name in typed {
        let name = line(field, name)?;
        let name = match contact_meant(messenger, &name) {
            Meant::One(contact) => contact.to_owned(),
            Meant::Several(_) | Meant::None => name,
        };
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.len() > NAMES_LIMIT {
        return Err(CommandError::TooMany { field, limit: NAMES_LIMIT });
    }
    Ok(names)
}

/// Which contact a typed name means.
pub(super) enum Meant<'a> {
    /// This one.
    One(&'a str),
    /// One of these; the name does not tell.
    Several(Vec<&'a str>),
    /// None.
    None,
}

/// A name means the contact of exactly that name; else the contact of that name in other case;
/// else the contact of that name without its label, so that `nora` finds `Nora (Manager)`.
pub(super) fn contact_meant<'a>(messenger: &'a Messenger, typed: &str) -> Meant<'a> {
    let typed = typed.trim();
    if let Some(contact) = messenger.contact(typed) {
        return Meant::One(&contact.name);
    }
    let folded = typed.to_lowercase();
    if folded.is_empty() {
        return Meant::None;
    }
    let readings: [fn(&str) -> &str; 2] = [|name| name, without_label];
    for reading in readings {
        let found: Vec<&str> = messenger
            .contacts
            .iter()
            .filter(|contact| reading(contact.name.trim()).to_lowercase() == folded)
            .map(|contact| contact.name.as_str())
            .collect();
        match found.as_slice() {
            [] => {}
            [one] => return Meant::One(one),
            _ => return Meant::Several(found),
        }
    }
    Meant::None
}

fn without_label(name: &str) -> &str {
    match name.rfind('(') {
        Some(start) if start > 0 && name.ends_with(')') => name[..start].trim_end(),
        _ => name,
    }
}

fn filled(field: &'static str, text: String) -> Result<String, CommandError> {
    if text.trim().is_empty() { Err(CommandError::Blank { field }) } else { Ok(text) }
}

fn bounded(field: &'static str, typed: &str, limit: usize) -> Result<String, CommandError> {
    // A form sends its line ends as CR LF; the state has LF only, so that the same text is the
    // same state however it was sent.
    let text = typed.replace("\r\n", "\n").replace('\r', "\n");
    let length = text.chars().count();
    if length > limit {
        return Err(CommandError::TooLong { field, length, limit });
    }
    if text.contains('\0') {
        return Err(CommandError::Unprintable { field });
    }
    Ok(text)
}
