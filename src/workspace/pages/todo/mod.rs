//! To-do: all lists with their tasks, or one of them; a task's own page; sharing a list.

mod edit;
mod lists;
mod route;
mod task;

pub(super) use lists::comment_row;
pub(super) use route::{again, get, post};
