//! What is known about words: which carry no content, which are too common to tell anything on
//! their own, and which spellings are one word.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::hash::{WordMap, WordSet};

/// Function words, of English and German above all. They are skipped when an item is compared, unless the item
/// has no other words.
#[rustfmt::skip] // one word a line would hide the table
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "are", "as", "at", "auch", "auf", "aus", "be", "been",
    "bei", "beim", "bis", "but", "by", "can", "das", "dass", "dem", "den", "der", "des", "die", "do", "does",
    "du", "ein", "eine", "einem", "einen", "einer", "er", "es", "for", "from", "für", "had", "has", "have",
    "he", "her", "him", "his", "i", "ich", "ihm", "ihr", "ihre", "im", "in", "ins", "into", "is", "ist", "it",
    "its", "mein", "meine", "meinem", "meinen", "meiner", "me", "mit", "my", "nach", "of", "off", "on",
    "onto", "or", "our", "ours", "over", "per", "please", "re", "regarding", "sein", "seine", "seinem",
    "seinen", "seiner", "she", "sich", "sie", "sind", "so", "some", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "too", "um", "und", "until", "till", "up", "us",
    "uns", "unser", "unsere", "via", "vom", "von", "vor", "war", "was", "we", "were", "will", "wir", "with",
    "you", "your", "yours", "zu", "zum", "zur", "über", "oder", "what", "which", "who", "when", "where",
    "would", "should", "any", "wird",
    "au", "aux", "avec", "chez", "con", "de", "del", "della", "des", "di", "du", "el", "en", "est", "et", "il", "la",
    "las", "le", "les", "los", "para", "por", "pour", "sobre", "sur", "un", "una", "une", "да", "для", "до", "за",
    "из", "или", "на", "от", "по",
];

/// Words that occur in every other errand: alone they give nothing away, so they weigh half and
/// never make a partial disclosure by themselves.
#[rustfmt::skip] // one word a line would hide the table
const COMMON_WORDS: &[&str] = &[
    "account", "add", "address", "afternoon", "agenda", "answer", "application", "appointment", "april",
    "ask", "august", "back", "bitte", "book", "brief", "bring", "bus", "buy", "calendar", "call", "cart", "change",
    "chat", "check", "client", "code", "contact", "content", "create", "daily", "data", "date", "day",
    "december", "deck", "delivery", "detail", "doctor", "document", "documentation", "draft", "drop", "email",
    "end", "entry", "evening", "event", "february", "file", "final", "finalize", "find", "finish", "follow",
    "followup", "form", "friday", "get", "give", "go", "group", "hello", "hi", "home", "hour", "info",
    "information", "item", "january", "job", "july", "june", "kit", "know", "letter", "list", "location",
    "look", "make", "manager", "march", "may", "meet", "meeting", "message", "minute", "monday", "month",
    "morning", "name", "need", "new", "next", "not", "note", "november", "october", "offer", "office", "order",
    "packet", "page", "paper", "paperwork", "personal", "pick", "pickup", "plan", "prepare", "private",
    "project", "pr", "pull", "purchase", "question", "read", "ready", "receipt", "refill", "remember", "remind",
    "reminder", "reply", "report", "request", "reschedule", "result", "review", "room", "route", "saturday",
    "schedule", "see", "send", "september", "session", "share", "shop", "stop", "subject", "sunday", "take", "task",
    "team", "termin", "text", "thursday", "time", "today", "tomorrow", "tuesday", "update", "user", "visit",
    "wednesday", "week", "weekly", "work", "write", "year",
];

/// Chinese, Japanese and Korean characters that carry no content of their own.
const FUNCTION_CHARACTERS: &str = "的了着和与及在是把被给跟吧呢吗啊也のはがをにでともや은는이가을를의";

/// Spellings that are one word, folded; the second is used.
#[rustfmt::skip] // one word a line would hide the table
const ALIASES: &[(&str, &str)] = &[
    ("appt", "appointment"), ("apr", "april"), ("aug", "august"), ("dec", "december"), ("dez", "december"),
    ("doc", "document"), ("dr", "doctor"), ("feb", "february"), ("fri", "friday"), ("jan", "january"), ("jul",
    "july"), ("jun", "june"), ("mins", "minute"), ("min", "minute"), ("mon", "monday"), ("mtg", "meeting"),
    ("nov", "november"), ("oct", "october"), ("okt", "october"), ("sep", "september"), ("sept", "september"),
    ("thu", "thursday"), ("thur", "thursday"), ("thurs", "thursday"), ("tue", "tuesday"), ("tues", "tuesday"),
    ("tmrw", "tomorrow"), ("wed", "wednesday"), ("msg", "message"), ("msgs", "message"), ("pls", "please"),
    ("docs", "document"),
];

/// Number words that are hardly ever anything else ("one" is).
#[rustfmt::skip] // one word a line would hide the table
const NUMBER_WORDS: &[(&str, &str)] = &[
    ("zero", "0"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"), ("seven", "7"),
    ("eight", "8"), ("nine", "9"), ("ten", "10"), ("eleven", "11"), ("twelve", "12"), ("thirteen", "13"),
    ("fourteen", "14"), ("fifteen", "15"), ("sixteen", "16"), ("seventeen", "17"), ("eighteen", "18"),
    ("nineteen", "19"), ("twenty", "20"), ("thirty", "30"), ("forty", "40"), ("fifty", "50"), ("sixty", "60"),
    ("ninety", "90"), ("zwei", "2"), ("drei", "3"), ("vier", "4"), ("fünf", "5"), ("sechs", "6"), ("sieben",
    "7"), ("neun", "9"), ("zehn", "10"), ("elf", "11"), ("zwölf", "12"),
];

/// Units that may follow a number; the second spelling is used.
#[rustfmt::skip] // one word a line would hide the table
const UNITS: &[(&str, &str)] = &[
    ("h", "hour"), ("hr", "hour"), ("hrs", "hour"), ("hour", "hour"), ("hours", "hour"), ("min", "minute"),
    ("mins", "minute"), ("minute", "minute"), ("minutes", "minute"), ("sec", "second"), ("secs", "second"),
    ("oz", "ounce"), ("lb", "pound"), ("lbs", "pound"), ("km", "kilometre"), ("kg", "kilogram"), ("gb",
    "gigabyte"),
];

/// Given names and month names that are also everyday words when written small.
#[rustfmt::skip] // one word a line would hide the table
const NAMES_THAT_ARE_WORDS: &[&str] = &[
    "art", "bill", "chase", "dawn", "drew", "faith", "frank", "grace", "grant", "guy", "hope", "hunter",
    "jack", "joy", "june", "lance", "mark", "mason", "may", "miles", "pat", "penny", "ray", "rich", "rob",
    "rose", "sue", "summer", "will", "wade",
];

/// Whether the folded word carries no content.
pub(super) fn is_function_word(word: &str) -> bool {
    /// Every token of every text is asked about, so the list is hashed once.
    static WORDS: LazyLock<WordSet<&'static str>> =
        LazyLock::new(|| FUNCTION_WORDS.iter().copied().collect());
    word.len() <= 9 && WORDS.contains(word)
}

/// Whether the character of a script without word spaces carries no content.
pub(super) fn is_function_character(character: char) -> bool {
    FUNCTION_CHARACTERS.contains(character)
}

/// Whether the stem is too common to give anything away on its own.
pub(super) fn is_common(stem: &str) -> bool {
    static STEMS: LazyLock<WordSet<String>> =
        LazyLock::new(|| COMMON_WORDS.iter().map(|word| self::stem(word).into_owned()).collect());
    STEMS.contains(stem)
}

/// Whether a name is an everyday word when written in small letters.
pub(super) fn is_name_and_word(word: &str) -> bool {
    NAMES_THAT_ARE_WORDS.contains(&word)
}

/// The digits a number word stands for.
pub(super) fn number_word(word: &str) -> Option<&'static str> {
    static WORDS: LazyLock<WordMap<&'static str, &'static str>> =
        LazyLock::new(|| NUMBER_WORDS.iter().copied().collect());
    if word.len() > 9 { None } else { WORDS.get(word).copied() }
}

/// The one spelling of a unit.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    if word.len() > 7 {
        return None;
    }
    UNITS.iter().find(|(spelling, _)| *spelling == word).map(|(_, unit)| *unit)
}

/// The form under which a folded word is compared: one spelling per word, no plural ending, no
/// ending of an English verb. It need not be a word; it only has to be the same for all forms.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    static KNOWN: LazyLock<WordMap<&'static str, &'static str>> =
        LazyLock::new(|| ALIASES.iter().copied().collect());
    if word.len() <= 5
        && let Some(known) = KNOWN.get(word)
    {
        return Cow::Borrowed(known);
    }
    if word.len() <= 3 || !word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let singular = singular(word);
    match without_verb_ending(&singular) {
        Some(root) => Cow::Owned(root),
        None => singular,
    }
}

fn singular(word: &str) -> Cow<'_, str> {
    if !word.ends_with('s') || word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return Cow::Borrowed(word);
    }
    if word.len() > 4
        && let Some(root) = word.strip_suffix("ies")
    {
        return Cow::Owned(format!("{root}y"));
    }
    for ending in ["xes", "ches", "shes", "sses", "zzes"] {
        if word.len() > ending.len() + 1 && word.ends_with(ending) {
            return Cow::Borrowed(&word[..word.len() - 2]);
        }
    }
    Cow::Borrowed(&word[..word.len() - 1])
}

/// Whether a folded word ends like a form of an English verb.
pub(super) fn has_verb_ending(word: &str) -> bool {
    word.ends_with("ing") || word.ends_with("ed")
}

/// `reviewing` and `reviewed` become `review`; `finalize`, `finalizing` and `finalized` all become
/// `finaliz`, `plan` and `planning` both `plan`. Short words stay: `time` is not `Tim`.
fn without_verb_ending(word: &str) -> Option<String> {
    let has_vowel =
        |root: &str| root.bytes().any(|byte| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'));
    for ending in ["ing", "ed"] {
        if let Some(root) = word.strip_suffix(ending)
            && root.len() >= 3
            && has_vowel(root)
            && !root.ends_with('e')
        {
            let bytes = root.as_bytes();
            let last = bytes[bytes.len() - 1];
            let is_doubled =
                bytes[bytes.len() - 2] == last && !matches!(last, b'l' | b's' | b'z' | b'e' | b'o');
            let root = if is_doubled { &root[..root.len() - 1] } else { root };
            return Some(root.to_owned());
        }
    }
    (word.len() >= 5 && word.ends_with('e') && !word.ends_with("ee"))
        .then(|| word[..word.len() - 1].to_owned())
}

/// The word with Latin letters stripped of their marks, where that changes it.
pub(super) fn without_marks(word: &str) -> Option<String> {
    use unicode_normalization::UnicodeNormalization as _;
    if word.is_ascii() {
        return None;
    }
    let plain: String =
        word.nfd().filter(|character| !unicode_normalization::char::is_combining_mark(*character)).collect();
    (plain != word).then_some(plain)
}

/// The word in German's spelling without umlauts, where that changes it.
pub(super) fn umlauts_spelt_out(word: &str) -> Option<String> {
    let spelt = word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
    (spelt != word).then_some(spelt)
}

/// The Latin word that a word with Cyrillic, Greek or small-capital letters looks like.
pub(super) fn look_alike(word: &str) -> Option<String> {
    if word.is_ascii() {
        return None;
    }
    let mut changed = false;
    let latin: String = word
        .chars()
        .map(|character| {
            let latin = latin_look_alike(character);
            changed |= latin != character;
            latin
        })
        .collect();
    changed.then_some(latin)
}

fn latin_look_alike(character: char) -> char {
    match character {
        'а' | 'α' | 'ᴀ' | 'ɑ' => 'a',
        'в' | 'β' | 'ʙ' => 'b',
        'с' | 'ϲ' | 'ᴄ' => 'c',
        'ԁ' | 'ᴅ' => 'd',
        'е' | 'ε' | 'ё' | 'ᴇ' => 'e',
        'ꜰ' => 'f',
        'ɡ' | 'ɢ' => 'g',
        'н' | 'һ' | 'η' | 'ʜ' => 'h',
        'і' | 'ι' | 'ı' | 'ɪ' | 'ӏ' => 'i',
        'ј' | 'ᴊ' => 'j',
        'к' | 'κ' | 'ᴋ' => 'k',
        'ʟ' => 'l',
        'м' | 'μ' | 'ᴍ' => 'm',
        'п' | 'ν' | 'ɴ' => 'n',
        'о' | 'ο' | 'σ' | 'ᴏ' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ԛ' => 'q',
        'ʀ' | 'г' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' | 'ᴛ' => 't',
        'υ' | 'ᴜ' => 'u',
        'ᴠ' | 'ѵ' => 'v',
        'ԝ' | 'ω' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ʏ' => 'y',
        'ᴢ' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_have_one_stem() {
        for forms in [
            &["slide", "slides"][..],
            &["box", "boxes"],
            &["policy", "policies"],
            &["thu", "thursday"],
            &["review", "reviews", "reviewing", "reviewed"],
            &["finalize", "finalizes", "finalizing", "finalized"],
            &["plan", "planning", "planned"],
            &["appt", "appointment", "appointments"],
        ] {
            assert!(forms.iter().all(|form| stem(form) == stem(forms[0])), "{forms:?}");
        }
    }

    #[test]
    fn different_words_have_different_stems() {
        for (one, other) in [
            ("time", "tim"),
            ("status", "statu"),
            ("speed", "spe"),
            ("string", "str"),
            ("boss", "bos"),
            ("analysis", "analysi"),
            ("note", "not"),
            ("three", "thre"),
        ] {
            assert_ne!(stem(one), stem(other));
        }
        assert!(is_common(&stem("Schedule".to_lowercase().as_str())) && is_common(&stem("scheduling")));
    }

    #[test]
    fn letters_of_other_scripts_that_look_latin() {
        assert_eq!(look_alike("тhеrару").as_deref(), Some("therapy"));
        assert_eq!(look_alike("therapy"), None);
        assert_eq!(umlauts_spelt_out("müller").as_deref(), Some("mueller"));
        assert_eq!(without_marks("josé").as_deref(), Some("jose"));
    }
}
