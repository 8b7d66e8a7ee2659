//! JSON as scenario files need it: key order kept, duplicate keys refused, every bound checked
//! while parsing, and a path and a place for every complaint.

mod parse;
mod path;
mod value;

pub(crate) use parse::{ParseFailure, parse, parse_file};
pub(crate) use path::{JsonPath, items, locate};
pub(crate) use value::Json;
