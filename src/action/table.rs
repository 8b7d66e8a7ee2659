//! The one table of actions. Binding of arguments, the text that describes the action space, tool
//! schemas, the allowed names in errors and `docs/actions.md` all come from it.

use super::error::ActionError;
use super::set::Arguments;
use super::types::Action;

/// What an argument may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An element's id, a string.
    Bid,
    /// A string for a person.
    Message,
    /// A string.
    Text,
    /// A number: a wait.
    Wait,
    /// A number: a place or distance in CSS pixels.
    Pixels,
    /// The same, announced as a whole number.
    WholePixels,
    /// A place in a list.
    Index,
    /// Yes or no; any value counts by its truth.
    Flag,
    /// A mouse button.
    Button,
    /// A list of modifier keys.
    Modifiers,
    /// A string or a list of strings.
    Texts,
}

impl Kind {
    /// The Python annotation shown to agents.
    pub(crate) const fn annotation(self) -> &'static str {
        match self {
            Self::Bid | Self::Message | Self::Text => "str",
            Self::Wait | Self::Pixels => "float",
            Self::WholePixels | Self::Index => "int",
            Self::Flag => "bool",
            Self::Button => "Literal['left', 'middle', 'right']",
            Self::Modifiers => "list[typing.Literal['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']]",
            Self::Texts => "str | list[str]",
        }
    }
}

/// A parameter of an action.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// The default as Python writes it; `None` for a parameter that has to be given.
    pub(crate) default: Option<&'static str>,
    /// For tool schemas: what to give.
    pub(crate) about: &'static str,
}

/// An action: how it is written, what it does, and how its arguments become an [`Action`].
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) description: &'static str,
    pub(crate) examples: &'static [&'static str],
    pub(crate) build: fn(&Arguments) -> Result<Action, ActionError>,
}

const fn required(name: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter { name, kind, default: None, about }
}

const fn optional(name: &'static str, kind: Kind, default: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind, default: Some(default), about }
}

const BID: Parameter = required("bid", Kind::Bid, "Id of the element, as shown in square brackets.");
const X: Parameter = required("x", Kind::Pixels, "Pixels from the left edge of the page's visible part.");
const Y: Parameter = required("y", Kind::Pixels, "Pixels from the top edge of the page's visible part.");
const BUTTON: Parameter = optional("button", Kind::Button, "'left'", "Mouse button.");
const MODIFIERS: Parameter = optional("modifiers", Kind::Modifiers, "[]", "Keys held down meanwhile.");
const FILE: Parameter =
    required("file", Kind::Texts, "Path of a file, or a list of paths; an empty list clears the choice.");
const KEY: Parameter = required("key", Kind::Text, "Name of a key.");

/// Every action. The names of an [`super::ActionSet`] point here.
pub(crate) static DEFINITIONS: &[Definition] = &[
    Definition {
        name: "noop",
        parameters: &[optional("wait_ms", Kind::Wait, "1000", "How long to wait, in milliseconds.")],
        description: "Does nothing for a while, for a page that is still changing.",
        examples: &["noop()", "noop(500)"],
        build: |given| Ok(Action::Noop { wait_ms: given.number(0, 1000.0)? }),
    },
    Definition {
        name: "send_msg_to_user",
        parameters: &[required("text", Kind::Message, "The message.")],
        description: "Sends a message to the user and goes on.",
        examples: &["send_msg_to_user('The list has 3 entries.')"],
        build: |given| Ok(Action::SendMsgToUser { text: given.text(0)? }),
    },
    Definition {
        name: "report_infeasible",
        parameters: &[required("reason", Kind::Message, "Why it cannot be done.")],
        description: "Tells the user that the task cannot be done, and why. This ends the task.",
        examples: &["report_infeasible('There is no contact of that name.')"],
        build: |given| Ok(Action::ReportInfeasible { reason: given.text(0)? }),
    },
    Definition {
        name: "finish",
        parameters: &[optional(
            "text",
            Kind::Message,
            "''",
            "The answer to the user, if the task asks for one.",
        )],
        description: "Ends the task when it is done. The text, if any, is the answer to the user.",
        examples: &["finish()", "finish('The meeting starts at 14:00.')"],
        build: |given| Ok(Action::Finish { text: given.text_or(0, "")? }),
    },
    Definition {
        name: "scroll",
        parameters: &[
            required("delta_x", Kind::Pixels, "Pixels to the right; negative for left."),
            required("delta_y", Kind::Pixels, "Pixels down; negative for up."),
        ],
        description: "Turns the mouse wheel where the pointer is. Distances are in pixels: right and down are positive, left and up negative.",
        examples: &["scroll(0, 200)", "scroll(-50.2, -100.5)"],
        build: |given| Ok(Action::Scroll { delta_x: given.number(0, 0.0)?, delta_y: given.number(1, 0.0)? }),
    },
    Definition {
        name: "fill",
        parameters: &[
            BID,
            required("value", Kind::Text, "The new content."),
            optional(
                "enable_autocomplete_menu",
                Kind::Flag,
                "False",
                "Whether a list of suggestions should open.",
            ),
        ],
        description: "Replaces the content of a text field, text area or editable element. With `enable_autocomplete_menu` the last character is typed with key events, so that a list of suggestions opens.",
        examples: &[
            "fill('237', 'a value')",
            r"fill('45', 'first line\nsecond line')",
            "fill('a12', 'text with \"quotes\"')",
            "fill('b534', 'Montr', True)",
        ],
        build: |given| {
            Ok(Action::Fill {
                bid: given.bid(0)?,
                value: given.text(1)?,
                enable_autocomplete_menu: given.flag(2),
            })
        },
    },
    Definition {
        name: "select_option",
        parameters: &[
            BID,
            required("options", Kind::Texts, "Value or label of an option, or a list of them."),
        ],
        description: "Chooses one option, or several where that is allowed, in a select element. An option is named by its value or its label.",
        examples: &["select_option('a48', 'blue')", "select_option('c48', ['red', 'green', 'blue'])"],
        build: |given| Ok(Action::SelectOption { bid: given.bid(0)?, options: given.texts(1)? }),
    },
    Definition {
        name: "click",
        parameters: &[BID, BUTTON, MODIFIERS],
        description: "Clicks an element.",
        examples: &[
            "click('a51')",
            "click('b22', button='right')",
            "click('48', button='middle', modifiers=['Shift'])",
        ],
        build: |given| {
            Ok(Action::Click { bid: given.bid(0)?, button: given.button(1)?, modifiers: given.modifiers(2)? })
        },
    },
    Definition {
        name: "dblclick",
        parameters: &[BID, BUTTON, MODIFIERS],
        description: "Double-clicks an element.",
        examples: &["dblclick('12')", "dblclick('ca42', button='right')"],
        build: |given| {
            Ok(Action::Dblclick {
                bid: given.bid(0)?,
                button: given.button(1)?,
                modifiers: given.modifiers(2)?,
            })
        },
    },
    Definition {
        name: "hover",
        parameters: &[BID],
        description: "Moves the pointer onto an element.",
        examples: &["hover('b8')"],
        build: |given| Ok(Action::Hover { bid: given.bid(0)? }),
    },
    Definition {
        name: "press",
        parameters: &[
            BID,
            required("key_comb", Kind::Text, "Key or combination, such as 'Enter' or 'Control+a'."),
        ],
        description: "Focuses an element and presses a key or a combination of keys joined by `+`. Keys have the names browsers give them: a character, or Enter, Tab, Escape, Backspace, Delete, ArrowDown, Home, PageDown, F1, Control, Alt, Shift, Meta, …",
        examples: &["press('88', 'Backspace')", "press('a26', 'Control+a')", "press('a61', 'Meta+Shift+t')"],
        build: |given| Ok(Action::Press { bid: given.bid(0)?, key_comb: given.text(1)? }),
    },
    Definition {
        name: "focus",
        parameters: &[BID],
        description: "Moves the keyboard's focus to an element.",
        examples: &["focus('b455')"],
        build: |given| Ok(Action::Focus { bid: given.bid(0)? }),
    },
    Definition {
        name: "clear",
        parameters: &[BID],
        description: "Empties a text field, text area or editable element.",
        examples: &["clear('996')"],
        build: |given| Ok(Action::Clear { bid: given.bid(0)? }),
    },
    Definition {
        name: "check",
        parameters: &[BID],
        description: "Ticks a check box, switch or radio button; nothing happens when it is ticked.",
        examples: &["check('55')"],
        build: |given| Ok(Action::Check { bid: given.bid(0)? }),
    },
    Definition {
        name: "uncheck",
        parameters: &[BID],
        description: "Unticks a check box or switch; nothing happens when it is not ticked.",
        examples: &["uncheck('a5289')"],
        build: |given| Ok(Action::Uncheck { bid: given.bid(0)? }),
    },
    Definition {
        name: "drag_and_drop",
        parameters: &[
            required("from_bid", Kind::Bid, "Id of the element to take."),
            required("to_bid", Kind::Bid, "Id of the element to drop it on."),
        ],
        description: "Drags one element and drops it on another.",
        examples: &["drag_and_drop('56', '498')"],
        build: |given| Ok(Action::DragAndDrop { from_bid: given.bid(0)?, to_bid: given.bid(1)? }),
    },
    Definition {
        name: "upload_file",
        parameters: &[BID, FILE],
        description: "Clicks an element that opens a file chooser, and chooses one file or several. An empty list clears the choice.",
        examples: &[
            "upload_file('572', '/home/user/report.pdf')",
            "upload_file('63', ['/home/user/a.png', '/home/user/b.png'])",
        ],
        build: |given| Ok(Action::UploadFile { bid: given.bid(0)?, files: given.texts(1)? }),
    },
    Definition {
        name: "scroll_at",
        parameters: &[
            required("x", Kind::WholePixels, X.about),
            required("y", Kind::WholePixels, Y.about),
            required("dx", Kind::WholePixels, "Pixels to the right; negative for left."),
            required("dy", Kind::WholePixels, "Pixels down; negative for up."),
        ],
        description: "Moves the pointer to a place and turns the mouse wheel there. Distances are in pixels: right and down are positive, left and up negative.",
        examples: &["scroll_at(50, 100, -50, -100)"],
        build: |given| {
            Ok(Action::ScrollAt {
                x: given.number(0, 0.0)?,
                y: given.number(1, 0.0)?,
                delta_x: given.number(2, 0.0)?,
                delta_y: given.number(3, 0.0)?,
            })
        },
    },
    Definition {
        name: "mouse_move",
        parameters: &[X, Y],
        description: "Moves the pointer to a place.",
        examples: &["mouse_move(65.2, 158.5)"],
        build: |given| Ok(Action::MouseMove { x: given.number(0, 0.0)?, y: given.number(1, 0.0)? }),
    },
    Definition {
        name: "mouse_up",
        parameters: &[X, Y, BUTTON],
        description: "Moves the pointer to a place and lets go of a mouse button.",
        examples: &["mouse_up(250, 120)", "mouse_up(47, 252, 'right')"],
        build: |given| {
            Ok(Action::MouseUp {
                x: given.number(0, 0.0)?,
                y: given.number(1, 0.0)?,
                button: given.button(2)?,
            })
        },
    },
    Definition {
        name: "mouse_down",
        parameters: &[X, Y, BUTTON],
        description: "Moves the pointer to a place and holds a mouse button down.",
        examples: &["mouse_down(140.2, 580.1)", "mouse_down(458, 254.5, 'middle')"],
        build: |given| {
            Ok(Action::MouseDown {
                x: given.number(0, 0.0)?,
                y: given.number(1, 0.0)?,
                button: given.button(2)?,
            })
        },
    },
    Definition {
        name: "mouse_click",
        parameters: &[X, Y, BUTTON],
        description: "Clicks at a place.",
        examples: &["mouse_click(887.2, 68)", "mouse_click(56, 712.56, 'right')"],
        build: |given| {
            Ok(Action::MouseClick {
                x: given.number(0, 0.0)?,
                y: given.number(1, 0.0)?,
                button: given.button(2)?,
            })
        },
    },
    Definition {
        name: "mouse_dblclick",
        parameters: &[X, Y, BUTTON],
        description: "Double-clicks at a place.",
        examples: &["mouse_dblclick(5, 236)", "mouse_dblclick(87.5, 354, 'right')"],
        build: |given| {
            Ok(Action::MouseDblclick {
                x: given.number(0, 0.0)?,
                y: given.number(1, 0.0)?,
                button: given.button(2)?,
            })
        },
    },
    Definition {
        name: "mouse_drag_and_drop",
        parameters: &[
            required("from_x", Kind::Pixels, "Start: pixels from the left edge."),
            required("from_y", Kind::Pixels, "Start: pixels from the top edge."),
            required("to_x", Kind::Pixels, "End: pixels from the left edge."),
            required("to_y", Kind::Pixels, "End: pixels from the top edge."),
        ],
        description: "Drags from one place to another.",
        examples: &["mouse_drag_and_drop(10.7, 325, 235.6, 24.54)"],
        build: |given| {
            Ok(Action::MouseDragAndDrop {
                from_x: given.number(0, 0.0)?,
                from_y: given.number(1, 0.0)?,
                to_x: given.number(2, 0.0)?,
                to_y: given.number(3, 0.0)?,
            })
        },
    },
    Definition {
        name: "mouse_upload_file",
        parameters: &[X, Y, FILE],
        description: "Clicks at a place that opens a file chooser, and chooses one file or several. An empty list clears the choice.",
        examples: &[
            "mouse_upload_file(132.1, 547, '/home/user/report.pdf')",
            "mouse_upload_file(328, 812, ['/home/user/a.png', '/home/user/b.png'])",
        ],
        build: |given| {
            Ok(Action::MouseUploadFile {
                x: given.number(0, 0.0)?,
                y: given.number(1, 0.0)?,
                files: given.texts(2)?,
            })
        },
    },
    Definition {
        name: "keyboard_down",
        parameters: &[KEY],
        description: "Holds a key down.",
        examples: &["keyboard_down('Shift')", "keyboard_down('c')"],
        build: |given| Ok(Action::KeyboardDown { key: given.text(0)? }),
    },
    Definition {
        name: "keyboard_up",
        parameters: &[KEY],
        description: "Lets go of a key.",
        examples: &["keyboard_up('Shift')", "keyboard_up('c')"],
        build: |given| Ok(Action::KeyboardUp { key: given.text(0)? }),
    },
    Definition {
        name: "keyboard_press",
        parameters: &[required("key", Kind::Text, "Key or combination, such as 'Enter' or 'Control+a'.")],
        description: "Presses a key or a combination of keys joined by `+` where the focus is. Keys have the names browsers give them: a character, or Enter, Tab, Escape, Backspace, Delete, ArrowDown, Home, PageDown, F1, Control, Alt, Shift, Meta, …",
        examples: &[
            "keyboard_press('Backspace')",
            "keyboard_press('Control+a')",
            "keyboard_press('PageDown')",
        ],
        build: |given| Ok(Action::KeyboardPress { key: given.text(0)? }),
    },
    Definition {
        name: "keyboard_type",
        parameters: &[required("text", Kind::Text, "What to type.")],
        description: "Types text where the focus is, key by key. Keys that are held down do not matter.",
        examples: &["keyboard_type('Hello world!')"],
        build: |given| Ok(Action::KeyboardType { text: given.text(0)? }),
    },
    Definition {
        name: "keyboard_insert_text",
        parameters: &[required("text", Kind::Text, "What to put in.")],
        description: "Puts text in where the focus is, at once and without key events.",
        examples: &["keyboard_insert_text('Hello world!')"],
        build: |given| Ok(Action::KeyboardInsertText { text: given.text(0)? }),
    },
    Definition {
        name: "go_back",
        parameters: &[],
        description: "Goes to the previous page in the history.",
        examples: &["go_back()"],
        build: |_| Ok(Action::GoBack {}),
    },
    Definition {
        name: "go_forward",
        parameters: &[],
        description: "Goes to the next page in the history.",
        examples: &["go_forward()"],
        build: |_| Ok(Action::GoForward {}),
    },
    Definition {
        name: "goto",
        parameters: &[required("url", Kind::Text, "Address of the page.")],
        description: "Opens an address in the active tab.",
        examples: &["goto('http://www.example.com')"],
        build: |given| Ok(Action::Goto { url: given.text(0)? }),
    },
    Definition {
        name: "tab_close",
        parameters: &[],
        description: "Closes the active tab.",
        examples: &["tab_close()"],
        build: |_| Ok(Action::TabClose {}),
    },
    Definition {
        name: "tab_focus",
        parameters: &[required(
            "index",
            Kind::Index,
            "Place in the list of open tabs, from 0; -1 is the last.",
        )],
        description: "Brings another tab to the front and makes it the active one. Tabs count from 0; -1 is the last.",
        examples: &["tab_focus(2)"],
        build: |given| Ok(Action::TabFocus { index: given.index(0)? }),
    },
    Definition {
        name: "new_tab",
        parameters: &[],
        description: "Opens an empty tab and makes it the active one.",
        examples: &["new_tab()"],
        build: |_| Ok(Action::NewTab {}),
    },
    Definition {
        name: "dialog_accept",
        parameters: &[optional("text", Kind::Text, "''", "What to type into a prompt first.")],
        description: "Accepts the browser dialog that is open; the text is typed into a prompt first.",
        examples: &["dialog_accept()", "dialog_accept('Untitled')"],
        build: |given| Ok(Action::DialogAccept { text: given.text_or(0, "")? }),
    },
    Definition {
        name: "dialog_dismiss",
        parameters: &[],
        description: "Dismisses the browser dialog that is open.",
        examples: &["dialog_dismiss()"],
        build: |_| Ok(Action::DialogDismiss {}),
    },
];

/// The action called `name`.
pub(crate) fn find(name: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().find(|definition| definition.name == name)
}

/// The named sets: the name, and its members in the order in which agents are told of them. `noop`
/// belongs to every set, first, and is not listed.
///
/// `workspace` and `screenshot` are ours: what a run offers by default, by element and by place.
/// The others are BrowserGym's, of which `chat`, `infeas`, `bid`, `coord`, `nav` and `tab` are its
/// building blocks and the rest serve the benchmarks whose names they bear.
pub(crate) static SETS: &[(&str, &[&str])] = &[
    (
        "workspace",
        &[
            "send_msg_to_user",
            "report_infeasible",
            "finish",
            "fill",
            "clear",
            "click",
            "dblclick",
            "hover",
            "press",
            "focus",
            "select_option",
            "scroll",
            "goto",
            "go_back",
        ],
    ),
    (
        "screenshot",
        &[
            "send_msg_to_user",
            "report_infeasible",
            "finish",
            "mouse_click",
            "mouse_dblclick",
            "mouse_move",
            "mouse_drag_and_drop",
            "scroll",
            "scroll_at",
            "keyboard_press",
            "keyboard_type",
            "goto",
            "go_back",
        ],
    ),
    ("dialog", &["dialog_accept", "dialog_dismiss"]),
    ("chat", &["send_msg_to_user"]),
    ("infeas", &["report_infeasible"]),
    (
        "bid",
        &[
            "scroll",
            "fill",
            "select_option",
            "click",
            "dblclick",
            "hover",
            "press",
            "focus",
            "clear",
            "drag_and_drop",
            "upload_file",
        ],
    ),
    (
        "coord",
        &[
            "scroll_at",
            "mouse_move",
            "mouse_up",
            "mouse_down",
            "mouse_click",
            "mouse_dblclick",
            "mouse_drag_and_drop",
            "mouse_upload_file",
            "keyboard_down",
            "keyboard_up",
            "keyboard_press",
            "keyboard_type",
            "keyboard_insert_text",
        ],
    ),
    ("nav", &["go_back", "go_forward", "goto"]),
    ("tab", &["tab_close", "tab_focus", "new_tab"]),
    (
        "browsergym",
        &[
            "send_msg_to_user",
            "report_infeasible",
            "scroll",
            "fill",
            "select_option",
            "click",
            "dblclick",
            "hover",
            "press",
            "focus",
            "clear",
            "drag_and_drop",
            "upload_file",
            "go_back",
            "go_forward",
            "goto",
            "tab_close",
            "tab_focus",
            "new_tab",
        ],
    ),
    (
        "miniwob_all",
        &[
            "mouse_move",
            "mouse_click",
            "mouse_dblclick",
            "mouse_down",
            "mouse_up",
            "scroll",
            "click",
            "keyboard_press",
            "keyboard_type",
            "fill",
        ],
    ),
    (
        "miniwob_shi17",
        &["mouse_click", "mouse_dblclick", "mouse_down", "mouse_up", "scroll", "keyboard_press"],
    ),
    ("miniwob_liu18", &["click", "fill"]),
    (
        "miniwob_humphreys22",
        &[
            "mouse_move",
            "mouse_click",
            "mouse_dblclick",
            "mouse_down",
            "mouse_up",
            "scroll",
            "keyboard_press",
            "keyboard_type",
        ],
    ),
    (
        "webarena",
        &[
            "scroll",
            "keyboard_press",
            "click",
            "fill",
            "hover",
            "tab_focus",
            "new_tab",
            "go_back",
            "go_forward",
            "goto",
            "tab_close",
            "select_option",
            "send_msg_to_user",
            "report_infeasible",
        ],
    ),
    (
        "visualwebarena",
        &[
            "scroll",
            "keyboard_press",
            "click",
            "fill",
            "hover",
            "tab_focus",
            "new_tab",
            "go_back",
            "go_forward",
            "goto",
            "tab_close",
            "select_option",
            "send_msg_to_user",
            "upload_file",
            "report_infeasible",
        ],
    ),
    (
        "workarena",
        &[
            "scroll",
            "fill",
            "select_option",
            "click",
            "dblclick",
            "hover",
            "press",
            "focus",
            "clear",
            "drag_and_drop",
            "send_msg_to_user",
        ],
    ),
    (
        "workarena++",
        &[
            "scroll",
            "fill",
            "select_option",
            "click",
            "dblclick",
            "hover",
            "press",
            "focus",
            "clear",
            "drag_and_drop",
            "tab_focus",
            "new_tab",
            "tab_close",
            "go_back",
            "go_forward",
            "goto",
            "send_msg_to_user",
            "report_infeasible",
        ],
    ),
    (
        "weblinx",
        &[
            "send_msg_to_user",
            "click",
            "hover",
            "fill",
            "goto",
            "scroll",
            "new_tab",
            "tab_close",
            "tab_focus",
        ],
    ),
    (
        "assistantbench",
        &["scroll", "fill", "select_option", "click", "press", "go_back", "goto", "send_msg_to_user"],
    ),
];
