//! Conversations with times.

use jiff::ToSpan as _;
use jiff::civil::{DateTime, date};
use serde_json::{Value, json};

use super::draw::Draw;

/// A line of a conversation: who says it, and what.
pub(super) type Line = (Speaker, String);

/// Who says a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Speaker {
    User,
    /// The counterpart, or a member of the group by name.
    Other(String),
}

pub(super) fn you(text: impl Into<String>) -> Line {
    (Speaker::User, text.into())
}

pub(super) fn by(name: &str, text: impl Into<String>) -> Line {
    (Speaker::Other(name.to_owned()), text.into())
}

/// A conversation whose last line was written some days before `now`, always before it.
pub(super) fn thread(contact: &str, lines: &[Line], now: DateTime, days: i32, draw: &mut Draw) -> Value {
    let hour = draw.between(12, 20);
    let minute = draw.below(60);
    let day = now.date().checked_sub(days.max(1).days()).unwrap_or(date(2026, 1, 1));
    let hour = i8::try_from(hour).unwrap_or(12);
    let mut at = day.at(hour, i8::try_from(minute).unwrap_or(0), 0, 0);
    let mut messages = Vec::new();
    for (speaker, text) in lines.iter().rev() {
        let sender = match speaker {
            Speaker::User => "you",
            Speaker::Other(name) => name,
        };
        messages.push(json!({ "sender": sender, "text": text, "at": at.to_string() }));
        let gap = i64::try_from(draw.between(2, 26)).unwrap_or(5);
        at = at.checked_sub(gap.minutes()).unwrap_or(at);
    }
    messages.reverse();
    json!({ "contact": contact, "messages": messages })
}
