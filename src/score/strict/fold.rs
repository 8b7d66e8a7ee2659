//! Characters as the strict scorer compares them, each with its place in the source text.
//!
//! NFKC (full-width, circled, mathematical letters become plain ones), full case folding, no
//! invisible characters, no free-standing Latin, Arabic or Hebrew marks, ASCII digits for the
//! digits of every script. Letters with their own marks stay whole: `ö` is one letter.

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// One folded character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    /// The character after folding.
    pub(super) character: char,
    /// First byte of what it stands for, in the source text.
    pub(super) start: u32,
    /// One past the last byte.
    pub(super) end: u32,
    /// Whether the source character is an upper-case letter.
    pub(super) upper: bool,
}

/// Folds a text. Texts are bounded by [`super::MAX_TEXT_BYTES`], so offsets fit 32 bits.
pub(super) fn fold(text: &str) -> Vec<Unit> {
    let mut units = Vec::with_capacity(text.len());
    if text.is_ascii() {
        fold_ascii(text, 0, &mut units);
        return units;
    }
    for (start, cluster) in text.grapheme_indices(true) {
        if cluster.is_ascii() {
            fold_ascii(cluster, start, &mut units);
        } else {
            fold_cluster(cluster, start, &mut units);
        }
    }
    units
}

/// The folded text alone.
pub(in crate::score) fn folded(text: &str) -> String {
    fold(text).into_iter().map(|unit| unit.character).collect()
}

fn fold_ascii(text: &str, start: usize, units: &mut Vec<Unit>) {
    for (index, byte) in text.bytes().enumerate() {
        units.push(Unit {
            character: char::from(byte.to_ascii_lowercase()),
            start: offset(start + index),
            end: offset(start + index + 1),
            upper: byte.is_ascii_uppercase(),
        });
    }
}

fn fold_cluster(cluster: &str, start: usize, units: &mut Vec<Unit>) {
    let upper = cluster.chars().any(char::is_uppercase);
    let (start, end) = (offset(start), offset(start + cluster.len()));
    let visible = cluster.chars().filter(|character| !is_invisible(*character));
    // Folding may open a composed letter again (as for `ΐ`), hence the second NFKC.
    for character in visible.nfkc().default_case_fold().nfkc() {
        if is_dropped_mark(character) || is_invisible(character) {
            continue;
        }
        units.push(Unit { character: ascii_digit(character), start, end, upper });
    }
}

fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Characters that leave no trace on a page: format characters, fillers, variation selectors.
pub(super) fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Marks that did not compose with their letter (struck-through or stacked letters are a way to
/// hide words), and vowel points, which are optional in Arabic and Hebrew.
fn is_dropped_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}'
            | '\u{5c4}' | '\u{5c5}' | '\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
            | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20f0}' | '\u{fe20}'..='\u{fe2f}'
    )
}

/// The ASCII digit for a decimal digit of another script.
fn ascii_digit(character: char) -> char {
    /// The digit zero of scripts in use; nine digits follow each.
    const ZEROS: [u32; 20] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0,
        0xf20, 0x1040, 0x17e0, 0x1810, 0xa8d0, 0xa900,
    ];
    let code = u32::from(character);
    if code < 0x660 {
        return character;
    }
    ZEROS
        .iter()
        .find(|zero| (**zero..**zero + 10).contains(&code))
        .and_then(|zero| char::from_digit(code - zero, 10))
        .unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_what_looks_the_same() {
        for (source, expected) in [
            ("Größe", "grösse"),
            ("Gro\u{308}ße", "grösse"),
            ("ＨＲ", "hr"),
            ("ⓥⓔⓣ 𝐯𝐞𝐭", "vet vet"),
            ("v\u{200b}e\u{ad}t", "vet"),
            ("d\u{336}u\u{336}i\u{336}", "dui"),
            ("٤٥ ४५", "45 45"),
            ("ﬁle", "file"),
            ("ΣΑΣ", "σασ"),
            ("한글", "한글"),
        ] {
            assert_eq!(folded(source), expected, "{source}");
        }
    }

    #[test]
    fn places_are_those_of_the_source() {
        let units = fold("a\u{200b}Ｂß");
        let places: Vec<_> =
            units.iter().map(|unit| (unit.character, unit.start, unit.end, unit.upper)).collect();
        assert_eq!(places, [('a', 0, 1, false), ('b', 4, 7, true), ('s', 7, 9, false), ('s', 7, 9, false)]);
    }
}
