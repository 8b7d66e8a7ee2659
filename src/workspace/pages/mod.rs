//! The pages of the six apps, as pure functions of the state: a first, plain version.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{Addressee, Command, WorkspaceState};

/// What was asked for. Paths and values are percent-decoded already.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// Such as `/messages/t/thread-1`.
    pub path: &'a str,
    /// The query's pairs, in order.
    #[expect(dead_code, reason = "the full pages read it")]
    pub query: &'a [(String, String)],
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
pub(crate) enum Posted {
    /// To be executed.
    Command {
        /// The mutation.
        command: Command,
        /// Where to go afterwards; `{entity}` stands for the id of the entity that was written.
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

/// Answers a read.
pub(crate) fn get(state: &WorkspaceState, request: &Request<'_>) -> Answer {
    let segments: Vec<&str> = request.path.split('/').filter(|segment| !segment.is_empty()).collect();
    match segments.as_slice() {
        [] => Answer::Redirect("/messages".to_owned()),
        ["assets", "app.css"] => Answer::Asset {
            content_type: "text/css; charset=utf-8",
            bytes: Cow::Borrowed(b"body{margin:2rem}"),
        },
        ["messages"] => Answer::Page { status: 200, html: conversations(state) },
        ["messages", "t", id] => match state.apps.messenger.thread(id) {
            Some(_) => Answer::Page { status: 200, html: conversation(state, id, "", "") },
            None => Answer::NotFound(not_found()),
        },
        _ => Answer::NotFound(not_found()),
    }
}

/// Reads a sent form.
pub(crate) fn post(state: &WorkspaceState, request: &Request<'_>, form: &[(String, String)]) -> Posted {
    let segments: Vec<&str> = request.path.split('/').filter(|segment| !segment.is_empty()).collect();
    let ["messages", "t", id] = segments.as_slice() else {
        return Posted::NotFound(not_found());
    };
    if form.iter().all(|(name, _)| name != "text") {
        return Posted::Invalid { html: conversation(state, id, "", "Fill in the message.") };
    }
    let text = typed(form);
    let command = Command::SendMessage { to: Addressee::Thread((*id).to_owned()), text };
    Posted::Command { command, then: format!("/messages/t/{id}?done={{entity}}") }
}

/// The same form again, with the reason why the store did not take it.
pub(crate) fn rejected(
    state: &WorkspaceState,
    request: &Request<'_>,
    form: &[(String, String)],
    message: &str,
) -> String {
    let id = request.path.rsplit('/').next().unwrap_or_default();
    conversation(state, id, &typed(form), message)
}

fn typed(form: &[(String, String)]) -> String {
    form.iter().find(|(name, _)| name == "text").map(|(_, value)| value.clone()).unwrap_or_default()
}

fn conversations(state: &WorkspaceState) -> String {
    let mut body = String::from("<h1>Messages</h1><ul>");
    for thread in &state.apps.messenger.threads {
        let (id, title) = (escaped(&thread.id), escaped(&thread.title));
        let _ = write!(body, "<li><a href=\"/messages/t/{id}\">{title}</a></li>");
    }
    page(&(body + "</ul>"))
}

fn conversation(state: &WorkspaceState, id: &str, typed: &str, error: &str) -> String {
    let Some(thread) = state.apps.messenger.thread(id) else { return not_found() };
    let mut body = format!("<h1>{}</h1><ul>", escaped(&thread.title));
    for message in &thread.messages {
        let _ = write!(body, "<li>{}: {}</li>", escaped(&message.author.name), escaped(&message.text));
    }
    let _ = write!(
        body,
        "</ul><p>{}</p><form method=\"post\" action=\"/messages/t/{}\"><textarea name=\"text\">{}</textarea>\
         <button>Send</button></form>",
        escaped(error),
        escaped(&thread.id),
        escaped(typed),
    );
    page(&body)
}

fn page(body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Messages</title>\
         <link rel=\"stylesheet\" href=\"/assets/app.css\"></head><body>{body}</body></html>"
    )
}

fn not_found() -> String {
    page("<h1>Nothing is here</h1><p><a href=\"/messages\">Messages</a></p>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
