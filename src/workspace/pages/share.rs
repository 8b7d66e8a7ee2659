//! The page on which something is shared: people, what they see, a message, and a preview.

use serde::Serialize;

use super::context::Context;
use super::form::{Field, Form};
use super::moment;
use super::people::{self, People};
use super::render::{self, Place};
use crate::scenario::model::{Share, ShareKind};
use crate::workspace::NewShare;
use crate::workspace::showing::showing;

/// What the page shows.
#[derive(Debug, Serialize)]
pub(super) struct SharePage {
    action: String,
    back: String,
    people: People,
    message: Field,
    parts_label: Option<String>,
    switches: Vec<Switch>,
    access: Vec<Switch>,
    preview: Vec<PreviewLine>,
    button: String,
    refused: Option<String>,
    stop: Option<Stop>,
}

/// A box to tick that shows or hides lines of the preview.
#[derive(Debug, Serialize)]
pub(super) struct Switch {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) label: String,
    pub(super) on: bool,
    /// Whether it belongs to the parts, such as the stops of a route.
    pub(super) part: bool,
}

/// Whether the readers may only look or change it, too: as the form says once it was sent, before that
/// as it is.
pub(super) fn access(context: &Context<'_>, form: &Form, can_edit: bool) -> Vec<Switch> {
    let can_edit = if form.given("sent").is_some() { form.value("access") == "edit" } else { can_edit };
    let choice = |value: &str, on: bool| Switch {
        name: "access",
        value: value.to_owned(),
        label: context.text(&format!("share.can_{value}"), &[]),
        on,
        part: false,
    };
    vec![choice("view", !can_edit), choice("edit", can_edit)]
}

/// A line of the preview.
#[derive(Debug, Serialize)]
pub(super) struct PreviewLine {
    pub(super) text: String,
    /// The switches that all have to be on, as `name-value`.
    pub(super) shown_by: String,
    pub(super) hidden: bool,
    pub(super) code: bool,
}

/// The form that ends sharing.
#[derive(Debug, Serialize)]
struct Stop {
    action: String,
    names: String,
}

/// What is particular to one kind of share.
pub(super) struct Parts {
    pub(super) kind: ShareKind,
    pub(super) title: String,
    /// Where the form is sent to; `/stop` behind it ends sharing.
    pub(super) action: String,
    pub(super) back: String,
    pub(super) switches: Vec<Switch>,
    pub(super) access: Vec<Switch>,
    pub(super) preview: Vec<PreviewLine>,
    /// Who reads it already.
    pub(super) shared_with: Vec<String>,
}

/// Whether the form only asks for the preview again.
pub(super) fn is_preview(form: &Form) -> bool {
    form.value("action") == "preview"
}

/// Whether a box is ticked: as it was sent, or on where nothing was sent yet.
pub(super) fn is_on(form: &Form, name: &'static str, value: &str) -> bool {
    form.given("sent").is_none() || form.has(name, value)
}

/// Renders the page.
pub(super) fn page(context: &Context<'_>, place: Place, parts: Parts, form: &Form) -> String {
    let kind = parts.kind.name();
    let has_parts = parts.switches.iter().any(|switch| switch.part);
    let heading = context.text(&format!("share.heading.{kind}"), &[("title", &parts.title)]);
    let view = SharePage {
        people: People::new(context, form),
        message: form.field("message"),
        parts_label: has_parts.then(|| context.text(&format!("share.parts.{kind}"), &[])),
        switches: parts.switches,
        access: parts.access,
        preview: parts.preview,
        button: context.text(&format!("share.button.{kind}"), &[]),
        refused: form.message().map(str::to_owned),
        stop: (!parts.shared_with.is_empty()).then(|| Stop {
            action: match parts.action.split_once('?') {
                Some((path, query)) => format!("{path}/stop?{query}"),
                None => format!("{}/stop", parts.action),
            },
            names: context.joined(&parts.shared_with),
        }),
        action: parts.action,
        back: parts.back,
    };
    render::page(context, place, &heading, "share.html", &view)
}

/// The page for something that maps or shop can show; `None` where it is not there.
pub(super) fn snapshot_page(
    context: &Context<'_>,
    place: Place,
    (kind, subject): (ShareKind, &str),
    (action, back): (String, String),
    form: &Form,
) -> Option<String> {
    let showing = showing(context.state, kind, subject)?;
    let mut switches: Vec<Switch> = showing
        .parts
        .iter()
        .enumerate()
        .map(|(number, label)| {
            let value = number.to_string();
            let on = is_on(form, "part", &value);
            Switch { name: "part", value, label: label.clone(), on, part: true }
        })
        .collect();
    let mut option = |name: &'static str, key: &str, wanted: bool| {
        let on = is_on(form, name, "yes");
        if wanted {
            let label = context.text(key, &[]);
            switches.push(Switch { name, value: "yes".to_owned(), label, on, part: false });
        }
        on
    };
    let with_eta = option("eta", "share.with_eta", showing.has_eta);
    let with_notes = option("notes", "share.with_notes", showing.has_notes);
    let preview = showing
        .lines
        .iter()
        .map(|line| {
            let part = line.part.map(|part| part.to_string());
            let mut shown_by: Vec<String> = part.iter().map(|part| format!("part-{part}")).collect();
            shown_by.extend(line.is_eta.then(|| "eta-yes".to_owned()));
            shown_by.extend(line.is_note.then(|| "notes-yes".to_owned()));
            let hidden = part.is_some_and(|part| !is_on(form, "part", &part))
                || (line.is_eta && !with_eta)
                || (line.is_note && !with_notes);
            PreviewLine { text: line.text.clone(), shown_by: shown_by.join(" "), hidden, code: false }
        })
        .collect();
    let title = showing.title.clone();
    let (access, shared_with) = (Vec::new(), Vec::new());
    let parts = Parts { kind, title, action, back, switches, access, preview, shared_with };
    Some(page(context, place, parts, form))
}

/// Reads the form of [`snapshot_page`].
pub(super) fn snapshot(
    context: &Context<'_>,
    kind: ShareKind,
    subject: &str,
    mut form: Form,
) -> Option<Result<NewShare, Form>> {
    showing(context.state, kind, subject)?;
    if is_preview(&form) {
        return Some(Err(form));
    }
    let people = people::required(context, &mut form);
    if !form.is_valid() {
        return Some(Err(form));
    }
    Some(Ok(NewShare {
        kind,
        subject: subject.to_owned(),
        people,
        parts: form.all("part").filter_map(|part| part.parse().ok()).collect(),
        with_eta: form.has("eta", "yes"),
        with_notes: form.has("notes", "yes"),
        message: form.value("message").trim().to_owned(),
    }))
}

/// Something that was shared, as the app's page lists it.
#[derive(Debug, Serialize)]
pub(super) struct SharedView {
    what: String,
    to: String,
    /// When.
    at: String,
    lines: Vec<String>,
    message: String,
    stop: String,
    stop_name: String,
}

/// What was shared, the newest first; `stop` is the address under which a share's id is taken back.
pub(super) fn shared(context: &Context<'_>, shares: &[Share], stop: &str) -> Vec<SharedView> {
    let view = |(number, share): (usize, &Share)| {
        let what = context.text(&format!("share.what.{}", share.kind.name()), &[("title", &share.title)]);
        let number = number.to_string();
        SharedView {
            to: context.text("share.seen_by", &[("names", &context.joined(&share.to))]),
            lines: share.lines.clone(),
            message: share.message.clone(),
            at: moment::stamp(share.at),
            stop: format!("{stop}/{}/stop", share.id),
            stop_name: context.text("share.stop_one", &[("number", &number), ("what", &what)]),
            what,
        }
    };
    let mut views: Vec<SharedView> = (1..).zip(shares).map(view).collect();
    views.reverse();
    views
}

/// The messages that went with lists or files, as lines: to whom, and what.
pub(super) fn messages(context: &Context<'_>, shares: &[Share], subject: &str) -> Vec<render::Row> {
    shares
        .iter()
        .filter(|share| share.subject == subject)
        .map(|share| render::Row {
            label: context.text("share.told", &[("names", &context.joined(&share.to))]),
            value: share.message.clone(),
        })
        .collect()
}
