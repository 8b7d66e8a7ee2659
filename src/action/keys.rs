//! Keys by Playwright's names, on a US keyboard.

/// What a key press sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// `KeyboardEvent.key`.
    pub(crate) name: String,
    /// `KeyboardEvent.code`.
    pub(crate) code: String,
    /// Windows virtual key code, which Chromium's default actions go by.
    pub(crate) virtual_code: i64,
    /// Text it types; empty for a key that types nothing.
    pub(crate) text: String,
    /// CDP's modifier bit if it is a modifier: Alt 1, Control 2, Meta 4, Shift 8.
    pub(crate) modifier: i64,
}

/// Keys that type nothing by themselves: name, code, virtual key code, modifier bit.
const NAMED: &[(&str, &str, i64, i64)] = &[
    ("Alt", "AltLeft", 18, 1),
    ("Control", "ControlLeft", 17, 2),
    ("Meta", "MetaLeft", 91, 4),
    ("Shift", "ShiftLeft", 16, 8),
    ("ArrowDown", "ArrowDown", 40, 0),
    ("ArrowLeft", "ArrowLeft", 37, 0),
    ("ArrowRight", "ArrowRight", 39, 0),
    ("ArrowUp", "ArrowUp", 38, 0),
    ("Backspace", "Backspace", 8, 0),
    ("CapsLock", "CapsLock", 20, 0),
    ("ContextMenu", "ContextMenu", 93, 0),
    ("Delete", "Delete", 46, 0),
    ("End", "End", 35, 0),
    ("Escape", "Escape", 27, 0),
    ("Home", "Home", 36, 0),
    ("Insert", "Insert", 45, 0),
    ("NumLock", "NumLock", 144, 0),
    ("PageDown", "PageDown", 34, 0),
    ("PageUp", "PageUp", 33, 0),
    ("Pause", "Pause", 19, 0),
    ("PrintScreen", "PrintScreen", 44, 0),
    ("ScrollLock", "ScrollLock", 145, 0),
    ("Tab", "Tab", 9, 0),
];

/// Punctuation: plain, shifted, code, virtual key code.
const PUNCTUATION: &[(char, char, &str, i64)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    (' ', ' ', "Space", 32),
];

const SHIFTED_DIGITS: &str = ")!@#$%^&*(";

/// The key of that name: a `KeyboardEvent.key` name, a code name (`KeyA`, `Digit1`, `ShiftLeft`), or
/// one character of the US layout. `shift` makes code names type their upper character.
pub(crate) fn named(name: &str, shift: bool) -> Option<Key> {
    let silent = |key: &str, code: &str, virtual_code: i64, modifier: i64| Key {
        name: key.into(),
        code: code.into(),
        virtual_code,
        text: String::new(),
        modifier,
    };
    if let Some(&(key, code, virtual_code, modifier)) = NAMED.iter().find(|(key, code, _, _)| {
        *key == name
            || *code == name
            || code.strip_suffix("Left").is_some_and(|base| *key == base && name == format!("{base}Right"))
    }) {
        return Some(silent(key, if name == key { code } else { name }, virtual_code, modifier));
    }
    match name {
        "ControlOrMeta" => return named("Control", shift),
        "Enter" | "NumpadEnter" => {
            return Some(Key { text: "\r".into(), ..silent("Enter", name, 13, 0) });
        }
        "\n" | "\r" => return named("Enter", shift),
        "Space" => return named(" ", shift),
        _ => {}
    }
    if let Some(number) = name.strip_prefix('F').and_then(|rest| rest.parse::<i64>().ok())
        && (1..=24).contains(&number)
    {
        return Some(silent(name, name, 111 + number, 0));
    }
    let mut characters = name.chars();
    let (first, rest) = (characters.next()?, characters.as_str());
    if rest.is_empty() {
        return character(first);
    }
    let by_code = if let Some(letter) = name.strip_prefix("Key") {
        letter
            .chars()
            .next()
            .filter(|c| letter.len() == 1 && c.is_ascii_uppercase())
            .map(|c| if shift { c } else { c.to_ascii_lowercase() })
    } else if let Some(digit) = name.strip_prefix("Digit") {
        let index = digit.parse::<usize>().ok().filter(|index| *index < 10 && digit.len() == 1)?;
        if shift { SHIFTED_DIGITS.chars().nth(index) } else { digit.chars().next() }
    } else {
        PUNCTUATION
            .iter()
            .find(|(_, _, code, _)| *code == name)
            .map(|(plain, upper, _, _)| if shift { *upper } else { *plain })
    };
    by_code.and_then(character)
}

/// The key that types a character of the US layout.
fn character(character: char) -> Option<Key> {
    let typed = |code: String, virtual_code: i64| Key {
        name: character.into(),
        code,
        virtual_code,
        text: character.into(),
        modifier: 0,
    };
    if character.is_ascii_alphabetic() {
        let upper = character.to_ascii_uppercase();
        return Some(typed(format!("Key{upper}"), i64::from(u32::from(upper))));
    }
    let digit = character
        .to_digit(10)
        .or_else(|| SHIFTED_DIGITS.find(character).and_then(|index| u32::try_from(index).ok()));
    if let Some(digit) = digit {
        return Some(typed(format!("Digit{digit}"), i64::from(48 + digit)));
    }
    let (_, _, code, virtual_code) =
        PUNCTUATION.iter().find(|(plain, upper, _, _)| *plain == character || *upper == character)?;
    Some(typed((*code).to_owned(), *virtual_code))
}

/// Splits a combination such as `Control+Shift+a`; a literal plus is `+` or `Control++`.
pub(crate) fn combination(text: &str) -> Option<Vec<Key>> {
    let mut names: Vec<String> = vec![String::new()];
    for character in text.chars() {
        let last = names.last_mut()?;
        if character == '+' && !last.is_empty() {
            names.push(String::new());
        } else {
            last.push(character);
        }
    }
    let mut shift = false;
    let mut keys = Vec::new();
    for name in &names {
        let key = named(name, shift)?;
        shift |= key.modifier == 8;
        keys.push(key);
    }
    let (_, modifiers) = keys.split_last()?;
    modifiers.iter().all(|key| key.modifier != 0).then_some(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_split_at_plus_signs_between_names() {
        let keys = combination("Control+Shift+KeyA").unwrap();
        assert_eq!(keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["Control", "Shift", "A"]);
        assert_eq!(combination("+").unwrap()[0].text, "+");
        assert_eq!(combination("Control++").unwrap()[1].name, "+");
        // The character key is taken literally, as Playwright does.
        assert_eq!(combination("Shift+a").unwrap()[1].text, "a");
    }

    #[test]
    fn unknown_names_are_refused() {
        for name in ["Foo", "Control+Foo", "", "ab", "é", "enter", "ctrl+a", "a+b", "Digit10", "F0", "KeyAB"]
        {
            assert_eq!(combination(name), None, "{name}");
        }
    }

    #[test]
    fn keys_know_their_codes() {
        assert_eq!(named("F12", false).unwrap().virtual_code, 123);
        assert_eq!(named("!", false).unwrap().code, "Digit1");
        assert_eq!(named("ShiftRight", false).unwrap().name, "Shift");
        assert_eq!(named("Enter", false).unwrap().text, "\r");
    }
}
