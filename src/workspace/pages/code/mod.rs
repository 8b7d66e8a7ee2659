//! Code editor: files in folders, open tabs, the file in front, search, sharing, commits.

mod editor;
mod forms;
mod route;
mod tree;

pub(super) use route::{again, get, post};
