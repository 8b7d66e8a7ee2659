//! One page: commands under a deadline, navigation, settling, and functions run in a world of
//! their own beside the page's scripts.

mod handle;
mod settle;

pub use handle::{FrameRef, Page};
pub use settle::Settled;
