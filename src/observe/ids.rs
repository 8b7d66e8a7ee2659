//! Element ids (*bids*), kept on our side: the page is never written to.
//!
//! BrowserGym writes an attribute into every element and leaves it there; we keep a map from CDP's
//! backend node id. The numbers are BrowserGym's: per document, in document order with open shadow
//! roots inserted after their host, for elements whose tag is standard HTML, starting at 0; an
//! element keeps its number as long as its document lives, and a new one gets the next number.
//! A frame element gets a letter instead (`a` … `z`, `aA` …), which is the prefix of all ids inside it.

use std::collections::HashMap;

/// Tags that get an id: standard HTML including obsolete elements, and `svg`. Custom elements,
/// `slot`, `math` and the inside of `svg` get none (except tags that HTML has too, such as `a` or
/// `title`), as in BrowserGym's `standard_html` mode.
pub(super) const TAGS: &[&str] = &[
    "a",
    "abbr",
    "acronym",
    "address",
    "applet",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "basefont",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "link",
    "main",
    "map",
    "mark",
    "menu",
    "meta",
    "meter",
    "nav",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "picture",
    "pre",
    "progress",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "script",
    "search",
    "section",
    "select",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "wbr",
];

/// What tells a document from all others of a page: the process it lives in (empty for the page's
/// own), its frame, and its loader. Backend node ids are unique within a process only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FrameKey {
    /// The process, by a name that is stable while the frame lives.
    pub process: String,
    /// The frame.
    pub frame: String,
    /// The document in it.
    pub loader: String,
}

/// The ids of one document.
#[derive(Debug, Clone, Default)]
pub struct DocumentIds {
    prefix: String,
    next: u64,
    next_frame: usize,
    by_node: HashMap<i64, String>,
    by_bid: HashMap<String, i64>,
}

impl DocumentIds {
    /// The ids of a document inside the frame element with the id `prefix`.
    #[must_use]
    pub fn inside(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), ..Self::default() }
    }

    /// Gives ids to elements that have none yet. `elements` are `(backend node id, tag)` in document
    /// order.
    pub fn mark<'a>(&mut self, elements: impl IntoIterator<Item = (i64, &'a str)>) {
        for (node, tag) in elements {
            if self.by_node.contains_key(&node) || !is_marked(tag) {
                continue;
            }
            let local = if tag.eq_ignore_ascii_case("iframe") || tag.eq_ignore_ascii_case("frame") {
                self.next_frame += 1;
                frame_letters(self.next_frame - 1)
            } else {
                self.next += 1;
                (self.next - 1).to_string()
            };
            let bid = format!("{}{local}", self.prefix);
            self.by_bid.insert(bid.clone(), node);
            self.by_node.insert(node, bid);
        }
    }

    /// The id of an element.
    #[must_use]
    pub fn bid(&self, node: i64) -> Option<&str> {
        self.by_node.get(&node).map(String::as_str)
    }

    /// The element of an id, by CDP backend node id.
    #[must_use]
    pub fn node(&self, bid: &str) -> Option<i64> {
        self.by_bid.get(bid).copied()
    }
}

/// `a` … `z`, then `aA`, `aB` … `aZ`, `bA` …: the first letter small, the others capital, the last one
/// running fastest, so that a prefix can be told from what follows it.
fn frame_letters(number: usize) -> String {
    let letter = |base: u8, place: usize| char::from(base + u8::try_from(place % 26).unwrap_or(0));
    let mut places = vec![number % 26];
    let mut rest = number / 26;
    while rest > 0 {
        rest -= 1;
        places.push(rest % 26);
        rest /= 26;
    }
    let first = places.pop().unwrap_or(0);
    let others = places.into_iter().rev().map(|place| letter(b'A', place));
    std::iter::once(letter(b'a', first)).chain(others).collect()
}

/// The tags whose elements get an id, in alphabetical order.
#[must_use]
pub const fn marked_tags() -> &'static [&'static str] {
    TAGS
}

/// Whether an element of this tag gets an id.
pub(super) fn is_marked(tag: &str) -> bool {
    TAGS.iter().any(|known| known.eq_ignore_ascii_case(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_document_order_and_stay() {
        let mut ids = DocumentIds::default();
        ids.mark([(10, "HTML"), (11, "HEAD"), (12, "MY-TAG"), (13, "BODY")]);
        assert_eq!((ids.bid(10), ids.bid(12), ids.bid(13)), (Some("0"), None, Some("2")));
        ids.mark([(10, "HTML"), (20, "P"), (13, "BODY")]);
        assert_eq!((ids.bid(13), ids.bid(20)), (Some("2"), Some("3")));
        assert_eq!(ids.node("3"), Some(20));
    }

    #[test]
    fn frames_get_letters_and_prefix_what_is_inside() {
        let mut ids = DocumentIds::default();
        ids.mark([(1, "HTML"), (2, "IFRAME"), (3, "P"), (4, "FRAME")]);
        assert_eq!((ids.bid(2), ids.bid(3), ids.bid(4)), (Some("a"), Some("1"), Some("b")));
        let mut inner = DocumentIds::inside("a");
        inner.mark([(1, "HTML"), (2, "IFRAME")]);
        assert_eq!((inner.bid(1), inner.bid(2)), (Some("a0"), Some("aa")));
        let letters: Vec<String> =
            [0, 25, 26, 27, 51, 52, 26 + 26 * 26 - 1, 26 + 26 * 26].map(frame_letters).into();
        assert_eq!(letters, ["a", "z", "aA", "aB", "aZ", "bA", "zZ", "aAA"]);
    }

    #[test]
    fn the_table_is_sorted_and_has_no_doubles() {
        assert!(TAGS.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
