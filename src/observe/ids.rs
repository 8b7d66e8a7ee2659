//! Element ids (*bids*), kept on our side: the page is never written to.
//!
//! BrowserGym writes an attribute into every element and leaves it there; we keep a map from CDP's
//! backend node id. The numbers are BrowserGym's: per document, in document order with open shadow
//! roots inserted after their host, for elements whose tag is standard HTML, starting at 0; an
//! element keeps its number as long as its document lives, and a new one gets the next number.

use std::collections::HashMap;

/// Tags that get an id: standard HTML including obsolete elements, and `svg`. Custom elements,
/// `slot`, `math` and the inside of `svg` get none (except tags that HTML has too, such as `a` or
/// `title`), as in BrowserGym's `standard_html` mode.
const TAGS: &[&str] = &[
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

/// The ids of one document.
#[derive(Debug, Clone, Default)]
pub struct DocumentIds {
    next: u64,
    by_node: HashMap<i64, String>,
    by_bid: HashMap<String, i64>,
}

impl DocumentIds {
    /// Gives ids to elements that have none yet. `elements` are `(backend node id, tag)` in document
    /// order.
    pub fn mark<'a>(&mut self, elements: impl IntoIterator<Item = (i64, &'a str)>) {
        for (node, tag) in elements {
            if self.by_node.contains_key(&node) || !is_marked(tag) {
                continue;
            }
            let bid = self.next.to_string();
            self.next += 1;
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

fn is_marked(tag: &str) -> bool {
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
    fn the_table_is_sorted_and_has_no_doubles() {
        assert!(TAGS.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
