//! Python's way to write strings and numbers, which is the notation of both the action grammar and
//! the tree text agents are used to.
//!
//! The rules are those of Python's `repr`: a string is quoted with `'` unless it holds a `'` and no
//! `"`; backslash, the chosen quote, newline, carriage return and tab get their short escapes; every
//! other character that is not *printable* becomes `\xNN`, `\uNNNN` or `\UNNNNNNNN`. Printable is
//! everything outside the general categories Other (`C*`) and Separator (`Z*`), plus the space.

use std::fmt::Write as _;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Whether Python's `str.isprintable` holds for the character.
#[must_use]
pub fn is_printable(character: char) -> bool {
    match character {
        ' '..='~' => true,
        _ => !matches!(
            character.general_category_group(),
            GeneralCategoryGroup::Other | GeneralCategoryGroup::Separator
        ),
    }
}

/// The text as Python's `repr` writes it, quotes included.
///
/// ```
/// use discreet::action::python_repr;
/// assert_eq!(python_repr("it's"), r#""it's""#);
/// assert_eq!(python_repr("a\u{a0}b\n"), r"'a\xa0b\n'");
/// ```
#[must_use]
pub fn python_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            _ if is_printable(character) => out.push(character),
            _ => push_escape(&mut out, u32::from(character)),
        }
    }
    out.push(quote);
    out
}

fn push_escape(out: &mut String, code: u32) {
    // Writing to a `String` cannot fail.
    let _ = match code {
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// A string literal for an action text: what an agent that writes actions uses.
///
/// It is [`python_repr`], so the literal sits on one line whatever the text holds, and both the
/// default and the compatible mode of the parser read it back to exactly `text`.
#[must_use]
pub fn quote(text: &str) -> String {
    python_repr(text)
}

/// The number as Python's `repr` writes a float: the shortest digits that read back to it, an
/// exponent below 1e-4 and from 1e16 on, and always a fraction or an exponent.
///
/// ```
/// use discreet::action::python_float;
/// assert_eq!(python_float(1000.0), "1000.0");
/// assert_eq!(python_float(1e16), "1e+16");
/// assert_eq!(python_float(0.00001), "1e-05");
/// ```
#[must_use]
pub fn python_float(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    // Rust's `{:e}` gives the same shortest digits as Python; only the layout differs.
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific.as_str(), "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(|character| *character != '.').collect();
    if !(-4..16).contains(&exponent) {
        let (first, rest) = digits.split_at(1);
        let fraction = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{fraction}e{exponent_sign}{:02}", exponent.abs());
    }
    let Ok(whole_digits) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    };
    if whole_digits == 0 {
        return format!("{sign}0.{digits}");
    }
    if digits.len() <= whole_digits {
        return format!("{sign}{digits}{}.0", "0".repeat(whole_digits - digits.len()));
    }
    let (whole, fraction) = digits.split_at(whole_digits);
    format!("{sign}{whole}.{fraction}")
}

/// Python's `str.strip`, for which the four separators of ASCII are white space too.
#[must_use]
pub fn python_strip(text: &str) -> &str {
    text.trim_matches(|character: char| character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}'))
}

/// A JSON value as Python's `repr` writes its counterpart: `True`, `None`, `'text'`, `30`, `0.5`.
///
/// This is how the tree text prints values and properties; whole numbers stay whole.
#[must_use]
pub fn python_json(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => python_float(float),
            _ => number.to_string(),
        },
        Value::String(text) => python_repr(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(python_json).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", python_repr(key), python_json(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_quoted_as_python_quotes_them() {
        for (text, expected) in [
            ("", "''"),
            ("plain", "'plain'"),
            ("it's", "\"it's\""),
            ("say \"hi\"", "'say \"hi\"'"),
            ("it's \"both\"", "'it\\'s \"both\"'"),
            ("a\\b", "'a\\\\b'"),
            ("\r\n\t\0\u{1b}\u{7f}", "'\\r\\n\\t\\x00\\x1b\\x7f'"),
            ("\u{a0}\u{ad}\u{200b}\u{2028}\u{3000}", "'\\xa0\\xad\\u200b\\u2028\\u3000'"),
            ("é漢字😀", "'é漢字😀'"),
            ("👩\u{200d}🔬", "'👩\\u200d🔬'"),
            ("\u{e000}\u{f0000}\u{10ffff}", "'\\ue000\\U000f0000\\U0010ffff'"),
            ("\u{378}", "'\\u0378'"),
            ("\u{feff}", "'\\ufeff'"),
        ] {
            assert_eq!(python_repr(text), expected);
        }
    }

    #[test]
    fn floats_are_laid_out_as_python_lays_them_out() {
        for (number, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.5, "1.5"),
            (-50.2, "-50.2"),
            (1000.0, "1000.0"),
            (0.001, "0.001"),
            (0.0001, "0.0001"),
            (0.000_012_3, "1.23e-05"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (1e15, "1000000000000000.0"),
            (9_007_199_254_740_993.0, "9007199254740992.0"),
            (1e16, "1e+16"),
            (1e22, "1e+22"),
            (1e-7, "1e-07"),
            (5e-324, "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (f64::from(0.4_f32), "0.4000000059604645"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(python_float(number), expected);
        }
    }

    #[test]
    fn json_values_print_as_their_python_counterparts() {
        let value = serde_json::json!([true, false, null, 30, -1, 0.5, 2.0, "x'", {"k": [1]}]);
        assert_eq!(python_json(&value), "[True, False, None, 30, -1, 0.5, 2.0, \"x'\", {'k': [1]}]");
    }
}
