//! JSON as scenario files need it: key order kept, duplicate keys refused, every bound checked
//! while parsing, and a path and a place for every complaint.

mod parse;
mod path;
mod value;

pub(crate) use parse::parse;
pub(crate) use path::{JsonPath, locate};
pub(crate) use value::Json;
