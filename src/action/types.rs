//! Calls as written by an agent, and actions as the browser executes them.

use serde::{Deserialize, Serialize};

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
    },
    /// Chooses options of a select by value or label.
    SelectOption {
        /// Element.
        bid: String,
        /// Options.
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
    /// Turns the mouse wheel at the pointer's place.
    Scroll {
        /// To the right, CSS pixels.
        delta_x: f64,
        /// Downwards, CSS pixels.
        delta_y: f64,
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
}
