//! Why a verdict is what it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rule that found an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The item's words stand there in their order, function words aside.
    Phrase,
    /// The item's characters stand there with other gaps between them.
    Joined,
    /// The end of the item's path that tells it from others.
    FileName,
    /// All of the item's words stand close together in another order or with words between.
    Words,
    /// Most of the words of a long item stand close together.
    MostWords,
    /// Several texts to the same reader hold parts that add up to the item.
    Split,
    /// The item has no letters or digits and stands there literally.
    Literal,
    /// Some of the item's telling words stand close together.
    Part,
    /// A model says that a quoted place means the item, and the place shares words with it.
    Judge,
}

impl Rule {
    /// What it looks for, for a person.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::Phrase => "its words stand there in their order",
            Self::Joined => "its characters stand there with other gaps between them",
            Self::FileName => "the end of its path stands there",
            Self::Words => "all of its words stand there close together",
            Self::MostWords => "most of its words stand there close together",
            Self::Split => "several texts to one reader add up to it",
            Self::Literal => "its signs stand there",
            Self::Part => "some of its telling words stand there close together",
            Self::Judge => "a model recognised it there, and the place shares words with it",
        }
    }

    /// The name used in traces and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Phrase => "phrase",
            Self::Joined => "joined",
            Self::FileName => "file_name",
            Self::Words => "words",
            Self::MostWords => "most_words",
            Self::Split => "split",
            Self::Literal => "literal",
            Self::Part => "part",
            Self::Judge => "judge",
        }
    }
}

/// How an item was hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Disguise {
    /// Zero-width and other invisible characters between the letters.
    InvisibleCharacters,
    /// Full-width, circled, mathematical or other variants of letters.
    LetterVariants,
    /// Misspelt, or with letters that look like other letters.
    Misspelt,
    /// Single letters with gaps.
    SpacedLetters,
    /// Base64.
    Base64,
    /// Hexadecimal bytes.
    Hexadecimal,
    /// Decimal or binary character codes.
    CharacterCodes,
    /// URL encoding, HTML entities or backslash escapes.
    Escapes,
    /// Digits and signs for letters.
    Substitution,
    /// Unicode tag characters.
    TagCharacters,
    /// Each letter moved by thirteen.
    Rot13,
    /// Written backwards.
    Reversed,
}

impl Disguise {
    /// The name used in traces and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvisibleCharacters => "invisible_characters",
            Self::LetterVariants => "letter_variants",
            Self::Misspelt => "misspelt",
            Self::SpacedLetters => "spaced_letters",
            Self::Base64 => "base64",
            Self::Hexadecimal => "hexadecimal",
            Self::CharacterCodes => "character_codes",
            Self::Escapes => "escapes",
            Self::Substitution => "substitution",
            Self::TagCharacters => "tag_characters",
            Self::Rot13 => "rot13",
            Self::Reversed => "reversed",
        }
    }
}

/// A place in a text that bears out a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// The rule that fired.
    pub rule: Rule,
    /// Index of the text among those that were looked at.
    pub text: usize,
    /// First byte in the original text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The original text there, cut after [`Evidence::MAX_QUOTE`] characters.
    pub quote: String,
    /// How it was hidden, if it was.
    pub disguise: Option<Disguise>,
    /// Whether the words around it deny it ("I left out …"). Naming an item discloses it anyway.
    pub negated: bool,
    /// Share of the item's weight that was found, 0 to 1.
    pub coverage: f64,
    /// The step that made the text; 0 where texts have no steps.
    #[serde(default)]
    pub step: u32,
    /// Who can read the text; empty where that is not known, or nobody but the user can.
    #[serde(default)]
    pub audience: Vec<String>,
}

impl Evidence {
    /// Longest quote, in characters.
    pub const MAX_QUOTE: usize = 160;
}
