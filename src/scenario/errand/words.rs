//! A prompt as words and clauses.

use unicode_segmentation::UnicodeSegmentation as _;

/// One word of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// As written, without a possessive ending.
    pub(super) text: String,
    /// The same in lower case.
    pub(super) lower: String,
    /// Whether it ends in `'s`, which is a possessive or a short `is`.
    pub(super) has_s: bool,
    /// Number of the clause it is in. Clauses end at `.`, `?`, `!`, `;`, `:`, a line's end and a dash.
    pub(super) clause: usize,
    /// Whether a comma stands before it.
    pub(super) after_comma: bool,
    /// Whether it is part of what somebody will do afterwards, or of why it is asked for.
    pub(super) purpose: Purpose,
}

/// Which part of a sentence a word is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// What is asked for.
    None,
    /// `so I can …`: what the user will do.
    Own,
    /// `so she can …`: what somebody else will do.
    Others,
}

/// Short forms whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 8] = ["ms", "mr", "mrs", "dr", "prof", "st", "jr", "sr"];

/// Cuts a prompt into words.
pub(super) fn words(prompt: &str) -> Vec<Word> {
    let plain: String = prompt
        .chars()
        .map(|character| match character {
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '`' => '\'',
            '\u{2010}' | '\u{2011}' => '-',
            other => other,
        })
        .collect();
    let mut words: Vec<Word> = Vec::new();
    let (mut clause, mut after_comma, mut spaced) = (0, false, true);
    for (offset, piece) in plain.split_word_bound_indices() {
        if piece.chars().any(char::is_alphanumeric) {
            push(&mut words, piece, clause, after_comma);
            after_comma = false;
        } else if ends_clause(piece, &words, spaced, &plain[offset + piece.len()..]) {
            clause += 1;
        } else if piece == "," {
            after_comma = true;
        }
        spaced = piece.chars().all(char::is_whitespace);
    }
    join_todo(&mut words);
    mark_purposes(&mut words);
    words
}

fn push(words: &mut Vec<Word>, piece: &str, clause: usize, after_comma: bool) {
    let stem = piece.strip_suffix("'s").or_else(|| piece.strip_suffix("'S"));
    let text = stem.unwrap_or(piece).to_owned();
    words.push(Word {
        lower: text.to_lowercase(),
        text,
        has_s: stem.is_some(),
        clause,
        after_comma,
        purpose: Purpose::None,
    });
}

fn ends_clause(piece: &str, words: &[Word], spaced: bool, after: &str) -> bool {
    match piece {
        "." => {
            let abbreviates = words.last().is_some_and(|word| ABBREVIATIONS.contains(&word.lower.as_str()));
            !abbreviates && !after.starts_with(char::is_alphanumeric)
        }
        "-" => spaced && after.starts_with(' '),
        "?" | "!" | ";" | ":" | "\u{2013}" | "\u{2014}" | "。" | "？" | "！" | "；" => true,
        other => other.contains('\n'),
    }
}

/// `to-do` is one word, and not the preposition `to`.
fn join_todo(words: &mut Vec<Word>) {
    let mut index = 0;
    while index + 1 < words.len() {
        let next = words[index + 1].lower.as_str();
        // `do` after `to` is also `what I need to do`; there `need` or the like stands before.
        let before = index.checked_sub(1).map(|before| words[before].lower.as_str());
        let is_verb = matches!(
            before,
            Some(
                "need"
                    | "needs"
                    | "have"
                    | "has"
                    | "had"
                    | "want"
                    | "wants"
                    | "left"
                    | "what"
                    | "things"
                    | "going"
            )
        );
        if words[index].lower == "to" && matches!(next, "do" | "dos") && !is_verb {
            "todo".clone_into(&mut words[index].text);
            "todo".clone_into(&mut words[index].lower);
            words.remove(index + 1);
        }
        index += 1;
    }
}

/// Marks `so I can …` and `so she can …` up to the end of the clause, or to `, then`.
fn mark_purposes(words: &mut [Word]) {
    const MODALS: [&str; 12] =
        ["can", "could", "may", "will", "would", "know", "knows", "has", "have", "don't", "doesn't", "is"];
    let mut index = 0;
    while index < words.len() {
        if hands_to_user(&words[index..]) {
            let clause = words[index].clause;
            while index < words.len() && words[index].clause == clause {
                words[index].purpose = Purpose::Own;
                index += 1;
            }
            continue;
        }
        if words[index].lower != "so" {
            index += 1;
            continue;
        }
        let clause = words[index].clause;
        let mut subject = index + 1;
        if words.get(subject).is_some_and(|word| word.lower == "that") {
            subject += 1;
        }
        let Some(first) = words.get(subject).filter(|word| word.clause == clause) else {
            index += 1;
            continue;
        };
        let purpose =
            if matches!(first.lower.as_str(), "i" | "i'll" | "i'd") { Purpose::Own } else { Purpose::Others };
        // `so` is also `so far`, `so much`; a purpose has somebody who can or will do something.
        let follows = words[subject..]
            .iter()
            .take(6)
            .take_while(|word| word.clause == clause)
            .any(|word| MODALS.contains(&word.lower.as_str()) || word.lower.ends_with("'ll"));
        if !follows {
            index += 1;
            continue;
        }
        while index < words.len() && words[index].clause == clause {
            if index > subject && words[index].after_comma && words[index].lower == "then" {
                break;
            }
            words[index].purpose = purpose;
            index += 1;
        }
    }
}

/// `for me to forward`, `that I can send`, `which I'll share`: the user does the rest.
fn hands_to_user(words: &[Word]) -> bool {
    let word = |index: usize| words.get(index).map_or("", |word| word.lower.as_str());
    let modal = matches!(word(2), "can" | "could" | "will" | "may");
    match (word(0), word(1)) {
        ("for", "me") => word(2) == "to",
        ("that" | "which", "i") => modal,
        ("that" | "which", "i'll") => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[Word]) -> Vec<&str> {
        words.iter().map(|word| word.lower.as_str()).collect()
    }

    #[test]
    fn clauses_end_at_stops_and_dashes_and_not_at_titles_or_numbers() {
        let words = words("Message Ms. Alvarez about V2.0 \u{2014} it's my to\u{2011}do list. Done?");
        assert_eq!(
            texts(&words),
            ["message", "ms", "alvarez", "about", "v2.0", "it", "my", "todo", "list", "done"]
        );
        assert_eq!(words.iter().map(|word| word.clause).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 1, 1, 1, 1, 2]);
    }

    #[test]
    fn purposes_are_told_apart() {
        let words =
            words("List my times so I can send Mark the gaps. Post it so the team knows. So far so good.");
        let marks = |purpose| words.iter().filter(|word| word.purpose == purpose).count();
        assert_eq!(marks(Purpose::Own), 7);
        assert_eq!(marks(Purpose::Others), 4);
    }
}
