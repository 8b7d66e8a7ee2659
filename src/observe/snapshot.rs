//! The answer to CDP's `DOMSnapshot.captureSnapshot` (with `includeDOMRects`), as far as it is used.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use crate::error::{Explain, Fault};

/// A snapshot that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read the DOM snapshot: {0}")]
pub struct SnapshotError(String);

impl Explain for SnapshotError {
    fn fault(&self) -> Fault {
        Fault::Browser
    }

    fn hint(&self) -> Option<String> {
        Some(
            "another version of Chromium may answer in another form; `discreet doctor` shows which is used"
                .to_owned(),
        )
    }
}

/// A DOM snapshot of a page and the frames in its process.
#[derive(Debug, Clone, Deserialize)]
pub struct Snapshot {
    pub(super) documents: Vec<Document>,
    #[serde(default)]
    strings: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "browser"), expect(dead_code, reason = "some columns are read with a browser only"))]
pub(super) struct Document {
    #[serde(default)]
    frame_id: StringIndex,
    pub(super) nodes: NodeTable,
    pub(super) layout: LayoutTable,
    #[serde(default)]
    pub(super) text_boxes: TextBoxTable,
    #[serde(default)]
    pub(super) scroll_offset_x: f64,
    #[serde(default)]
    pub(super) scroll_offset_y: f64,
}

/// Columns of a table with a row per node, in document order; some are lists of rows and values.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "browser"), expect(dead_code, reason = "some columns are read with a browser only"))]
pub(super) struct NodeTable {
    /// Row of the parent, -1 for the document.
    #[serde(default)]
    pub(super) parent_index: Vec<i64>,
    /// As the DOM numbers them: 1 element, 3 text, 4 CDATA, …
    #[serde(default)]
    pub(super) node_type: Vec<i64>,
    #[serde(default)]
    pub(super) node_name: Vec<StringIndex>,
    #[serde(default)]
    pub(super) node_value: Vec<StringIndex>,
    #[serde(default)]
    pub(super) backend_node_id: Vec<i64>,
    /// Names and values in turn.
    #[serde(default)]
    pub(super) attributes: Vec<Vec<StringIndex>>,
    /// Text in text areas.
    #[serde(default)]
    pub(super) text_value: SparseStrings,
    /// Present values of inputs.
    #[serde(default)]
    pub(super) input_value: SparseStrings,
    /// Check boxes and radio buttons that are ticked.
    #[serde(default)]
    pub(super) input_checked: SparseFlags,
    #[serde(default)]
    shadow_root_type: SparseStrings,
    #[serde(default)]
    pub(super) content_document_index: SparseIntegers,
    /// What images show.
    #[serde(default, rename = "currentSourceURL")]
    pub(super) current_source_url: SparseStrings,
    #[serde(default)]
    pub(super) is_clickable: SparseFlags,
}

/// A place in the snapshot's list of strings; negative for none.
pub(super) type StringIndex = i64;

#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct SparseStrings {
    pub(super) index: Vec<usize>,
    pub(super) value: Vec<StringIndex>,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct SparseIntegers {
    pub(super) index: Vec<usize>,
    pub(super) value: Vec<usize>,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct SparseFlags {
    pub(super) index: Vec<usize>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "browser"), expect(dead_code, reason = "some columns are read with a browser only"))]
pub(super) struct LayoutTable {
    pub(super) node_index: Vec<usize>,
    pub(super) bounds: Vec<Vec<f64>>,
    #[serde(default)]
    pub(super) client_rects: Vec<Vec<f64>>,
    /// The computed styles that were asked for: `visibility`, `content-visibility`, `overflow-x`, `overflow-y`,
    /// `position`.
    #[serde(default)]
    pub(super) styles: Vec<Vec<StringIndex>>,
    /// What texts were made of white space and letters before lines were broken.
    #[serde(default)]
    pub(super) text: Vec<StringIndex>,
}

/// Lines of texts, in order of the layout table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "browser"), expect(dead_code, reason = "some columns are read with a browser only"))]
pub(super) struct TextBoxTable {
    #[serde(default)]
    pub(super) layout_index: Vec<usize>,
    #[serde(default)]
    pub(super) bounds: Vec<Vec<f64>>,
    /// Where a line starts in its text, in UTF-16 units.
    #[serde(default)]
    pub(super) start: Vec<i64>,
    #[serde(default)]
    pub(super) length: Vec<i64>,
}

impl Snapshot {
    /// Reads the answer to `DOMSnapshot.captureSnapshot`. Unknown fields are ignored.
    ///
    /// # Errors
    /// [`SnapshotError`] when a table that is needed is missing or of another form.
    pub fn from_cdp(answer: &Value) -> Result<Self, SnapshotError> {
        Self::deserialize(answer).map_err(|error| SnapshotError(error.to_string()))
    }

    /// A snapshot of nothing, for a page that could not be looked at.
    #[must_use]
    pub const fn empty() -> Self {
        Self { documents: Vec::new(), strings: Vec::new() }
    }

    /// The place of the document that a frame shows, if it is in this process.
    #[must_use]
    pub fn document_of(&self, frame: &str) -> Option<usize> {
        self.documents.iter().position(|document| self.text(document.frame_id) == Some(frame))
    }

    /// The document that holds this element, by its place.
    #[must_use]
    pub fn document_with(&self, backend_node: i64) -> Option<usize> {
        self.documents.iter().position(|document| document.nodes.backend_node_id.contains(&backend_node))
    }

    /// The element that embeds a document: the place of its own document, and its backend node id.
    #[must_use]
    pub fn owner_of(&self, document: usize) -> Option<(usize, i64)> {
        self.documents.iter().enumerate().find_map(|(place, outer)| {
            let embedded = &outer.nodes.content_document_index;
            let (node, _) =
                embedded.index.iter().zip(&embedded.value).find(|(_, content)| **content == document)?;
            Some((place, *outer.nodes.backend_node_id.get(*node)?))
        })
    }

    /// The elements of a document in document order, open shadow roots inserted after their host:
    /// backend node id and tag. What is inside a closed root or a template is left out, as page
    /// scripts cannot see it either.
    #[must_use]
    pub fn elements(&self, document: usize) -> Vec<(i64, &str)> {
        let Some(document) = self.documents.get(document) else { return Vec::new() };
        let nodes = &document.nodes;
        let is_open = self.open_rows(document);
        let mut elements = Vec::new();
        for (node, kind) in nodes.node_type.iter().enumerate() {
            let name = nodes.node_name.get(node).and_then(|name| self.text(*name)).unwrap_or_default();
            // A pseudo-element counts as an element in the snapshot only.
            if *kind == 1
                && is_open[node]
                && !name.starts_with("::")
                && let Some(id) = nodes.backend_node_id.get(node)
            {
                elements.push((*id, name));
            }
        }
        elements
    }

    /// Which rows of a document page scripts can see: not what is inside a closed root or a template.
    pub(super) fn open_rows(&self, document: &Document) -> Vec<bool> {
        let nodes = &document.nodes;
        // Every node of a shadow tree carries the kind of its root.
        let kinds: HashMap<usize, &str> = nodes
            .shadow_root_type
            .index
            .iter()
            .zip(&nodes.shadow_root_type.value)
            .filter_map(|(node, kind)| Some((*node, self.text(*kind)?)))
            .collect();
        let mut is_open = vec![true; nodes.node_type.len()];
        for (node, kind) in nodes.node_type.iter().enumerate() {
            let parent = nodes.parent_index.get(node).and_then(|parent| usize::try_from(*parent).ok());
            let parent_is_open = parent.is_none_or(|parent| is_open.get(parent).copied().unwrap_or(true));
            let is_closed = kinds.get(&node).is_some_and(|kind| *kind != "open");
            // A fragment outside of a shadow tree is the content of a template.
            let is_template = *kind == 11 && !kinds.contains_key(&node);
            is_open[node] = parent_is_open && !is_closed && !is_template;
        }
        is_open
    }

    /// The string at `index`, if there is one.
    pub(super) fn text(&self, index: StringIndex) -> Option<&str> {
        usize::try_from(index).ok().and_then(|index| self.strings.get(index)).map(String::as_str)
    }
}
