//! What can go wrong in a workspace, by whose fault it is.

use std::path::PathBuf;

use crate::error::{Explain, Fault};

/// A command that cannot be carried out: the mistake of whoever used the page, shown there. The
/// state is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No entity has this id.
    #[error("find the {what} `{id}`: there is none")]
    Unknown {
        /// `thread`, `message`, `event`, `place`, `product`, `list`, `task` or `file`.
        what: &'static str,
        /// The id that was given.
        id: String,
    },
    /// A text that has to say something is empty or white space.
    #[error("accept the {field}: it is blank")]
    Blank {
        /// The field, in words.
        field: &'static str,
    },
    /// A text is longer than its field takes.
    #[error("accept the {field}: it has {length} characters, {limit} are allowed")]
    TooLong {
        /// The field, in words.
        field: &'static str,
        /// Characters given.
        length: usize,
        /// Characters allowed.
        limit: usize,
    },
    /// A list has more entries than it takes.
    #[error("accept the {field}: {limit} entries are allowed")]
    TooMany {
        /// The field, in words.
        field: &'static str,
        /// Entries allowed.
        limit: usize,
    },
    /// A text holds a NUL character.
    #[error("accept the {field}: it holds a character that cannot be stored")]
    Unprintable {
        /// The field, in words.
        field: &'static str,
    },
    /// The message was written by somebody else.
    #[error("change a message that somebody else wrote")]
    NotOwn,
    /// There is nothing left to bring back.
    #[error("undo: there is nothing to bring back")]
    NothingToUndo,
    /// Only who made an event changes it.
    #[error("change an event that `{organiser}` made")]
    NotOrganiser {
        /// Who made it.
        organiser: String,
    },
    /// The event is the user's own, or nobody asks for an answer.
    #[error("answer an event that is no invitation")]
    NotInvited,
    /// None of the series starts on that day.
    #[error("leave a day out: none of the series starts on it")]
    NotInSeries,
    /// A last day was given for an event that does not repeat.
    #[error("accept the last day: the event does not repeat")]
    UntilWithoutRepeat,
    /// A reminder lies more than four weeks before the event.
    #[error("accept the reminder: it is more than four weeks before")]
    ReminderTooEarly,
    /// There is no draft to remove.
    #[error("remove a draft: there is none")]
    NoDraft,
    /// Nobody was named.
    #[error("send to nobody: a recipient is missing")]
    NoRecipient,
    /// The name is no contact's.
    #[error("find a contact called `{name}`")]
    UnknownRecipient {
        /// The name as typed.
        name: String,
        /// The contact whose name is most like it, if one is.
        closest: Option<String>,
    },
    /// The name fits several contacts.
    #[error("tell which contact `{name}` is")]
    AmbiguousRecipient {
        /// The name as typed.
        name: String,
        /// The contacts it fits.
        candidates: Vec<String>,
    },
    /// The event ends before it starts.
    #[error("accept the end: it is before the start")]
    EndBeforeStart,
    /// The event has an end time but no start time.
    #[error("accept the end time: there is no start time")]
    EndWithoutStart,
    /// The event lies outside the calendar, or lasts longer than a year.
    #[error("accept the date: the calendar holds 1900 to 2199, and events of at most 366 days")]
    DateOutOfRange,
    /// There is nothing in the cart.
    #[error("order an empty cart")]
    EmptyCart,
    /// Neither shop nor scenario has this product.
    #[error("find the product `{title}`")]
    UnknownProduct {
        /// The title that was given.
        title: String,
    },
    /// A gift message was given, but nobody to give it to.
    #[error("send a gift message to nobody")]
    GiftWithoutRecipient,
    /// There is a file of this path already.
    #[error("create the file `{path}`: there is one already")]
    DuplicatePath {
        /// The path.
        path: String,
    },
}

impl CommandError {
    /// The error as a page tells it to whoever typed: a sentence or two, what is wrong and what to
    /// do.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Unknown { what, .. } => {
                format!("This {what} no longer exists. Go back and choose another.")
            }
            Self::Blank { field } => format!("Fill in the {field}."),
            Self::TooLong { field, length, limit } => {
                format!("Shorten the {field}: it has {length} characters, {limit} are allowed.")
            }
            Self::TooMany { field, limit } => format!("Shorten the {field}: at most {limit} are allowed."),
            Self::Unprintable { field } => {
                format!("Type the {field} again: it holds a character that cannot be stored.")
            }
            Self::NotOwn => "You can only change messages that you wrote.".to_owned(),
            Self::NothingToUndo => "There is nothing left to undo.".to_owned(),
            Self::NotOrganiser { organiser } => {
                format!("Only {organiser} can change this event. You can answer the invitation.")
            }
            Self::NotInvited => "This event is your own; there is nothing to answer.".to_owned(),
            Self::NotInSeries => "The series has no event on that day. Choose another day.".to_owned(),
            Self::UntilWithoutRepeat => {
                "Choose how often the event repeats, or leave its last day empty.".to_owned()
            }
            Self::ReminderTooEarly => "Choose reminders of at most four weeks before.".to_owned(),
            Self::NoDraft => "There is no draft to remove. Type a text to save one.".to_owned(),
            Self::NoRecipient => "Choose at least one recipient.".to_owned(),
            Self::UnknownRecipient { name, closest: Some(closest) } => {
                format!("No contact is called \"{name}\". Did you mean \"{closest}\"?")
            }
            Self::UnknownRecipient { name, closest: None } => {
                format!("No contact is called \"{name}\". Choose one from the list.")
            }
            Self::AmbiguousRecipient { name, candidates } => {
                format!("\"{name}\" could be {}. Write the full name.", quoted_choice(candidates))
            }
            Self::EndBeforeStart => "The end is before the start. Change one of them.".to_owned(),
            Self::EndWithoutStart => "Give a start time as well, or leave the end time empty.".to_owned(),
            Self::DateOutOfRange => {
                "Choose a date between 1900 and 2199, and an end within a year of the start.".to_owned()
            }
            Self::EmptyCart => "The cart is empty. Add a product first.".to_owned(),
            Self::UnknownProduct { title } => format!("The shop has no product called \"{title}\"."),
            Self::GiftWithoutRecipient => {
                "Say who gets the gift, or leave the gift message empty.".to_owned()
            }
            Self::DuplicatePath { path } => {
                format!("There is a file \"{path}\" already. Choose another path, or edit that file.")
            }
        }
    }
}

fn quoted_choice(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

impl Explain for CommandError {
    fn fault(&self) -> Fault {
        Fault::Agent
    }

    fn hint(&self) -> Option<String> {
        Some(self.message())
    }
}

/// The store failed: not the doing of whoever uses the workspace.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// The file is there already; a workspace never writes over another.
    #[error("create the workspace file {}: it exists", .0.display())]
    Exists(PathBuf),
    /// The file could not be created or read.
    #[error("{doing} the workspace file {}", .path.display())]
    File {
        /// What was tried, as a verb.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// SQLite could not do it.
    #[error("{doing} in the workspace file {}", .path.display())]
    Database {
        /// What was tried, as a verb phrase.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: rusqlite::Error,
    },
    /// The file holds something that is no workspace of this version.
    #[error("read the workspace file {}: {what}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A value could not be written as JSON.
    #[error("write the state as JSON")]
    Json(#[source] serde_json::Error),
    /// An earlier write failed, so what would follow would not be recorded.
    #[error("write to the workspace: an earlier write failed ({0})")]
    Stopped(String),
    /// The workspace was closed.
    #[error("use the workspace: it is closed")]
    Closed,
}

impl Explain for WorkspaceError {
    fn fault(&self) -> Fault {
        match self {
            Self::File { .. } => Fault::Environment,
            Self::Database { source, .. } if is_about_the_machine(source) => Fault::Environment,
            Self::Exists(_) | Self::Database { .. } | Self::Json(_) | Self::Stopped(_) | Self::Closed => {
                Fault::Workspace
            }
            Self::Damaged { .. } => Fault::Trace,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Exists(_) => Some("choose another output folder, or remove the old one".to_owned()),
            Self::File { .. } => Some("check that the folder exists and can be written".to_owned()),
            Self::Database { source, .. } if is_about_the_machine(source) => {
                Some("check the free space and the permissions of the output folder".to_owned())
            }
            Self::Damaged { .. } => Some("the file was changed, or another version wrote it".to_owned()),
            Self::Database { .. } | Self::Json(_) | Self::Stopped(_) | Self::Closed => None,
        }
    }
}

fn is_about_the_machine(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            rusqlite::ErrorCode::DiskFull
                | rusqlite::ErrorCode::CannotOpen
                | rusqlite::ErrorCode::ReadOnly
                | rusqlite::ErrorCode::SystemIoFailure
                | rusqlite::ErrorCode::PermissionDenied
        )
    )
}

/// Why a command left no trace.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The command was no good; the page says so and nothing else happens.
    #[error(transparent)]
    Rejected(#[from] CommandError),
    /// The store failed; the episode cannot go on.
    #[error(transparent)]
    Failed(#[from] WorkspaceError),
}

impl Explain for ApplyError {
    fn fault(&self) -> Fault {
        match self {
            Self::Rejected(error) => error.fault(),
            Self::Failed(error) => error.fault(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Rejected(error) => error.hint(),
            Self::Failed(error) => error.hint(),
        }
    }
}
