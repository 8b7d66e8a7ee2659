//! The front end's files, embedded: templates, styles, scripts, icons, strings and the catalogue.
//!
//! Nothing here interprets them; a release build holds them in the binary, a debug build reads them
//! from the source tree, so that a page can be worked on without compiling.

use std::borrow::Cow;

use rust_embed::Embed;

#[derive(Embed)]
#[folder = "openapps-web/"]
struct Files;

/// The bytes of the file at `path` below `openapps-web/`, if there is one.
pub(super) fn bytes(path: &str) -> Option<Cow<'static, [u8]>> {
    Files::get(path).map(|file| file.data)
}

/// The text of the file at `path`, if there is one and it is UTF-8.
pub(super) fn source(path: &str) -> Option<String> {
    String::from_utf8(bytes(path)?.into_owned()).ok()
}

/// All file paths below `folder` (which ends in `/`), sorted.
pub(super) fn paths(folder: &str) -> Vec<String> {
    let mut paths: Vec<String> =
        Files::iter().filter(|path| path.starts_with(folder)).map(Cow::into_owned).collect();
    paths.sort();
    paths
}
