//! Reports as one HTML file: no script, no request, nothing from outside that is not escaped.

mod render;

pub use render::{HtmlError, comparison_html, report_html};
