//! Imports run downwards only, as the documentation of `src/lib.rs` says.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The layers as written in `src/lib.rs`, from the top down.
fn layers() -> Vec<BTreeSet<String>> {
    let source = std::fs::read_to_string(source_folder().join("lib.rs")).unwrap();
    let docs: String = source
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .flat_map(|line| [line.trim(), " "])
        .collect();
    let start = docs.find("`cli -> ").expect("the order of layers is documented") + 1;
    let order = docs[start..].split('`').next().unwrap();
    order.split("->").map(|layer| layer.split(',').map(|name| name.trim().to_owned()).collect()).collect()
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// A source file: the module at the top that it belongs to, and its code without comments, strings
/// and tests.
struct Source {
    path: PathBuf,
    module: String,
    code: String,
}

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![source_folder()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                if name != "tests" {
                    folders.push(path);
                }
                continue;
            }
            // Test code may look at anything.
            if std::path::Path::new(&name).extension().is_none_or(|extension| extension != "rs")
                || name == "tests.rs"
                || name.ends_with("_tests.rs")
                || name == "testing.rs"
            {
                continue;
            }
            let inside = path.strip_prefix(source_folder()).unwrap();
            let module = inside.components().next().unwrap().as_os_str().to_str().unwrap();
            let module = module.trim_end_matches(".rs").to_owned();
            let code = code_of(&std::fs::read_to_string(&path).unwrap());
            found.push(Source { path: inside.to_owned(), module, code });
        }
    }
    assert!(found.len() > 100, "only {} source files were found", found.len());
    found
}

/// The code of a file without comments, and up to its tests, which stand last.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let starts_tests = line.trim() == "#[cfg(test)]"
            && lines.clone().find(|next| !next.trim_start().starts_with("#[")).is_some_and(|next| {
                let next = next.trim_start();
                next.starts_with("mod tests {") || next.starts_with("pub(crate) mod tests {")
            });
        if starts_tests {
            break;
        }
        if !line.trim_start().starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

/// The names that stand behind `crate::`, those in braces included.
fn imports(code: &str) -> BTreeSet<String> {
    let name_at = |text: &str| -> String {
        text.trim_start().chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    };
    let mut names = BTreeSet::new();
    for (place, marker) in code.match_indices("crate::") {
        let own_word = !code[..place].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let rest = &code[place + marker.len()..];
        if !own_word {
            continue;
        }
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0_i32;
            let mut start = true;
            for (at, letter) in group.char_indices() {
                if start && depth == 0 && !letter.is_whitespace() {
                    names.insert(name_at(&group[at..]));
                    start = false;
                }
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    _ => {}
                }
            }
        } else {
            names.insert(name_at(rest));
        }
    }
    names.remove("");
    names
}

#[test]
fn the_reader_of_imports_finds_every_form() {
    let code = "use crate::trace::{Event, x};\nuse crate::{error::Fault, scenario::{a, b}, config};\n\
                fn f() -> crate::browser::Page { $crate::diff::f() }\nuse my_crate::report;\n";
    let found: Vec<String> = imports(code).into_iter().collect();
    assert_eq!(found, ["browser", "config", "diff", "error", "scenario", "trace"]);
    let with_tests =
        "use crate::error;\n// crate::cli\n#[cfg(test)]\nmod tests {\n    use crate::episode;\n}\n";
    assert_eq!(imports(&code_of(with_tests)).into_iter().collect::<Vec<_>>(), ["error"]);
}

#[test]
fn imports_run_downwards_only() {
    let layers = layers();
    assert_eq!(layers.len(), 6, "{layers:?}");
    let mut rank: BTreeMap<&str, usize> = BTreeMap::new();
    for (depth, layer) in layers.iter().enumerate() {
        for name in layer {
            assert!(rank.insert(name, depth).is_none(), "`{name}` stands in two layers");
        }
    }
    // Pure functions over numbers: whoever needs them may use them.
    rank.insert("stats", layers.len());
    let mut breaches = Vec::new();
    for source in sources() {
        if ["lib", "main"].contains(&source.module.as_str()) {
            continue;
        }
        let own = *rank
            .get(source.module.as_str())
            .unwrap_or_else(|| panic!("`{}` has no place among the layers", source.module));
        for name in imports(&source.code) {
            // Names that are no module at the top are items of the crate's root.
            let Some(other) = rank.get(name.as_str()) else { continue };
            if *other < own {
                breaches.push(format!("{} imports `{name}`, which stands above it", source.path.display()));
            }
            if source.module == "report" && name == "episode" {
                breaches.push(format!("{} imports `episode`; reports read traces", source.path.display()));
            }
        }
    }
    assert_eq!(breaches, Vec::<String>::new());
}

#[test]
fn what_is_pure_touches_nothing_outside() {
    let mut breaches = Vec::new();
    for source in sources() {
        if !["stats", "score"].contains(&source.module.as_str()) {
            continue;
        }
        for word in
            ["std::fs", "std::net", "std::process", "std::env", "std::io", "tokio", "reqwest", "rusqlite"]
        {
            if source.code.contains(word) {
                breaches.push(format!("{} uses `{word}`", source.path.display()));
            }
        }
        if imports(&source.code).contains("browser") {
            breaches.push(format!("{} uses the browser", source.path.display()));
        }
    }
    assert_eq!(breaches, Vec::<String>::new());
}

#[test]
fn only_one_place_prints() {
    let mut breaches = Vec::new();
    for source in sources() {
        let prints = ["println!", "eprintln!", "print!(", "eprint!(", "dbg!("];
        if prints.iter().any(|word| source.code.contains(word)) {
            breaches.push(source.path.display().to_string());
        }
    }
    assert_eq!(breaches, Vec::<String>::new());
}
