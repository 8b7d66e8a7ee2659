//! The answer to CDP's `DOMSnapshot.captureSnapshot` (with `includeDOMRects`), as far as it is used.

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
pub(super) struct Document {
    pub(super) nodes: NodeTable,
    pub(super) layout: LayoutTable,
    #[serde(default)]
    pub(super) scroll_offset_x: f64,
    #[serde(default)]
    pub(super) scroll_offset_y: f64,
}

/// Columns of a table with a row per node, in document order; some are lists of rows and values.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
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
    pub(super) content_document_index: SparseIntegers,
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
pub(super) struct LayoutTable {
    pub(super) node_index: Vec<usize>,
    pub(super) bounds: Vec<Vec<f64>>,
    #[serde(default)]
    pub(super) client_rects: Vec<Vec<f64>>,
}

impl Snapshot {
    /// Reads the answer to `DOMSnapshot.captureSnapshot`. Unknown fields are ignored.
    ///
    /// # Errors
    /// [`SnapshotError`] when a table that is needed is missing or of another form.
    pub fn from_cdp(answer: &Value) -> Result<Self, SnapshotError> {
        Self::deserialize(answer).map_err(|error| SnapshotError(error.to_string()))
    }

    /// The string at `index`, if there is one.
    pub(super) fn text(&self, index: StringIndex) -> Option<&str> {
        usize::try_from(index).ok().and_then(|index| self.strings.get(index)).map(String::as_str)
    }
}
