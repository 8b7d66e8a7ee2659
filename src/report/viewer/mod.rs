//! The viewer: what can be seen of runs and traces, and the pages that show it.
//!
//! [`Library`] knows which runs and episodes there are and gives them as JSON; the page's files lie in
//! `page/`. The same page works over HTTP (`discreet view`) and from disk ([`export`], one file with
//! everything in it). It runs no code that it was not built with, asks for nothing outside of its own
//! server, and shows every text of a trace as text: nothing in it is parsed as markup.

mod episode;
mod items;
mod library;
mod page;
mod search;
mod server;

pub use episode::episode_view;
pub use library::{Library, LibraryError};
pub use page::{ExportOptions, Exported, export};
pub use search::{
    LINES_FILE as SEARCH_LINES_FILE, MANIFEST_FILE as SEARCH_MANIFEST_FILE,
    NODES_FOLDER as SEARCH_NODES_FOLDER,
};
pub use server::{ViewError, view};
