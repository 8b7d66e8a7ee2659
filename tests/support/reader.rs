//! Reads the workspace's own pages without a browser: HTML to an accessibility tree, and forms.
//!
//! Knows the HTML that the workspace's templates write and no more. It stands in for Chromium where
//! a test is about agents and pages and a browser would only make it slow; what Chromium makes of
//! the same pages is tested with Chromium.

use std::collections::HashMap;

use discreet::observe::{Node, Tree};
use serde_json::Value;

/// A page that was read, with what was typed into it since.
#[derive(Debug, Default)]
pub(crate) struct Document {
    elements: Vec<Element>,
    typed: HashMap<usize, String>,
    ticked: HashMap<usize, bool>,
}

#[derive(Debug, Default)]
struct Element {
    /// Empty for text.
    tag: String,
    attributes: HashMap<String, String>,
    text: String,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// What a click comes to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The page stays.
    Stays,
    /// Another page is opened.
    Opens(String),
    /// A form is sent.
    Sends(String, Vec<(String, String)>),
}

const VOID: [&str; 6] = ["meta", "link", "input", "br", "hr", "img"];

impl Document {
    /// Reads a page.
    pub(crate) fn read(html: &str) -> Self {
        let mut document = Self::default();
        let mut open: Vec<usize> = Vec::new();
        let mut rest = html;
        while let Some(at) = rest.find('<') {
            document.push_text(&rest[..at], &open);
            rest = &rest[at..];
            let end = rest.find('>').expect("a tag ends");
            let (tag, after) = (&rest[1..end], &rest[end + 1..]);
            rest = after;
            if tag.starts_with('!') {
                continue;
            }
            if tag.starts_with('/') {
                open.pop();
                continue;
            }
            let (name, attributes) = parse_tag(tag);
            if matches!(name.as_str(), "svg" | "script" | "datalist") {
                let closing = format!("</{name}>");
                let at = rest.find(&closing).expect("it is closed");
                rest = &rest[at + closing.len()..];
                continue;
            }
            let is_void = VOID.contains(&name.as_str());
            let is_area = name == "textarea";
            let index = document.push(Element { tag: name, attributes, ..Element::default() }, &open);
            if is_area {
                let at = rest.find("</textarea>").expect("it is closed");
                let text = decode(&rest[..at]);
                text.strip_prefix('\n').unwrap_or(&text).clone_into(&mut document.elements[index].text);
                rest = &rest[at + "</textarea>".len()..];
            } else if !is_void {
                open.push(index);
            }
        }
        document
    }

    fn push(&mut self, mut element: Element, open: &[usize]) -> usize {
        let index = self.elements.len();
        element.parent = open.last().copied();
        if let Some(parent) = element.parent {
            self.elements[parent].children.push(index);
        }
        self.elements.push(element);
        index
    }

    fn push_text(&mut self, text: &str, open: &[usize]) {
        if !text.trim().is_empty() {
            self.push(Element { text: decode(text), ..Element::default() }, open);
        }
    }

    /// The accessibility tree, with what was typed.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::default();
        tree.nodes.push(Node {
            bid: None,
            role: "RootWebArea".to_owned(),
            name: Some(String::new()),
            value: None,
            properties: Vec::new(),
            children: Vec::new(),
        });
        if !self.elements.is_empty() {
            self.grow(0, 0, &mut tree);
        }
        tree
    }

    fn grow(&self, index: usize, parent: usize, tree: &mut Tree) {
        let element = &self.elements[index];
        let hidden = element.attributes.get("aria-hidden").is_some_and(|hidden| hidden == "true");
        if hidden
            || element.tag == "head"
            || element.attributes.get("type").is_some_and(|kind| kind == "hidden")
        {
            return;
        }
        let add = |tree: &mut Tree, node: Node, below: usize| {
            let index = tree.nodes.len();
            tree.nodes[below].children.push(index);
            tree.nodes.push(node);
            index
        };
        let text = |text: String| Node {
            bid: None,
            role: "StaticText".to_owned(),
            name: Some(text),
            value: None,
            properties: Vec::new(),
            children: Vec::new(),
        };
        if element.tag.is_empty() {
            add(tree, text(folded(&element.text)), parent);
            return;
        }
        let role = self.role(index);
        let is_field = matches!(role, "textbox" | "combobox");
        let node = Node {
            bid: Some(index.to_string()),
            role: role.to_owned(),
            name: Some(self.name(index, role)),
            value: is_field.then(|| Value::from(self.value(index))),
            properties: if role == "checkbox" {
                vec![(
                    "checked".to_owned(),
                    Value::from(if self.is_ticked(index) { "true" } else { "false" }),
                )]
            } else {
                Vec::new()
            },
            children: Vec::new(),
        };
        let own = add(tree, node, parent);
        if is_field && !self.value(index).is_empty() {
            add(tree, text(self.value(index).to_owned()), own);
        }
        for &child in &element.children {
            if element.tag != "details" || self.elements[child].tag == "summary" || self.is_open(index) {
                self.grow(child, own, tree);
            }
        }
    }

    /// Whether what is folded up shows.
    fn is_open(&self, index: usize) -> bool {
        let open = self.elements[index].attributes.contains_key("open");
        self.ticked.get(&index).copied().unwrap_or(open)
    }

    fn attribute(&self, index: usize, name: &str) -> Option<&str> {
        self.elements[index].attributes.get(name).map(String::as_str)
    }

    fn role(&self, index: usize) -> &str {
        let element = &self.elements[index];
        if let Some(role) = self.attribute(index, "role") {
            return role;
        }
        match element.tag.as_str() {
            "a" => "link",
            "input" if self.attribute(index, "type") == Some("checkbox") => "checkbox",
            "input" if element.attributes.contains_key("list") => "combobox",
            "input" | "textarea" => "textbox",
            "summary" => "DisclosureTriangle",
            "h1" | "h2" | "h3" => "heading",
            "ul" | "ol" => "list",
            "li" => "listitem",
            "nav" => "navigation",
            "section" if element.attributes.contains_key("aria-labelledby") => "region",
            "button" | "main" | "article" | "form" | "time" | "table" => element.tag.as_str(),
            _ => "generic",
        }
    }

    fn name(&self, index: usize, role: &str) -> String {
        if let Some(label) = self.attribute(index, "aria-label") {
            return folded(label);
        }
        let by_id =
            |id: &str| (0..self.elements.len()).find(|&other| self.attribute(other, "id") == Some(id));
        if let Some(label) = self.attribute(index, "aria-labelledby").and_then(by_id) {
            return folded(&self.content(label));
        }
        if matches!(role, "textbox" | "combobox") || self.elements[index].tag == "input" {
            let label = (0..self.elements.len()).find(|&other| {
                self.elements[other].tag == "label"
                    && self.attribute(index, "id").is_some_and(|id| self.attribute(other, "for") == Some(id))
            });
            return label.map(|label| folded(&self.content(label))).unwrap_or_default();
        }
        if matches!(role, "link" | "button" | "heading" | "checkbox" | "DisclosureTriangle") {
            return folded(&self.content(index));
        }
        String::new()
    }

    fn content(&self, index: usize) -> String {
        let element = &self.elements[index];
        if element.tag.is_empty() {
            return element.text.clone();
        }
        element.children.iter().map(|&child| self.content(child)).collect::<Vec<_>>().join(" ")
    }

    fn value(&self, index: usize) -> &str {
        match self.typed.get(&index) {
            Some(typed) => typed,
            None if self.elements[index].tag == "textarea" => &self.elements[index].text,
            None => self.attribute(index, "value").unwrap_or_default(),
        }
    }

    fn is_ticked(&self, index: usize) -> bool {
        let said = self.attribute(index, "aria-checked") == Some("true");
        let ticked = said || self.elements[index].attributes.contains_key("checked");
        self.ticked.get(&index).copied().unwrap_or(ticked)
    }

    fn find(&self, bid: &str) -> Result<usize, String> {
        let index = bid.parse().ok().filter(|&index: &usize| index < self.elements.len());
        index.ok_or_else(|| format!("ValueError: there is no element {bid}"))
    }

    /// Types into a field.
    pub(crate) fn fill(&mut self, bid: &str, value: &str) -> Result<(), String> {
        let index = self.find(bid)?;
        if !matches!(self.role(index), "textbox" | "combobox") {
            return Err(format!("ValueError: element {bid} is no field"));
        }
        self.typed.insert(index, value.to_owned());
        Ok(())
    }

    /// Clicks.
    pub(crate) fn click(&mut self, bid: &str) -> Result<Effect, String> {
        let index = self.find(bid)?;
        if let Some(address) = self.attribute(index, "href") {
            return Ok(Effect::Opens(address.to_owned()));
        }
        if self.elements[index].tag == "input" && self.role(index) == "checkbox" {
            let now = !self.is_ticked(index);
            self.ticked.insert(index, now);
            return Ok(Effect::Stays);
        }
        if self.elements[index].tag == "summary"
            && let Some(details) = self.elements[index].parent
        {
            let now = !self.is_open(details);
            self.ticked.insert(details, now);
        }
        if self.elements[index].tag != "button" {
            return Ok(Effect::Stays);
        }
        let form = std::iter::successors(Some(index), |&below| self.elements[below].parent)
            .find(|&above| self.elements[above].tag == "form")
            .ok_or("a button outside of a form")?;
        let address = self.attribute(form, "action").unwrap_or_default().to_owned();
        let mut fields = Vec::new();
        self.collect(form, index, &mut fields);
        // A form that only opens a page; those that the agents press have no fields.
        if self.attribute(form, "method") == Some("get") && fields.is_empty() {
            return Ok(Effect::Opens(address));
        }
        Ok(Effect::Sends(address, fields))
    }

    fn collect(&self, index: usize, button: usize, fields: &mut Vec<(String, String)>) {
        let element = &self.elements[index];
        if let Some(name) = self.attribute(index, "name") {
            let is_box = matches!(self.attribute(index, "type"), Some("checkbox" | "radio"));
            let is_sent = match element.tag.as_str() {
                "button" => index == button,
                "input" => !is_box || self.is_ticked(index),
                _ => true,
            };
            if is_sent {
                // Browsers send line ends as CR LF.
                fields.push((name.to_owned(), self.value(index).replace('\n', "\r\n")));
            }
        }
        for &child in &element.children {
            self.collect(child, button, fields);
        }
    }
}

fn parse_tag(tag: &str) -> (String, HashMap<String, String>) {
    let mut rest = tag.trim().trim_end_matches('/');
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let name = rest[..end].to_lowercase();
    rest = rest[end..].trim_start();
    let mut attributes = HashMap::new();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter == '=' || letter.is_whitespace()).unwrap_or(rest.len());
        let key = rest[..end].to_owned();
        rest = rest[end..].trim_start();
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix("=\"") {
            let end = after.find('"').expect("a value ends");
            value = decode(&after[..end]);
            rest = after[end + 1..].trim_start();
        }
        attributes.insert(key, value);
    }
    (name, attributes)
}

fn decode(text: &str) -> String {
    let mut decoded = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        let end = rest[at..].find(';').map(|end| at + end).expect("an entity ends");
        let entity = &rest[at + 1..end];
        decoded.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            _ => {
                let number = entity.strip_prefix("#x").map(|digits| u32::from_str_radix(digits, 16));
                let number =
                    number.or_else(|| entity.strip_prefix('#').map(str::parse)).expect("a known entity");
                number.ok().and_then(char::from_u32).expect("a character")
            }
        });
        rest = &rest[end + 1..];
    }
    decoded + rest
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
