//! Text forms and element properties against recorded observations of BrowserGym 0.14.3.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside the test functions")]

#[path = "support/shared.rs"]
mod shared;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use discreet::observe::{
    FrameOffset, Mark, Options, Properties, Snapshot, Tree, flatten, flatten_dom, prune_dom,
};
use serde_json::Value;

/// The folders of the recorded pages that hold `file`; none (said on stderr) where they are not there.
fn pages(file: &str) -> Vec<PathBuf> {
    let Some(folder) = shared::data("browsergym/pages") else { return Vec::new() };
    let entries = std::fs::read_dir(folder).unwrap();
    let mut pages: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|page| page.join(file).exists()).collect();
    pages.sort();
    pages
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn recorded_properties(page: &Path) -> Properties {
    serde_json::from_value(json(&page.join("extra_properties.json"))).unwrap()
}

/// The options behind the recorded variants of both text forms.
fn variant(name: &str) -> Options {
    let mut options = Options::browsergym();
    match name {
        "default" => {}
        "with_visible" => options.with_visible = true,
        "with_clickable" => options.with_clickable = true,
        "with_visible_clickable" => (options.with_visible, options.with_clickable) = (true, true),
        "with_center_coords" => options.with_center_coords = true,
        "with_bbox" => options.with_bounding_box_coords = true,
        "with_bbox_dec2" => {
            (options.with_bounding_box_coords, options.with_center_coords) = (true, true);
            options.coord_decimals = 2;
        }
        "with_som" => options.with_som = true,
        "all" => {
            (options.with_visible, options.with_clickable, options.with_som) = (true, true, true);
            (options.with_bounding_box_coords, options.with_center_coords) = (true, true);
        }
        "no_skip_generic" => options.skip_generic = false,
        "visible_only" => options.filter_visible_only = true,
        "bid_only" => options.filter_with_bid_only = true,
        "som_only" => options.filter_som_only = true,
        "visible_only_hide_children" => {
            (options.filter_visible_only, options.hide_all_children) = (true, true);
        }
        "hide_bid_invisible" => options.hide_bid_if_invisible = true,
        "hide_all_bids" => options.hide_all_bids = true,
        "keep_redundant_text" => options.remove_redundant_static_text = false,
        "no_inline_boxes" => options.ignored_roles.push("InlineTextBox".to_owned()),
        "no_ignored_properties" => {
            options.ignored_properties.clear();
            options.ignored_roles.push("InlineTextBox".to_owned());
        }
        other => panic!("the variant {other} has no options"),
    }
    options
}

/// The tree of a recorded page. Its nodes carry their ids, some of them without a backend node, so
/// each gets the number of its place as one.
fn recorded_tree(page: &Path) -> Tree {
    let mut nodes = json(&page.join("axtree_object.json"))["nodes"].as_array().unwrap().clone();
    let bids: Vec<Option<String>> =
        nodes.iter().map(|node| node["browsergym_id"].as_str().map(str::to_owned)).collect();
    for (place, node) in nodes.iter_mut().enumerate() {
        node["backendDOMNodeId"] = place.into();
    }
    Tree::from_cdp(&nodes, |place| bids[usize::try_from(place).unwrap()].clone())
}

#[test]
fn the_accessibility_tree_is_written_byte_for_byte_as_recorded() {
    let mut compared = 0;
    for page in pages("axtree_object.json") {
        let tree = recorded_tree(&page);
        let properties = recorded_properties(&page);
        for entry in std::fs::read_dir(page.join("axtree")).unwrap() {
            let path = entry.unwrap().path();
            let options = variant(path.file_stem().unwrap().to_str().unwrap());
            let text = flatten(&tree, &options, &properties);
            assert!(text == std::fs::read_to_string(&path).unwrap(), "{} differs:\n{text}", path.display());
            compared += 1;
        }
    }
    println!("{compared} texts agree");
}

#[test]
fn a_tree_survives_being_stored() {
    for page in pages("axtree_object.json") {
        let tree = recorded_tree(&page);
        let stored: Tree = serde_json::from_str(&serde_json::to_string(&tree).unwrap()).unwrap();
        assert_eq!(stored, tree, "{}", page.display());
    }
}

/// The marks BrowserGym left in the recorded snapshot as attributes, by backend node id.
fn recorded_marks(snapshot: &Value) -> HashMap<i64, Mark> {
    let mut marks = HashMap::new();
    for document in snapshot["documents"].as_array().unwrap() {
        let text = |index: &Value| {
            index.as_u64().and_then(|index| snapshot["strings"][usize::try_from(index).unwrap()].as_str())
        };
        let nodes = &document["nodes"];
        for (place, attributes) in nodes["attributes"].as_array().unwrap().iter().enumerate() {
            let attributes: HashMap<&str, &str> = attributes
                .as_array()
                .unwrap()
                .chunks(2)
                .filter_map(|pair| Some((text(&pair[0])?, text(&pair[1])?)))
                .collect();
            let Some(bid) = attributes.get("bid").filter(|bid| !bid.is_empty()) else { continue };
            let mark = Mark {
                bid: (*bid).to_owned(),
                visibility: attributes["browsergym_visibility_ratio"].parse().unwrap(),
                set_of_marks: attributes["browsergym_set_of_marks"] == "1",
            };
            marks.insert(nodes["backendNodeId"][place].as_i64().unwrap(), mark);
        }
    }
    marks
}

#[test]
fn element_properties_are_computed_as_recorded() {
    let mut compared = 0;
    for page in pages("dom_object.json") {
        let answer = json(&page.join("dom_object.json"));
        let marks = recorded_marks(&answer);
        let snapshot = Snapshot::from_cdp(&answer).unwrap();
        let wanted = recorded_properties(&page);
        let mark_of = |backend_node| marks.get(&backend_node).cloned();
        let upstream = snapshot.properties((0.0, 0.0), FrameOffset::BrowserGym, mark_of);
        assert_eq!(upstream, wanted, "{}", page.display());
        // The exact placement differs inside frames only, by the width of their borders.
        let exact = snapshot.properties((0.0, 0.0), FrameOffset::Exact, mark_of);
        for (bid, element) in &exact {
            let is_in_frame = bid.starts_with(|first: char| first.is_alphabetic()) && bid.len() > 1;
            assert!(is_in_frame || *element == wanted[bid], "{} {bid}", page.display());
        }
        compared += wanted.len();
    }
    println!("properties of {compared} elements agree");
}

/// Why BrowserGym's DOM text of a page is damaged, if it is.
fn damage(snapshot: &Value) -> Option<&'static str> {
    let text = |index: &Value| {
        let index = usize::try_from(index.as_i64().unwrap()).ok();
        index.and_then(|index| snapshot["strings"][index].as_str()).unwrap_or_default().to_owned()
    };
    for document in snapshot["documents"].as_array().unwrap() {
        let nodes = &document["nodes"];
        let names: Vec<String> = nodes["nodeName"].as_array().unwrap().iter().map(text).collect();
        for (node, name) in names.iter().enumerate() {
            let values = nodes["attributes"][node].as_array().unwrap().iter().skip(1).step_by(2);
            if values.map(text).any(|value| value.contains('"')) {
                return Some("an attribute with a quote in it, which it does not escape");
            }
            if name.starts_with("::") {
                return Some("a pseudo-element, which it writes as a tag and reads as text");
            }
            let parent = usize::try_from(nodes["parentIndex"][node].as_i64().unwrap()).ok();
            if name == "TABLE" && parent.is_some_and(|parent| names[parent] == "P") {
                return Some("a table in a paragraph, which its parser takes out");
            }
        }
    }
    None
}

#[test]
fn the_dom_is_written_as_recorded_unless_the_record_is_damaged() {
    let mut compared = 0;
    for page in pages("dom_object.json") {
        let answer = json(&page.join("dom_object.json"));
        let marks = recorded_marks(&answer);
        let bid_of = |backend_node| marks.get(&backend_node).map(|mark| mark.bid.clone());
        let snapshot = Snapshot::from_cdp(&answer).unwrap();
        let properties = recorded_properties(&page);
        if let Some(damage) = damage(&answer) {
            println!("{}: not compared: {damage}", page.display());
            continue;
        }
        for entry in std::fs::read_dir(page.join("dom")).unwrap() {
            let path = entry.unwrap().path();
            let options = variant(path.file_stem().unwrap().to_str().unwrap());
            let text = flatten_dom(&snapshot, &options, &properties, bid_of);
            assert!(text == std::fs::read_to_string(&path).unwrap(), "{} differs:\n{text}", path.display());
            compared += 1;
        }
        let pruned = prune_dom(&snapshot, &Options::browsergym(), &properties, bid_of);
        let wanted = std::fs::read_to_string(page.join("dom_pruned.txt")).unwrap();
        assert!(pruned == wanted, "{} differs:\n{pruned}", page.display());
        compared += 1;
    }
    println!("{compared} texts agree");
}

#[test]
fn a_frames_content_starts_inside_its_border() {
    let Some(page) = pages("dom_object.json").into_iter().find(|page| page.ends_with("06_iframe_nested"))
    else {
        return;
    };
    let answer = json(&page.join("dom_object.json"));
    let marks = recorded_marks(&answer);
    let frame =
        marks.iter().find(|(_, mark)| mark.bid == "a").map(|(backend_node, _)| *backend_node).unwrap();
    let snapshot = Snapshot::from_cdp(&answer).unwrap();
    let [x, y, ..] = recorded_properties(&page)["a"].bbox.unwrap();
    assert_eq!(snapshot.content_origin(frame, (0.0, 0.0)), Some((x + 2.0, y + 2.0)));
    assert_eq!(snapshot.content_origin(-1, (0.0, 0.0)), None);
}
