//! To-do: lists and their items.

use jiff::civil::{Date, DateTime};
use serde::{Deserialize, Serialize};

use super::{Author, Detail, Share};

/// Everything in the to-do app. There is always at least one list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Todo {
    /// Lists in file order, then in order of creation.
    pub lists: Vec<TodoList>,
    /// Messages that went with lists when they were shared.
    pub shares: Vec<Share>,
    /// What was deleted last, so that it can be brought back.
    pub removed: Option<RemovedFromTodo>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// One list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TodoList {
    /// `list-1`, …
    pub id: String,
    /// Name.
    pub name: String,
    /// Contact names of the people who read this list besides the user; empty when private.
    pub shared_with: Vec<String>,
    /// Whether they may change it.
    pub can_edit: bool,
    /// Whether they do not see what is done.
    pub hides_done: bool,
    /// Items in order of position.
    pub items: Vec<TodoItem>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// One task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// Who is to do it: a contact's name or a free one, who reads the task then; empty for nobody.
    pub assignee: String,
    /// What was said about it, oldest first.
    pub comments: Vec<Comment>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// What somebody said about a task. Whoever reads the task reads its comments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comment {
    /// `comment-1`, …
    pub id: String,
    /// Who said it.
    pub author: Author,
    /// What.
    pub text: String,
    /// When; none where the scenario does not say.
    pub at: Option<DateTime>,
}

/// A task or list that was deleted, and where it stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovedFromTodo {
    /// A task.
    Task {
        /// Id of its list.
        list: String,
        /// Its place in the list.
        position: usize,
        /// The task.
        task: TodoItem,
    },
    /// A list with its tasks.
    List {
        /// Its place among the lists.
        position: usize,
        /// The list.
        list: TodoList,
    },
}
