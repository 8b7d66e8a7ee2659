//! Element properties (box, clickable) from a DOM snapshot.
//!
//! A snapshot is the answer to CDP's `DOMSnapshot.captureSnapshot` with `includeDOMRects`. It knows
//! where boxes are and what listens to clicks; how visible an element is and whether it gets a mark
//! is measured in the page and comes in as a [`Mark`] per element.

use std::collections::{HashMap, HashSet};

use super::snapshot::{Document, LayoutTable, Snapshot};
use super::types::{ElementProperties, Properties};

/// What is known of an element from elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Its id.
    pub bid: String,
    /// See [`ElementProperties::visibility`].
    pub visibility: f64,
    /// See [`ElementProperties::set_of_marks`].
    pub set_of_marks: bool,
}

/// How boxes inside frames are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrameOffset {
    /// Where they are: a frame's content starts inside the element's border.
    #[default]
    Exact,
    /// As BrowserGym has it: at the element's outer corner, two pixels off by default.
    BrowserGym,
}

impl Snapshot {
    /// The properties of every element that has a mark.
    ///
    /// `origin` is where the snapshot's first document is in the viewport: zero for a page, the
    /// content's corner for a frame that lives in a process of its own (see
    /// [`Snapshot::content_origin`]). `mark_of` takes a backend node id. Of two elements with the
    /// same id the later one counts.
    pub fn properties(
        &self,
        origin: (f64, f64),
        offset: FrameOffset,
        mark_of: impl Fn(i64) -> Option<Mark>,
    ) -> Properties {
        let origins = self.origins(origin, offset);
        let mut properties = Properties::new();
        for (document, origin) in self.documents.iter().zip(&origins) {
            let Some((origin_x, origin_y)) = *origin else { continue };
            let boxes = document.boxes();
            let clickable: HashSet<usize> = document.nodes.is_clickable.index.iter().copied().collect();
            for (node, backend_node) in document.nodes.backend_node_id.iter().enumerate() {
                let Some(Mark { bid, visibility, set_of_marks }) = mark_of(*backend_node) else { continue };
                let bbox = boxes
                    .get(&node)
                    .map(|[x, y, width, height]| [x + origin_x, y + origin_y, *width, *height]);
                let clickable = clickable.contains(&node);
                properties.insert(bid, ElementProperties { visibility, bbox, clickable, set_of_marks });
            }
        }
        properties
    }

    /// Where the content of the frame embedded by the element with this backend node id starts in
    /// the viewport, given where the snapshot's first document does; `None` when it has no box here.
    #[must_use]
    pub fn content_origin(&self, backend_node: i64, origin: (f64, f64)) -> Option<(f64, f64)> {
        let origins = self.origins(origin, FrameOffset::Exact);
        self.documents.iter().zip(origins).find_map(|(document, origin)| {
            let node = document.nodes.backend_node_id.iter().position(|id| *id == backend_node)?;
            document.content_corner(node, origin?, FrameOffset::Exact)
        })
    }

    /// Where each document's scrolled origin is; `None` for documents that no element embeds.
    pub(super) fn origins(&self, first: (f64, f64), offset: FrameOffset) -> Vec<Option<(f64, f64)>> {
        let mut origins = vec![None; self.documents.len()];
        let mut waiting = vec![(0, first)];
        while let Some((place, (x, y))) = waiting.pop() {
            let Some(document) = self.documents.get(place) else { continue };
            if origins[place].is_some() {
                continue;
            }
            let origin = (x - document.scroll_offset_x, y - document.scroll_offset_y);
            origins[place] = Some(origin);
            let embedded = &document.nodes.content_document_index;
            for (node, content) in embedded.index.iter().zip(&embedded.value) {
                // A frame without a box is where BrowserGym puts it: at the corner.
                let corner = document.content_corner(*node, origin, offset).unwrap_or((0.0, 0.0));
                waiting.push((*content, corner));
            }
        }
        origins
    }
}

impl Document {
    /// Boxes by node, in the document's coordinates; a node without a client rectangle has none.
    pub(super) fn boxes(&self) -> HashMap<usize, [f64; 4]> {
        let LayoutTable { node_index, bounds, client_rects, .. } = &self.layout;
        node_index
            .iter()
            .zip(bounds)
            .zip(client_rects)
            .filter(|(_, client)| !client.is_empty())
            .filter_map(|((node, bounds), _)| Some((*node, <[f64; 4]>::try_from(bounds.as_slice()).ok()?)))
            .collect()
    }

    fn content_corner(&self, node: usize, origin: (f64, f64), offset: FrameOffset) -> Option<(f64, f64)> {
        let row = self.layout.node_index.iter().position(|index| *index == node)?;
        let [x, y, ..] = self.layout.bounds.get(row)?.as_slice() else { return None };
        // A client rectangle starts with the widths of the left and top borders.
        let (left, top) = match (offset, self.layout.client_rects.get(row).map(Vec::as_slice)) {
            (FrameOffset::Exact, Some([left, top, ..])) => (*left, *top),
            _ => (0.0, 0.0),
        };
        Some((origin.0 + x + left, origin.1 + y + top))
    }
}
