//! What calendar, maps and shop show to others.

use super::super::showing::showing;
use super::super::{CommandError, NewShare, WorkspaceState};
use super::checks;
use crate::scenario::model::{Share, ShareKind};

/// The people of a share: at least one.
pub(super) fn people(state: &WorkspaceState, typed: &[String]) -> Result<Vec<String>, CommandError> {
    let names = checks::names("list of people", &state.apps.messenger, typed)?;
    if names.is_empty() { Err(CommandError::NoRecipient) } else { Ok(names) }
}

/// Makes a share of something as it is now.
pub(super) fn share(state: &mut WorkspaceState, new: &NewShare) -> Result<Share, CommandError> {
    let to = people(state, &new.people)?;
    let message = checks::text("message", &new.message)?;
    let Some(showing) = showing(state, new.kind, &new.subject) else {
        return Err(CommandError::Unknown { what: new.kind.name(), id: new.subject.clone() });
    };
    let lines = showing.chosen(new);
    if lines.is_empty() {
        return Err(CommandError::EmptyShare);
    }
    let id = state.next_id("share");
    Ok(Share {
        id,
        kind: new.kind,
        subject: new.subject.clone(),
        title: showing.title,
        to,
        lines,
        message,
        at: state.now,
    })
}

/// The message that goes with a list or file when it is shared.
pub(super) fn note(
    state: &mut WorkspaceState,
    kind: ShareKind,
    (subject, title): (&str, String),
    to: Vec<String>,
    message: String,
) -> Share {
    let id = state.next_id("share");
    let (subject, at) = (subject.to_owned(), state.now);
    Share { id, kind, subject, title, to, lines: Vec::new(), message, at }
}

/// The event's kind when something was shared.
pub(super) const fn event_kind(kind: ShareKind) -> &'static str {
    match kind {
        ShareKind::List => "list_shared",
        ShareKind::File => "file_shared",
        ShareKind::Route => "route_shared",
        ShareKind::Eta => "eta_shared",
        ShareKind::Place => "place_shared",
        ShareKind::Places => "place_list_shared",
        ShareKind::Cart => "cart_shared",
        ShareKind::WishList => "wish_list_shared",
        ShareKind::Event => "event_shared",
        ShareKind::Calendar => "calendar_shared",
        ShareKind::Order => "order_shared",
    }
}
