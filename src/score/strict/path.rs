//! File names and paths: `useAuth.js` names `frontend/src/hooks/useAuth.js` as long as no other
//! file of that name is about.

use std::collections::HashMap;

use super::fold::folded;

/// Names that a tree holds many of; they name a file only together with its folder.
#[rustfmt::skip] // one word a line would hide the table
const EVERYDAY_NAMES: &[&str] = &[
    "index.js", "index.ts", "index.html", "index.jsx", "index.tsx", "main.py", "main.rs", "main.js",
    "main.ts", "mod.rs", "lib.rs", "app.py", "app.js", "utils.py", "utils.js", "config.json", "config.yaml",
    "config.yml", "package.json", "readme.md", "notes.txt", "__init__.py", "test.py", "style.css",
];

/// The end of a path that tells it from the other paths of the scenario.
#[derive(Debug)]
pub(super) struct PathEnd {
    /// Folded components, the file's name last.
    components: Vec<String>,
    /// How many of the last components must stand in the text.
    needed: usize,
}

/// The folded components of a text that is nothing but a path of at least two components.
pub(super) fn components(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if !text.contains(['/', '\\']) || text.contains(char::is_whitespace) || text.contains("://") {
        return None;
    }
    let components: Vec<String> = split(text);
    let name = components.last()?;
    (components.len() >= 2 && name.chars().any(char::is_alphanumeric)).then_some(components)
}

fn split(text: &str) -> Vec<String> {
    text.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").map(folded).collect()
}

/// How many different paths among the items end in each file name.
pub(super) fn shared_names<'a>(items: impl Iterator<Item = &'a str>) -> HashMap<String, usize> {
    let mut paths: Vec<Vec<String>> = items.filter_map(components).collect();
    paths.sort();
    paths.dedup();
    let mut names = HashMap::new();
    for path in paths {
        for depth in 1..=path.len() {
            *names.entry(path[path.len() - depth..].join("/")).or_insert(0) += 1;
        }
    }
    names
}

impl PathEnd {
    pub(super) fn new(text: &str, shared_names: &HashMap<String, usize>) -> Option<Self> {
        let components = components(text)?;
        // A folder or a name without an ending is an everyday word too often.
        let name = components.last()?;
        let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && (1..=6).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric)
        });
        let everyday = EVERYDAY_NAMES.contains(&name.as_str()) || !has_ending;
        let unique = (1..=components.len())
            .find(|depth| {
                let end = components[components.len() - depth..].join("/");
                shared_names.get(&end).copied().unwrap_or(0) <= 1
            })
            .unwrap_or(components.len());
        let needed = unique.max(if everyday { 2 } else { 1 });
        Some(Self { needed: needed.min(components.len()), components })
    }

    /// The end of the path that must stand in the text, folded.
    fn end(&self) -> String {
        self.components[self.components.len() - self.needed..].join("/")
    }

    /// The words of the file's name, without its ending.
    pub(super) fn name_words(&self) -> String {
        let name = self.components.last().map_or("", String::as_str);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem.replace(['_', '-', '.'], " ")
    }

    /// Where the path, or enough of its end, stands in `text`; byte places of the original.
    ///
    /// A text may name more of the path than needed, but nothing that contradicts it:
    /// `backend/useAuth.js` is another file.
    pub(super) fn find(&self, text: &str) -> Option<(usize, usize)> {
        let units = super::fold::fold(text);
        let characters: Vec<char> =
            units.iter().map(|unit| if unit.character == '\\' { '/' } else { unit.character }).collect();
        let end: Vec<char> = self.end().chars().collect();
        let is_name =
            |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '/' | '.');
        let mut position = 0;
        while position + end.len() <= characters.len() {
            let Some(found) = find(&characters[position..], &end).map(|offset| position + offset) else {
                break;
            };
            position = found + 1;
            let after = found + end.len();
            // `useAuth.js.` ends a sentence, `useAuth.jsx` is another file.
            let continues = characters.get(after).is_some_and(|next| {
                next.is_alphanumeric()
                    || matches!(next, '_' | '-')
                    || (*next == '.'
                        && characters.get(after + 1).is_some_and(|character| character.is_alphanumeric()))
            });
            if continues {
                continue;
            }
            let start =
                (0..found).rev().find(|index| !is_name(characters[*index])).map_or(0, |index| index + 1);
            let before: String = characters[start..found].iter().collect();
            if !before.is_empty() && !before.ends_with('/') {
                continue;
            }
            let written: Vec<&str> =
                before.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
            let expected = &self.components[..self.components.len() - self.needed];
            let agrees = written.iter().rev().zip(expected.iter().rev()).all(|(left, right)| left == right);
            if agrees {
                return Some((units[start].start as usize, units[after - 1].end as usize));
            }
        }
        None
    }
}

fn find(haystack: &[char], needle: &[char]) -> Option<usize> {
    if needle.is_empty() {
        return None;
    }
    haystack.windows(needle.len()).position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str, others: &[&str]) -> PathEnd {
        let names = shared_names(others.iter().copied().chain([text]));
        PathEnd::new(text, &names).unwrap()
    }

    #[test]
    fn the_name_alone_is_enough_when_no_other_file_has_it() {
        let file = path("frontend/src/hooks/useAuth.js", &["frontend/src/hooks/useCart.js"]);
        for text in [
            "open useAuth.js.",
            "hooks/useAuth.js",
            "C:\\x\\frontend\\src\\hooks\\useAuth.js",
            "see `UseAuth.js`",
            "./frontend/src/hooks/useAuth.js",
        ] {
            assert!(file.find(text).is_some(), "{text}");
        }
        for text in
            ["useAuth.jsx", "backend/useAuth.js", "myuseAuth.js", "frontend/src/hooks/useCart.js", "useAuth"]
        {
            assert!(file.find(text).is_none(), "{text}");
        }
    }

    #[test]
    fn names_of_several_files_and_everyday_names_need_their_folder() {
        let file = path("a/x/report.md", &["b/x/report.md"]);
        assert!(file.find("report.md").is_none());
        assert!(file.find("x/report.md").is_none());
        assert!(file.find("a/x/report.md").is_some());
        let everyday = path("shop/index.js", &[]);
        assert!(everyday.find("index.js").is_none());
        assert!(everyday.find("shop/index.js").is_some());
        assert!(PathEnd::new("and/or maybe", &HashMap::new()).is_none());
    }
}
