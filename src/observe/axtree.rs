//! The accessibility tree, and its text form.
//!
//! The text is the one BrowserGym's `flatten_axtree_to_str` gives for the same nodes: a line per
//! node, indented by tabs, `[bid] role 'name' value='…', property=…`, strings and numbers written as
//! Python's `repr` does.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::action::{python_json, python_repr, python_strip};

use super::text_options::{Options, extra_attributes, shows_bid};
use super::types::{Node, Properties, Tree};

/// The accessibility nodes of one frame, as CDP's `Accessibility.getFullAXTree` gives them.
#[derive(Debug, Clone, Copy)]
pub struct FrameNodes<'a> {
    /// The nodes; the first is the frame's root. Unknown fields are ignored.
    pub nodes: &'a [Value],
    /// The frame that embeds this one, as its place in the list of frames, and the backend node id
    /// of the embedding element there; `None` for the page's own frame.
    pub owner: Option<(usize, i64)>,
}

impl Tree {
    /// The tree of a page without frames, or whose frames' nodes have been joined already.
    ///
    /// `bid_of` gives an element's id from its backend node id. Nothing in the nodes is required:
    /// what is missing or of another type counts as absent, child ids that do not exist are passed
    /// over, and a node that is named as a child twice stays with its first parent.
    pub fn from_cdp(nodes: &[Value], bid_of: impl Fn(i64) -> Option<String>) -> Self {
        Self::from_frames(&[FrameNodes { nodes, owner: None }], |_, backend_node| bid_of(backend_node))
    }

    /// The tree of a page with frames: the tree of each frame is put below the element that embeds
    /// it. A frame whose element is not in the tree is left out.
    ///
    /// `bid_of` gives an element's id from the place of its frame in `frames` and its backend node
    /// id, which is unique only within one process of the browser.
    pub fn from_frames(frames: &[FrameNodes<'_>], bid_of: impl Fn(usize, i64) -> Option<String>) -> Self {
        let mut tree = Self::default();
        // Where each frame's nodes start, so that a frame and a place in it name a node.
        let mut starts = Vec::with_capacity(frames.len());
        let mut elements = HashMap::new();
        let mut has_parent = Vec::new();
        for (frame, FrameNodes { nodes, .. }) in frames.iter().enumerate() {
            let start = tree.nodes.len();
            starts.push(start);
            let places: HashMap<&str, usize> = nodes
                .iter()
                .enumerate()
                .filter_map(|(place, node)| Some((node["nodeId"].as_str()?, start + place)))
                .collect();
            has_parent.resize(start + nodes.len(), false);
            // The frame's root is nobody's child in its own frame.
            if let Some(root) = has_parent.get_mut(start) {
                *root = true;
            }
            for (place, node) in nodes.iter().enumerate() {
                let backend_node = node["backendDOMNodeId"].as_i64();
                if let Some(backend_node) = backend_node {
                    elements.entry((frame, backend_node)).or_insert(start + place);
                }
                let children = node["childIds"].as_array().map(Vec::as_slice).unwrap_or_default();
                let children: Vec<usize> = children
                    .iter()
                    .filter_map(|id| places.get(id.as_str()?).copied())
                    .filter(|child| !std::mem::replace(&mut has_parent[*child], true))
                    .collect();
                // A part of a field has the id of the field.
                let named_by = node["hostNode"].as_i64().or(backend_node);
                let bid = named_by.and_then(|backend_node| bid_of(frame, backend_node));
                tree.nodes.push(node_from_cdp(node, bid, children));
            }
        }
        for (frame, FrameNodes { nodes, owner }) in frames.iter().enumerate() {
            let root = starts[frame];
            if let Some(owner) = owner
                && !nodes.is_empty()
                && let Some(&element) = elements.get(owner)
            {
                tree.nodes[element].children.push(root);
            }
        }
        tree
    }
}

fn node_from_cdp(node: &Value, bid: Option<String>, children: Vec<usize>) -> Node {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let properties = node["properties"].as_array().map(Vec::as_slice).unwrap_or_default();
    Node {
        bid,
        role: text(&node["role"]["value"]),
        name: node.get("name").map(|name| text(&name["value"])),
        value: node.get("value").and_then(|value| value.get("value")).cloned(),
        properties: properties
            .iter()
            .filter_map(|property| {
                Some((property["name"].as_str()?.to_owned(), property["value"].get("value")?.clone()))
            })
            .collect(),
        children,
    }
}

/// A node that waits to be written.
struct Waiting {
    node: usize,
    depth: usize,
    /// The name of the direct parent, written or not.
    parent: Option<usize>,
    parent_is_filtered: bool,
}

/// The tree as text, as BrowserGym writes it. Lines are joined by `\n`, without one at the end.
///
/// `properties` serve the options that show or filter by them; an element that is not among them
/// passes every filter. Each node is written once, whatever the links between nodes are.
#[must_use]
pub fn flatten(tree: &Tree, options: &Options, properties: &Properties) -> String {
    let mut text = String::new();
    let mut characters = 0;
    let mut is_written = vec![false; tree.nodes.len()];
    let mut waiting = vec![Waiting { node: 0, depth: 0, parent: None, parent_is_filtered: false }];
    while let Some(Waiting { node: place, depth, parent, parent_is_filtered }) = waiting.pop() {
        let Some(node) = tree.nodes.get(place) else { continue };
        if std::mem::replace(&mut is_written[place], true) {
            continue;
        }
        let parent_name = parent.map_or("", |parent| shown_name(&tree.nodes[parent], options));
        let written = write_node(node, parent_name, parent_is_filtered, options, properties);
        if let Some(line) = &written.line {
            let length = depth + line.chars().count() + 1;
            if options.max_characters.is_some_and(|most| characters + length > most) {
                let left = is_written.iter().filter(|is_written| !**is_written).count() + 1;
                if !text.is_empty() {
                    text.push('\n');
                }
                // Writing to a `String` cannot fail.
                let _ = write!(text, "(truncated: {left} more nodes)");
                return text;
            }
            characters += length;
            if !text.is_empty() {
                text.push('\n');
            }
            text.extend(std::iter::repeat_n('\t', depth));
            text.push_str(line);
        }
        let depth = if written.line.is_some() { depth + 1 } else { depth };
        waiting.extend(node.children.iter().rev().map(|child| Waiting {
            node: *child,
            depth,
            parent: Some(place),
            parent_is_filtered: written.is_filtered,
        }));
    }
    text
}

/// The name as far as the text form knows it: none for ignored nodes and roles.
fn shown_name<'a>(node: &'a Node, options: &Options) -> &'a str {
    if options.ignored_roles.contains(&node.role) { "" } else { node.name.as_deref().unwrap_or("") }
}

struct Written {
    /// The line without its indent; `None` when the node is left out.
    line: Option<String>,
    /// Whether a filter on properties left it out, which concerns its direct children.
    is_filtered: bool,
}

fn write_node(
    node: &Node,
    parent_name: &str,
    parent_is_filtered: bool,
    options: &Options,
    properties: &Properties,
) -> Written {
    let left_out = |is_filtered| Written { line: None, is_filtered };
    let Some(name) = node.name.as_deref().filter(|_| !options.ignored_roles.contains(&node.role)) else {
        return left_out(false);
    };
    let own: Vec<String> =
        node.properties.iter().filter_map(|(name, value)| attribute(name, value, options)).collect();
    let mut is_left_out = options.skip_generic && node.role == "generic" && own.is_empty()
        || options.hide_all_children && parent_is_filtered;
    let mut is_filtered = false;
    let mut attributes = Vec::new();
    if node.role == "StaticText" {
        is_left_out |=
            parent_is_filtered || options.remove_redundant_static_text && parent_name.contains(name);
    } else {
        (is_filtered, attributes) = extra_attributes(node.bid.as_deref(), properties, options);
        is_left_out |= is_filtered;
    }
    if is_left_out {
        return left_out(is_filtered);
    }
    let mut line = String::new();
    if let Some(bid) = node.bid.as_deref().filter(|bid| shows_bid(bid, properties, options)) {
        let _ = write!(line, "[{bid}] ");
    }
    line.push_str(&node.role);
    if node.role != "generic" || !name.is_empty() {
        line.push(' ');
        line.push_str(&python_repr(python_strip(name)));
    }
    if let Some(value) = node.value.as_ref().filter(|value| !value.is_null()) {
        let _ = write!(line, " value={}", python_json(value));
    }
    attributes.extend(own);
    for attribute in &attributes {
        line.push_str(", ");
        line.push_str(attribute);
    }
    Written { line: Some(line), is_filtered }
}

fn attribute(name: &str, value: &Value, options: &Options) -> Option<String> {
    if options.ignored_properties.iter().any(|ignored| ignored == name) {
        return None;
    }
    if matches!(name, "required" | "focused" | "atomic") {
        return is_true(value).then(|| name.to_owned());
    }
    Some(format!("{name}={}", python_json(value)))
}

/// The truth of a JSON value in Python.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page() -> Vec<Value> {
        vec![
            json!({"nodeId": "1", "role": {"value": "RootWebArea"}, "name": {"value": " Page\u{a0}"}, "backendDOMNodeId": 1,
                "childIds": ["2", "9", "1", "3", "4"], "properties": [{"name": "focused", "value": {"value": true}}, {"name": "x"}]}),
            json!({"nodeId": "2", "role": {"value": "button"}, "name": {"value": "Send it"}, "backendDOMNodeId": 12,
                "childIds": ["5"], "value": {"value": 0.5}, "newField": [1]}),
            json!({"nodeId": "3", "ignored": true, "role": {"value": "none"}, "childIds": ["6"]}),
            json!({"nodeId": "4", "role": {"value": "Iframe"}, "name": {"value": ""}, "backendDOMNodeId": 40, "childIds": []}),
            json!({"nodeId": "5", "role": {"value": "StaticText"}, "name": {"value": "Send"}, "childIds": ["1"]}),
            json!({"nodeId": "6", "role": {"value": "generic"}, "name": {"value": ""}, "childIds": ["7"]}),
            json!({"nodeId": "7", "role": {"value": "StaticText"}, "name": {"value": "it's\n"}}),
        ]
    }

    fn bid(backend_node: i64) -> Option<String> {
        (backend_node > 10).then(|| backend_node.to_string())
    }

    #[test]
    fn a_tree_is_written_as_browsergym_writes_it() {
        let tree = Tree::from_cdp(&page(), bid);
        let text = flatten(&tree, &Options::default(), &Properties::new());
        assert_eq!(
            text,
            "RootWebArea 'Page', focused\n\t[12] button 'Send it' value=0.5\n\tStaticText \"it's\"\n\t[40] Iframe ''"
        );
    }

    #[test]
    fn frames_hang_below_their_elements() {
        let (outer, inner) = (page(), page());
        let lost = [json!({"nodeId": "1", "role": {"value": "RootWebArea"}, "name": {"value": "lost"}})];
        let frames = [
            FrameNodes { nodes: &outer, owner: None },
            FrameNodes { nodes: &inner, owner: Some((0, 40)) },
            FrameNodes { nodes: &lost, owner: Some((0, 77)) },
        ];
        let tree = Tree::from_frames(&frames, |frame, backend_node| {
            Some(format!("{}{backend_node}", if frame == 0 { "" } else { "a" }))
        });
        let text = flatten(&tree, &Options::default(), &Properties::new());
        assert!(
            text.contains("\n\t[40] Iframe ''\n\t\t[a1] RootWebArea 'Page', focused\n\t\t\t[a12] button"),
            "{text}"
        );
        assert!(!text.contains("lost"));
    }

    #[test]
    fn a_long_tree_says_how_much_is_missing() {
        let tree = Tree::from_cdp(&page(), bid);
        let options = Options { max_characters: Some(40), ..Options::default() };
        let text = flatten(&tree, &options, &Properties::new());
        assert_eq!(text, "RootWebArea 'Page', focused\n(truncated: 6 more nodes)");
    }

    #[test]
    fn odd_trees_are_written_without_end_or_panic() {
        assert_eq!(flatten(&Tree::default(), &Options::default(), &Properties::new()), "");
        let mut tree = Tree::from_cdp(&page(), bid);
        for node in &mut tree.nodes {
            node.children = vec![0, 3, 99];
        }
        let text = flatten(&tree, &Options::default(), &Properties::new());
        assert_eq!(text.lines().count(), 2);
        for odd in
            [json!(null), json!(3), json!({"role": 3, "name": null, "childIds": {}, "properties": [7]})]
        {
            let _ = flatten(&Tree::from_cdp(&[odd], bid), &Options::browsergym(), &Properties::new());
        }
        // As deep as a page can be: no recursion.
        let deep: Vec<Value> = (0..50_000)
            .map(|n| json!({"nodeId": n.to_string(), "role": {"value": "group"}, "name": {"value": ""}, "childIds": [(n + 1).to_string()]}))
            .collect();
        let text = flatten(&Tree::from_cdp(&deep, bid), &Options::default(), &Properties::new());
        assert!(text.ends_with("more nodes)") && text.chars().count() < 1_001_000);
    }
}
