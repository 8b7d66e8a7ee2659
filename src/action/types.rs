//! Calls as written by an agent, and actions as the browser executes them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::quote::{python_float, python_repr};

/// A literal value of the action grammar.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `True`, `False`.
    Bool(bool),
    /// `None`.
    None,
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer that does not; its digits with sign.
    BigInt(String),
    /// A number with fraction or exponent.
    Float(f64),
    /// A string, decoded.
    Str(String),
    /// `[…]`.
    List(Vec<Value>),
    /// `(…)`.
    Tuple(Vec<Value>),
    /// `{"key": …}`, in source order.
    Dict(Vec<(String, Value)>),
}

/// One call as written: `click('12', button="right")`.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Function name.
    pub name: String,
    /// Positional arguments.
    pub args: Vec<Value>,
    /// Named arguments in source order.
    pub kwargs: Vec<(String, Value)>,
}

impl fmt::Display for Value {
    /// Writes the value as Python's `repr` would, which the grammar reads back to the same value
    /// (except for infinities, which have no literal).
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(true) => formatter.write_str("True"),
            Self::Bool(false) => formatter.write_str("False"),
            Self::None => formatter.write_str("None"),
            Self::Int(number) => write!(formatter, "{number}"),
            Self::BigInt(digits) => formatter.write_str(digits),
            Self::Float(number) => formatter.write_str(&python_float(*number)),
            Self::Str(text) => formatter.write_str(&python_repr(text)),
            Self::List(items) => {
                formatter.write_str("[")?;
                separated(formatter, items)?;
                formatter.write_str("]")
            }
            Self::Tuple(items) => {
                formatter.write_str("(")?;
                separated(formatter, items)?;
                formatter.write_str(if items.len() == 1 { ",)" } else { ")" })
            }
            Self::Dict(entries) => {
                formatter.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(formatter, "{comma}{}: {value}", python_repr(key))?;
                }
                formatter.write_str("}")
            }
        }
    }
}

fn separated(formatter: &mut fmt::Formatter<'_>, items: &[Value]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(formatter, "{comma}{item}")?;
    }
    Ok(())
}

impl fmt::Display for Call {
    /// Writes the call on one line, in the notation the grammar reads.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}(", self.name)?;
        separated(formatter, &self.args)?;
        for (index, (name, value)) in self.kwargs.iter().enumerate() {
            let comma = if index == 0 && self.args.is_empty() { "" } else { ", " };
            write!(formatter, "{comma}{name}={value}")?;
        }
        formatter.write_str(")")
    }
}

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// Left.
    #[default]
    Left,
    /// Middle.
    Middle,
    /// Right.
    Right,
}

/// A modifier key held during a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Modifier {
    /// Alt.
    Alt,
    /// Control.
    Control,
    /// Control here; Meta on a Mac.
    ControlOrMeta,
    /// Meta.
    Meta,
    /// Shift.
    Shift,
}

/// An action with its arguments checked: what the executor takes.
///
/// Coordinates and distances are CSS pixels of the viewport; all numbers are finite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Action {
    /// Waits.
    Noop {
        /// Milliseconds; the executor caps it.
        wait_ms: f64,
    },
    /// Says something to the user without ending the episode.
    SendMsgToUser {
        /// The text.
        text: String,
    },
    /// Says that the errand cannot be done, and ends the episode.
    ReportInfeasible {
        /// Why.
        reason: String,
    },
    /// Ends the episode; the text is an answer to the user.
    Finish {
        /// The answer; may be empty.
        text: String,
    },
    /// Replaces the content of a field.
    Fill {
        /// Element.
        bid: String,
        /// New content.
        value: String,
        /// Types the last character with key events, so that a list of suggestions opens.
        #[serde(default)]
        enable_autocomplete_menu: bool,
    },
    /// Ticks a check box or radio button; nothing happens when it is ticked.
    Check {
        /// Element.
        bid: String,
    },
    /// Unticks a check box; nothing happens when it is not ticked.
    Uncheck {
        /// Element.
        bid: String,
    },
    /// Chooses options of a select by value or label.
    SelectOption {
        /// Element.
        bid: String,
        /// Options; none takes every choice back where several are allowed.
        options: Vec<String>,
    },
    /// Clicks.
    Click {
        /// Element.
        bid: String,
        /// Mouse button.
        button: Button,
        /// Keys held meanwhile.
        modifiers: Vec<Modifier>,
    },
    /// Clicks twice.
    Dblclick {
        /// Element.
        bid: String,
        /// Mouse button.
        button: Button,
        /// Keys held meanwhile.
        modifiers: Vec<Modifier>,
    },
    /// Moves the pointer onto an element.
    Hover {
        /// Element.
        bid: String,
    },
    /// Focuses an element and presses a key or combination.
    Press {
        /// Element.
        bid: String,
        /// Key or combination in Playwright's names (`Control+a`).
        key_comb: String,
    },
    /// Focuses an element.
    Focus {
        /// Element.
        bid: String,
    },
    /// Empties a field.
    Clear {
        /// Element.
        bid: String,
    },
    /// Drags one element onto another.
    DragAndDrop {
        /// Element to take.
        from_bid: String,
        /// Element to drop it on.
        to_bid: String,
    },
    /// Clicks an element that opens a file chooser, and chooses files.
    UploadFile {
        /// Element.
        bid: String,
        /// Paths; none clears the choice.
        files: Vec<String>,
    },
    /// Turns the mouse wheel at the pointer's place.
    Scroll {
        /// To the right.
        delta_x: f64,
        /// Downwards.
        delta_y: f64,
    },
    /// Moves the pointer to a place and turns the mouse wheel there.
    ScrollAt {
        /// Place, from the left.
        x: f64,
        /// Place, from the top.
        y: f64,
        /// To the right.
        delta_x: f64,
        /// Downwards.
        delta_y: f64,
    },
    /// Moves the pointer.
    MouseMove {
        /// Place, from the left.
        x: f64,
        /// Place, from the top.
        y: f64,
    },
    /// Moves the pointer and lets go of a button.
    MouseUp {
        /// Place, from the left.
        x: f64,
        /// Place, from the top.
        y: f64,
        /// Mouse button.
        button: Button,
    },
    /// Moves the pointer and holds a button down.
    MouseDown {
        /// Place, from the left.
        x: f64,
        /// Place, from the top.
        y: f64,
        /// Mouse button.
        button: Button,
    },
    /// Clicks at a place.
    MouseClick {
        /// Place, from the left.
        x: f64,
        /// Place, from the top.
        y: f64,
        /// Mouse button.
        button: Button,
    },
    /// Clicks twice at a place.
    MouseDblclick {
        /// Place, from the left.
        x: f64,
        /// Place, from the top.
        y: f64,
        /// Mouse button.
        button: Button,
    },
    /// Drags from one place to another with the left button.
    MouseDragAndDrop {
        /// Start, from the left.
        from_x: f64,
        /// Start, from the top.
        from_y: f64,
        /// End, from the left.
        to_x: f64,
        /// End, from the top.
        to_y: f64,
    },
    /// Clicks at a place that opens a file chooser, and chooses files.
    MouseUploadFile {
        /// Place, from the left.
        x: f64,
        /// Place, from the top.
        y: f64,
        /// Paths; none clears the choice.
        files: Vec<String>,
    },
    /// Holds a key down.
    KeyboardDown {
        /// Key in Playwright's names.
        key: String,
    },
    /// Lets go of a key.
    KeyboardUp {
        /// Key in Playwright's names.
        key: String,
    },
    /// Presses a key or combination where the focus is.
    KeyboardPress {
        /// Key or combination in Playwright's names (`Control+a`).
        key: String,
    },
    /// Types with key events where the focus is.
    KeyboardType {
        /// The text.
        text: String,
    },
    /// Puts text in where the focus is, without key events.
    KeyboardInsertText {
        /// The text.
        text: String,
    },
    /// Opens a page.
    Goto {
        /// Address; only the workspace's origin is allowed.
        url: String,
    },
    /// Back in the history.
    GoBack {},
    /// Forward in the history.
    GoForward {},
    /// Opens an empty tab and makes it the active one.
    NewTab {},
    /// Closes the active tab.
    TabClose {},
    /// Makes another tab the active one.
    TabFocus {
        /// Place in the list of open tabs, from 0; negative counts from the end, -1 is the last.
        index: i64,
    },
    /// Accepts the dialog that is open.
    DialogAccept {
        /// What is typed into a prompt first.
        text: String,
    },
    /// Dismisses the dialog that is open.
    DialogDismiss {},
}
