//! Comparing texts as a reader would: without case, width, kind of quote or dash, or white space.
//! This is for checking scenarios; scoring has stricter rules of its own.

use unicode_normalization::UnicodeNormalization as _;

/// The text in the form in which texts are compared.
#[must_use]
pub fn normalise(text: &str) -> String {
    let folded = caseless::default_case_fold_str(&text.nfkc().collect::<String>());
    let mut normal = String::with_capacity(folded.len());
    let mut pending_space = false;
    for character in folded.nfkc() {
        let character = match character {
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '`' | '\u{b4}' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            // Invisible characters that break words for a program and not for a reader.
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => continue,
            other => other,
        };
        if character.is_whitespace() {
            pending_space = !normal.is_empty();
            continue;
        }
        if std::mem::take(&mut pending_space) {
            normal.push(' ');
        }
        normal.push(character);
    }
    normal
}

/// Whether `text` holds `part` as whole words, both in normal form: `hr` is not in `thread`.
#[must_use]
pub fn contains_words(text: &str, part: &str) -> bool {
    if part.is_empty() {
        return false;
    }
    let continues = |left: char, right: char| {
        left.is_alphanumeric() && right.is_alphanumeric() && !is_unspaced(left) && !is_unspaced(right)
    };
    let (Some(first), Some(last)) = (part.chars().next(), part.chars().next_back()) else { return false };
    text.match_indices(part).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        !before.is_some_and(|before| continues(before, first))
            && !after.is_some_and(|after| continues(last, after))
    })
}

/// Whether a character belongs to a script written without spaces between words.
fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_see_no_difference_in_case_width_quotes_and_space() {
        assert_eq!(normalise("  Maya\u{2019}s\u{a0}\nＩＶＦ – Straße "), "maya's ivf - strasse");
        assert_eq!(normalise("to\u{200b}day"), "today");
        assert_eq!(normalise(" \n "), "");
    }

    #[test]
    fn words_are_whole() {
        assert!(contains_words("call with hr today", "hr"));
        assert!(!contains_words("see the thread", "hr"));
        assert!(contains_words("(hr)", "hr"));
        assert!(contains_words("我的医生预约", "医生"));
        assert!(!contains_words("anything", ""));
    }
}
