//! Action texts as the built-in agents write them.

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

/// A Python string literal on one line: `'`, with the escapes that every parser of the grammar
/// reads.
pub(super) fn quote(text: &str) -> String {
    use std::fmt::Write as _;

    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '\'' => quoted.push_str("\\'"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if other.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\x{:02x}", u32::from(other));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_stays_on_one_line() {
        assert_eq!(quote("it's\na \\ tab\t\u{1}ü"), r"'it\'s\na \\ tab\t\x01ü'");
        assert_eq!(fill("a1", "x"), "fill('a1', 'x')");
    }
}
