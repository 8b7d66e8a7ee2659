//! What the text forms of a page show and leave out, shared by the accessibility tree and the DOM.

use super::types::{ElementProperties, Properties};

/// How a page is written as text. The names are those of BrowserGym's `flatten_axtree_to_str`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches with BrowserGym's names")]
pub struct Options {
    /// Adds `visible` to elements of which at least half is in view.
    pub with_visible: bool,
    /// Adds `clickable` to elements that listen to clicks.
    pub with_clickable: bool,
    /// Adds `center="(x,y)"`.
    pub with_center_coords: bool,
    /// Adds `box="(left,top,right,bottom)"`.
    pub with_bounding_box_coords: bool,
    /// Adds `som` to elements that have a mark.
    pub with_som: bool,
    /// Leaves out nodes of the role `generic` that have no attributes. Accessibility tree only.
    pub skip_generic: bool,
    /// Leaves out elements that are not visible.
    pub filter_visible_only: bool,
    /// Leaves out nodes that have no id.
    pub filter_with_bid_only: bool,
    /// Leaves out elements without a mark, and nodes that have no id.
    pub filter_som_only: bool,
    /// Places after the decimal point of coordinates.
    pub coord_decimals: usize,
    /// Roles that are left out; their children take their place. Accessibility tree only.
    pub ignored_roles: Vec<String>,
    /// Properties that are not shown. Accessibility tree only.
    pub ignored_properties: Vec<String>,
    /// Leaves out a text that its parent's name already says. Accessibility tree only.
    pub remove_redundant_static_text: bool,
    /// Shows no id for elements that are not visible.
    pub hide_bid_if_invisible: bool,
    /// Leaves out the children of elements that a filter leaves out. Accessibility tree only.
    pub hide_all_children: bool,
    /// Shows no ids.
    pub hide_all_bids: bool,
    /// The longest text, in characters, or no limit. What does not fit is left out from a line on,
    /// and a last line says how many nodes are missing.
    pub max_characters: Option<usize>,
}

impl Options {
    /// BrowserGym's own defaults.
    #[must_use]
    pub fn browsergym() -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            with_visible: false,
            with_clickable: false,
            with_center_coords: false,
            with_bounding_box_coords: false,
            with_som: false,
            skip_generic: true,
            filter_visible_only: false,
            filter_with_bid_only: false,
            filter_som_only: false,
            coord_decimals: 0,
            ignored_roles: owned(&["LineBreak"]),
            ignored_properties: owned(&[
                "editable",
                "readonly",
                "level",
                "settable",
                "multiline",
                "invalid",
                "focusable",
            ]),
            remove_redundant_static_text: true,
            hide_bid_if_invisible: false,
            hide_all_children: false,
            hide_all_bids: false,
            max_characters: None,
        }
    }
}

impl Default for Options {
    /// BrowserGym's defaults without the `InlineTextBox` lines, which repeat every text once more in
    /// present Chromium, and with a limit of a million characters.
    fn default() -> Self {
        let mut options = Self::browsergym();
        options.ignored_roles.push("InlineTextBox".to_owned());
        options.max_characters = Some(1_000_000);
        options
    }
}

/// Whether the element `bid` is left out by a filter, and the attributes that its properties add.
pub(super) fn extra_attributes(
    bid: Option<&str>,
    properties: &Properties,
    options: &Options,
) -> (bool, Vec<String>) {
    let Some(bid) = bid else {
        return (options.filter_with_bid_only || options.filter_som_only, Vec::new());
    };
    let Some(element) = properties.get(bid) else { return (false, Vec::new()) };
    let is_filtered = options.filter_visible_only && !element.is_visible()
        || options.filter_som_only && !element.set_of_marks;
    let mut attributes = Vec::new();
    if let Some([x, y, width, height]) = element.bbox {
        if options.with_bounding_box_coords {
            let corners = coordinates(&[x, y, x + width, y + height], options.coord_decimals);
            attributes.push(format!("box=\"{corners}\""));
        }
        if options.with_center_coords {
            let center = coordinates(&[x + width / 2.0, y + height / 2.0], options.coord_decimals);
            attributes.push(format!("center=\"{center}\""));
        }
    }
    for (is_asked, holds, word) in [
        (options.with_clickable, element.clickable, "clickable"),
        (options.with_visible, element.is_visible(), "visible"),
        (options.with_som, element.set_of_marks, "som"),
    ] {
        if is_asked && holds {
            attributes.push(word.to_owned());
        }
    }
    (is_filtered, attributes)
}

/// Whether the id of an element is shown.
pub(super) fn shows_bid(bid: &str, properties: &Properties, options: &Options) -> bool {
    let is_visible = || properties.get(bid).is_some_and(ElementProperties::is_visible);
    !options.hide_all_bids && (!options.hide_bid_if_invisible || is_visible())
}

fn coordinates(numbers: &[f64], decimals: usize) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:.decimals$}")).collect();
    format!("({})", numbers.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Python's `%.0f` rounds the half to the even neighbour, and so must the text.
    #[test]
    fn halves_round_to_even_as_in_python() {
        assert_eq!(coordinates(&[0.5, 1.5, 2.5, -0.5, 1e9 + 0.5], 0), "(0,2,2,-0,1000000000)");
        assert_eq!(coordinates(&[0.125, 0.375, 78.015_625], 2), "(0.12,0.38,78.02)");
    }
}
