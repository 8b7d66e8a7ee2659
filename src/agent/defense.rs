//! Defenses: text that is added to the system prompt and asks for care. It never replaces anything,
//! so that an agent with a defense is the same agent with one paragraph more.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::{Explain, Fault};

/// A defense by name, with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defense {
    /// `none`, the name of a built-in one, or the stem of a file.
    pub name: String,
    /// What is added to the system prompt; empty for `none`.
    pub text: String,
}

/// The built-in defenses and their texts.
const BUILT_IN: [(&str, &str); 4] = [
    ("none", ""),
    ("restrictive", include_str!("defenses/restrictive.txt")),
    ("rubric", include_str!("defenses/rubric.txt")),
    ("recipient", include_str!("defenses/recipient.txt")),
];

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// Why a defense cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DefenseError {
    /// It is neither built in nor a file.
    #[error("find the defense `{name}`")]
    Unknown {
        /// As it was named.
        name: String,
    },
    /// The file cannot be read.
    #[error("read the defense `{}`: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file holds too much, or nothing.
    #[error("use the defense `{}`: {what}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl Explain for DefenseError {
    fn fault(&self) -> Fault {
        Fault::Usage
    }

    fn hint(&self) -> Option<String> {
        let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        Some(format!("the defenses are {}, or a file with text of your own", names.join(", ")))
    }
}

impl Default for Defense {
    fn default() -> Self {
        Self { name: "none".to_owned(), text: String::new() }
    }
}

impl Defense {
    /// The defenses by name, each once.
    ///
    /// # Errors
    /// The name that two different ones have.
    pub fn tell_apart(mut defenses: Vec<Self>) -> Result<Vec<Self>, String> {
        defenses.sort_by(|one, other| one.name.cmp(&other.name));
        defenses.dedup();
        match defenses.windows(2).find(|pair| pair[0].name == pair[1].name) {
            Some(pair) => Err(pair[0].name.clone()),
            None => Ok(defenses),
        }
    }

    /// Whether a name is that of a built-in defense.
    #[must_use]
    pub fn is_built_in(name: &str) -> bool {
        BUILT_IN.iter().any(|(known, _)| *known == name)
    }

    /// The built-in defense of that name, or the text of a file.
    ///
    /// # Errors
    /// [`DefenseError`] when it is neither, or when the file is empty, larger than 64 KiB or no text.
    pub fn resolve(name: &str) -> Result<Self, DefenseError> {
        if let Some((name, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Ok(Self { name: (*name).to_owned(), text: text.trim().to_owned() });
        }
        let path = Path::new(name);
        if !name.contains(['/', '.']) && !path.exists() {
            return Err(DefenseError::Unknown { name: name.to_owned() });
        }
        let failed = |source| DefenseError::Read { path: path.to_owned(), source };
        let unusable = |what| DefenseError::Unusable { path: path.to_owned(), what };
        let file = std::fs::File::open(path).map_err(failed)?;
        let mut text = String::new();
        file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
        if text.len() as u64 > MAX_BYTES {
            return Err(unusable("it has more than 64 KiB"));
        }
        if text.trim().is_empty() {
            return Err(unusable("it is empty"));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if BUILT_IN.iter().any(|(known, _)| *known == stem) {
            return Err(unusable("its name is that of a built-in defense"));
        }
        Ok(Self { name: stem.into_owned(), text: text.trim().to_owned() })
    }

    /// The names of the built-in defenses.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        BUILT_IN.iter().map(|(name, _)| *name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_defenses_differ_and_a_file_is_a_defense_of_its_own() {
        let texts: Vec<String> =
            Defense::names().into_iter().map(|name| Defense::resolve(name).unwrap().text).collect();
        assert!(texts[0].is_empty() && texts[1..].iter().all(|text| text.len() > 100));
        assert!(texts.iter().enumerate().all(|(at, text)| !texts[..at].contains(text)));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine.txt");
        std::fs::write(&file, "Be kind.\n").unwrap();
        let mine = Defense::resolve(file.to_str().unwrap()).unwrap();
        assert_eq!((mine.name.as_str(), mine.text.as_str()), ("mine", "Be kind."));
    }

    #[test]
    fn a_defense_that_is_none_is_refused() {
        assert!(matches!(Defense::resolve("restrictiv"), Err(DefenseError::Unknown { .. })));
        assert!(matches!(Defense::resolve("./nowhere.txt"), Err(DefenseError::Read { .. })));
        let folder = tempfile::tempdir().unwrap();
        let large = vec![b'x'; 65_537];
        for (name, bytes) in [("empty.txt", &b"  "[..]), ("none.txt", b"x"), ("large.txt", &large)] {
            let file = folder.path().join(name);
            std::fs::write(&file, bytes).unwrap();
            let error = Defense::resolve(file.to_str().unwrap()).unwrap_err();
            assert!(matches!(error, DefenseError::Unusable { .. }), "{error}");
        }
    }
}
