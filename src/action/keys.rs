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
    /// `KeyboardEvent.location`: 0 standard, 1 left, 2 right, 3 number pad.
    pub(crate) location: i64,
}

/// Modifiers: name, virtual key code, bit. Each is there twice, left and right.
const MODIFIERS: &[(&str, i64, i64)] =
    &[("Alt", 18, 1), ("Control", 17, 2), ("Meta", 91, 4), ("Shift", 16, 8)];

/// Keys that type nothing and are called what their code is: name, virtual key code.
const NAMED: &[(&str, i64)] = &[
    ("AltGraph", 225),
    ("ArrowDown", 40),
    ("ArrowLeft", 37),
    ("ArrowRight", 39),
    ("ArrowUp", 38),
    ("Backspace", 8),
    ("CapsLock", 20),
    ("ContextMenu", 93),
    ("Delete", 46),
    ("End", 35),
    ("Escape", 27),
    ("Home", 36),
    ("Insert", 45),
    ("NumLock", 144),
    ("PageDown", 34),
    ("PageUp", 33),
    ("Pause", 19),
    ("PrintScreen", 44),
    ("ScrollLock", 145),
    ("Tab", 9),
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

/// The number pad without its Enter: code, plain key and virtual key code, key and virtual key code
/// with Shift. A key of one character types it.
const NUMBER_PAD: &[(&str, &str, i64, &str, i64)] = &[
    ("Numpad0", "Insert", 45, "0", 96),
    ("Numpad1", "End", 35, "1", 97),
    ("Numpad2", "ArrowDown", 40, "2", 98),
    ("Numpad3", "PageDown", 34, "3", 99),
    ("Numpad4", "ArrowLeft", 37, "4", 100),
    ("Numpad5", "Clear", 12, "5", 101),
    ("Numpad6", "ArrowRight", 39, "6", 102),
    ("Numpad7", "Home", 36, "7", 103),
    ("Numpad8", "ArrowUp", 38, "8", 104),
    ("Numpad9", "PageUp", 33, "9", 105),
    ("NumpadDecimal", "Delete", 46, ".", 110),
    ("NumpadAdd", "+", 107, "+", 107),
    ("NumpadSubtract", "-", 109, "-", 109),
    ("NumpadMultiply", "*", 106, "*", 106),
    ("NumpadDivide", "/", 111, "/", 111),
];

const SHIFTED_DIGITS: &str = ")!@#$%^&*(";

/// The key of that name: a `KeyboardEvent.key` name, a code name (`KeyA`, `Digit1`, `ShiftLeft`), or
/// one character of the US layout. `shift` makes code names type their upper character.
pub(crate) fn named(name: &str, shift: bool) -> Option<Key> {
    let silent = |key: &str, virtual_code: i64| Key {
        name: key.into(),
        code: name.into(),
        virtual_code,
        text: String::new(),
        modifier: 0,
        location: 0,
    };
    if let Some(modifier) = modifier(name) {
        return Some(modifier);
    }
    if let Some((_, virtual_code)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some(silent(name, *virtual_code));
    }
    if let Some(&(_, plain, plain_code, upper, upper_code)) = NUMBER_PAD.iter().find(|row| row.0 == name) {
        let (key, virtual_code) = if shift { (upper, upper_code) } else { (plain, plain_code) };
        let text = if key.chars().count() == 1 { key.to_owned() } else { String::new() };
        return Some(Key { text, location: 3, ..silent(key, virtual_code) });
    }
    match name {
        "Enter" => return Some(Key { text: "\r".into(), ..silent("Enter", 13) }),
        "NumpadEnter" => return Some(Key { text: "\r".into(), location: 3, ..silent("Enter", 13) }),
        "\n" | "\r" => return named("Enter", shift),
        _ => {}
    }
    if let Some(number) = name.strip_prefix('F').and_then(|rest| rest.parse::<i64>().ok())
        && (1..=12).contains(&number)
        && name == format!("F{number}")
    {
        return Some(silent(name, 111 + number));
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

/// The modifier of that name: `Shift` is the left one, `ControlOrMeta` is Control here.
fn modifier(name: &str) -> Option<Key> {
    let name = if name == "ControlOrMeta" { "Control" } else { name };
    let &(key, virtual_code, bit) = MODIFIERS.iter().find(|(key, _, _)| name.starts_with(key))?;
    let (code, location) = match name.strip_prefix(key)? {
        "" | "Left" => (format!("{key}Left"), 1),
        "Right" => (name.to_owned(), 2),
        _ => return None,
    };
    Some(Key { name: key.into(), code, virtual_code, text: String::new(), modifier: bit, location })
}

/// The key that types a character of the US layout.
fn character(character: char) -> Option<Key> {
    let typed = |code: String, virtual_code: i64| Key {
        name: character.into(),
        code,
        virtual_code,
        text: character.into(),
        modifier: 0,
        location: 0,
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

/// The names in a combination such as `Control+Shift+a`, if each is a key. A plus sign after a name
/// separates; a literal one is `+`, or `Control++`.
pub(crate) fn combination(text: &str) -> Option<Vec<String>> {
    let mut names: Vec<String> = vec![String::new()];
    for character in text.chars() {
        let last = names.last_mut()?;
        if character == '+' && !last.is_empty() {
            names.push(String::new());
        } else {
            last.push(character);
        }
    }
    names.iter().all(|name| named(name, false).is_some()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_split_at_plus_signs_between_names() {
        assert_eq!(combination("Control+Shift+KeyA").unwrap(), ["Control", "Shift", "KeyA"]);
        assert_eq!(combination("+").unwrap(), ["+"]);
        assert_eq!(combination("Control++").unwrap(), ["Control", "+"]);
        assert_eq!(combination("a+b").unwrap(), ["a", "b"]);
    }

    #[test]
    fn unknown_names_are_refused() {
        for name in [
            "Foo",
            "Control+Foo",
            "",
            "ab",
            "é",
            "enter",
            "ctrl+a",
            "Control+",
            "Digit10",
            "F0",
            "F13",
            "F01",
            "KeyAB",
            "Shiftleft",
            "MetaUp",
        ] {
            assert_eq!(combination(name), None, "{name}");
        }
    }

    #[test]
    fn a_code_types_by_shift_and_a_character_by_itself() {
        let text = |name, shift| named(name, shift).unwrap().text;
        assert_eq!((text("KeyA", false), text("KeyA", true)), ("a".into(), "A".into()));
        assert_eq!((text("Digit1", true), text("Equal", true)), ("!".into(), "+".into()));
        assert_eq!((text("a", true), text("A", false)), ("a".into(), "A".into()));
        assert_eq!((text("Numpad7", true), text("Numpad7", false)), ("7".into(), String::new()));
    }

    #[test]
    fn keys_know_their_codes_and_places() {
        assert_eq!(named("F12", false).unwrap().virtual_code, 123);
        assert_eq!(named("!", false).unwrap().code, "Digit1");
        assert_eq!(named("Enter", false).unwrap().text, "\r");
        let right = named("ShiftRight", false).unwrap();
        assert_eq!((right.name.as_str(), right.code.as_str(), right.location), ("Shift", "ShiftRight", 2));
        assert_eq!(named("ControlOrMeta", false).unwrap().code, "ControlLeft");
        assert_eq!(named("AltGraph", false).unwrap().modifier, 0);
        assert_eq!(named("Numpad7", false).unwrap().name, "Home");
        assert_eq!(named("NumpadDivide", false).unwrap().location, 3);
    }
}
