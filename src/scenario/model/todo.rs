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
    /// Whether anybody who has its link reads it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_link: bool,
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
    /// How much it matters.
    #[serde(default, skip_serializing_if = "Priority::is_none")]
    pub priority: Priority,
    /// Words to find it by, in the order of typing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Its parts, in order of adding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subtasks: Vec<Subtask>,
    /// Who is to do it: a contact's name or a free one, who reads the task then; empty for nobody.
    pub assignee: String,
    /// What was said about it, oldest first.
    pub comments: Vec<Comment>,
    /// When it was added, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<DateTime>,
    /// When it was done, where it is and that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<DateTime>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// How much a task matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Much.
    High,
    /// Somewhat.
    Medium,
    /// Little.
    Low,
    /// Nobody said.
    #[default]
    None,
}

impl Priority {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::None, Self::High, Self::Medium, Self::Low];

    /// The name used in files, forms and keys of texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::None => "none",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether nobody said.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// A part of a task. Whoever reads the task reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subtask {
    /// `subtask-1`, …
    pub id: String,
    /// Title.
    pub title: String,
    /// Whether it is done.
    pub done: bool,
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

/// A list, a task or a part of one that was deleted, and where it stood.
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
    /// A part of a task.
    Subtask {
        /// Id of its task.
        task: String,
        /// Its place in the task.
        position: usize,
        /// The part.
        subtask: Subtask,
    },
}
