//! Action texts as the built-in agents write them.

use crate::action::quote;

/// Clicks an element.
pub(super) fn click(bid: &str) -> String {
    format!("click({})", quote(bid))
}

/// Replaces the content of a field.
pub(super) fn fill(bid: &str, value: &str) -> String {
    format!("fill({}, {})", quote(bid), quote(value))
}

/// Waits.
pub(super) fn noop(milliseconds: u32) -> String {
    format!("noop({milliseconds})")
}

/// Opens an address.
pub(super) fn goto(url: &str) -> String {
    format!("goto({})", quote(url))
}

/// Ends the episode with an answer, which may be empty.
pub(super) fn finish(text: &str) -> String {
    format!("finish({})", quote(text))
}

/// Ends the episode because the errand cannot be done.
pub(super) fn report_infeasible(reason: &str) -> String {
    format!("report_infeasible({})", quote(reason))
}
