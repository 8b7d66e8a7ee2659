//! The page, as the server gives it and as one file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
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
    let style = style();
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(&style)
    );
    let head =
        format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{style}</style>");
    let mut page = PAGE.replace("<!--head-->", &head);
    let rest = page.split_off(page.find(END).unwrap_or(page.len()));
    // Each part is parsed when it is looked at, so that a large run opens as fast as a small one.
    add_data(&mut page, "data", &library.list());
    let mut known = BTreeSet::new();
    for run in 0..library.runs() {
        for shelved in library.shelved(run) {
            add_data(&mut page, &format!("episode-{run}/{}", shelved.number), &episode_view(&shelved.folder));
            add_blobs(&mut page, &shelved.folder, &mut known);
        }
    }
    write!(page, "<script>{SCRIPT}</script>").expect("a string takes everything");
    page.push_str(rest.strip_prefix(END).unwrap_or(&rest));
    page
}

/// Where the data and the script go.
const END: &str = "<!--end-->";

/// Adds data under a name, which is ours or checked. The only way out of a script element is `</`, and a
/// comment would change how it ends.
fn add_data(page: &mut String, name: &str, data: &Value) {
    let data = data.to_string().replace('<', "\\u003c");
    writeln!(page, "<script type=\"application/json\" id=\"{name}\">{data}</script>")
        .expect("a string takes everything");
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

/// Adds what lies in a trace's folder of blobs, each content once: texts as they are, pictures in base 64.
fn add_blobs(page: &mut String, folder: &Path, known: &mut BTreeSet<String>) {
    let entries = std::fs::read_dir(folder.join(BLOBS_FOLDER)).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for name in names {
        // A name that is no blob's is no file that is read, and never gets into the page.
        if !known.contains(&name)
            && let Some((bytes, kind)) = blob(folder, &name)
        {
            let text = if kind == "image/png" {
                STANDARD.encode(bytes)
            } else {
                String::from_utf8_lossy(&bytes).into_owned()
            };
            add_data(page, &format!("blob-{name}"), &Value::from(text));
            known.insert(name);
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
        let data = |name: &str| -> Value {
            let start = page.split(&format!("id=\"{name}\">")).nth(1).unwrap();
            serde_json::from_str(start.split("</script>").next().unwrap()).unwrap()
        };
        assert_eq!(data("data")["runs"][0]["episodes"][0]["outcome"], "finished");
        assert_eq!(data("episode-0/1")["status"], "complete");
        let blobs = std::fs::read_dir(folder.path().join(BLOBS_FOLDER)).unwrap().count();
        assert_eq!(blobs, 4, "two pictures, a tree and a prompt");
        assert_eq!(page.matches("id=\"blob-").count(), blobs);
        assert!(page.ends_with("</html>\n"));
        // The thought of the sample holds `<b>`.
        assert!(!page.contains("<b>") && page.contains("\\u003cb>"));
        assert!(export_size(&library) > 0);
    }
}
