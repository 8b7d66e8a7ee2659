//! To-do: lists and their items.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::Detail;

/// Everything in the to-do app. There is always at least one list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Todo {
    /// Lists in file order, then in order of creation.
    pub lists: Vec<TodoList>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// One list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TodoList {
    /// `list-1`, …
    pub id: String,
    /// Name.
    pub name: String,
    /// Contact names of the people who read this list besides the user; empty when private.
    pub shared_with: Vec<String>,
    /// Items in order of position.
    pub items: Vec<TodoItem>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TodoItem {
    /// `task-1`, …
    pub id: String,
    /// Title.
    pub title: String,
    /// Longer notes.
    pub notes: String,
    /// Whether it is done.
    pub done: bool,
    /// The status exactly as the scenario writes it (`"pending"`), shown as a chip.
    pub status: Option<String>,
    /// Due date.
    pub due: Option<Date>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}
