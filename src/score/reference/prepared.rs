//! Texts prepared once and compared many times.

use std::borrow::Cow;

use super::text::{canonical, content_tokens, is_stop_word, lower, normalize_lowered, stem};

/// The distinct content tokens of all items of a score, numbered; a text's tokens become bits.
#[derive(Debug, Default)]
pub(super) struct Vocabulary<'a> {
    /// Sorted by key, then token.
    entries: Vec<(u64, &'a str)>,
}

impl<'a> Vocabulary<'a> {
    /// The vocabulary of items with these normal forms.
    pub(super) fn of(normals: &'a [String]) -> Self {
        let mut entries = Vec::new();
        for normal in normals {
            // The canonical form is a part of the item, cut at a colon or at white space and so
            // between tokens: the item's tokens include its tokens.
            entries.extend(content_tokens(normal).map(|token| (key(token), token)));
        }
        entries.sort_unstable();
        entries.dedup();
        Self { entries }
    }

    fn position(&self, token: &str) -> Option<usize> {
        let key = key(token);
        let first = self.entries.partition_point(|(other, _)| *other < key);
        self.entries[first..]
            .iter()
            .take_while(|(other, _)| *other == key)
            .position(|(_, other)| *other == token)
            .map(|offset| first + offset)
    }

    /// The content tokens of a normal form that are in the vocabulary.
    fn bits(&self, normal: &str) -> Bits {
        let mut words = vec![0_u64; self.entries.len().div_ceil(64)];
        for token in normal.split(' ').filter(|token| token.len() > 1) {
            // Looking up first is cheaper: most tokens of a text are in no item.
            if let Some(position) = self.position(stem(token))
                && !is_stop_word(token)
            {
                words[position / 64] |= 1 << (position % 64);
            }
        }
        Bits { words }
    }
}

/// Length and the first seven bytes: tells almost all tokens apart without touching the heap.
fn key(token: &str) -> u64 {
    let mut bytes = [0_u8; 8];
    for (slot, byte) in bytes.iter_mut().zip(token.bytes().take(7)) {
        *slot = byte;
    }
    bytes[7] = u8::try_from(token.len()).unwrap_or(u8::MAX);
    u64::from_be_bytes(bytes)
}

/// A set of vocabulary tokens.
#[derive(Debug, Clone)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub(super) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn common(&self, other: &Self) -> u32 {
        self.words.iter().zip(&other.words).map(|(left, right)| (left & right).count_ones()).sum()
    }
}

/// One text in the three forms that the rules compare.
#[derive(Debug, Clone)]
pub(super) struct Form<'a> {
    /// Python's lower case.
    pub(super) lowered: Cow<'a, str>,
    /// ASCII letters and digits, single spaces.
    pub(super) normal: String,
    /// Content tokens that are in the vocabulary.
    pub(super) tokens: Bits,
}

impl<'a> Form<'a> {
    pub(super) fn new(text: &'a str, vocabulary: &Vocabulary<'_>) -> Self {
        let lowered = lower(text);
        let normal = normalize_lowered(&lowered);
        let tokens = vocabulary.bits(&normal);
        Self { lowered, normal, tokens }
    }
}

/// A text and its canonical form, which most often is the same.
#[derive(Debug, Clone)]
pub(super) struct Prepared<'a> {
    /// As it is: what the leak rules compare.
    pub(super) plain: Form<'a>,
    /// Its canonical form where that differs by more than white space at the ends.
    clipped: Option<Form<'a>>,
    trimmed: Option<Form<'a>>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(text: &'a str, vocabulary: &Vocabulary<'_>) -> Self {
        let canonical = canonical(text);
        let plain = Form::new(text, vocabulary);
        let (clipped, trimmed) = if canonical.len() == text.len() {
            (None, None)
        } else if canonical == super::text::strip(text) {
            // Only containment of the lower-case text can tell the two apart.
            (None, Some(Form { lowered: lower(canonical), ..plain.clone() }))
        } else {
            (Some(Form::new(canonical, vocabulary)), None)
        };
        Self { plain, clipped, trimmed }
    }

    /// The canonical form: what the semantic rules compare.
    pub(super) fn canonical(&self) -> &Form<'a> {
        self.clipped.as_ref().or(self.trimmed.as_ref()).unwrap_or(&self.plain)
    }

    /// Whether canonicalisation cut away more than white space.
    pub(super) fn is_clipped(&self) -> bool {
        self.clipped.is_some()
    }
}
