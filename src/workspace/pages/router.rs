//! From paths to pages.

use std::borrow::Cow;

use super::context::Context;
use super::form::Form;
use super::look::{self, Look};
use super::{calendar, code, gallery, home, maps, messages, render, shop, todo};
use crate::workspace::{Command, WorkspaceState, web};

/// What was asked for. Paths and values are percent-decoded already.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// Such as `/messages/t/thread-1`.
    pub path: &'a str,
    /// The query's pairs, in order.
    pub query: &'a [(String, String)],
    /// How the page is to be shown.
    pub look: Look,
}

/// The answer to a read.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A page.
    Page {
        /// HTTP status.
        status: u16,
        /// The whole document.
        html: String,
    },
    /// A style, script or icon.
    Asset {
        /// Media type.
        content_type: &'static str,
        /// The file.
        bytes: Cow<'static, [u8]>,
    },
    /// Another address of the workspace.
    Redirect(String),
    /// Nothing is there; the page that says so.
    NotFound(String),
}

/// What a sent form comes to.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one is made per form and carried out at once")]
pub(crate) enum Posted {
    /// To be executed.
    Command {
        /// The mutation.
        command: Command,
        /// Where to go afterwards; `{entity}` stands for the id of the entity that was written.
        then: String,
    },
    /// The pop-up was closed; no mutation.
    PopupClosed {
        /// Where to go.
        then: String,
    },
    /// The form again, with what is wrong and what was typed.
    Invalid {
        /// The whole document.
        html: String,
    },
    /// Nothing takes a form at this address; the page that says so.
    NotFound(String),
}

/// What an app makes of a form: the command and the address to go to, or the form with its errors.
pub(super) type Reading = Result<(Command, String), Form>;

/// Answers a read.
pub(crate) fn get(state: &WorkspaceState, request: &Request<'_>) -> Answer {
    let context = Context::new(state, request);
    let segments = segments(request.path);
    let answer = match segments.as_slice() {
        [] => Some(home::page(&context)),
        ["assets", name] => asset(name),
        ["gallery"] => Some(gallery::page(&context)),
        ["whats-new"] => Some(look::whats_new(&context)),
        ["messages", rest @ ..] => messages::get(&context, rest),
        ["calendar", rest @ ..] => calendar::get(&context, rest),
        ["todo", rest @ ..] => todo::get(&context, rest),
        ["maps", rest @ ..] => maps::get(&context, rest),
        ["code", rest @ ..] => code::get(&context, rest),
        ["shop", rest @ ..] => shop::get(&context, rest),
        _ => None,
    };
    answer.unwrap_or_else(|| Answer::NotFound(render::not_found(&context)))
}

/// What a look at an address changes in the workspace, for the server to carry out before it shows
/// the page. Nobody but the user can read any of it.
pub(crate) fn visit(state: &WorkspaceState, request: &Request<'_>) -> Option<Command> {
    let context = Context::new(state, request);
    match segments(request.path).as_slice() {
        ["messages", rest @ ..] => messages::visit(&context, rest),
        _ => None,
    }
}

/// Reads a sent form.
pub(crate) fn post(state: &WorkspaceState, request: &Request<'_>, form: &[(String, String)]) -> Posted {
    if request.path == "/popup/close" {
        return Posted::PopupClosed { then: look::after_popup(form) };
    }
    let context = Context::new(state, request);
    match read(&context, request.path, Form::sent(form)) {
        Some(Ok((command, then))) => Posted::Command { command, then },
        Some(Err(form)) => Posted::Invalid { html: again(&context, request.path, &form) },
        None => Posted::NotFound(render::not_found(&context)),
    }
}

/// The same form again, with the reason why the store did not take it.
pub(crate) fn rejected(
    state: &WorkspaceState,
    request: &Request<'_>,
    form: &[(String, String)],
    message: &str,
) -> String {
    let context = Context::new(state, request);
    let mut form = Form::sent(form);
    form.refuse(message);
    again(&context, request.path, &form)
}

fn read(context: &Context<'_>, path: &str, form: Form) -> Option<Reading> {
    match segments(path).as_slice() {
        ["messages", rest @ ..] => messages::post(context, rest, form),
        ["calendar", rest @ ..] => calendar::post(context, rest, form),
        ["todo", rest @ ..] => todo::post(context, rest, form),
        ["maps", rest @ ..] => maps::post(context, rest, form),
        ["code", rest @ ..] => code::post(context, rest, form),
        ["shop", rest @ ..] => shop::post(context, rest, form),
        _ => None,
    }
}

fn again(context: &Context<'_>, path: &str, form: &Form) -> String {
    let page = match segments(path).as_slice() {
        ["messages", rest @ ..] => messages::again(context, rest, form),
        ["calendar", rest @ ..] => calendar::again(context, rest, form),
        ["todo", rest @ ..] => todo::again(context, rest, form),
        ["maps", rest @ ..] => maps::again(context, rest, form),
        ["code", rest @ ..] => code::again(context, rest, form),
        ["shop", rest @ ..] => shop::again(context, rest, form),
        _ => None,
    };
    page.unwrap_or_else(|| render::not_found(context))
}

fn asset(name: &str) -> Option<Answer> {
    let (folder, content_type) = match name.rsplit_once('.')?.1 {
        "css" => ("style", "text/css; charset=utf-8"),
        "js" => ("script", "text/javascript; charset=utf-8"),
        "svg" => ("icons", "image/svg+xml"),
        _ => return None,
    };
    // Looked up among the embedded names, never on a disk.
    let bytes = web::bytes(&format!("{folder}/{name}"))?;
    Some(Answer::Asset { content_type, bytes })
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}
