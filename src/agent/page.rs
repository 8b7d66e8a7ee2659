//! A page as an agent without a model reads it: controls by role and name, texts in reading order.

use serde_json::Value;

use super::labels::{APP_LINKS, HOME_LINK, HUB_LINK, Labels, POPUP_BUTTONS};
use crate::observe::{Node, Observation, Tree};

/// Kinds of controls, whatever exact role Chromium gives them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something to follow.
    Link,
    /// Something to press.
    Button,
    /// Something to write into.
    Field,
    /// Something to tick.
    Checkbox,
    /// Something that shows or hides what is below it.
    Disclosure,
}

impl Kind {
    const fn roles(self) -> &'static [&'static str] {
        match self {
            Self::Link => &["link", "tab", "menuitem"],
            Self::Button => &["button"],
            Self::Field => &["textbox", "searchbox", "combobox", "Date", "InputTime", "DateTime"],
            Self::Checkbox => &["checkbox", "switch"],
            Self::Disclosure => &["DisclosureTriangle", "DisclosureTriangleGrouped"],
        }
    }

    /// Whether a role is of this kind.
    pub(super) fn has(self, role: &str) -> bool {
        self.roles().contains(&role)
    }
}

/// An element with an id.
#[derive(Debug, Clone, Copy)]
pub(super) struct Control<'a> {
    /// Its place in the tree.
    pub(super) index: usize,
    /// The id for actions.
    pub(super) bid: &'a str,
    /// Its name as the tree has it.
    pub(super) name: &'a str,
    node: &'a Node,
}

impl Control<'_> {
    /// Whether it is ticked.
    pub(super) fn is_checked(&self) -> bool {
        let ticked = |value: &Value| *value == Value::Bool(true) || value == "true";
        self.node.properties.iter().any(|(name, value)| name == "checked" && ticked(value))
    }

    /// The text in a field.
    pub(super) fn value(&self) -> &str {
        self.node.value.as_ref().and_then(Value::as_str).unwrap_or_default()
    }
}

/// One observation, prepared for looking things up.
#[derive(Debug)]
pub(super) struct Page<'a> {
    /// The observation it comes from.
    pub(super) observation: &'a Observation,
    /// The words of the page's language.
    pub(super) labels: Labels,
    tree: &'a Tree,
    /// Nodes in reading order, each once, and only those that hang on the root.
    order: Vec<usize>,
    parents: Vec<Option<usize>>,
    /// For each place in `order`: the place after its subtree.
    ends: Vec<usize>,
    places: Vec<usize>,
}

impl<'a> Page<'a> {
    /// Prepares an observation; `None` when it has no tree. Any tree is taken, also one whose child
    /// lists are wrong: what is out of range or was seen before is left out.
    pub(super) fn new(observation: &'a Observation) -> Option<Self> {
        let tree = observation.tree.as_ref()?;
        let count = tree.nodes.len();
        let mut page = Self {
            observation,
            labels: Labels::detect(|_| false),
            tree,
            order: Vec::with_capacity(count),
            parents: vec![None; count],
            ends: vec![0; count],
            places: vec![usize::MAX; count],
        };
        page.walk();
        page.labels = Labels::detect(|name| {
            page.control(Kind::Link, name).or_else(|| page.control(Kind::Button, name)).is_some()
        });
        Some(page)
    }

    fn walk(&mut self) {
        let tree = self.tree;
        let mut seen = vec![false; tree.nodes.len()];
        // A node is entered, then left after its subtree.
        let mut stack = Vec::new();
        if !tree.nodes.is_empty() {
            seen[0] = true;
            stack.push((0, false));
        }
        while let Some((index, leaving)) = stack.pop() {
            if leaving {
                self.ends[self.places[index]] = self.order.len();
                continue;
            }
            self.places[index] = self.order.len();
            self.order.push(index);
            stack.push((index, true));
            let first_child = stack.len();
            for &child in &tree.nodes[index].children {
                if child < seen.len() && !seen[child] {
                    seen[child] = true;
                    self.parents[child] = Some(index);
                    stack.push((child, false));
                }
            }
            stack[first_child..].reverse();
        }
    }

    /// All controls of a kind, in reading order.
    pub(super) fn controls(&self, kind: Kind) -> impl Iterator<Item = Control<'a>> {
        self.controls_in(kind, None)
    }

    /// The controls of a kind below a node, or on the whole page.
    pub(super) fn controls_in(&self, kind: Kind, below: Option<usize>) -> impl Iterator<Item = Control<'a>> {
        self.subtree(below).iter().filter_map(move |&index| {
            let node = &self.tree.nodes[index];
            let (bid, name) = (node.bid.as_deref()?, node.name.as_deref()?);
            kind.has(&node.role).then_some(Control { index, bid, name, node })
        })
    }

    /// The first control of that kind and exact name (white space does not count).
    pub(super) fn control(&self, kind: Kind, name: &str) -> Option<Control<'a>> {
        let wanted = fold(name);
        self.controls(kind).find(|control| fold(control.name) == wanted)
    }

    /// The first control of that kind whose name is the text of a key.
    pub(super) fn labelled(&self, kind: Kind, key: &str) -> Option<Control<'a>> {
        self.control(kind, &self.labels.plain(key))
    }

    /// The controls of that kind whose name is the text of a key with one placeholder, each with
    /// what stands in the placeholder.
    pub(super) fn patterned(&self, kind: Kind, key: &str, placeholder: &str) -> Vec<(Control<'a>, &'a str)> {
        let (before, after) = self.labels.around(key, placeholder);
        let inner = |name: &'a str| name.strip_prefix(before.as_str())?.strip_suffix(after.as_str());
        self.controls(kind).filter_map(|control| Some((control, inner(control.name)?))).collect()
    }

    /// The link that opens an app: in the rail, where its name may go on after a comma (unread
    /// messages), or the home page's tile.
    pub(super) fn app_link(&self, key: &str) -> Option<Control<'a>> {
        let name = fold(&self.labels.plain(key));
        let tile = format!("{name} {}", fold(&self.labels.plain(&key.replace("nav.", "home."))));
        let counted = |link: &str| link.strip_prefix(&name).is_some_and(|rest| rest.starts_with([',', '，']));
        let mut best = None;
        for link in self.controls(Kind::Link) {
            let folded = fold(link.name);
            if folded == name {
                return Some(link);
            }
            // On the home page the number of unread messages may follow.
            let is_tile =
                folded.strip_prefix(&tile).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
            if best.is_none() && (is_tile || counted(&folded)) {
                best = Some(link);
            }
        }
        best
    }

    /// The next link on the way to an app: its own, or the one back to the page that lists them all.
    pub(super) fn way_to_app(&self, key: &str) -> Option<Control<'a>> {
        self.app_link(key).or_else(|| self.labelled(Kind::Link, HUB_LINK))
    }

    /// The button that closes what stands in front of the page.
    pub(super) fn popup_button(&self) -> Option<Control<'a>> {
        POPUP_BUTTONS.iter().find_map(|key| self.labelled(Kind::Button, key))
    }

    /// Whether a link is one of the app rail, or leads back to the list of apps.
    pub(super) fn is_app_link(&self, link: &Control<'_>) -> bool {
        APP_LINKS
            .iter()
            .chain(&[HOME_LINK, HUB_LINK])
            .any(|key| self.app_link(key).is_some_and(|known| known.index == link.index))
    }

    /// The first part of the page that has the text of a key as its name and holds a link.
    pub(super) fn named(&self, key: &str) -> Option<usize> {
        let wanted = fold(&self.labels.plain(key));
        let is_it =
            |index: usize| self.tree.nodes[index].name.as_deref().is_some_and(|name| fold(name) == wanted);
        self.order.iter().copied().find(|&index| {
            is_it(index)
                && !self.is_control(index)
                && self.controls_in(Kind::Link, Some(index)).next().is_some()
        })
    }

    fn is_control(&self, index: usize) -> bool {
        let role = &self.tree.nodes[index].role;
        [Kind::Link, Kind::Button, Kind::Field, Kind::Checkbox, Kind::Disclosure]
            .into_iter()
            .any(|kind| kind.has(role))
    }

    /// A node's parents, the nearest first.
    pub(super) fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parents.get(index).copied().flatten(), |&index| self.parents[index])
    }

    /// Whether a node has that role.
    pub(super) fn has_role(&self, index: usize, role: &str) -> bool {
        self.tree.nodes.get(index).is_some_and(|node| node.role == role)
    }

    fn subtree(&self, below: Option<usize>) -> &[usize] {
        match below {
            None => &self.order,
            Some(index) => match self.places.get(index) {
                Some(&place) if place < self.order.len() => &self.order[place..self.ends[place]],
                _ => &[],
            },
        }
    }

    /// The texts below a node or on the whole page, in reading order; what stands in fields is not
    /// among them.
    pub(super) fn texts_in(&self, below: Option<usize>) -> Vec<&'a str> {
        let nodes = self.subtree(below);
        let mut texts = Vec::new();
        let mut place = 0;
        while let Some(&index) = nodes.get(place) {
            let node = &self.tree.nodes[index];
            if Kind::Field.has(&node.role) {
                // A field repeats its content as text below it.
                place += self.ends[self.places[index]] - self.places[index];
                continue;
            }
            if node.role == "StaticText"
                && let Some(name) = node.name.as_deref()
                && !name.trim().is_empty()
            {
                texts.push(name);
            }
            place += 1;
        }
        texts
    }

    /// How often a text stands on the page outside of fields; white space does not count.
    pub(super) fn count(&self, text: &str) -> usize {
        let wanted = fold(text);
        if wanted.is_empty() {
            return 0;
        }
        fold(&self.texts_in(None).join("\n")).matches(&wanted).count()
    }

    /// Everything that can be read on the page: texts, contents of fields, and names of elements
    /// that have no text of their own. Each with the heading it stands under, if there is one.
    pub(super) fn everything(&self) -> Vec<(Option<&'a str>, &'a str)> {
        let mut all = Vec::new();
        let mut heading = None;
        for (place, &index) in self.order.iter().enumerate() {
            let node = &self.tree.nodes[index];
            let has_text = self.order[place + 1..self.ends[place]].iter().any(|&below| {
                self.tree.nodes[below].role == "StaticText" && self.tree.nodes[below].name.is_some()
            });
            let name = node.name.as_deref().filter(|_| !has_text || Kind::Field.has(&node.role));
            let value = node.value.as_ref().and_then(Value::as_str);
            if node.role == "heading" {
                heading = node.name.as_deref();
            }
            let texts = [name, value].into_iter().flatten().filter(|text| !text.trim().is_empty());
            all.extend(texts.map(|text| (heading, text)));
        }
        all
    }

    /// The workspace's day, as `2026-05-19`: the first whole date that the page marks as a time.
    pub(super) fn date(&self) -> Option<String> {
        self.order.iter().filter(|&&index| self.has_role(index, "time")).find_map(|&index| {
            let text = self.texts_in(Some(index)).concat();
            self.read_date(&text)
        })
    }

    fn read_date(&self, text: &str) -> Option<String> {
        let numbers: Vec<u32> = text
            .split(|letter: char| !letter.is_ascii_digit())
            .filter(|run| !run.is_empty() && run.len() <= 4)
            .filter_map(|run| run.parse().ok())
            .collect();
        let year = *numbers.iter().find(|number| **number >= 1000)?;
        let small: Vec<u32> = numbers.into_iter().filter(|number| *number < 1000).collect();
        let named = (1..=12).find(|month| {
            let name = self.labels.plain(&format!("date.month.{month}"));
            name.chars().all(char::is_alphabetic) && text.contains(&name)
        });
        let (month, day) = match (named, small.as_slice()) {
            (Some(month), [day, ..]) => (month, *day),
            (None, [month, day, ..]) if text.trim_start().starts_with(&year.to_string()) => (*month, *day),
            (None, [day, month, ..]) => (*month, *day),
            _ => return None,
        };
        ((1..=12).contains(&month) && (1..=31).contains(&day))
            .then(|| format!("{year:04}-{month:02}-{day:02}"))
    }
}

/// White space runs as one space, none at the ends: browsers do the same to names.
pub(super) fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
