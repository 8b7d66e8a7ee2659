//! A small reader of our own HTML: elements, text, links, names of controls.

/// One start tag with its attributes, or a piece of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Open { tag: String, attributes: Vec<(String, String)> },
    Close(String),
    Text(String),
}

const VOID: [&str; 4] = ["meta", "link", "input", "wbr"];

/// Splits a document into tags and text; panics on markup that templates should never make.
pub(super) fn pieces(html: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        if start > 0 {
            pieces.push(Piece::Text(decode(&rest[..start])));
        }
        rest = &rest[start..];
        let end = tag_end(rest);
        let tag = &rest[1..end];
        if let Some(name) = tag.strip_prefix('/') {
            pieces.push(Piece::Close(name.trim().to_owned()));
        } else if !tag.starts_with('!') {
            let piece = open(tag.trim_end_matches('/'));
            let closed = match &piece {
                Piece::Open { tag: name, .. } if tag.ends_with('/') => Some(Piece::Close(name.clone())),
                _ => None,
            };
            pieces.push(piece);
            pieces.extend(closed);
        }
        rest = &rest[end + 1..];
    }
    assert!(rest.trim().is_empty(), "text after the document: {rest}");
    pieces
}

/// The end of the tag that a text starts with; `>` within quotes does not count.
fn tag_end(text: &str) -> usize {
    let mut quoted = false;
    for (index, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '>' if !quoted => return index,
            '<' if index > 0 => assert!(quoted, "a tag in a tag: {}", &text[..text.len().min(120)]),
            _ => {}
        }
    }
    panic!("a tag without end: {}", &text[..text.len().min(120)]);
}

fn open(tag: &str) -> Piece {
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|letter: char| letter == '=' || letter.is_whitespace()).unwrap_or(rest.len());
        let key = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix("=\"") {
            let close = quoted.find('"').expect("a closing quote");
            value = decode(&quoted[..close]);
            rest = &quoted[close + 1..];
        } else {
            assert!(!rest.starts_with('='), "an attribute without quotes in <{tag}>");
        }
        attributes.push((key, value));
    }
    Piece::Open { tag: name.to_owned(), attributes }
}

fn decode(text: &str) -> String {
    // Most texts have nothing to decode, and there are very many of them.
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#x27;", "'")
        .replace("&#x2f;", "/")
        .replace("&amp;", "&")
}

/// Addresses of all links.
pub(super) fn links(html: &str) -> Vec<String> {
    let pieces = pieces(html);
    let link = |piece: &Piece| match piece {
        Piece::Open { tag, attributes } if tag == "a" => attribute(attributes, "href"),
        _ => None,
    };
    pieces.iter().filter_map(link).collect()
}

/// Where buttons that open a page lead to. What a form sends along is left out where it asks for
/// something, else there would be a page for every answer.
pub(super) fn opened(html: &str) -> Vec<String> {
    let mut opened = Vec::new();
    // The address and the hidden fields of the form that is open, and whether it asks for something.
    let mut form: Option<(String, Vec<String>, bool)> = None;
    for piece in pieces(html) {
        match (&piece, &mut form) {
            (Piece::Open { tag, attributes }, _) if tag == "form" => {
                let is_read = attribute(attributes, "method").as_deref() == Some("get");
                let address = attribute(attributes, "action").filter(|_| is_read);
                form = address.map(|address| (address, Vec::new(), false));
            }
            (Piece::Open { tag, attributes }, Some((_, hidden, asks)))
                if matches!(tag.as_str(), "input" | "select" | "button") =>
            {
                let Some(name) = attribute(attributes, "name") else { continue };
                if attribute(attributes, "type").as_deref() == Some("hidden") {
                    let value = attribute(attributes, "value").unwrap_or_default();
                    let value =
                        percent_encoding::utf8_percent_encode(&value, percent_encoding::NON_ALPHANUMERIC);
                    hidden.push(format!("{name}={value}"));
                } else {
                    *asks = true;
                }
            }
            (Piece::Close(tag), _) if tag == "form" => {
                opened.extend(form.take().map(|(address, hidden, asks)| {
                    if asks || hidden.is_empty() {
                        address
                    } else {
                        format!("{address}?{}", hidden.join("&"))
                    }
                }));
            }
            _ => {}
        }
    }
    opened
}

pub(super) fn attribute(attributes: &[(String, String)], name: &str) -> Option<String> {
    attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
}

/// All text that a person sees, values of text fields included, without what only a datalist holds.
pub(super) fn visible_text(html: &str) -> String {
    let mut text = String::new();
    let mut in_body = false;
    for piece in pieces(html) {
        match piece {
            Piece::Open { tag, .. } if tag == "body" => in_body = true,
            Piece::Open { tag, attributes }
                if tag == "input"
                    && matches!(
                        attribute(&attributes, "type").as_deref(),
                        Some("text" | "search" | "number")
                    ) =>
            {
                text.push_str(&attribute(&attributes, "value").unwrap_or_default());
                text.push('\n');
            }
            Piece::Text(own) if in_body => text.push_str(&own),
            _ => {}
        }
    }
    text
}

/// A control with its role and accessible name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Control {
    pub(super) role: String,
    pub(super) name: String,
}

/// All controls: links, buttons, text fields, check boxes.
pub(super) fn controls(html: &str) -> Vec<Control> {
    let pieces = pieces(html);
    let mut controls = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let Piece::Open { tag, attributes } = piece else { continue };
        let given = |name: &str| attribute(attributes, name);
        let kind = given("type");
        if given("hidden").is_some() {
            continue;
        }
        let role = match tag.as_str() {
            "a" => "link",
            "button" => "button",
            "input" if kind.as_deref() == Some("checkbox") => "checkbox",
            "input" if kind.as_deref() == Some("hidden") => continue,
            "input" if kind.as_deref() == Some("radio") => "radio",
            "input" if kind.as_deref() == Some("search") => "searchbox",
            "input" if kind.as_deref() == Some("number") => "spinbutton",
            "select" => "combobox",
            "summary" => "disclosure",
            "input" if given("list").is_some() => "combobox",
            "input" | "textarea" => "textbox",
            _ => continue,
        };
        let name = given("aria-label").unwrap_or_else(|| match tag.as_str() {
            "a" | "button" | "summary" => text_within(&pieces[index..]),
            _ => label(&pieces, &given("id").expect("a field has an id")),
        });
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        controls.push(Control { role: given("role").unwrap_or_else(|| role.to_owned()), name });
    }
    controls
}

fn label(pieces: &[Piece], id: &str) -> String {
    let is_label = |piece: &Piece| {
        matches!(piece, Piece::Open { tag, attributes }
            if tag == "label" && attribute(attributes, "for").as_deref() == Some(id))
    };
    let start = pieces.iter().position(is_label).unwrap_or_else(|| panic!("no label for {id}"));
    text_within(&pieces[start..])
}

/// The text up to the end of the element that the pieces start with.
fn text_within(pieces: &[Piece]) -> String {
    let mut depth = 0;
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Open { tag, .. } if !VOID.contains(&tag.as_str()) => depth += 1,
            Piece::Open { .. } => {}
            Piece::Close(_) => depth -= 1,
            Piece::Text(own) => {
                text.push_str(own);
                text.push(' ');
            }
        }
        if depth == 0 {
            break;
        }
    }
    text
}

/// Checks that elements are closed in the order they were opened and that ids are unique.
pub(super) fn check_structure(address: &str, html: &str) {
    let mut open_tags: Vec<String> = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    for piece in pieces(html) {
        match piece {
            Piece::Open { tag, attributes } => {
                for (key, value) in &attributes {
                    assert!(!key.starts_with("on") && key != "style", "{address}: inline {key} in <{tag}>");
                    if key == "id" {
                        assert!(ids.insert(value.clone()), "{address}: id {value} twice");
                    }
                }
                assert!(
                    tag != "script" || attribute(&attributes, "src").is_some(),
                    "{address}: inline script"
                );
                if !VOID.contains(&tag.as_str()) {
                    open_tags.push(tag);
                }
            }
            Piece::Close(tag) => assert_eq!(open_tags.pop(), Some(tag), "{address}: closing order"),
            Piece::Text(_) => {}
        }
    }
    assert!(open_tags.is_empty(), "{address}: not closed: {open_tags:?}");
}
