//! Python's string escapes and number literals, as the action grammar needs them.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use super::error::ActionError;
use super::types::Value;

/// The longest whole number that is read; Python's own limit for text.
pub(crate) const MAX_INTEGER_DIGITS: usize = 4300;

/// Decodes the inside of a string literal by Python's rules: the known escapes, octal, `\x`, `\u`,
/// `\U`, `\N{NAME}`; a backslash before a line break joins the lines; an unknown escape keeps its
/// backslash; `\r\n` and `\r` read as `\n`.
///
/// `\ud83d\ude00`, a pair of surrogates as JSON writes it, gives the one character it stands for.
///
/// # Errors
/// `SyntaxError` in Python's words for an escape that cannot be decoded; `UnicodeEncodeError` for a
/// surrogate without its other half, which is no text.
pub(crate) fn decode(body: &[char]) -> Result<String, ActionError> {
    if body.contains(&'\0') {
        return Err(ActionError::new("SyntaxError", "source code string cannot contain null bytes"));
    }
    let body = normalise_line_breaks(body);
    if !body.contains(&'\\') {
        return Ok(body.into_iter().collect());
    }
    Decoder { body: &body, at: 0, out: String::with_capacity(body.len()), high_surrogate: None }.run()
}

fn normalise_line_breaks(body: &[char]) -> Vec<char> {
    let mut out = Vec::with_capacity(body.len());
    for (index, &character) in body.iter().enumerate() {
        match character {
            '\r' => out.push('\n'),
            '\n' if index > 0 && body[index - 1] == '\r' => {}
            _ => out.push(character),
        }
    }
    out
}

struct Decoder<'a> {
    body: &'a [char],
    at: usize,
    out: String,
    /// The first half of a surrogate pair and the number of characters written before it.
    high_surrogate: Option<u32>,
}

impl Decoder<'_> {
    fn run(mut self) -> Result<String, ActionError> {
        while let Some(&character) = self.body.get(self.at) {
            self.at += 1;
            if character == '\\' {
                self.escape()?;
            } else {
                self.push(character)?;
            }
        }
        self.no_half_surrogate()?;
        Ok(self.out)
    }

    fn escape(&mut self) -> Result<(), ActionError> {
        let start = self.at - 1;
        let Some(&kind) = self.body.get(self.at) else { return self.push('\\') };
        self.at += 1;
        let simple = match kind {
            '\n' => return Ok(()),
            '\\' | '\'' | '"' => kind,
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '0'..='7' => return self.octal(kind),
            'x' => return self.hexadecimal(start, 2, "truncated \\xXX escape"),
            'u' => return self.hexadecimal(start, 4, "truncated \\uXXXX escape"),
            'U' => return self.hexadecimal(start, 8, "truncated \\UXXXXXXXX escape"),
            'N' => return self.named(start),
            _ => {
                self.push('\\')?;
                kind
            }
        };
        self.push(simple)
    }

    fn octal(&mut self, first: char) -> Result<(), ActionError> {
        let mut code = first.to_digit(8).unwrap_or(0);
        for _ in 0..2 {
            let Some(digit) = self.body.get(self.at).and_then(|character| character.to_digit(8)) else {
                break;
            };
            code = code * 8 + digit;
            self.at += 1;
        }
        self.push_code(code)
    }

    fn hexadecimal(&mut self, start: usize, digits: usize, message: &str) -> Result<(), ActionError> {
        let mut code: u32 = 0;
        for _ in 0..digits {
            let Some(digit) = self.body.get(self.at).and_then(|character| character.to_digit(16)) else {
                return Err(self.undecodable(start, self.at, message));
            };
            code = code << 4 | digit;
            self.at += 1;
        }
        if code > 0x10_ffff {
            return Err(self.undecodable(start, self.at, "illegal Unicode character"));
        }
        self.push_code(code)
    }

    fn named(&mut self, start: usize) -> Result<(), ActionError> {
        const MALFORMED: &str = "malformed \\N character escape";
        if self.body.get(self.at) != Some(&'{') {
            return Err(self.undecodable(start, self.at, MALFORMED));
        }
        let name_start = self.at + 1;
        let Some(length) = self.body[name_start..].iter().position(|character| *character == '}') else {
            return Err(self.undecodable(start, self.body.len(), MALFORMED));
        };
        let name_end = name_start + length;
        if length == 0 {
            return Err(self.undecodable(start, name_end, MALFORMED));
        }
        self.at = name_end + 1;
        let name: String = self.body[name_start..name_end].iter().collect();
        match character_named(&name) {
            Some(character) => self.push(character),
            None => Err(self.undecodable(start, self.at, "unknown Unicode character name")),
        }
    }

    fn push(&mut self, character: char) -> Result<(), ActionError> {
        self.no_half_surrogate()?;
        self.out.push(character);
        Ok(())
    }

    fn push_code(&mut self, code: u32) -> Result<(), ActionError> {
        if let Some(high) = self.high_surrogate
            && (0xdc00..0xe000).contains(&code)
        {
            self.high_surrogate = None;
            let code = 0x1_0000 + ((high - 0xd800) << 10) + (code - 0xdc00);
            self.out.extend(char::from_u32(code));
            return Ok(());
        }
        if let Some(character) = char::from_u32(code) {
            return self.push(character);
        }
        self.no_half_surrogate()?;
        self.high_surrogate = Some(code);
        if code < 0xdc00 { Ok(()) } else { self.no_half_surrogate() }
    }

    /// An error if a surrogate waits for a second half that has not come.
    fn no_half_surrogate(&self) -> Result<(), ActionError> {
        match self.high_surrogate {
            None => Ok(()),
            Some(code) => Err(ActionError::new(
                "UnicodeEncodeError",
                format!(
                    "'utf-8' codec can't encode character '\\u{code:04x}' in position {}: surrogates not allowed",
                    self.out.chars().count()
                ),
            )),
        }
    }

    /// Python's error for the escape from `start` up to, not including, `end`. It counts bytes of an
    /// intermediate form in which a character outside ASCII takes ten and a backslash before one six,
    /// and names the line on which the string ends.
    fn undecodable(&self, start: usize, end: usize, message: &str) -> ActionError {
        let width = |range: &[char], offset: usize| -> usize {
            range
                .iter()
                .enumerate()
                .map(|(index, character)| match character {
                    '\\' if self.backslash_starts_escape(offset + index)
                        && self.body.get(offset + index + 1).is_some_and(|next| !next.is_ascii()) =>
                    {
                        6
                    }
                    _ if character.is_ascii() => 1,
                    _ => 10,
                })
                .sum()
        };
        let first = width(&self.body[..start], 0);
        let last = first + width(&self.body[start..end], start) - 1;
        let line = 1 + self.body.iter().filter(|character| **character == '\n').count();
        ActionError::new(
            "SyntaxError",
            format!(
                "(unicode error) 'unicodeescape' codec can't decode bytes in position {first}-{last}: {message} \
                 (<unknown>, line {line})"
            ),
        )
    }

    /// Whether the backslash at `index` is not itself escaped by the one before it.
    fn backslash_starts_escape(&self, index: usize) -> bool {
        let before = self.body[..index].iter().rev().take_while(|character| **character == '\\').count();
        before % 2 == 0
    }
}

/// The character of that name or alias, in any case, as Python's `\N{…}` finds it.
fn character_named(name: &str) -> Option<char> {
    let found = unicode_names2::character(name)?;
    // The library also finds names whose spaces and hyphens are elsewhere, which Python does not.
    let proper = unicode_names2::name(found).map(|name| name.to_string()).unwrap_or_default();
    let bare = |name: &str| name.replace([' ', '-', '_'], "").to_ascii_uppercase();
    let is_misspelt = bare(name) == bare(&proper) && !name.eq_ignore_ascii_case(&proper);
    (!is_misspelt).then_some(found)
}

/// A number at the start of `text`: its value and the number of characters it takes, or `None`.
///
/// An optional sign, digits, an optional fraction and exponent. `Err` holds the reason a number that
/// is well formed cannot be read.
///
/// # Errors
/// `ValueError` for a whole number of more than [`MAX_INTEGER_DIGITS`] digits.
pub(crate) fn number(text: &[char]) -> Result<Option<(Value, usize)>, ActionError> {
    let digits_from = |start: usize| -> usize {
        text[start.min(text.len())..]
            .iter()
            .take_while(|character| decimal_digit(**character).is_some())
            .count()
    };
    let sign = usize::from(matches!(text.first(), Some('+' | '-')));
    let whole = digits_from(sign);
    let mut end = sign + whole;
    let mut is_float = false;
    if text.get(end) == Some(&'.') {
        let fraction = digits_from(end + 1);
        if whole == 0 && fraction == 0 {
            return Ok(None);
        }
        end += 1 + fraction;
        is_float = true;
    } else if whole == 0 {
        return Ok(None);
    }
    if matches!(text.get(end), Some('e' | 'E')) {
        let exponent_sign = usize::from(matches!(text.get(end + 1), Some('+' | '-')));
        let exponent = digits_from(end + 1 + exponent_sign);
        if exponent > 0 {
            end += 1 + exponent_sign + exponent;
            is_float = true;
        }
    }
    let written: String = text[..end]
        .iter()
        .map(|character| {
            decimal_digit(*character).and_then(|digit| char::from_digit(digit, 10)).unwrap_or(*character)
        })
        .collect();
    if is_float {
        // The text is a float by construction; Rust reads it to the nearest double as Python does.
        return Ok(written.parse().ok().map(|float| (Value::Float(float), end)));
    }
    if whole > MAX_INTEGER_DIGITS {
        return Err(ActionError::value(format!(
            "Exceeds the limit ({MAX_INTEGER_DIGITS} digits) for integer string conversion: value has {whole} \
             digits; use sys.set_int_max_str_digits() to increase the limit"
        )));
    }
    Ok(Some((integer(&written), end)))
}

fn integer(written: &str) -> Value {
    if let Ok(small) = written.parse::<i64>() {
        return Value::Int(small);
    }
    let (sign, digits) = match written.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", written.strip_prefix('+').unwrap_or(written)),
    };
    Value::BigInt(format!("{sign}{}", digits.trim_start_matches('0')))
}

/// The value of a decimal digit of any script, as Python's `int` reads it. Unicode keeps the ten
/// digits of a script together and in order, so the place in the run gives the value.
fn decimal_digit(character: char) -> Option<u32> {
    if character.is_ascii() {
        return character.to_digit(10);
    }
    if character.general_category() != GeneralCategory::DecimalNumber {
        return None;
    }
    let code = u32::from(character);
    let run = (0..code)
        .rev()
        .take_while(|code| {
            char::from_u32(*code)
                .is_some_and(|before| before.general_category() == GeneralCategory::DecimalNumber)
        })
        .count();
    u32::try_from(run % 10).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(body: &str) -> Result<String, String> {
        decode(&body.chars().collect::<Vec<_>>()).map_err(|error| error.to_string())
    }

    fn read(text: &str) -> Option<(Value, usize)> {
        number(&text.chars().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn escapes_decode_as_in_python() {
        for (body, expected) in [
            ("plain", "plain"),
            (r#"\\\'\"\a\b\f\n\r\t\v"#, "\\'\"\u{7}\u{8}\u{c}\n\r\t\u{b}"),
            (r"\0\12\101\400\777", "\0\nA\u{100}\u{1ff}"),
            (r"\x41\u00e9\U0001f600", "Aé😀"),
            (r"\N{BULLET}\N{bullet}\N{LF}", "••\n"),
            (r"\q\8\é", r"\q\8\é"),
            ("a\\\nb\\\r\nc", "abc"),
            ("a\r\nb\rc", "a\nb\nc"),
            (r"\ud83d\ude00!", "😀!"),
        ] {
            assert_eq!(decoded(body).unwrap(), expected, "{body}");
        }
    }

    #[test]
    fn bad_escapes_are_named_with_their_place() {
        for (body, expected) in [
            (r"\x4", "0-2: truncated \\xXX escape"),
            (r"\u12", "0-3: truncated \\uXXXX escape"),
            (r"ab\U0011", "2-7: truncated \\UXXXXXXXX escape"),
            (r"\U00110000", "0-9: illegal Unicode character"),
            (r"\N", "0-1: malformed \\N character escape"),
            (r"\N{", "0-2: malformed \\N character escape"),
            (r"\N{FOO}", "0-6: unknown Unicode character name"),
            ("é\\x4", "10-12: truncated \\xXX escape"),
        ] {
            let error = decoded(body).unwrap_err();
            assert!(error.starts_with("SyntaxError: (unicode error) "), "{error}");
            assert!(error.contains(expected), "{body}: {error}");
        }
        assert!(decoded("a\0b").unwrap_err().contains("null bytes"));
        for half in [r"a\ud83d", r"a\ud83dx", r"a\ude00", r"a\ud83d\n"] {
            assert!(decoded(half).unwrap_err().starts_with("UnicodeEncodeError: "), "{half}");
        }
    }

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        assert_eq!(read("5"), Some((Value::Int(5), 1)));
        assert_eq!(read("+5,"), Some((Value::Int(5), 2)));
        assert_eq!(read("007"), Some((Value::Int(7), 3)));
        assert_eq!(read("0x10"), Some((Value::Int(0), 1)));
        assert_eq!(read("1e"), Some((Value::Int(1), 1)));
        assert_eq!(read("1e+"), Some((Value::Int(1), 1)));
        assert_eq!(read("5."), Some((Value::Float(5.0), 2)));
        assert_eq!(read("-.5e3"), Some((Value::Float(-500.0), 5)));
        assert_eq!(read("1.5.5"), Some((Value::Float(1.5), 3)));
        assert_eq!(read("٣٤"), Some((Value::Int(34), 2)));
        assert_eq!(read("𝟘𝟡"), Some((Value::Int(9), 2)));
        assert_eq!(
            read("-00099999999999999999999"),
            Some((Value::BigInt("-99999999999999999999".into()), 24))
        );
        for none in ["", "-", ".", "+.", "--5", "- 5", "e5", "nan", "½"] {
            assert_eq!(read(none), None, "{none}");
        }
        assert!(number(&vec!['9'; MAX_INTEGER_DIGITS + 1]).is_err());
        assert!(number(&vec!['9'; MAX_INTEGER_DIGITS]).unwrap().is_some());
    }
}
