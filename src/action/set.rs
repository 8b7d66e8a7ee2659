//! Sets of allowed actions, and the binding of a call's arguments to an action.

use crate::error::{Explain, Fault};

use super::error::ActionError;
use super::grammar::{self, ParseOptions};
use super::table::{self, DEFINITIONS, Definition, SETS};
use super::types::{Action, Button, Call, Modifier, Value};

/// A set of action names that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("find the action set `{name}`")]
pub struct UnknownSet {
    /// The name as given.
    pub name: String,
}

impl Explain for UnknownSet {
    fn fault(&self) -> Fault {
        Fault::Usage
    }

    fn hint(&self) -> Option<String> {
        Some(format!("the sets are {}", ActionSet::names().join(", ")))
    }
}

/// The actions an agent may use, in the order in which it is told of them; `noop` is always one.
#[derive(Debug, Clone)]
pub struct ActionSet {
    definitions: Vec<&'static Definition>,
}

impl ActionSet {
    /// The set of that name; names joined by commas give their union, and the name of an action stands
    /// for that action. `all` is every action,
    /// `workspace` what a run offers by default, `screenshot` the same by place instead of by
    /// element, `browsergym` BrowserGym's default.
    ///
    /// # Errors
    /// [`UnknownSet`] when there is no such set.
    pub fn named(names: &str) -> Result<Self, UnknownSet> {
        let mut set = Self { definitions: table::find("noop").into_iter().collect() };
        for name in names.split(',').map(str::trim) {
            if name == "all" {
                for definition in DEFINITIONS {
                    set.add(definition);
                }
                continue;
            }
            let Some((_, members)) = SETS.iter().find(|(known, _)| *known == name) else {
                if let Some(definition) = table::find(name) {
                    set.add(definition);
                    continue;
                }
                return Err(UnknownSet { name: name.to_owned() });
            };
            members
                .iter()
                .filter_map(|member| table::find(member))
                .for_each(|definition| set.add(definition));
        }
        Ok(set)
    }

    /// Every action.
    #[must_use]
    pub fn all() -> Self {
        Self { definitions: DEFINITIONS.iter().collect() }
    }

    /// The names that [`ActionSet::named`] knows.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        std::iter::once("all").chain(SETS.iter().map(|(name, _)| *name)).collect()
    }

    fn add(&mut self, definition: &'static Definition) {
        if !self.contains(definition.name) {
            self.definitions.push(definition);
        }
    }

    /// Whether the set has an action of that name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.definitions.iter().any(|definition| definition.name == name)
    }

    /// The names of the actions, in order.
    #[must_use]
    pub fn actions(&self) -> Vec<&'static str> {
        self.definitions.iter().map(|definition| definition.name).collect()
    }

    pub(crate) fn definitions(&self) -> &[&'static Definition] {
        &self.definitions
    }

    /// Reads an action text and checks all of it: nothing is to be executed unless every call is
    /// allowed and has the arguments it needs.
    ///
    /// # Errors
    /// See [`ActionSet::calls`] and [`ActionSet::bind`].
    pub fn parse(&self, text: &str, options: ParseOptions) -> Result<Vec<Action>, ActionError> {
        self.calls(text, options)?.iter().map(|call| self.bind(call)).collect()
    }

    /// Reads an action text and checks the names in it. Binding each call just before it is executed
    /// gives BrowserGym's order: the calls before one with wrong arguments take effect.
    ///
    /// # Errors
    /// See [`grammar::calls`] and [`ActionSet::check_names`]; `SyntaxError` for an argument that is
    /// given twice by name.
    pub fn calls(&self, text: &str, options: ParseOptions) -> Result<Vec<Call>, ActionError> {
        let calls = grammar::calls(text, options)?;
        self.check_names(&calls, options)?;
        check_repeats(&calls)?;
        Ok(calls)
    }

    /// Checks that every call is allowed.
    ///
    /// # Errors
    /// `NameError` for the first name that is not in the set, with the closest one and all that are,
    /// unless the options ask for compatibility.
    pub fn check_names(&self, calls: &[Call], options: ParseOptions) -> Result<(), ActionError> {
        if let Some(call) = calls.iter().find(|call| !self.contains(&call.name)) {
            let mut message = format!("Invalid action type '{}'.", call.name);
            if !options.compat {
                let closest = closest(&call.name, self.actions());
                let help = closest.map(|closest| format!(" Did you mean '{closest}'?")).unwrap_or_default();
                message = format!("{message}{help} Allowed: {}.", self.actions().join(", "));
            }
            return Err(ActionError::new("NameError", message));
        }
        Ok(())
    }

    /// Checks the arguments of a call, as Python and Playwright would, and gives the action.
    ///
    /// # Errors
    /// `NameError` for an action outside the set and for a number that overflowed to infinity;
    /// `TypeError` for missing, surplus or unknown arguments; `ValueError` for an id or message that
    /// is no string; `Error` or `TypeError` for other values of the wrong type.
    pub fn bind(&self, call: &Call) -> Result<Action, ActionError> {
        self.check_names(std::slice::from_ref(call), ParseOptions::default())?;
        check_repeats(std::slice::from_ref(call))?;
        let Some(definition) = table::find(&call.name) else {
            return Err(ActionError::new("NameError", format!("Invalid action type '{}'.", call.name)));
        };
        if call.args.iter().chain(call.kwargs.iter().map(|(_, value)| value)).any(holds_infinity) {
            return Err(ActionError::new("NameError", "name 'inf' is not defined (a number is too large)"));
        }
        (definition.build)(&Arguments::assign(definition, call)?)
    }
}

fn check_repeats(calls: &[Call]) -> Result<(), ActionError> {
    for (line, call) in calls.iter().enumerate() {
        for (index, (name, _)) in call.kwargs.iter().enumerate() {
            if call.kwargs[..index].iter().any(|(earlier, _)| earlier == name) {
                let message = format!("keyword argument repeated: {name} (<string>, line {})", line + 1);
                return Err(ActionError::new("SyntaxError", message));
            }
        }
    }
    Ok(())
}

/// The candidate most like `name`, if any is much like it.
fn closest<'a>(name: &str, candidates: Vec<&'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&name, candidate), candidate))
        .filter(|(likeness, _)| *likeness >= 0.8)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, candidate)| candidate)
}

fn holds_infinity(value: &Value) -> bool {
    match value {
        Value::Float(number) => !number.is_finite(),
        Value::List(items) | Value::Tuple(items) => items.iter().any(holds_infinity),
        Value::Dict(entries) => entries.iter().any(|(_, value)| holds_infinity(value)),
        Value::Bool(_) | Value::None | Value::Int(_) | Value::BigInt(_) | Value::Str(_) => false,
    }
}

/// The arguments of a call, each at the place of its parameter.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    definition: &'static Definition,
    values: Vec<Option<&'a Value>>,
}

impl<'a> Arguments<'a> {
    /// Assigns arguments to parameters in Python's order of checks, with its messages.
    fn assign(definition: &'static Definition, call: &'a Call) -> Result<Self, ActionError> {
        let name = definition.name;
        let parameters = definition.parameters;
        let mut values: Vec<Option<&Value>> = vec![None; parameters.len()];
        for (slot, value) in values.iter_mut().zip(&call.args) {
            *slot = Some(value);
        }
        for (given, value) in &call.kwargs {
            let Some(place) = parameters.iter().position(|parameter| parameter.name == given) else {
                let names = parameters.iter().map(|parameter| parameter.name).collect();
                let help = closest(given, names).map(|closest| format!(". Did you mean '{closest}'?"));
                let message = format!("{name}() got an unexpected keyword argument '{given}'");
                return Err(ActionError::type_error(message + &help.unwrap_or_default()));
            };
            if values[place].is_some() {
                let message = format!("{name}() got multiple values for argument '{given}'");
                return Err(ActionError::type_error(message));
            }
            values[place] = Some(value);
        }
        let given = call.args.len();
        if given > parameters.len() {
            return Err(ActionError::type_error(too_many(definition, given)));
        }
        let missing: Vec<String> = parameters
            .iter()
            .zip(&values)
            .filter(|(parameter, value)| parameter.default.is_none() && value.is_none())
            .map(|(parameter, _)| format!("'{}'", parameter.name))
            .collect();
        if !missing.is_empty() {
            let plural = if missing.len() == 1 { "" } else { "s" };
            let message = format!(
                "{name}() missing {} required positional argument{plural}: {}",
                missing.len(),
                enumerate(&missing)
            );
            return Err(ActionError::type_error(message));
        }
        Ok(Self { definition, values })
    }

    fn wrong(&self, place: usize, expected: &str) -> ActionError {
        let name = self.definition.name;
        let parameter = self.definition.parameters[place].name;
        ActionError::new("Error", format!("{name}: {parameter}: {expected}"))
    }

    fn wrong_type(&self, place: usize, expected: &str, value: &Value) -> ActionError {
        self.wrong(place, &format!("expected {expected}, got {}", javascript_type(value)))
    }

    /// An element's id.
    pub(crate) fn bid(&self, place: usize) -> Result<String, ActionError> {
        match self.values[place] {
            Some(Value::Str(text)) => Ok(text.clone()),
            other => {
                Err(ActionError::value(format!("expected a string, got {}", other.unwrap_or(&Value::None))))
            }
        }
    }

    /// A string that has to be given.
    pub(crate) fn text(&self, place: usize) -> Result<String, ActionError> {
        self.text_or(place, "")
    }

    /// A string, or `default` when none is given.
    pub(crate) fn text_or(&self, place: usize, default: &str) -> Result<String, ActionError> {
        let parameter = &self.definition.parameters[place];
        match self.values[place] {
            None => Ok(default.to_owned()),
            Some(Value::Str(text)) => Ok(text.clone()),
            Some(value) if parameter.kind == table::Kind::Message => {
                Err(ActionError::value(format!("Forbidden value: {value} is not a string")))
            }
            // Playwright's Python side drops `None`, so that the argument is missing there.
            Some(Value::None) if parameter.default.is_none() => Err(ActionError::type_error(format!(
                "{}() missing 1 required positional argument: '{}' (it is None)",
                self.definition.name, parameter.name
            ))),
            Some(value) => Err(self.wrong_type(place, "string", value)),
        }
    }

    /// A string or a list of strings.
    pub(crate) fn texts(&self, place: usize) -> Result<Vec<String>, ActionError> {
        match self.values[place] {
            Some(Value::Str(text)) => Ok(vec![text.clone()]),
            Some(Value::List(items) | Value::Tuple(items)) => items
                .iter()
                .enumerate()
                .map(|(index, item)| match item {
                    Value::Str(text) => Ok(text.clone()),
                    other => Err(ActionError::new(
                        "Error",
                        format!(
                            "{}: {}[{index}]: expected string, got {}",
                            self.definition.name,
                            self.definition.parameters[place].name,
                            javascript_type(other)
                        ),
                    )),
                })
                .collect(),
            other => Err(self.wrong_type(place, "string or list of strings", other.unwrap_or(&Value::None))),
        }
    }

    /// A finite number, or `default` when none is given.
    pub(crate) fn number(&self, place: usize, default: f64) -> Result<f64, ActionError> {
        let Some(value) = self.values[place] else { return Ok(default) };
        match value {
            Value::Int(number) => Ok(*number as f64),
            Value::Float(number) => Ok(*number),
            Value::BigInt(digits) => digits
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite())
                .ok_or_else(|| ActionError::new("OverflowError", "int too large to convert to float")),
            other if self.definition.parameters[place].kind == table::Kind::Wait => {
                Err(self.wrong_type(place, "number", other))
            }
            other => Err(ActionError::type_error(format!(
                "{}() expected a number for '{}', got {other}",
                self.definition.name, self.definition.parameters[place].name
            ))),
        }
    }

    /// A place in a list.
    pub(crate) fn index(&self, place: usize) -> Result<i64, ActionError> {
        match self.values[place] {
            Some(Value::Int(index)) => Ok(*index),
            Some(Value::BigInt(_)) => {
                Err(ActionError::new("IndexError", "cannot fit 'int' into an index-sized integer"))
            }
            other => Err(ActionError::type_error(format!(
                "{}() expected a whole number for '{}', got {}",
                self.definition.name,
                self.definition.parameters[place].name,
                other.unwrap_or(&Value::None)
            ))),
        }
    }

    /// Yes or no, by the value's truth in Python; no when it is not given.
    pub(crate) fn flag(&self, place: usize) -> bool {
        match self.values[place] {
            None | Some(Value::None) => false,
            Some(Value::Bool(flag)) => *flag,
            Some(Value::Int(number)) => *number != 0,
            Some(Value::BigInt(_)) => true,
            Some(Value::Float(number)) => *number != 0.0,
            Some(Value::Str(text)) => !text.is_empty(),
            Some(Value::List(items) | Value::Tuple(items)) => !items.is_empty(),
            Some(Value::Dict(entries)) => !entries.is_empty(),
        }
    }

    /// A mouse button; left when it is not given.
    pub(crate) fn button(&self, place: usize) -> Result<Button, ActionError> {
        let name = match self.values[place] {
            None | Some(Value::None) => return Ok(Button::Left),
            Some(Value::Str(name)) => name.as_str(),
            Some(_) => "",
        };
        match name {
            "left" => Ok(Button::Left),
            "middle" => Ok(Button::Middle),
            "right" => Ok(Button::Right),
            _ => Err(self.wrong(place, "expected one of (left|right|middle)")),
        }
    }

    /// Modifier keys; none when they are not given.
    pub(crate) fn modifiers(&self, place: usize) -> Result<Vec<Modifier>, ActionError> {
        let items = match self.values[place] {
            None | Some(Value::None) => return Ok(Vec::new()),
            Some(Value::List(items) | Value::Tuple(items)) => items,
            Some(other) => return Err(self.wrong_type(place, "array", other)),
        };
        items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                let name = if let Value::Str(name) = item { name.as_str() } else { "" };
                match name {
                    "Alt" => Ok(Modifier::Alt),
                    "Control" => Ok(Modifier::Control),
                    "ControlOrMeta" => Ok(Modifier::ControlOrMeta),
                    "Meta" => Ok(Modifier::Meta),
                    "Shift" => Ok(Modifier::Shift),
                    _ => Err(ActionError::new(
                        "Error",
                        format!(
                            "{}: {}[{index}]: expected one of (Alt|Control|ControlOrMeta|Meta|Shift)",
                            self.definition.name, self.definition.parameters[place].name
                        ),
                    )),
                }
            })
            .collect()
    }
}

fn too_many(definition: &Definition, given: usize) -> String {
    let most = definition.parameters.len();
    let least = definition.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
    let (takes, plural) = if least == most {
        (most.to_string(), if most == 1 { "" } else { "s" })
    } else {
        (format!("from {least} to {most}"), "s")
    };
    let was = if given == 1 { "was" } else { "were" };
    format!("{}() takes {takes} positional argument{plural} but {given} {was} given", definition.name)
}

/// `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`, as Python lists names.
fn enumerate(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first, second] => format!("{first} and {second}"),
        [rest @ .., last] => format!("{}, and {last}", rest.join(", ")),
    }
}

/// What JavaScript calls the type of the value, as Playwright's messages do.
fn javascript_type(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "boolean",
        Value::None => "undefined",
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => "number",
        Value::Str(_) => "string",
        Value::List(_) | Value::Tuple(_) => "array",
        Value::Dict(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(text: &str) -> Result<Action, String> {
        ActionSet::all()
            .parse(text, ParseOptions::default())
            .map(|mut actions| actions.remove(0))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_bind_as_in_python() {
        let click = |button, modifiers| Action::Click { bid: "1".into(), button, modifiers };
        for text in ["click('1')", "click(bid='1')", "click('1', 'left', [])", "click('1', modifiers=None)"] {
            assert_eq!(bound(text), Ok(click(Button::Left, vec![])), "{text}");
        }
        assert_eq!(
            bound("click('1', modifiers=('Shift', 'Alt'), button=\"right\")"),
            Ok(click(Button::Right, vec![Modifier::Shift, Modifier::Alt]))
        );
        assert_eq!(
            bound("fill(value='v', bid='1')"),
            Ok(Action::Fill { bid: "1".into(), value: "v".into(), enable_autocomplete_menu: false })
        );
        assert_eq!(bound("noop()"), Ok(Action::Noop { wait_ms: 1000.0 }));
        assert_eq!(bound("noop(5)"), Ok(Action::Noop { wait_ms: 5.0 }));
        assert_eq!(bound("finish()"), Ok(Action::Finish { text: String::new() }));
        assert_eq!(bound("tab_focus(-1)"), Ok(Action::TabFocus { index: -1 }));
        assert_eq!(
            bound("select_option('1', 'a')"),
            Ok(Action::SelectOption { bid: "1".into(), options: vec!["a".into()] })
        );
    }

    #[test]
    fn wrong_arguments_have_pythons_errors() {
        for (text, expected) in [
            ("fill('1')", "TypeError: fill() missing 1 required positional argument: 'value'"),
            ("fill()", "TypeError: fill() missing 2 required positional arguments: 'bid' and 'value'"),
            (
                "mouse_drag_and_drop(1)",
                "TypeError: mouse_drag_and_drop() missing 3 required positional arguments: 'from_y', 'to_x', and 'to_y'",
            ),
            (
                "click('1', 'left', [], 1)",
                "TypeError: click() takes from 1 to 3 positional arguments but 4 were given",
            ),
            ("go_back(1)", "TypeError: go_back() takes 0 positional arguments but 1 was given"),
            ("hover('1', '2')", "TypeError: hover() takes 1 positional argument but 2 were given"),
            ("scroll(1, 2, 3)", "TypeError: scroll() takes 2 positional arguments but 3 were given"),
            ("click('1', foo=2)", "TypeError: click() got an unexpected keyword argument 'foo'"),
            (
                "click('1', buton='left')",
                "TypeError: click() got an unexpected keyword argument 'buton'. Did you mean 'button'?",
            ),
            ("click('1', bid='1')", "TypeError: click() got multiple values for argument 'bid'"),
            ("click(bid='1', bid='2')", "SyntaxError: keyword argument repeated: bid (<string>, line 1)"),
            ("click(12)", "ValueError: expected a string, got 12"),
            ("click(None)", "ValueError: expected a string, got None"),
            ("click(('12',))", "ValueError: expected a string, got ('12',)"),
            ("send_msg_to_user(5)", "ValueError: Forbidden value: 5 is not a string"),
            ("fill('1', 5)", "Error: fill: value: expected string, got number"),
            ("fill('1', {})", "Error: fill: value: expected string, got object"),
            (
                "fill('1', None)",
                "TypeError: fill() missing 1 required positional argument: 'value' (it is None)",
            ),
            ("noop('x')", "Error: noop: wait_ms: expected number, got string"),
            ("scroll('down', 1)", "TypeError: scroll() expected a number for 'delta_x', got 'down'"),
            ("tab_focus('1')", "TypeError: tab_focus() expected a whole number for 'index', got '1'"),
            ("click('1', 'up')", "Error: click: button: expected one of (left|right|middle)"),
            ("click('1', 'left', 'Shift')", "Error: click: modifiers: expected array, got string"),
            (
                "click('1', modifiers=['Shift', 'shift'])",
                "Error: click: modifiers[1]: expected one of (Alt|Control|ControlOrMeta|Meta|Shift)",
            ),
            ("select_option('1', ['a', 2])", "Error: select_option: options[1]: expected string, got number"),
            ("noop(1e999)", "NameError: name 'inf' is not defined (a number is too large)"),
            ("fill('1', [{'k': 1e999}])", "NameError: name 'inf' is not defined (a number is too large)"),
        ] {
            assert_eq!(bound(text), Err(expected.to_owned()), "{text}");
        }
        let huge = format!("noop({})", "9".repeat(400));
        assert!(bound(&huge).unwrap_err().starts_with("OverflowError: "));
    }

    #[test]
    fn an_unknown_name_lists_what_is_allowed() {
        let set = ActionSet::named("chat,nav").unwrap();
        let error = set.parse("go_bak()", ParseOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "NameError: Invalid action type 'go_bak'. Did you mean 'go_back'? \
             Allowed: noop, send_msg_to_user, go_back, go_forward, goto."
        );
        let compat = ParseOptions { compat: true, ..ParseOptions::default() };
        assert_eq!(set.parse("click('1')", compat).unwrap_err().message, "Invalid action type 'click'.");
    }

    #[test]
    fn an_unknown_set_says_which_there_are() {
        let error = ActionSet::named("workspace,nope").unwrap_err();
        assert_eq!(error.name, "nope");
        assert!(error.hint().unwrap().contains("workspace, screenshot"));
    }
}
