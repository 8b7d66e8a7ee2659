//! Where elements can be seen, from a DOM snapshot: their boxes without what is scrolled out of sight.
//!
//! Unlike [`Properties`](super::Properties), which give a box as BrowserGym does, whole, and ask the page
//! how much of it shows, this needs nothing but the snapshot.

use std::collections::{BTreeMap, HashMap};

use super::properties::FrameOffset;
use super::snapshot::{Document, Snapshot};

/// Places among the computed styles that are asked for.
const OVERFLOW: [usize; 2] = [2, 3];
const POSITION: usize = 4;

impl Snapshot {
    /// The part of each element's box that no ancestor cuts off, in the viewport's coordinates, by id; elements
    /// of which nothing is left are not there. `origin` is as in [`Snapshot::properties`]. What lies outside
    /// the viewport, or behind something else, counts as seen.
    pub(super) fn seen_boxes<'a>(
        &self,
        origin: (f64, f64),
        bid_of: impl Fn(i64) -> Option<&'a str>,
    ) -> BTreeMap<String, [f64; 4]> {
        let mut all = BTreeMap::new();
        for (document, origin) in self.documents.iter().zip(self.origins(origin, FrameOffset::Exact)) {
            let Some((x, y)) = origin else { continue };
            let frames = Frames::of(self, document);
            for (node, backend_node) in document.nodes.backend_node_id.iter().enumerate() {
                let Some(bid) = bid_of(*backend_node) else { continue };
                if let Some([left, top, width, height]) = frames.seen(node) {
                    all.insert(bid.to_owned(), [left + x, top + y, width, height]);
                }
            }
        }
        all
    }
}

/// A document's boxes and what cuts them off.
struct Frames<'a> {
    snapshot: &'a Snapshot,
    document: &'a Document,
    boxes: HashMap<usize, [f64; 4]>,
    /// Rows of the layout table by node.
    rows: HashMap<usize, usize>,
}

impl<'a> Frames<'a> {
    fn of(snapshot: &'a Snapshot, document: &'a Document) -> Self {
        let rows = document.layout.node_index.iter().enumerate().map(|(row, node)| (*node, row)).collect();
        Self { snapshot, document, boxes: document.boxes(), rows }
    }

    fn style(&self, node: usize, which: usize) -> &'a str {
        let styles = self.rows.get(&node).and_then(|row| self.document.layout.styles.get(*row));
        let index = styles.and_then(|styles| styles.get(which)).copied();
        index.and_then(|index| self.snapshot.text(index)).unwrap_or_default()
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.document.nodes.parent_index.get(node).and_then(|parent| usize::try_from(*parent).ok())
    }

    /// What is left of a node's box.
    fn seen(&self, node: usize) -> Option<[f64; 4]> {
        let [x, y, width, height] = *self.boxes.get(&node)?;
        let (mut low, mut high) = ([x, y], [x + width, y + height]);
        let mut position = self.style(node, POSITION);
        let mut at = node;
        // A tree has no cycles, but this one came over a wire.
        for _ in 0..self.document.nodes.parent_index.len() {
            let Some(parent) = self.parent(at).filter(|_| position != "fixed") else { break };
            at = parent;
            let own = self.style(parent, POSITION);
            // What is placed by a further ancestor is not cut off by those in between.
            if position == "absolute" && matches!(own, "" | "static") {
                continue;
            }
            position = own;
            if self.is_viewport(parent) {
                continue;
            }
            let Some([x, y, width, height]) = self.boxes.get(&parent).copied() else { continue };
            for (axis, (from, to)) in [(x, x + width), (y, y + height)].into_iter().enumerate() {
                if matches!(self.style(parent, OVERFLOW[axis]), "auto" | "scroll" | "hidden" | "clip") {
                    low[axis] = low[axis].max(from);
                    high[axis] = high[axis].min(to);
                }
            }
        }
        let (width, height) = (high[0] - low[0], high[1] - low[1]);
        (width > 0.0 && height > 0.0).then_some([low[0], low[1], width, height])
    }

    /// Whether what it cuts off is the viewport's to cut off.
    fn is_viewport(&self, node: usize) -> bool {
        let name = self.document.nodes.node_name.get(node).and_then(|name| self.snapshot.text(*name));
        name.is_none_or(|name| name.eq_ignore_ascii_case("html") || name.eq_ignore_ascii_case("body"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn boxes_end_where_a_scrolled_list_does() {
        // html > body > list (scrolls) > a row above it, a row half in it, one below, what is fixed, and what
        // is placed by the body.
        let strings = ["visible", "auto", "static", "relative", "fixed", "absolute", "HTML", "BODY", "DIV"];
        let styles = |overflow: i64, position: i64| json!([-1, -1, overflow, overflow, position]);
        let answer = json!({
            "strings": strings,
            "documents": [{
                "scrollOffsetX": 0.0, "scrollOffsetY": 10.0,
                "nodes": {
                    "parentIndex": [-1, 0, 1, 2, 2, 2, 2, 2],
                    "nodeType": [1, 1, 1, 1, 1, 1, 1, 1],
                    "nodeName": [6, 7, 8, 8, 8, 8, 8, 8],
                    "backendNodeId": [1, 2, 3, 4, 5, 6, 7, 8],
                },
                "layout": {
                    "nodeIndex": [0, 1, 2, 3, 4, 5, 6, 7],
                    "bounds": [
                        [0, 0, 200, 50], [0, 0, 200, 50], [0, 100, 200, 100],
                        [0, 40, 200, 40], [0, 80, 200, 40], [0, 200, 200, 40], [0, 10, 50, 20], [0, 500, 50, 20],
                    ],
                    "clientRects": [[1], [1], [1], [1], [1], [1], [1], [1]],
                    "styles": [
                        styles(1, 2), styles(1, 3), styles(1, 2),
                        styles(0, 2), styles(0, 2), styles(0, 2), styles(0, 4), styles(0, 5),
                    ],
                },
            }],
        });
        let snapshot = Snapshot::from_cdp(&answer).unwrap();
        let names = ["html", "body", "list", "above", "half", "below", "fixed", "placed"];
        let found =
            snapshot.seen_boxes((0.0, 0.0), |node| names.get(usize::try_from(node).ok()? - 1).copied());
        let expected = BTreeMap::from([
            ("html", [0.0, -10.0, 200.0, 50.0]),
            ("body", [0.0, -10.0, 200.0, 50.0]),
            ("list", [0.0, 90.0, 200.0, 100.0]),
            ("half", [0.0, 90.0, 200.0, 20.0]),
            ("fixed", [0.0, 0.0, 50.0, 20.0]),
            ("placed", [0.0, 490.0, 50.0, 20.0]),
        ]);
        assert_eq!(found, expected.into_iter().map(|(name, sides)| (name.to_owned(), sides)).collect());
    }
}
