//! What can go wrong in a workspace, by whose fault it is.

use std::path::PathBuf;

use super::strings;
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
    /// Only whose calendar it is renames, shares or deletes it.
    #[error("change a calendar of `{owner}`")]
    NotOwner {
        /// Whose it is.
        owner: String,
    },
    /// A calendar that holds events is not deleted.
    #[error("delete a calendar that holds events")]
    CalendarInUse,
    /// A folder that holds something is not deleted.
    #[error("delete the folder `{path}`: it holds something")]
    FolderInUse {
        /// The path.
        path: String,
    },
    /// The event is the user's own, or nobody asks for an answer.
    #[error("answer an event that is no invitation")]
    NotInvited,
    /// Nobody is there to be sent an invitation.
    #[error("send an invitation to nobody: no invitee is named")]
    NobodyInvited,
    /// What nobody is told of is sent to nobody.
    #[error("send an invitation to a private event")]
    PrivateInvitation,
    /// None of the series starts on that day.
    #[error("leave a day out: none of the series starts on it")]
    NotInSeries,
    /// A last day was given for an event that does not repeat.
    #[error("accept the last day: the event does not repeat")]
    UntilWithoutRepeat,
    /// A series has a number of times, an interval or weekdays that it cannot have.
    #[error(
        "accept the series: it repeats every 1 to 99, 1 to 999 times, or until a day; weekdays are for weeks"
    )]
    BadSeries,
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
    /// No line of the cart is selected.
    #[error("order nothing: no line of the cart is selected")]
    NothingSelected,
    /// There is no such coupon.
    #[error("find the coupon `{code}`")]
    UnknownCoupon {
        /// The code that was given.
        code: String,
    },
    /// There is nothing left of a product.
    #[error("sell `{title}`: it is sold out")]
    SoldOut {
        /// The product.
        title: String,
    },
    /// There is not enough left of a product.
    #[error("sell more of `{title}`: only {left} are left")]
    FewLeft {
        /// The product.
        title: String,
        /// How many there are.
        left: u32,
    },
    /// A stop of a route takes longer than a day.
    #[error("plan the stop: it takes at most {limit} minutes")]
    LongStop {
        /// Minutes allowed.
        limit: u32,
    },
    /// Neither shop nor scenario has this product.
    #[error("find the product `{title}`")]
    UnknownProduct {
        /// The title that was given.
        title: String,
    },
    /// A gift message was given, but nobody to give it to.
    #[error("send a gift message to nobody")]
    GiftWithoutRecipient,
    /// A file has no changes to commit.
    #[error("commit `{path}`: it has no changes")]
    NothingToCommit {
        /// The path.
        path: String,
    },
    /// No file was chosen for a commit.
    #[error("commit nothing: no file is chosen")]
    EmptyCommit,
    /// A share shows nothing.
    #[error("share nothing: it shows no line")]
    EmptyShare,
    /// The quantity is none.
    #[error("accept the quantity: it is zero")]
    NoQuantity,
    /// A review has no stars or too many.
    #[error("accept the stars: one to five are allowed")]
    Stars,
    /// The order was cancelled before.
    #[error("cancel the order: it is cancelled already")]
    AlreadyCancelled,
    /// There is a file of this path already.
    #[error("create the file `{path}`: there is one already")]
    DuplicatePath {
        /// The path.
        path: String,
    },
}

impl CommandError {
    /// The error in English as a page tells it to whoever typed: a sentence or two, what is wrong
    /// and what to do.
    #[must_use]
    pub fn message(&self) -> String {
        self.message_in(strings::LANGUAGES[0])
    }

    /// The same in a language of the workspace.
    #[must_use]
    pub fn message_in(&self, language: &str) -> String {
        let text =
            |key: &str, values: &[(&str, &str)]| strings::text(language, &format!("error.{key}"), values);
        let field_name = |field: &str| text(&format!("field.{}", field.replace(' ', "_")), &[]);
        match self {
            Self::Unknown { what, .. } => text("unknown", &[("what", &text(&format!("what.{what}"), &[]))]),
            Self::Blank { field } => text("blank", &[("field", &field_name(field))]),
            Self::TooLong { field, length, limit } => text(
                "too_long",
                &[
                    ("field", &field_name(field)),
                    ("length", &length.to_string()),
                    ("limit", &limit.to_string()),
                ],
            ),
            Self::TooMany { field, limit } => {
                text("too_many", &[("field", &field_name(field)), ("limit", &limit.to_string())])
            }
            Self::Unprintable { field } => text("unprintable", &[("field", &field_name(field))]),
            Self::NotOwn => text("not_own", &[]),
            Self::NothingToUndo => text("nothing_to_undo", &[]),
            Self::NotOrganiser { organiser } => text("not_organiser", &[("organiser", organiser)]),
            Self::NotOwner { owner } => text("not_owner", &[("owner", owner)]),
            Self::CalendarInUse => text("calendar_in_use", &[]),
            Self::FolderInUse { path } => text("folder_in_use", &[("path", path)]),
            Self::NotInvited => text("not_invited", &[]),
            Self::NobodyInvited => text("nobody_invited", &[]),
            Self::PrivateInvitation => text("private_invitation", &[]),
            Self::NotInSeries => text("not_in_series", &[]),
            Self::UntilWithoutRepeat => text("until_without_repeat", &[]),
            Self::BadSeries => text("bad_series", &[]),
            Self::ReminderTooEarly => text("reminder_too_early", &[]),
            Self::NoDraft => text("no_draft", &[]),
            Self::NoRecipient => text("no_recipient", &[]),
            Self::UnknownRecipient { name, closest: Some(closest) } => {
                text("unknown_recipient_close", &[("name", name), ("closest", closest)])
            }
            Self::UnknownRecipient { name, closest: None } => text("unknown_recipient", &[("name", name)]),
            Self::AmbiguousRecipient { name, candidates } => text(
                "ambiguous_recipient",
                &[("name", name), ("choice", &quoted_choice(language, candidates))],
            ),
            Self::EndBeforeStart => text("end_before_start", &[]),
            Self::EndWithoutStart => text("end_without_start", &[]),
            Self::DateOutOfRange => text("date_out_of_range", &[]),
            Self::EmptyCart => text("empty_cart", &[]),
            Self::NothingSelected => text("nothing_selected", &[]),
            Self::UnknownCoupon { code } => text("unknown_coupon", &[("code", code)]),
            Self::SoldOut { title } => text("sold_out", &[("title", title)]),
            Self::FewLeft { title, left } => {
                text("few_left", &[("title", title), ("left", &left.to_string())])
            }
            Self::LongStop { limit } => text("long_stop", &[("limit", &limit.to_string())]),
            Self::UnknownProduct { title } => text("unknown_product", &[("title", title)]),
            Self::GiftWithoutRecipient => text("gift_without_recipient", &[]),
            Self::NothingToCommit { path } => text("nothing_to_commit", &[("path", path)]),
            Self::EmptyCommit => text("empty_commit", &[]),
            Self::EmptyShare => text("empty_share", &[]),
            Self::NoQuantity => text("no_quantity", &[]),
            Self::Stars => text("stars", &[]),
            Self::AlreadyCancelled => text("already_cancelled", &[]),
            Self::DuplicatePath { path } => text("duplicate_path", &[("path", path)]),
        }
    }
}

/// Names in quotes, the last one after an "or".
fn quoted_choice(language: &str, names: &[String]) -> String {
    let quoted: Vec<String> =
        names.iter().map(|name| strings::text(language, "error.quoted", &[("name", name)])).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            let first = rest.join(&strings::text(language, "list.separator", &[]));
            strings::text(language, "error.or", &[("first", &first), ("last", last)])
        }
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

impl WorkspaceError {
    /// The error and what caused it, on one line.
    pub(crate) fn with_cause(&self) -> String {
        match std::error::Error::source(self) {
            Some(cause) => format!("{self}: {cause}"),
            None => self.to_string(),
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::workspace::strings::{LANGUAGES, text};

    /// Names of fields and things in the code of the commands, which the tables must all have.
    fn named_in_code() -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/workspace/change");
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let code = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let code = code.split("#[cfg(test)]").next().unwrap().to_owned();
            let marks = [
                (
                    "field",
                    vec!["filled_text(\"", "filled_line(\"", " text(\"", " line(\"", "names(\"", "field: \""],
                ),
                ("what", vec!["unknown(\"", "what: \""]),
            ];
            for (kind, starts) in marks {
                for start in starts {
                    let names = code.split(start).skip(1).filter_map(|rest| rest.split('"').next());
                    found.extend(names.map(|name| format!("error.{kind}.{}", name.replace(' ', "_"))));
                }
            }
        }
        found
    }

    #[test]
    fn everything_that_is_named_in_an_error_has_a_name_in_every_language() {
        let keys = named_in_code();
        assert!(keys.len() > 40, "{keys:?}");
        // What is shared or attached is named by its kind.
        let kinds =
            ["list", "file", "route", "eta", "place", "places", "cart", "wish_list", "event", "product"];
        let kinds = kinds.map(|kind| format!("error.what.{kind}"));
        for language in LANGUAGES {
            for key in keys.iter().chain(&kinds) {
                assert_ne!(text(language, key, &[]), *key, "{language}");
            }
        }
    }

    #[test]
    fn errors_are_told_in_the_language_of_the_page() {
        let error = CommandError::AmbiguousRecipient {
            name: "Sam".to_owned(),
            candidates: vec!["Sam (QA)".to_owned(), "Sam (Dev)".to_owned(), "Sam".to_owned()],
        };
        assert_eq!(
            error.message(),
            "\"Sam\" could be \"Sam (QA)\", \"Sam (Dev)\" or \"Sam\". Write the full name."
        );
        assert!(error.message_in("de").contains("„Sam (QA)“, „Sam (Dev)“ oder „Sam“"));
        assert_eq!(CommandError::Blank { field: "gift recipient" }.message_in("zh-CN"), "请填写收礼人。");
        let gone = CommandError::Unknown { what: "thread", id: "x".to_owned() };
        assert_eq!(gone.message(), "This thread no longer exists. Go back and choose another.");
        assert!(gone.message_in("de").contains("Unterhaltung"));
    }
}
