//! Text of either writing direction reads as it was written, wherever it is shown or typed.

use super::full::full_state;
use super::html::{Piece, attribute, pieces};
use super::support::crawl;

/// A letter that is written from right to left.
const MARK: char = 'ש';

/// Elements that have no text of their own.
const VOID: [&str; 4] = ["meta", "link", "input", "wbr"];

#[test]
fn what_users_write_is_shown_and_typed_in_its_own_direction() {
    let state = full_state("en", &|what| format!("{MARK}{what}"));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (address, html) in crawl(&state) {
        // Whether the elements around a text, outermost first, have a direction that follows it.
        let mut around: Vec<(String, bool)> = Vec::new();
        for piece in pieces(&html) {
            match piece {
                Piece::Open { tag, attributes } => {
                    let is_auto = attribute(&attributes, "dir").as_deref() == Some("auto");
                    let kind = attribute(&attributes, "type").unwrap_or_default();
                    if tag == "input" && ["text", "search"].contains(&kind.as_str()) && !is_auto {
                        wrong.push(format!("{address}: a field {:?}", attribute(&attributes, "id")));
                    }
                    if !VOID.contains(&tag.as_str()) {
                        around.push((tag, is_auto));
                    }
                }
                Piece::Close(_) => {
                    around.pop();
                }
                Piece::Text(text) if text.trim_start().starts_with(MARK) => {
                    seen += 1;
                    let own = around.last();
                    // A title stands in the window's frame, an option in the browser's own list.
                    let is_elsewhere =
                        own.is_some_and(|(tag, _)| ["title", "option"].contains(&tag.as_str()));
                    if !is_elsewhere && !own.is_some_and(|(_, is_auto)| *is_auto) {
                        let text: String = text.trim().chars().take(40).collect();
                        wrong.push(format!("{address}: {own:?} {text}"));
                    }
                }
                Piece::Text(_) => {}
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(seen > 500, "{seen}");
}
