//! What calendar, maps and shop show to others.

use super::super::showing::showing;
use super::super::units::told_of;
use super::super::{App, CommandError, NewShare, WorkspaceState};
use super::apply::Change;
use super::checks::{self, unknown};
use crate::scenario::model::{Share, ShareKind, Visibility};

/// The people of a share: at least one.
pub(super) fn people(state: &WorkspaceState, typed: &[String]) -> Result<Vec<String>, CommandError> {
    let names = checks::names("list of people", &state.apps.messenger, typed)?;
    if names.is_empty() { Err(CommandError::NoRecipient) } else { Ok(names) }
}

/// Shows something of an app to people as it is now.
pub(super) fn add(state: &mut WorkspaceState, app: App, new: &NewShare) -> Result<Change, CommandError> {
    let shows = match app {
        App::Calendar => new.kind == ShareKind::Event,
        App::Maps => {
            matches!(new.kind, ShareKind::Route | ShareKind::Eta | ShareKind::Place | ShareKind::Places)
        }
        App::Shop => matches!(new.kind, ShareKind::Cart | ShareKind::WishList | ShareKind::Order),
        App::Messenger | App::Todo | App::CodeEditor => false,
    };
    let showing = if shows { showing(state, new.kind, &new.subject) } else { None };
    let showing = showing.ok_or_else(|| unknown(new.kind.name(), &new.subject))?;
    let to = people(state, &new.people)?;
    let message = checks::text("message", &new.message)?;
    let lines = showing.chosen(new);
    if lines.is_empty() {
        return Err(CommandError::EmptyShare);
    }
    let share = Share {
        id: state.next_id("share"),
        kind: new.kind,
        subject: new.subject.clone(),
        title: showing.title,
        to,
        lines,
        message,
        at: state.now,
    };
    let change = Change::new(app, event_kind(share.kind), &share.id, &share.id);
    held(state, app)?.push(share);
    Ok(change)
}

/// Takes back what was shown. An invitation was sent, and stays with whoever got it.
pub(super) fn take_back(state: &mut WorkspaceState, app: App, id: &str) -> Result<Change, CommandError> {
    let shares = held(state, app)?;
    let position = shares.iter().position(|share| share.id == id && share.kind != ShareKind::Invitation);
    shares.remove(position.ok_or_else(|| unknown("share", id))?);
    Ok(Change::new(app, "share_removed", id, id))
}

/// What an app shows as it was at one moment; the others have nothing of that kind.
fn held(state: &mut WorkspaceState, app: App) -> Result<&mut Vec<Share>, CommandError> {
    let apps = &mut state.apps;
    match app {
        App::Calendar => Ok(&mut apps.calendar.shares),
        App::Maps => Ok(&mut apps.maps.shares),
        App::Shop => Ok(&mut apps.shop.shares),
        App::Messenger | App::Todo | App::CodeEditor => Err(unknown("share", "")),
    }
}

/// Tells the invitees of an event of it, as it is now and as far as they may see it.
pub(super) fn invite(state: &mut WorkspaceState, id: &str) -> Result<(), CommandError> {
    let kind = ShareKind::Invitation;
    let event = state.apps.calendar.events.iter().find(|event| event.id == id);
    let event = event.ok_or_else(|| unknown("event", id))?;
    let to: Vec<String> = event.invitees.iter().map(|invitee| invitee.name.clone()).collect();
    if to.is_empty() {
        return Err(CommandError::NobodyInvited);
    }
    if event.visibility == Visibility::Private {
        return Err(CommandError::PrivateInvitation);
    }
    let told = told_of(&state.apps.messenger, event);
    let lines = told.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    let (subject, title, message, at) = (id.to_owned(), event.title.clone(), String::new(), state.now);
    let share = Share { id: state.next_id("share"), kind, subject, title, to, lines, message, at };
    state.apps.calendar.shares.push(share);
    Ok(())
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
        ShareKind::Folder => "folder_shared",
        ShareKind::Route => "route_shared",
        ShareKind::Eta => "eta_shared",
        ShareKind::Place => "place_shared",
        ShareKind::Places => "place_list_shared",
        ShareKind::Cart => "cart_shared",
        ShareKind::WishList => "wish_list_shared",
        ShareKind::Event => "event_shared",
        ShareKind::Calendar => "calendar_shared",
        ShareKind::Order => "order_shared",
        ShareKind::Invitation => "invitation_sent",
    }
}
