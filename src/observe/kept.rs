//! Elements that BrowserGym keeps in the accessibility tree and Chromium alone leaves out.
//!
//! BrowserGym writes an ARIA attribute into every element, and Chromium never leaves out an element
//! that has one: labels of controls with their text, row groups, presentational elements, pictures
//! with an empty text, spans in buttons. We do not write into the page, so this puts the same
//! elements back, from the document snapshot, with the role they would have. The rule is Chromium's
//! own: an ARIA attribute overrides every reason to leave an element out but that it is not rendered,
//! hidden, inert, or annotates ruby text.
//!
//! Not the same in every corner: elements slotted into a shadow root stay out, an element whose role
//! `none` is overridden has its text as its name at most, and items of a list of role `none` stay items.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::ids::is_marked;
use super::snapshot::{Document, Snapshot};

/// Reasons to ignore a node that an ARIA attribute overrides.
const OVERRIDDEN: &[&str] = &[
    "uninteresting",
    "labelFor",
    "labelContainer",
    "presentationalRole",
    "inheritsPresentation",
    "emptyAlt",
    "probablyPresentational",
];

/// Types of `input` that consist of parts.
const IN_PARTS: &[&str] = &["date", "time", "datetime-local", "month", "week"];

/// The nodes of a frame with the elements put back that BrowserGym keeps. A part of a date or time
/// field gets a member `hostNode`: the backend node id of the field, whose id it has.
pub(super) fn with_kept_elements(nodes: Vec<Value>, snapshot: &Snapshot, document: usize) -> Vec<Value> {
    let Some(page) = snapshot.documents.get(document) else { return nodes };
    let mut tree = Kept::new(nodes, snapshot, page);
    tree.unignore();
    tree.put_back();
    tree.name_parts();
    tree.nodes
}

struct Kept<'a> {
    nodes: Vec<Value>,
    snapshot: &'a Snapshot,
    document: &'a Document,
    /// The node's row in the snapshot, by place.
    rows: Vec<Option<usize>>,
    /// The place of a row's node.
    places: HashMap<usize, usize>,
    /// Row of the layout table, by row of the node table.
    layout: HashMap<usize, usize>,
    /// Rows that page scripts can see.
    is_open: Vec<bool>,
    /// Rows that are hidden from assistive technology with all that is in them, or cannot be used.
    is_hidden: Vec<bool>,
    /// Elements without a box in which something has one: `display: contents`.
    has_no_box_but_content: Vec<bool>,
    /// The label that a row is in and that was ignored because it names a control.
    in_label: Vec<bool>,
    added: usize,
}

impl<'a> Kept<'a> {
    fn new(nodes: Vec<Value>, snapshot: &'a Snapshot, document: &'a Document) -> Self {
        let table = &document.nodes;
        let by_id: HashMap<i64, usize> =
            table.backend_node_id.iter().enumerate().map(|(row, id)| (*id, row)).collect();
        let rows: Vec<Option<usize>> =
            nodes.iter().map(|node| by_id.get(&node.get("backendDOMNodeId")?.as_i64()?).copied()).collect();
        let mut places = HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            if let Some(row) = row {
                places.entry(*row).or_insert(place);
            }
        }
        let layout =
            document.layout.node_index.iter().enumerate().map(|(place, row)| (*row, place)).collect();
        let is_open = snapshot.open_rows(document);
        let mut tree = Self {
            is_hidden: vec![false; is_open.len()],
            in_label: vec![false; is_open.len()],
            has_no_box_but_content: vec![false; is_open.len()],
            nodes,
            snapshot,
            document,
            rows,
            places,
            layout,
            is_open,
            added: 0,
        };
        for row in 0..tree.is_hidden.len() {
            let is_hidden = tree.parent(row).is_some_and(|parent| {
                tree.is_hidden[parent] || tree.hides_content(parent) && tree.tag(row) != "summary"
            }) || tree.attribute(row, "inert").is_some()
                || tree.attribute(row, "aria-hidden").is_some_and(|value| value.eq_ignore_ascii_case("true"));
            tree.is_hidden[row] = is_hidden;
        }
        for row in (0..tree.is_hidden.len()).rev() {
            let shows = tree.layout.contains_key(&row) || tree.has_no_box_but_content[row];
            if let Some(parent) = tree.parent(row).filter(|_| shows) {
                tree.has_no_box_but_content[parent] = !tree.layout.contains_key(&parent);
            }
        }
        tree
    }

    fn parent(&self, row: usize) -> Option<usize> {
        // A parent stands before its children: anything else is no tree.
        usize::try_from(*self.document.nodes.parent_index.get(row)?).ok().filter(|parent| *parent < row)
    }

    fn kind(&self, row: usize) -> i64 {
        self.document.nodes.node_type.get(row).copied().unwrap_or(0)
    }

    fn tag(&self, row: usize) -> String {
        let name = self.document.nodes.node_name.get(row).and_then(|name| self.snapshot.text(*name));
        name.unwrap_or_default().to_ascii_lowercase()
    }

    fn attribute(&self, row: usize, wanted: &str) -> Option<&'a str> {
        let pairs = self.document.nodes.attributes.get(row)?;
        pairs.chunks_exact(2).find_map(|pair| {
            let is_wanted = self.snapshot.text(pair[0])?.eq_ignore_ascii_case(wanted);
            is_wanted.then(|| self.snapshot.text(pair[1]).unwrap_or_default())
        })
    }

    /// Whether what is in an element is not shown: its content is skipped, or it is a closed
    /// `details` element.
    fn hides_content(&self, row: usize) -> bool {
        let style = self.style(row, 1);
        style == Some("hidden") || self.tag(row) == "details" && self.attribute(row, "open").is_none()
    }

    /// A computed style of those that were asked for, by their order.
    fn style(&self, row: usize, which: usize) -> Option<&'a str> {
        let styles = self.document.layout.styles.get(*self.layout.get(&row)?)?;
        self.snapshot.text(*styles.get(which)?)
    }

    /// Whether a row has a box that is not `visibility: hidden`.
    fn is_rendered(&self, row: usize) -> bool {
        self.layout.contains_key(&row) && !matches!(self.style(row, 0), Some("hidden" | "collapse"))
    }

    /// Whether BrowserGym keeps this element: it has an id, is rendered and not hidden.
    fn is_kept(&self, row: usize, tag: &str) -> bool {
        self.kind(row) == 1
            && self.is_open.get(row).copied().unwrap_or(false)
            && !self.is_hidden[row]
            && is_marked(tag)
            && !matches!(
                tag,
                "html" | "head" | "rt" | "br" | "wbr" | "title" | "area" | "option" | "optgroup"
            )
            && (self.is_rendered(row) || self.has_no_box_but_content[row])
    }

    /// Turns ignored nodes of kept elements into nodes with a role and a name.
    fn unignore(&mut self) {
        for place in 0..self.nodes.len() {
            let node = &self.nodes[place];
            let Some(row) = self.rows[place] else { continue };
            if node["ignored"] != json!(true) {
                self.restore_cell(place, row);
                continue;
            }
            let reasons = node["ignoredReasons"].as_array().map(Vec::as_slice).unwrap_or_default();
            let is_overridden = reasons
                .iter()
                .all(|reason| reason["name"].as_str().is_some_and(|reason| OVERRIDDEN.contains(&reason)));
            if !is_overridden {
                // Inert or hidden in a way that attributes do not tell: so is what is in it.
                self.is_hidden[row] = true;
                continue;
            }
            let tag = self.tag(row);
            if !self.is_kept(row, &tag) {
                continue;
            }
            if tag == "label" && reasons.iter().any(|reason| reason["name"] == json!("labelFor")) {
                self.in_label[row] = true;
            }
            let kept = self.describe(row, &tag);
            let node = &mut self.nodes[place];
            for (key, value) in kept.as_object().into_iter().flatten() {
                node[key.as_str()] = value.clone();
            }
        }
        // What is in a node that stays ignored, and texts of labels.
        for row in 0..self.is_hidden.len() {
            let Some(parent) = self.parent(row) else { continue };
            let parent_is_seen = self.places.contains_key(&parent);
            self.is_hidden[row] |= self.is_hidden[parent] && !self.places.contains_key(&row);
            self.in_label[row] |= self.in_label[parent] && (parent_is_seen || self.kind(parent) == 1);
        }
        for place in 0..self.nodes.len() {
            let Some(row) = self.rows[place] else { continue };
            if self.kind(row) == 3 && self.in_label[row] && self.nodes[place]["ignored"] == json!(true) {
                self.fill_text(place, row);
            }
        }
    }

    /// Whether the page says that an element is for looks only.
    fn is_presentational(&self, row: usize) -> bool {
        let role = self.attribute(row, "role").and_then(|role| role.split_whitespace().next());
        role.is_some_and(|role| {
            role.eq_ignore_ascii_case("none") || role.eq_ignore_ascii_case("presentation")
        })
    }

    /// Makes a cell of a cell of a table that is for looks only: its table is one again.
    fn restore_cell(&mut self, place: usize, row: usize) {
        if self.nodes[place]["role"]["value"] != json!("generic") {
            return;
        }
        let tag = self.tag(row);
        if !matches!(tag.as_str(), "td" | "th" | "tr") || !self.is_kept(row, &tag) {
            return;
        }
        let Some(table) = self.table_around(row).filter(|table| self.is_presentational(*table)) else {
            return;
        };
        if self.places.contains_key(&table) {
            let described = self.describe(row, &tag);
            self.nodes[place]["role"] = described["role"].clone();
            self.nodes[place]["name"] = described["name"].clone();
        }
    }

    fn table_around(&self, row: usize) -> Option<usize> {
        let mut at = self.parent(row);
        while let Some(row) = at.filter(|row| self.tag(*row) != "table") {
            at = self.parent(row);
        }
        at
    }

    /// Members of the node of a kept element.
    fn describe(&self, row: usize, tag: &str) -> Value {
        let mut role = native_role(tag);
        let mut properties = Vec::new();
        if matches!(tag, "tbody" | "tr" | "td" | "th") && !self.is_in_data_table(row) {
            role = "generic";
        }
        if tag == "img" {
            let table = &self.document.nodes.current_source_url;
            let source = table.index.binary_search(&row).ok().and_then(|place| table.value.get(place));
            let source = source.and_then(|source| self.snapshot.text(*source)).filter(|url| !url.is_empty());
            if let Some(url) = source.or_else(|| self.attribute(row, "src")) {
                properties.push(json!({ "name": "url", "value": { "type": "string", "value": url } }));
            }
        }
        let is_named_by_content = matches!(role, "heading" | "cell" | "columnheader" | "rowheader" | "term");
        let name = if is_named_by_content { self.content(row) } else { String::new() };
        json!({
            "ignored": false,
            "role": { "type": "role", "value": role },
            "name": { "type": "computedString", "value": name },
            "properties": properties,
        })
    }

    /// Whether the table around a row is shown as one, not as a layout.
    fn is_in_data_table(&self, row: usize) -> bool {
        let place = self.table_around(row).and_then(|table| self.places.get(&table));
        let role = place.and_then(|place| self.nodes[*place]["role"]["value"].as_str());
        matches!(role, Some("table" | "grid" | "treegrid" | "none"))
    }

    /// The rendered text of an element.
    fn content(&self, row: usize) -> String {
        let mut text = String::new();
        let mut inside = row + 1;
        while self.parent(inside).is_some_and(|parent| parent >= row) {
            if self.kind(inside) == 3 {
                text.push_str(&self.rendered_text(inside).0);
            }
            inside += 1;
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text of a text node as it is drawn, whole and by line; empty where nothing is drawn.
    fn rendered_text(&self, row: usize) -> (String, Vec<String>) {
        let Some(layout) = self.layout.get(&row).copied() else { return Default::default() };
        let text = self.document.layout.text.get(layout).and_then(|text| self.snapshot.text(*text));
        let units: Vec<u16> = text.unwrap_or_default().encode_utf16().collect();
        let boxes = &self.document.text_boxes;
        let first = boxes.layout_index.partition_point(|index| *index < layout);
        let last = first + boxes.layout_index[first..].iter().take_while(|index| **index == layout).count();
        let mut spans: Vec<(usize, usize)> = Vec::new();
        let mut line = None;
        for place in first..last {
            let number = |table: &[i64]| table.get(place).and_then(|number| usize::try_from(*number).ok());
            let (Some(start), Some(length)) = (number(&boxes.start), number(&boxes.length)) else { continue };
            let end = start.saturating_add(length).min(units.len());
            let top = boxes.bounds.get(place).and_then(|bounds| bounds.get(1)).copied();
            match spans.last_mut() {
                // White space that is left out makes two boxes of one line.
                Some(span) if top.is_some() && top == line && start >= span.1 => span.1 = end.max(span.1),
                _ => spans.push((start.min(units.len()), end)),
            }
            line = top;
        }
        let slice = |(start, end): (usize, usize)| {
            collapse(&String::from_utf16_lossy(units.get(start..end).unwrap_or_default()))
        };
        let whole = spans.first().zip(spans.last()).map(|(first, last)| slice((first.0, last.1)));
        (whole.unwrap_or_default(), spans.into_iter().map(slice).collect())
    }

    /// Makes a node the static text of a text row, with a child per line.
    fn fill_text(&mut self, place: usize, row: usize) {
        let (name, lines) = self.rendered_text(row);
        if lines.is_empty() {
            return;
        }
        let mut children = Vec::new();
        for line in lines {
            let id = self.new_id();
            self.nodes.push(json!({
                "nodeId": id, "ignored": false, "role": { "value": "InlineTextBox" },
                "name": { "value": line }, "properties": [], "childIds": [],
            }));
            self.rows.push(None);
            children.push(json!(id));
        }
        let node = &mut self.nodes[place];
        node["ignored"] = json!(false);
        node["role"] = json!({ "type": "internalRole", "value": "StaticText" });
        node["name"] = json!({ "type": "computedString", "value": name });
        node["properties"] = json!([]);
        node["childIds"] = children.into();
    }

    fn new_id(&mut self) -> String {
        self.added += 1;
        format!("kept-{}", self.added)
    }

    /// Adds nodes for kept elements that have none, and for the texts of labels.
    fn put_back(&mut self) {
        let by_id = places_by_id(&self.nodes);
        // New nodes by the node that they go below, in document order.
        let mut missing: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for row in 0..self.is_open.len() {
            if self.places.contains_key(&row) {
                continue;
            }
            let is_wanted = match self.kind(row) {
                1 => self.is_kept(row, &self.tag(row)),
                3 => self.in_label[row] && self.is_rendered(row) && !self.rendered_text(row).1.is_empty(),
                _ => false,
            };
            let Some(around) = self.around(row).filter(|_| is_wanted) else { continue };
            missing.entry(around).or_default().push(row);
        }
        for (around, rows) in missing {
            self.put_back_below(around, &rows, &by_id);
        }
    }

    /// The existing node that a row is in; `None` where it is out of reach.
    fn around(&self, row: usize) -> Option<usize> {
        let mut at = self.parent(row);
        while let Some(row) = at {
            if let Some(place) = self.places.get(&row) {
                return Some(*place);
            }
            // What a shadow host holds is shown where its slots are.
            if self.is_hidden[row] || self.has_shadow_root(row) {
                return None;
            }
            at = self.parent(row);
        }
        None
    }

    fn has_shadow_root(&self, row: usize) -> bool {
        // Shadow roots stand right after their host.
        self.kind(row) == 1 && self.kind(row + 1) == 11 && self.parent(row + 1) == Some(row)
    }

    fn put_back_below(&mut self, around: usize, rows: &[usize], by_id: &HashMap<String, usize>) {
        let Some(top) = self.rows[around] else { return };
        let editable = self.nodes[around]["properties"].as_array().and_then(|properties| {
            properties.iter().find(|property| property["name"] == json!("editable")).cloned()
        });
        let first = self.nodes.len();
        let mut new: HashMap<usize, usize> = HashMap::new();
        for row in rows {
            let place = self.nodes.len();
            let id = self.new_id();
            let backend_node = self.document.nodes.backend_node_id.get(*row).copied();
            self.nodes.push(json!({ "nodeId": id, "backendDOMNodeId": backend_node, "childIds": [] }));
            self.rows.push(Some(*row));
            new.insert(*row, place);
        }
        // Rows are in document order, so a new node stands before those in it.
        for (row, place) in rows.iter().zip(first..) {
            if self.kind(*row) == 3 {
                self.fill_text(place, *row);
                continue;
            }
            let tag = self.tag(*row);
            let described = self.describe(*row, &tag);
            for (key, value) in described.as_object().into_iter().flatten() {
                self.nodes[place][key.as_str()] = value.clone();
            }
            if let Some(editable) = &editable
                && let Some(properties) = self.nodes[place]["properties"].as_array_mut()
            {
                properties.push(editable.clone());
            }
        }
        let old: Vec<Value> = match self.nodes[around]["childIds"].take() {
            Value::Array(children) => children,
            _ => Vec::new(),
        };
        let mut children: HashMap<usize, Vec<Value>> = HashMap::new();
        let mut placed = 0;
        let mut place_until = |tree: &Self, limit: usize, children: &mut HashMap<usize, Vec<Value>>| {
            while let Some(row) = rows.get(placed).filter(|row| **row < limit) {
                let holder = tree.holder(*row, top, &new).unwrap_or(around);
                children.entry(holder).or_default().push(tree.nodes[new[row]]["nodeId"].clone());
                placed += 1;
            }
        };
        for child in old {
            let row = child.as_str().and_then(|id| by_id.get(id)).and_then(|place| self.rows[*place]);
            let holder = match row {
                Some(row) => {
                    place_until(self, row, &mut children);
                    self.holder(row, top, &new).unwrap_or(around)
                }
                None => around,
            };
            children.entry(holder).or_default().push(child);
        }
        place_until(self, usize::MAX, &mut children);
        for (holder, mut ids) in children {
            if let Value::Array(own) = self.nodes[holder]["childIds"].take() {
                ids.splice(0..0, own);
            }
            self.nodes[holder]["childIds"] = ids.into();
        }
    }

    /// The new node that a row is in, below the row `top`.
    fn holder(&self, row: usize, top: usize, new: &HashMap<usize, usize>) -> Option<usize> {
        let mut at = self.parent(row);
        while let Some(row) = at.filter(|row| *row > top) {
            if let Some(place) = new.get(&row) {
                return Some(*place);
            }
            if self.places.contains_key(&row) {
                return None;
            }
            at = self.parent(row);
        }
        None
    }

    /// The place of each node's parent, by place.
    fn parents(&self) -> HashMap<usize, usize> {
        let by_id = places_by_id(&self.nodes);
        let mut parents = HashMap::new();
        for (place, node) in self.nodes.iter().enumerate() {
            for child in node["childIds"].as_array().into_iter().flatten() {
                if let Some(child) =
                    child.as_str().and_then(|id| by_id.get(id)).filter(|child| **child > place)
                {
                    parents.entry(*child).or_insert(place);
                }
            }
        }
        parents
    }

    /// Says of which field the parts of date and time fields are.
    fn name_parts(&mut self) {
        let parents = self.parents();
        for place in 0..self.nodes.len() {
            let role = self.nodes[place]["role"]["value"].as_str().unwrap_or_default();
            if !matches!(role, "spinbutton" | "button") {
                continue;
            }
            // The snapshot does not show what is inside of a field.
            if self.rows[place].is_some() {
                continue;
            }
            let mut at = parents.get(&place).copied();
            while let Some(outer) = at.filter(|outer| self.rows[*outer].is_none()) {
                at = parents.get(&outer).copied();
            }
            let Some(host) = at.and_then(|outer| self.rows[outer]).filter(|host| {
                let kind = self.attribute(*host, "type").unwrap_or_default().trim();
                self.tag(*host) == "input" && IN_PARTS.iter().any(|known| known.eq_ignore_ascii_case(kind))
            }) else {
                continue;
            };
            self.nodes[place]["hostNode"] = json!(self.document.nodes.backend_node_id.get(host));
        }
    }
}

fn places_by_id(nodes: &[Value]) -> HashMap<String, usize> {
    let place = |(place, node): (usize, &Value)| Some((node["nodeId"].as_str()?.to_owned(), place));
    nodes.iter().enumerate().filter_map(place).collect()
}

/// White space as it is drawn: one space for a run.
fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for character in text.chars() {
        let is_space = matches!(character, ' ' | '\n' | '\t' | '\r');
        if !is_space {
            collapsed.push(character);
        } else if !collapsed.ends_with(' ') {
            collapsed.push(' ');
        }
    }
    collapsed
}

/// The role that Chromium gives an element without a `role`.
fn native_role(tag: &str) -> &'static str {
    match tag {
        "abbr" => "Abbr",
        "address" | "details" | "fieldset" | "hgroup" => "group",
        "article" => "article",
        "aside" => "complementary",
        "blockquote" => "blockquote",
        "canvas" => "Canvas",
        "caption" => "caption",
        "code" => "code",
        "dd" => "definition",
        "del" | "s" => "deletion",
        "dfn" | "dt" => "term",
        "dialog" => "dialog",
        "dir" | "menu" | "ol" | "ul" => "list",
        "dl" => "DescriptionList",
        "em" => "emphasis",
        "figcaption" => "Figcaption",
        "figure" => "figure",
        "footer" => "contentinfo",
        "form" => "form",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
        "header" => "banner",
        "hr" => "separator",
        "img" | "svg" => "image",
        "ins" => "insertion",
        "label" => "LabelText",
        "legend" => "Legend",
        "li" => "listitem",
        "main" => "main",
        "mark" => "mark",
        "meter" => "meter",
        "nav" => "navigation",
        "output" => "status",
        "p" => "paragraph",
        "progress" => "progressbar",
        "ruby" => "Ruby",
        "search" => "search",
        "strong" => "strong",
        "sub" => "subscript",
        "sup" => "superscript",
        "table" => "table",
        "tbody" | "tfoot" | "thead" => "rowgroup",
        "td" => "cell",
        "th" => "columnheader",
        "time" => "time",
        "tr" => "row",
        _ => "generic",
    }
}
