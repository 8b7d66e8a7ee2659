//! Form fields: filling, choosing options, ticking boxes, focus.

use serde_json::{Value, json};

use super::element::{CHECK_BUDGET_MS, Checks, gave_up, retargeting};
use super::executor::{INPUT_WITHIN, Target};
use super::failure::{Attempt, Failure};
use crate::action::quote;
use crate::action::types::Button;
use crate::error::Deadline;
use crate::observe::Element;

const EDIT: &str = retargeting!("../../browser/page/edit.js");
const SELECT: &str = retargeting!("../../browser/page/select.js");
const CHECKED: &str = retargeting!("../../browser/page/checked.js");
const FOCUS: &str = include_str!("../../browser/page/focus.js");

impl Target<'_> {
    /// Replaces a field's content. With `by_keys` the last character is typed with key events, so that
    /// a page's menu of suggestions opens.
    pub(super) async fn fill(&mut self, action: &str, bid: &str, value: &str, by_keys: bool) -> Attempt {
        let last = value.char_indices().last().filter(|_| by_keys).map(|(start, _)| &value[start..]);
        if last.is_some() {
            // What was there is gone first, with an event of its own, as in BrowserGym.
            self.put(action, bid, "").await?;
        }
        self.put(action, bid, value.strip_suffix(last.unwrap_or_default()).unwrap_or(value)).await?;
        match last {
            Some(last) => self.type_text(last).await,
            None => Ok(()),
        }
    }

    async fn put(&mut self, action: &str, bid: &str, value: &str) -> Attempt {
        let element = self.element(bid)?;
        self.check(action, bid, &element, Checks::FILL).await?;
        let deadline = Deadline::after(INPUT_WITHIN);
        let result = self.on_element(bid, &element, EDIT, &[json!(value)], deadline).await?;
        if let Some(error) = result.get("error").and_then(Value::as_str) {
            return Err(Failure::error(format!("{action}({}): {error}", quote(bid))));
        }
        match result.get("type").and_then(Value::as_str) {
            None => Ok(()),
            Some("") => self.press("Delete").await,
            Some(text) => self.insert_text(text).await,
        }
    }

    /// Ticks or unticks a box by clicking it, and sees whether that worked.
    pub(super) async fn set_checked(&mut self, action: &str, bid: &str, wanted: bool) -> Attempt {
        let element = self.element(bid)?;
        match self.is_checked(bid, &element).await? {
            None => {
                return Err(Failure::error(format!(
                    "{action}({}): Not a checkbox or radio button",
                    quote(bid)
                )));
            }
            Some(now) if now == wanted => return Ok(()),
            Some(_) => {}
        }
        self.guarded_click(action, bid, &element, (Button::Left, &[], 1)).await?;
        match self.is_checked(bid, &element).await? {
            Some(now) if now == wanted => Ok(()),
            _ => Err(Failure::error(format!(
                "{action}({}): Clicking the checkbox did not change its state",
                quote(bid)
            ))),
        }
    }

    /// Whether a box is ticked; `None` for an element that is none.
    async fn is_checked(&self, bid: &str, element: &Element) -> Attempt<Option<bool>> {
        let state = self.on_element(bid, element, CHECKED, &[], Deadline::after(INPUT_WITHIN)).await?;
        if state.get("gone").is_some() {
            return Err(Failure::not_found(bid));
        }
        Ok(state.get("checked").and_then(Value::as_bool))
    }

    /// Chooses options by value or label.
    pub(super) async fn select(&mut self, bid: &str, options: &[String]) -> Attempt {
        let element = self.element(bid)?;
        self.check("select_option", bid, &element, Checks::SELECT).await?;
        let arguments = [json!(options), json!(CHECK_BUDGET_MS)];
        let result =
            self.on_element(bid, &element, SELECT, &arguments, Deadline::after(INPUT_WITHIN)).await?;
        if let Some(error) = result.get("error").and_then(Value::as_str) {
            return Err(Failure::error(format!("select_option({}): {error}", quote(bid))));
        }
        match result.get("missing") {
            Some(missing) => {
                Err(gave_up("select_option", bid, &format!("did not find some options: {missing}")))
            }
            None => Ok(()),
        }
    }

    /// Moves the focus. Before typing, the caret of an input that had no focus goes to its start.
    pub(super) async fn focus(&mut self, bid: &str, is_for_typing: bool) -> Attempt {
        let element = self.element(bid)?;
        let deadline = Deadline::after(INPUT_WITHIN);
        let is_there = self.on_element(bid, &element, FOCUS, &[json!(is_for_typing)], deadline).await?;
        if is_there.as_bool() == Some(true) { Ok(()) } else { Err(Failure::not_found(bid)) }
    }
}
