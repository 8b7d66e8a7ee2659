//! Text as the reference sees it: Python's lower case and white space, its normal form, its
//! canonical form, its content tokens.

use std::borrow::Cow;

/// Words that carry no content for the reference. Single characters are dropped anyway.
#[rustfmt::skip] // one word a line would hide the table
const STOP_WORDS: &[&str] = &[
    "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "of", "on", "or", "that",
    "the", "to", "was", "with",
];

/// The clause that the canonical form cuts off, between two runs of white space.
const RELEVANCE_CLAUSE: &str = "this is relevant to";

/// White space as Python's `str.isspace` and `\s` define it: Unicode's property and the four
/// information separators.
pub(super) fn is_python_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Python's `str.strip()`.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(is_python_space)
}

/// Python's `str.lower()`: the full mapping with the final sigma, as Rust's.
pub(super) fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        Cow::Borrowed(text)
    } else if text.is_ascii() {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Owned(text.to_lowercase())
    }
}

/// The normal form of a text that is lower case already: runs of anything but `a`–`z` and `0`–`9`
/// become one space, none at the ends.
pub(super) fn normalize_lowered(lowered: &str) -> String {
    let mut normal = Vec::with_capacity(lowered.len());
    let mut gap = false;
    for byte in lowered.bytes() {
        if byte.is_ascii_lowercase() || byte.is_ascii_digit() {
            if gap && !normal.is_empty() {
                normal.push(b' ');
            }
            gap = false;
            normal.push(byte);
        } else {
            gap = true;
        }
    }
    String::from_utf8(normal).expect("letters, digits and spaces are ASCII")
}

/// The canonical form used on both sides of the loose and strict "semantic" matches: a trailing
/// "this is relevant to …" clause goes; then, when the part before the first colon contains
/// "for ", only what follows that colon stays.
///
/// The original also lists hints such as "mention:", which end in the colon that the part before
/// the first colon can never contain; so only "for " is live.
pub(super) fn canonical(text: &str) -> &str {
    let mut value = strip(text);
    if let Some(start) = relevance_clause(value) {
        value = strip(&value[..start]);
    }
    if let Some((prefix, suffix)) = value.split_once(':')
        && lower(prefix).contains("for ")
    {
        let suffix = strip(suffix);
        if !suffix.is_empty() {
            value = suffix;
        }
    }
    value
}

/// Where the white space before a trailing relevance clause starts: the leftmost place from which
/// `\s+this is relevant to\s+.+?$` (any case, `.` without line feed) reaches the end.
fn relevance_clause(value: &str) -> Option<usize> {
    // The tail after the clause must not hold a line feed, and is at least one character long.
    let mut space_start = None;
    for (index, character) in value.char_indices() {
        if is_python_space(character) {
            space_start.get_or_insert(index);
            continue;
        }
        if let Some(start) = space_start.take()
            && let Some(after) = skip_phrase(&value[index..])
            && after.starts_with(is_python_space)
        {
            let tail = after.trim_start_matches(is_python_space);
            if !tail.is_empty() && !tail.contains('\n') {
                return Some(start);
            }
        }
    }
    None
}

/// `text` behind the relevance clause, compared as Python's `re.IGNORECASE` does for these
/// letters: the dotted and dotless i and the long s are equal to their ASCII letters.
fn skip_phrase(text: &str) -> Option<&str> {
    let mut rest = text.chars();
    for expected in RELEVANCE_CLAUSE.chars() {
        let found = match rest.next()? {
            '\u{130}' | '\u{131}' => 'i',
            '\u{17f}' => 's',
            other => other.to_ascii_lowercase(),
        };
        if found != expected {
            return None;
        }
    }
    Some(rest.as_str())
}

/// The content tokens of a normal form: no stop word, no single character, one plural `s` off.
/// Doubles are not removed.
pub(super) fn content_tokens(normal: &str) -> impl Iterator<Item = &str> {
    normal.split(' ').filter(|token| token.len() > 1 && !is_stop_word(token)).map(stem)
}

/// Whether the reference ignores the token; single characters are dropped by their length.
pub(super) fn is_stop_word(token: &str) -> bool {
    token.len() <= 4 && STOP_WORDS.contains(&token)
}

/// The token without one plural `s`.
pub(super) fn stem(token: &str) -> &str {
    if token.len() > 3 && token.ends_with('s') && !token.ends_with("ss") {
        &token[..token.len() - 1]
    } else {
        token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clause_and_what_stands_before_the_first_colon_go() {
        assert_eq!(canonical(" For Ann: bring cups  This is RELEVANT to lunch. "), "bring cups");
        assert_eq!(canonical("Forms: bring cups"), "Forms: bring cups");
        assert_eq!(canonical("for Ann:"), "for Ann:");
        assert_eq!(canonical("cups\u{1f}th\u{131}\u{17f} is relevant to\nall"), "cups");
        assert_eq!(canonical("cups this is relevant to a\nb"), "cups this is relevant to a\nb");
        assert_eq!(canonical("Lunch for two at 11:00 AM"), "00 AM");
    }

    #[test]
    fn a_clause_that_reaches_no_end_does_not_hide_a_later_one() {
        assert_eq!(canonical("x this is relevant to a\n this is relevant to b"), "x this is relevant to a");
    }

    #[test]
    fn lower_case_is_pythons() {
        assert_eq!(lower("ΑΣ ΣΑ"), "ας σα");
        assert_eq!(lower("\u{130}"), "i\u{307}");
        assert_eq!(normalize_lowered(&lower("\u{212a}elvin Größe")), "kelvin gr e");
    }

    #[test]
    fn tokens_lose_stop_words_single_characters_and_one_plural_s() {
        assert_eq!(
            content_tokens("the cats of boss a gas bus 7 42 address").collect::<Vec<_>>(),
            ["cat", "boss", "gas", "bus", "42", "address"]
        );
    }
}
