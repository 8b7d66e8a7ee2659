//! The page, as the server gives it and as one file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::episode::episode_view;
use super::library::{Library, blob};
use super::search::{scenario, scenarios};
use crate::report::style;
use crate::trace::{BLOBS_FOLDER, picture_type};

const PAGE: &str = include_str!("page/viewer.html");
const STYLE: &str = include_str!("page/viewer.css");
/// One script: the parts share their names and need no loader.
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("page/dom.js"),
    include_str!("page/data.js"),
    include_str!("page/list.js"),
    include_str!("page/matrix.js"),
    include_str!("page/pairs.js"),
    include_str!("page/pointing.js"),
    include_str!("page/tree.js"),
    include_str!("page/episode.js"),
    include_str!("page/panels.js"),
    include_str!("page/side_by_side.js"),
    include_str!("page/search.js"),
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

/// What goes into a file of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Leave the pictures out, which are most of it.
    pub without_pictures: bool,
    /// Numbers of the episodes to take, of every run; empty for all.
    pub episodes: BTreeSet<u64>,
}

/// A page that opens from disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The file's content.
    pub page: String,
    /// Number of episodes in it.
    pub episodes: usize,
    /// Number of pictures in it.
    pub pictures: usize,
    /// Bytes that the pictures take.
    pub picture_bytes: usize,
}

/// Everything in one file that opens from disk: page, style, script, episodes and their pictures.
///
/// Its policy names style and script by their hashes, so nothing else runs in it; pictures come from
/// the file itself. Episodes and texts are packed, and each is unpacked when it is looked at, so that a
/// large run opens as fast as a small one.
#[must_use]
pub fn export(library: &Library, options: &ExportOptions) -> Exported {
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
    let mut exported = Exported { page, episodes: 0, pictures: 0, picture_bytes: 0 };
    let is_wanted = |number: u64| options.episodes.is_empty() || options.episodes.contains(&number);
    let mut list = library.list();
    list["without_pictures"] = options.without_pictures.into();
    for run in list["runs"].as_array_mut().into_iter().flatten() {
        if let Some(episodes) = run["episodes"].as_array_mut().filter(|_| !options.episodes.is_empty()) {
            episodes.retain(|episode| episode["number"].as_u64().is_some_and(is_wanted));
        }
    }
    add_data(&mut exported.page, "data", &list);
    if let Some(folder) = library.search() {
        for id in scenarios(folder) {
            if let Some(scenario) = scenario(folder, &id) {
                add_data(&mut exported.page, &format!("scenario-{id}"), &scenario);
            }
        }
    }
    let mut known = BTreeSet::new();
    for run in 0..library.runs() {
        for shelved in library.shelved(run).into_iter().filter(|shelved| is_wanted(shelved.number)) {
            let view = episode_view(&shelved.folder).to_string();
            add_packed(&mut exported.page, &format!("episode-{run}/{}", shelved.number), view.as_bytes());
            exported.episodes += 1;
            add_blobs(&mut exported, &shelved.folder, options, &mut known);
        }
    }
    write!(exported.page, "<script>{SCRIPT}</script>").expect("a string takes everything");
    exported.page.push_str(rest.strip_prefix(END).unwrap_or(&rest));
    exported
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

/// Adds bytes under a name, packed: the page unpacks them with the browser's own means.
fn add_packed(page: &mut String, name: &str, bytes: &[u8]) {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).expect("memory takes everything");
    let packed = packer.finish().expect("memory takes everything");
    add_data(page, name, &Value::from(STANDARD.encode(packed)));
}

/// Adds what lies in a trace's folder of blobs, each content once: texts packed, pictures as they are.
fn add_blobs(exported: &mut Exported, folder: &Path, options: &ExportOptions, known: &mut BTreeSet<String>) {
    let entries = std::fs::read_dir(folder.join(BLOBS_FOLDER)).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for name in names {
        let is_picture = name.rsplit('.').next().is_some_and(|extension| picture_type(extension).is_some());
        if known.contains(&name) || (is_picture && options.without_pictures) {
            continue;
        }
        // A name that is no blob's is no file that is read, and never gets into the page.
        let Some((bytes, _)) = blob(folder, &name) else { continue };
        let id = format!("blob-{name}");
        if is_picture {
            let text = STANDARD.encode(bytes);
            exported.pictures += 1;
            exported.picture_bytes += text.len();
            add_data(&mut exported.page, &id, &Value::from(text));
        } else {
            add_packed(&mut exported.page, &id, &bytes);
        }
        known.insert(name);
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
        let exported = export(&library, &ExportOptions::default());
        let page = &exported.page;
        assert!(page.contains("default-src 'none'; script-src 'sha256-"));
        let data = |name: &str| -> Value {
            let start = page.split(&format!("id=\"{name}\">")).nth(1).unwrap();
            serde_json::from_str(start.split("</script>").next().unwrap()).unwrap()
        };
        let unpacked = |name: &str| -> String {
            let packed = STANDARD.decode(data(name).as_str().unwrap()).unwrap();
            std::io::read_to_string(flate2::read::ZlibDecoder::new(packed.as_slice())).unwrap()
        };
        assert_eq!(data("data")["runs"][0]["episodes"][0]["outcome"], "finished");
        let view: Value = serde_json::from_str(&unpacked("episode-0/1")).unwrap();
        assert_eq!(view["status"], "complete");
        // The thought of the sample holds `<b>`.
        assert!(view.to_string().contains("<b>"));
        let blobs = std::fs::read_dir(folder.path().join(BLOBS_FOLDER)).unwrap().count();
        assert_eq!(blobs, 4, "two pictures, a tree and a prompt");
        assert_eq!(page.matches("id=\"blob-").count(), blobs);
        assert_eq!((exported.episodes, exported.pictures), (1, 2));
        assert!(page.ends_with("</html>\n") && !page.contains("<b>"));
        let text = "</script><b>";
        let mut own = String::new();
        add_data(&mut own, "own", &Value::from(text));
        assert_eq!(own.matches("</script>").count(), 1, "{own}");
    }

    #[test]
    fn pictures_and_episodes_can_be_left_out() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let library = Library::open(folder.path()).unwrap();
        let without = ExportOptions { without_pictures: true, ..ExportOptions::default() };
        let exported = export(&library, &without);
        assert_eq!((exported.episodes, exported.pictures, exported.picture_bytes), (1, 0, 0));
        assert_eq!(exported.page.matches("id=\"blob-").count(), 2);
        assert!(exported.page.contains("\"without_pictures\":true"));
        let other = ExportOptions { episodes: [2].into(), ..ExportOptions::default() };
        let exported = export(&library, &other);
        assert_eq!(exported.episodes, 0);
        assert!(!exported.page.contains("family__one"));
    }
}
