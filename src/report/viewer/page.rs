//! The page, as the server gives it and as one file.

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::episode::episode_view;
use super::library::{Library, blob};
use crate::report::style;
use crate::trace::BLOBS_FOLDER;

const PAGE: &str = include_str!("page/viewer.html");
const STYLE: &str = include_str!("page/viewer.css");
/// One script: the parts share their names and need no loader.
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("page/dom.js"),
    include_str!("page/data.js"),
    include_str!("page/list.js"),
    include_str!("page/matrix.js"),
    include_str!("page/tree.js"),
    include_str!("page/episode.js"),
    include_str!("page/panels.js"),
    include_str!("page/side_by_side.js"),
    include_str!("page/main.js"),
);

/// What the page may do when it is served: use its own server's files, and nothing else.
pub(super) const SERVED_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) fn style() -> String {
    format!("{}{STYLE}", style::tokens())
}

pub(super) const fn script() -> &'static str {
    SCRIPT
}

/// The page with its style and script in files of their own.
pub(super) fn served() -> String {
    PAGE.replace("<!--head-->", "<link rel=\"stylesheet\" href=\"viewer.css\">")
        .replace("<!--end-->", "<script src=\"viewer.js\"></script>")
}

/// Everything in one file that opens from disk: page, style, script, all episodes and their pictures.
///
/// Its policy names style and script by their hashes, so nothing else runs in it; pictures come from
/// the file itself.
#[must_use]
pub fn export(library: &Library) -> String {
    let mut episodes = Map::new();
    let mut blobs = Map::new();
    for run in 0..library.runs() {
        for shelved in library.shelved(run) {
            add_blobs(&shelved.folder, &mut blobs);
            episodes.insert(format!("{run}/{}", shelved.number), episode_view(&shelved.folder));
        }
    }
    let data = json!({ "list": library.list(), "episodes": episodes, "blobs": blobs });
    // The only way out of a script element is `</`, and a comment would change how it ends.
    let data = data.to_string().replace('<', "\\u003c");
    let style = style();
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(&style)
    );
    let mut head = String::new();
    write!(
        head,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{style}</style>"
    )
    .expect("a string takes everything");
    let end =
        format!("<script type=\"application/json\" id=\"data\">{data}</script>\n<script>{SCRIPT}</script>");
    // Data last, so that nothing in it is taken for a place of the page.
    PAGE.replace("<!--head-->", &head).replacen("<!--end-->", &end, 1)
}

/// About how many bytes an export takes: pictures and texts of all episodes.
#[must_use]
pub fn export_size(library: &Library) -> u64 {
    let mut size = 0;
    for run in 0..library.runs() {
        for shelved in library.shelved(run) {
            let entries =
                std::fs::read_dir(shelved.folder.join(BLOBS_FOLDER)).into_iter().flatten().flatten();
            size += entries.filter_map(|entry| entry.metadata().ok()).map(|about| about.len()).sum::<u64>();
        }
    }
    size * 4 / 3
}

/// Adds what lies in a trace's folder of blobs: texts as they are, pictures in base 64.
fn add_blobs(folder: &Path, blobs: &mut Map<String, Value>) {
    let entries = std::fs::read_dir(folder.join(BLOBS_FOLDER)).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if blobs.contains_key(&name) {
            continue;
        }
        if let Some((bytes, kind)) = blob(folder, &name) {
            let text = if kind == "image/png" {
                STANDARD.encode(bytes)
            } else {
                String::from_utf8_lossy(&bytes).into_owned()
            };
            blobs.insert(name, Value::from(text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::testing;

    #[test]
    fn the_page_has_its_places_and_the_style_its_tokens() {
        assert_eq!(PAGE.matches("<!--head-->").count(), 1);
        assert_eq!(PAGE.matches("<!--end-->").count(), 1);
        assert!(style().contains("--canvas") && served().contains("viewer.js"));
        // Nothing in the script makes markup of text, or runs it.
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "http:",
            "https:",
        ] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }

    #[test]
    fn an_export_holds_everything_and_no_text_can_end_its_script() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let library = Library::open(folder.path()).unwrap();
        let page = export(&library);
        assert!(page.contains("default-src 'none'; script-src 'sha256-"));
        let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["blobs"].as_object().unwrap().len(), 3);
        assert_eq!(data["episodes"]["0/1"]["status"], "complete");
        // The thought of the sample holds `<b>`.
        assert!(!page.contains("<b>") && page.contains("\\u003cb>"));
        assert!(export_size(&library) > 0);
    }
}
