//! The DOM as indented HTML, from a snapshot.
//!
//! The text is the one BrowserGym's `flatten_dom_to_str` gives for pages whose text needs no
//! escaping. BrowserGym writes names and text unescaped and has them parsed again, so that a page
//! that shows `<b>` in its text gets an element more; here text is text. What that second parse does
//! to well-formed pages is kept: attributes are sorted, `html`, `head` and `body` of frames vanish,
//! neighbouring texts join. Pseudo-elements (`::marker`), which BrowserGym turns into text, are left
//! out.
//!
//! The page is not altered to be observed: present values of inputs come from the snapshot, and only
//! form fields get a `value` (BrowserGym also gives one to buttons and list items).

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::action::python_strip;

use super::snapshot::{Document, Snapshot};
use super::text_options::{Options, extra_attributes, shows_bid};
use super::types::Properties;

/// Attributes that the text keeps for itself, whatever a page says.
const RESERVED: [&str; 3] = ["bid", "browsergym_visibility_ratio", "browsergym_set_of_marks"];

/// Elements that have no content and no closing tag.
const VOID: [&str; 22] = [
    "area", "base", "basefont", "bgsound", "br", "col", "command", "embed", "frame", "hr", "image", "img",
    "input", "isindex", "keygen", "link", "menuitem", "meta", "param", "source", "track", "wbr",
];

/// Elements whose white space counts, so that their content is not indented.
const VERBATIM: [&str; 2] = ["pre", "textarea"];

/// Attributes whose value is a list of words, for all elements or for one; their white space is one
/// space each.
const WORD_LISTS: [(&str, &str); 13] = [
    ("*", "class"),
    ("*", "accesskey"),
    ("*", "dropzone"),
    ("a", "rel"),
    ("a", "rev"),
    ("link", "rel"),
    ("link", "rev"),
    ("area", "rel"),
    ("td", "headers"),
    ("th", "headers"),
    ("form", "accept-charset"),
    ("iframe", "sandbox"),
    ("output", "for"),
];

/// The page as indented HTML with the ids of its elements.
///
/// `bid_of` gives an element's id from its backend node id. Of `options` those count that are not
/// marked as the accessibility tree's. A text longer than allowed ends with a line that says so.
pub fn flatten_dom(
    snapshot: &Snapshot,
    options: &Options,
    properties: &Properties,
    bid_of: impl Fn(i64) -> Option<String>,
) -> String {
    let page = Page::from_snapshot(snapshot, options, properties, &bid_of);
    page.write(options.max_characters)
}

/// As [`flatten_dom`], without what says little: line breaks in text, scripts, styles, links, `br`,
/// the tags `html` and `body`, and those of `div`, `span`, `i` and `p` that carry nothing but an id.
pub fn prune_dom(
    snapshot: &Snapshot,
    options: &Options,
    properties: &Properties,
    bid_of: impl Fn(i64) -> Option<String>,
) -> String {
    let mut page = Page::from_snapshot(snapshot, options, properties, &bid_of);
    page.prune();
    page.write(options.max_characters)
}

/// Attributes in the order in which they are written.
type Attributes = BTreeMap<String, String>;

/// The name and attributes of a node that is an element, or `None` where a filter leaves it out.
type ElementOf<'a> = &'a dyn Fn(&Document, usize) -> Option<(String, Attributes)>;

/// A node of the text.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Text(String),
    Element { name: String, attributes: Attributes, children: Vec<usize> },
}

/// The tree that is written: `parts` holds all nodes, `top` those that have no parent.
#[derive(Debug, Default)]
struct Page {
    parts: Vec<Part>,
    top: Vec<usize>,
}

/// Where the content of a node of the document goes.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The element that holds it; `None` for the top.
    parent: Option<usize>,
    /// Whether text is dropped, because the node itself is left out.
    drops_text: bool,
}

impl Page {
    fn from_snapshot(
        snapshot: &Snapshot,
        options: &Options,
        properties: &Properties,
        bid_of: &dyn Fn(i64) -> Option<String>,
    ) -> Self {
        let mut page = Self::default();
        let mut seen = HashSet::new();
        page.add_document(snapshot, 0, None, &mut seen, &|document, node| {
            element(snapshot, document, node, options, properties, bid_of)
        });
        page.complete();
        page
    }

    /// Adds a document's nodes. Frames nest: the recursion is as deep as they do, and each document
    /// is added once.
    fn add_document(
        &mut self,
        snapshot: &Snapshot,
        place: usize,
        parent: Option<usize>,
        seen: &mut HashSet<usize>,
        element: ElementOf<'_>,
    ) {
        let Some(document) = snapshot.documents.get(place).filter(|_| seen.insert(place)) else { return };
        let nodes = &document.nodes;
        let embedded = &nodes.content_document_index;
        let contents: HashMap<usize, usize> =
            embedded.index.iter().copied().zip(embedded.value.iter().copied()).collect();
        let mut places: Vec<Place> = Vec::with_capacity(nodes.node_type.len());
        for (node, kind) in nodes.node_type.iter().enumerate() {
            // Parents come before their children; a node without a known parent starts the document.
            let outer = nodes
                .parent_index
                .get(node)
                .and_then(|parent| places.get(usize::try_from(*parent).ok()?).copied())
                .unwrap_or(Place { parent, drops_text: false });
            let inner = match kind {
                3 | 4 => {
                    let text = nodes.node_value.get(node).and_then(|index| snapshot.text(*index));
                    if let Some(text) = text.filter(|_| !outer.drops_text) {
                        self.add_text(outer.parent, text);
                    }
                    outer
                }
                1 => match element(document, node) {
                    // A frame's own html, head and body are not elements of the page.
                    Some((name, _)) if parent.is_some() && is_frame_of_page(&name) => {
                        Place { parent: outer.parent, drops_text: false }
                    }
                    Some((name, attributes)) => {
                        let part = Part::Element { name, attributes, children: Vec::new() };
                        Place { parent: Some(self.add(outer.parent, part)), drops_text: false }
                    }
                    None => Place { parent: outer.parent, drops_text: true },
                },
                _ => Place { parent: outer.parent, drops_text: true },
            };
            places.push(inner);
            if let Some(content) = contents.get(&node) {
                self.add_document(snapshot, *content, inner.parent, seen, element);
            }
        }
    }

    fn add(&mut self, parent: Option<usize>, part: Part) -> usize {
        let place = self.parts.len();
        self.parts.push(part);
        self.children_mut(parent).push(place);
        place
    }

    fn add_text(&mut self, parent: Option<usize>, text: &str) {
        let last = self.children_mut(parent).last().copied();
        if let Some(Part::Text(before)) = last.and_then(|last| self.parts.get_mut(last)) {
            before.push_str(text);
            return;
        }
        self.add(parent, Part::Text(text.to_owned()));
    }

    fn children_mut(&mut self, parent: Option<usize>) -> &mut Vec<usize> {
        match parent.and_then(|parent| self.parts.get_mut(parent)) {
            Some(Part::Element { children, .. }) => children,
            _ => &mut self.top,
        }
    }

    fn name(&self, part: usize) -> Option<&str> {
        match self.parts.get(part) {
            Some(Part::Element { name, .. }) => Some(name),
            _ => None,
        }
    }

    /// Gives the page the `html` and `body` that a filter took away, as a parser would.
    fn complete(&mut self) {
        if self.top.is_empty() {
            return;
        }
        let html = self.top.iter().copied().find(|part| self.name(*part) == Some("html"));
        let html = if let Some(html) = html {
            html
        } else {
            let children = std::mem::take(&mut self.top);
            self.add(None, Part::Element { name: "html".to_owned(), attributes: BTreeMap::new(), children })
        };
        let children = std::mem::take(self.children_mut(Some(html)));
        let has_body = children.iter().any(|part| matches!(self.name(*part), Some("body" | "frameset")));
        let (head, rest): (Vec<usize>, Vec<usize>) =
            children.into_iter().partition(|part| has_body || self.name(*part) == Some("head"));
        let is_blank = |part: &usize| matches!(self.parts.get(*part), Some(Part::Text(text)) if python_strip(text).is_empty());
        let is_empty = rest.iter().all(is_blank);
        *self.children_mut(Some(html)) = head;
        if !is_empty {
            let body = Part::Element { name: "body".to_owned(), attributes: BTreeMap::new(), children: rest };
            self.add(Some(html), body);
        }
    }

    /// Children come after their parents in `parts`, except for the wrappers of `complete`, so going
    /// backwards meets every element after its content.
    fn prune(&mut self) {
        let order = self.in_document_order();
        for part in &order {
            if let Some(Part::Text(text)) = self.parts.get_mut(*part) {
                *text = text.replace('\n', " ");
            } else if let Some(Part::Element { attributes, .. }) = self.parts.get_mut(*part) {
                for value in attributes.values_mut() {
                    *value = value.replace('\n', " ");
                }
            }
        }
        let mut replacements: HashMap<usize, Vec<usize>> = HashMap::new();
        for part in order.into_iter().rev() {
            let Some(Part::Element { name, attributes, children }) = self.parts.get_mut(part) else {
                continue;
            };
            let content: Vec<usize> = children
                .iter()
                .flat_map(|child| replacements.remove(child).unwrap_or_else(|| vec![*child]))
                .collect();
            let only_bid = attributes.len() == 1 && attributes.contains_key("bid");
            match name.as_str() {
                "style" | "link" | "script" | "br" => {
                    replacements.insert(part, Vec::new());
                }
                "html" | "body" => {
                    replacements.insert(part, content);
                }
                "div" | "span" | "i" | "p" if only_bid => {
                    replacements.insert(part, content);
                }
                _ => *children = content,
            }
        }
        let top = std::mem::take(&mut self.top);
        self.top = top
            .into_iter()
            .flat_map(|part| replacements.remove(&part).unwrap_or_else(|| vec![part]))
            .collect();
    }

    fn in_document_order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.parts.len());
        let mut waiting: Vec<usize> = self.top.iter().rev().copied().collect();
        while let Some(part) = waiting.pop() {
            order.push(part);
            if let Some(Part::Element { children, .. }) = self.parts.get(part) {
                waiting.extend(children.iter().rev());
            }
        }
        order
    }

    /// One line per tag and text, indented by a space per level, with a line break at the end.
    /// Inside an element whose white space counts everything stays as it is.
    fn write(&self, max_characters: Option<usize>) -> String {
        enum Step {
            Open(usize),
            Close,
        }
        let mut text = String::new();
        let mut characters = 0;
        let mut open: Vec<usize> = Vec::new();
        // How many elements were open when the outermost verbatim one had been opened.
        let mut verbatim: Option<usize> = None;
        let mut steps: Vec<Step> = self.top.iter().rev().map(|part| Step::Open(*part)).collect();
        while let Some(step) = steps.pop() {
            let was_verbatim = verbatim.is_some();
            let depth = open.len();
            let (indent, piece) = match step {
                Step::Open(part) => match self.parts.get(part) {
                    Some(Part::Element { name, attributes, children }) => {
                        let is_void = children.is_empty() && VOID.contains(&name.as_str());
                        if !is_void {
                            steps.push(Step::Close);
                            steps.extend(children.iter().rev().map(|child| Step::Open(*child)));
                            open.push(part);
                            if !was_verbatim && VERBATIM.contains(&name.as_str()) {
                                verbatim = Some(open.len());
                            }
                        }
                        (if was_verbatim { 0 } else { depth }, opening_tag(name, attributes, is_void))
                    }
                    Some(Part::Text(content)) => {
                        // A browser reads no references inside scripts and styles.
                        let holder = open.last().and_then(|part| self.name(*part));
                        let is_raw = matches!(holder, Some("script" | "style"));
                        let content = if is_raw { content.clone() } else { escape(content) };
                        if was_verbatim {
                            (0, content)
                        } else {
                            match python_strip(&content) {
                                "" => continue,
                                content => (depth, content.to_owned()),
                            }
                        }
                    }
                    None => continue,
                },
                Step::Close => {
                    let name = open.pop().and_then(|part| self.name(part)).unwrap_or_default();
                    if verbatim == Some(depth) {
                        verbatim = None;
                    }
                    (if was_verbatim { 0 } else { open.len() }, format!("</{name}>"))
                }
            };
            characters += indent + piece.chars().count() + 1;
            if max_characters.is_some_and(|most| characters > most) {
                text.push_str("<!-- truncated -->\n");
                return text;
            }
            text.extend(std::iter::repeat_n(' ', indent));
            text.push_str(&piece);
            if verbatim.is_none() {
                text.push('\n');
            }
        }
        text
    }
}

fn is_frame_of_page(name: &str) -> bool {
    matches!(name, "html" | "head" | "body")
}

/// The name and attributes of an element; `None` when a filter leaves it out.
fn element(
    snapshot: &Snapshot,
    document: &Document,
    node: usize,
    options: &Options,
    properties: &Properties,
    bid_of: &dyn Fn(i64) -> Option<String>,
) -> Option<(String, Attributes)> {
    let nodes = &document.nodes;
    let bid = nodes.backend_node_id.get(node).and_then(|backend_node| bid_of(*backend_node));
    let (is_filtered, extra) = extra_attributes(bid.as_deref(), properties, options);
    if is_filtered {
        return None;
    }
    let name = snapshot.text(*nodes.node_name.get(node)?)?.trim().to_lowercase();
    if name.starts_with("::") {
        // A pseudo-element such as a list's marker: drawn by the browser, not part of the page.
        return None;
    }
    let mut attributes = BTreeMap::new();
    for pair in nodes.attributes.get(node).map(Vec::as_slice).unwrap_or_default().chunks_exact(2) {
        let Some(key) = snapshot.text(pair[0]).map(str::to_lowercase) else { continue };
        if !RESERVED.contains(&key.as_str()) {
            let value = word_list(&name, &key, snapshot.text(pair[1]).unwrap_or_default());
            attributes.entry(key).or_insert(value);
        }
    }
    present_state(snapshot, document, node, &mut attributes);
    for attribute in extra {
        // `box="(1,2,3,4)"` or a bare word.
        let (key, value) = attribute.split_once('=').unwrap_or((attribute.as_str(), ""));
        attributes.insert(key.to_owned(), value.trim_matches('"').to_owned());
    }
    if let Some(bid) = bid.filter(|bid| shows_bid(bid, properties, options)) {
        attributes.insert("bid".to_owned(), bid);
    }
    Some((name, attributes))
}

fn word_list(element: &str, attribute: &str, value: &str) -> String {
    let is_list = WORD_LISTS.iter().any(|(on, name)| *name == attribute && (*on == "*" || *on == element));
    if is_list { value.split_whitespace().collect::<Vec<_>>().join(" ") } else { value.to_owned() }
}

/// Makes `value` and `checked` say what is in a form field now, not what it started with.
fn present_state(snapshot: &Snapshot, document: &Document, node: usize, attributes: &mut Attributes) {
    let nodes = &document.nodes;
    for table in [&nodes.text_value, &nodes.input_value] {
        // The lists are in document order.
        let Ok(row) = table.index.binary_search(&node) else { continue };
        if let Some(value) = table.value.get(row).and_then(|index| snapshot.text(*index)) {
            attributes.insert("value".to_owned(), value.to_owned());
        }
    }
    let is_box = matches!(attributes.get("type").map(String::as_str), Some("checkbox" | "radio"));
    if nodes.input_checked.index.binary_search(&node).is_ok() {
        attributes.entry("checked".to_owned()).or_default();
    } else if is_box {
        attributes.remove("checked");
    }
}

fn opening_tag(name: &str, attributes: &Attributes, is_void: bool) -> String {
    let mut tag = format!("<{name}");
    for (key, value) in attributes {
        let value = escape(value);
        // Single quotes where that saves escaping, as BrowserGym's library does.
        let (quote, value) = match (value.contains('"'), value.contains('\'')) {
            (false, _) => ('"', value),
            (true, false) => ('\'', value),
            (true, true) => ('"', value.replace('"', "&quot;")),
        };
        tag.extend([" ", key, "="]);
        tag.push(quote);
        tag.push_str(&value);
        tag.push(quote);
    }
    tag.push_str(if is_void { "/>" } else { ">" });
    tag
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A snapshot of a page from rows of parent, kind, name, value and attributes.
    fn snapshot(rows: &[(i64, i64, &str, &str, &[&str])]) -> Snapshot {
        let mut strings: Vec<String> = Vec::new();
        let mut index = |text: &str| {
            strings.push(text.to_owned());
            strings.len() - 1
        };
        let names: Vec<usize> = rows.iter().map(|row| index(row.2)).collect();
        let values: Vec<usize> = rows.iter().map(|row| index(row.3)).collect();
        let attributes: Vec<Vec<usize>> =
            rows.iter().map(|row| row.4.iter().map(|text| index(text)).collect()).collect();
        let answer: Value = json!({
            "documents": [{
                "nodes": {
                    "parentIndex": rows.iter().map(|row| row.0).collect::<Vec<_>>(),
                    "nodeType": rows.iter().map(|row| row.1).collect::<Vec<_>>(),
                    "nodeName": names, "nodeValue": values, "attributes": attributes,
                    "backendNodeId": (0..rows.len()).collect::<Vec<_>>(),
                },
                "layout": {"nodeIndex": [], "bounds": []},
            }],
            "strings": strings,
        });
        Snapshot::from_cdp(&answer).unwrap()
    }

    fn written(rows: &[(i64, i64, &str, &str, &[&str])]) -> String {
        flatten_dom(&snapshot(rows), &Options::default(), &Properties::new(), |_| None)
    }

    #[test]
    fn text_and_attributes_are_escaped() {
        let text = written(&[
            (-1, 9, "#document", "", &[]),
            (0, 1, "HTML", "", &["lang", "en"]),
            (
                1,
                1,
                "BODY",
                "",
                &["class", " a  b ", "title", "\"<&'", "DATA-X", "say \"hi\"", "bid", "forged"],
            ),
            (2, 3, "#text", "<b> & co", &[]),
            (2, 1, "SCRIPT", "", &[]),
            (4, 3, "#text", "if (a < b && c) {}", &[]),
            (2, 1, "PRE", "", &[]),
            (6, 3, "#text", " two\n  lines ", &[]),
            (6, 1, "B", "", &[]),
            (8, 3, "#text", "!", &[]),
            (2, 1, "BR", "", &[]),
        ]);
        assert_eq!(
            text,
            "<html lang=\"en\">\n <body class=\"a b\" data-x='say \"hi\"' title=\"&quot;&lt;&amp;'\">\n  &lt;b&gt; &amp; co\n  \
             <script>\n   if (a < b && c) {}\n  </script>\n  <pre> two\n  lines <b>!</b></pre>\n  <br/>\n </body>\n</html>\n"
        );
    }

    #[test]
    fn odd_snapshots_are_written_without_panic() {
        assert_eq!(written(&[]), "");
        assert_eq!(written(&[(7, 1, "P", "", &[])]), "<html>\n <body>\n  <p>\n  </p>\n </body>\n</html>\n");
        let deep: Vec<(i64, i64, &str, &str, &[&str])> =
            (0..20_000).map(|row| (row - 1, 1, "DIV", "", &[][..])).collect();
        let text = written(&deep);
        assert!(text.ends_with("<!-- truncated -->\n"));
        let pruned =
            prune_dom(&snapshot(&deep), &Options::default(), &Properties::new(), |_| Some("1".into()));
        assert_eq!(pruned, "");
    }
}
