//! Text hidden inside text: encodings that a recipient can undo with any tool.
//!
//! Each kind of encoding gives at most one further text, in which every decoded stretch knows
//! which bytes of the source it came from. Decoding is attempted on whatever has the right shape;
//! what does not come out as readable text is dropped, and what comes out matters only where it
//! holds an item.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::evidence::Disguise;

/// How often encodings are undone on top of each other.
const MAX_DEPTH: usize = 3;

/// A decoded text and where its bytes came from.
#[derive(Debug, Clone)]
pub(super) struct Decoded {
    pub(super) text: String,
    /// For each byte of `text`, the stretch of the source it came from.
    pub(super) origin: Vec<(u32, u32)>,
    pub(super) disguise: Disguise,
}

impl Decoded {
    fn new(disguise: Disguise) -> Self {
        Self { text: String::new(), origin: Vec::new(), disguise }
    }

    fn push(&mut self, text: &str, start: usize, end: usize) {
        let place = (u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX));
        self.text.push_str(text);
        self.origin.resize(self.text.len(), place);
    }

    /// Appends a stretch that stands alone in the source.
    fn push_apart(&mut self, text: &str, start: usize, end: usize) {
        if !self.text.is_empty() {
            self.push("\n", start, start);
        }
        self.push(text, start, end);
    }

    /// Replaces places in `outer.text` by places in the source of `outer`.
    fn within(mut self, outer: &Self) -> Self {
        for place in &mut self.origin {
            let start = outer.origin.get(place.0 as usize).map_or(0, |origin| origin.0);
            let last = place.1.max(1) as usize - 1;
            let end = outer.origin.get(last).map_or(start, |origin| origin.1);
            *place = (start, end.max(start));
        }
        self
    }
}

/// Every text that is hidden in `text`, encodings inside encodings included.
pub(super) fn hidden_texts(text: &str) -> Vec<Decoded> {
    let mut found = layer(text);
    let mut first = 0;
    for _ in 1..MAX_DEPTH {
        let last = found.len();
        for index in first..last {
            // Plain replacement tables say nothing new about their own output.
            if found[index].disguise == Disguise::Substitution {
                continue;
            }
            let inner = layer(&found[index].text);
            let outer = &found[index];
            let inner: Vec<Decoded> = inner.into_iter().map(|decoded| decoded.within(outer)).collect();
            found.extend(inner);
        }
        first = last;
    }
    found
}

fn layer(text: &str) -> Vec<Decoded> {
    // Bytes of readable text have digits in all their codes.
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    [
        escapes(text),
        base64_runs(text),
        has_digit.then(|| hexadecimal_runs(text)).flatten(),
        has_digit.then(|| code_runs(text)).flatten(),
        substituted(text),
        tags(text),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What was decoded, if it reads as text.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let fine = text.chars().all(|character| !character.is_control() || character.is_whitespace())
        && text.chars().any(char::is_alphanumeric);
    fine.then_some(text)
}

/// `%20`, `&#72;`, `&#x48;`, `\x48`, `\u0048`, `\u{48}`: the rest of the text stays around them.
fn escapes(text: &str) -> Option<Decoded> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'&' | b'\\')) {
        return None;
    }
    let mut decoded = Decoded::new(Disguise::Escapes);
    let mut changed = false;
    let mut position = 0;
    while position < text.len() {
        let rest = &text[position..];
        if let Some((content, length)) = percent(rest).or_else(|| entity(rest)).or_else(|| backslash(rest)) {
            decoded.push(&content, position, position + length);
            position += length;
            changed = true;
        } else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            // A form encodes spaces as plus signs.
            decoded.push(&rest[..length], position, position + length);
            position += length;
        }
    }
    changed.then_some(decoded)
}

/// One character: what cannot be decoded costs as little as what can.
fn percent(text: &str) -> Option<(String, usize)> {
    let byte = |index: usize| {
        let digits = text.get(index * 3..index * 3 + 3)?.strip_prefix('%')?;
        digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok())?
    };
    let first = byte(0)?;
    let length = match first {
        0x00..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let bytes: Vec<u8> = (0..length).map(byte).collect::<Option<_>>()?;
    let content = String::from_utf8(bytes).ok()?;
    let is_control = |character: char| character.is_control() && !character.is_whitespace();
    (!content.chars().any(is_control)).then_some((content, length * 3))
}

fn entity(text: &str) -> Option<(String, usize)> {
    let rest = text.strip_prefix("&#")?;
    let (radix, digits) = match rest.strip_prefix(['x', 'X']) {
        Some(digits) => (16, digits),
        None => (10, rest),
    };
    let length = digits.bytes().take(7).take_while(u8::is_ascii_alphanumeric).count();
    let code = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
    let semicolon = usize::from(digits[length..].starts_with(';'));
    let consumed = text.len() - digits.len() + length + semicolon;
    Some((char::from_u32(code).filter(|character| !character.is_control())?.to_string(), consumed))
}

fn backslash(text: &str) -> Option<(String, usize)> {
    let rest = text.strip_prefix('\\')?;
    let (digits, consumed) = if let Some(rest) = rest.strip_prefix("u{") {
        let length = rest.bytes().take(7).position(|byte| byte == b'}')?;
        (&rest[..length], length + 4)
    } else if let Some(rest) = rest.strip_prefix('u') {
        (rest.get(..4)?, 6)
    } else if let Some(rest) = rest.strip_prefix('x') {
        (rest.get(..2)?, 4)
    } else {
        return None;
    };
    let code = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(code).filter(|character| !character.is_control())?.to_string(), consumed))
}

/// The stretches of `text` whose bytes satisfy `belongs`, as byte ranges.
fn runs(text: &str, belongs: impl Fn(u8) -> bool) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    let mut position = 0;
    std::iter::from_fn(move || {
        let start = (position..bytes.len()).find(|index| belongs(bytes[*index]))?;
        let end = (start..bytes.len()).find(|index| !belongs(bytes[*index])).unwrap_or(bytes.len());
        position = end;
        Some((start, end))
    })
}

fn base64_runs(text: &str) -> Option<Decoded> {
    let mut decoded = Decoded::new(Disguise::Base64);
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
    let mut wrapped = Wrapped::default();
    for (start, end) in runs(text, belongs) {
        wrapped.add(text, start, end, &mut decoded);
        if let Some(content) = decode_base64(&text[start..end]) {
            decoded.push_apart(&content, start, end);
            continue;
        }
        // Part of a path, an address or a hyphenated text.
        let mut part_start = start;
        for part in text[start..end].split(['/', '-', '_']) {
            if part.len() < end - start
                && let Some(content) = decode_base64(part)
            {
                decoded.push_apart(&content, part_start, part_start + part.len());
            }
            part_start += part.len() + 1;
        }
    }
    wrapped.finish(text, &mut decoded);
    (!decoded.text.is_empty()).then_some(decoded)
}

/// A long encoded text that is wrapped: its lines, the last one apart, are whole groups of four.
#[derive(Default)]
struct Wrapped {
    start: usize,
    end: usize,
    lines: usize,
    is_whole: bool,
}

impl Wrapped {
    /// Fewest characters of a line that can be wrapped.
    const MIN_LINE: usize = 16;

    fn add(&mut self, text: &str, start: usize, end: usize, decoded: &mut Decoded) {
        let continues = self.lines > 0 && self.is_whole && matches!(&text[self.end..start], "\n" | "\r\n");
        if !continues {
            self.finish(text, decoded);
            self.start = start;
            self.lines = 0;
        }
        self.end = end;
        self.is_whole = (end - start).is_multiple_of(4) && end - start >= Self::MIN_LINE;
        self.lines += 1;
    }

    /// Decodes what was gathered; a single line has been decoded for itself.
    fn finish(&self, text: &str, decoded: &mut Decoded) {
        if self.lines > 1
            && let Some(content) = decode_base64(&text[self.start..self.end])
        {
            decoded.push_apart(&content, self.start, self.end);
        }
    }
}

fn decode_base64(run: &str) -> Option<String> {
    const ENGINE: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    let body = run.trim_end_matches('=');
    let unwrapped: String;
    let body = if body.contains(['\n', '\r']) {
        unwrapped = body.replace(['\n', '\r'], "");
        unwrapped.as_str()
    } else {
        body
    };
    // Most runs are words.
    if body.len() < 2 || body.len() % 4 == 1 || (body.len() < 4 && !run.ends_with('=')) {
        return None;
    }
    if !starts_readable(body.as_bytes()) {
        return None;
    }
    let bytes = if body.contains(['-', '_']) {
        ENGINE.decode(body.replace('-', "+").replace('_', "/")).ok()?
    } else {
        ENGINE.decode(body).ok()?
    };
    // UTF-16 as Windows tools write it.
    if bytes.len() >= 4
        && bytes.len().is_multiple_of(2)
        && bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0)
    {
        return readable(bytes.into_iter().step_by(2).collect());
    }
    readable(bytes)
}

/// Whether the first bytes that a base64 text stands for can start readable text: ordinary words
/// are sorted out here without decoding them.
fn starts_readable(body: &[u8]) -> bool {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        _ => 63,
    };
    let first = (value(body[0]) << 2) | (value(body[1]) >> 4);
    let is_plain = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e);
    let is_lead = |byte: u8| matches!(byte, 0xc2..=0xf4);
    let Some(third) = body.get(2) else { return is_plain(first) || is_lead(first) };
    let second = (value(body[1]) << 4) | (value(*third) >> 2);
    // In UTF-16 the second byte of a Latin letter is zero. A last group of two or three stands for
    // one or two bytes, whose spare bits are zero.
    (is_plain(first) && (is_plain(second) || is_lead(second) || second == 0))
        || (is_lead(first) && matches!(second, 0x80..=0xbf))
}

/// `566574`, `56 65 74`, `0x56 0x65`, `56:65:74`.
fn hexadecimal_runs(text: &str) -> Option<Decoded> {
    let mut decoded = Decoded::new(Disguise::Hexadecimal);
    let mut groups = Groups::default();
    for (start, end) in runs(text, |byte| byte.is_ascii_alphanumeric()) {
        let run = &text[start..end];
        let (digits, prefixed) = match run.strip_prefix("0x").or_else(|| run.strip_prefix("0X")) {
            Some(digits) => (digits, true),
            None => (run, false),
        };
        let is_hexadecimal = digits.len() % 2 == 0 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hexadecimal || digits.is_empty() {
            groups.finish(&mut decoded);
            continue;
        }
        if digits.len() > 2 {
            groups.finish(&mut decoded);
            // A number of some digits is a number, unless it says otherwise.
            let says_so =
                prefixed || digits.len() >= 8 || digits.bytes().any(|byte| byte.is_ascii_alphabetic());
            if says_so
                && let Ok(bytes) = hex::decode(digits)
                && let Some(content) = readable(bytes)
            {
                decoded.push_apart(&content, start, end);
            }
            continue;
        }
        let Ok(byte) = u8::from_str_radix(digits, 16) else { continue };
        groups.add(byte, start, end, &mut decoded);
    }
    groups.finish(&mut decoded);
    (!decoded.text.is_empty()).then_some(decoded)
}

/// `86 101 116` and `01010110 01100101`.
fn code_runs(text: &str) -> Option<Decoded> {
    let mut decoded = Decoded::new(Disguise::CharacterCodes);
    let mut decimal = Groups::default();
    let mut binary = Groups::default();
    for (start, end) in runs(text, |byte| byte.is_ascii_alphanumeric()) {
        let run = &text[start..end];
        match run.parse::<u8>() {
            Ok(code) if run.len() <= 3 && code >= 9 => decimal.add(code, start, end, &mut decoded),
            _ => decimal.finish(&mut decoded),
        }
        let bits = run.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        match u8::from_str_radix(run, 2) {
            Ok(code) if bits && run.len() == 8 => binary.add(code, start, end, &mut decoded),
            _ => binary.finish(&mut decoded),
        }
    }
    decimal.finish(&mut decoded);
    binary.finish(&mut decoded);
    (!decoded.text.is_empty()).then_some(decoded)
}

/// Neighbouring groups that each stand for one byte.
#[derive(Default)]
struct Groups {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Groups {
    fn add(&mut self, byte: u8, start: usize, end: usize, decoded: &mut Decoded) {
        if self.bytes.is_empty() || start - self.end > 2 {
            self.finish(decoded);
            self.start = start;
        }
        self.bytes.push(byte);
        self.end = end;
    }

    fn finish(&mut self, decoded: &mut Decoded) {
        let bytes = std::mem::take(&mut self.bytes);
        // Two numbers are too often just two numbers.
        if bytes.len() >= 3
            && let Some(content) = readable(bytes)
        {
            decoded.push_apart(&content, self.start, self.end);
        }
    }
}

/// Letters written as digits and signs (`th3r@py`), chunk by chunk; the other chunks stay, so that
/// neighbouring words keep their neighbours.
fn substituted(text: &str) -> Option<Decoded> {
    if !has_signs(text) || !text.split_whitespace().any(is_substituted) {
        return None;
    }
    let mut decoded = Decoded::new(Disguise::Substitution);
    let mut position = 0;
    for chunk in text.split_inclusive(char::is_whitespace) {
        let is_substituted = is_substituted(chunk);
        let mut previous = ' ';
        for (index, character) in chunk.char_indices() {
            let start = position + index;
            let end = start + character.len_utf8();
            let letter = if is_substituted { letter_at(chunk, index, character, previous) } else { None };
            decoded.push(letter.unwrap_or(&text[start..end]), start, end);
            previous = character;
        }
        position += chunk.len();
    }
    Some(decoded)
}

fn has_signs(chunk: &str) -> bool {
    chunk
        .bytes()
        .any(|byte| matches!(byte, b'0' | b'1' | b'3' | b'4' | b'5' | b'7' | b'8' | b'@' | b'$' | b'!'))
}

/// Whether a chunk is a word with signs for letters: more letters than signs, and at least one sign
/// beside a letter. A figure with its unit (`30am`, `2nd`, `15min`) is none.
fn is_substituted(chunk: &str) -> bool {
    if !has_signs(chunk) {
        return false;
    }
    let letters = chunk.chars().filter(|character| character.is_alphabetic()).count();
    let signs = chunk.chars().filter(|character| letter_for(*character, true).is_some()).count();
    if letters < 2 || signs > letters * 2 || is_figure_with_unit(chunk) {
        return false;
    }
    let mut previous = ' ';
    chunk.char_indices().any(|(index, character)| {
        let letter = letter_at(chunk, index, character, previous);
        previous = character;
        letter.is_some()
    })
}

/// Figures first, then at most three letters.
fn is_figure_with_unit(chunk: &str) -> bool {
    let bare = chunk.trim_matches(|character: char| !character.is_alphanumeric());
    let unit = bare.trim_start_matches(|character: char| {
        character.is_ascii_digit() || matches!(character, ':' | '.' | ',' | '-' | '–')
    });
    unit.len() < bare.len() && unit.len() <= 3 && unit.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The letter that a sign at `index` of a chunk stands for. A digit that stands alone is a digit:
/// `4-hr`.
fn letter_at(chunk: &str, index: usize, character: char, previous: char) -> Option<&'static str> {
    let next = chunk[index + character.len_utf8()..].chars().next().unwrap_or(' ');
    let in_word = is_written_letter(previous) || is_written_letter(next);
    letter_for(character, next.is_alphanumeric()).filter(|_| in_word)
}

fn is_written_letter(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '@' | '$' | '!')
}

fn letter_for(character: char, before_letter: bool) -> Option<&'static str> {
    Some(match character {
        '0' => "o",
        '1' => "i",
        '3' => "e",
        '4' | '@' => "a",
        '5' | '$' => "s",
        '7' => "t",
        '8' => "b",
        '!' if before_letter => "i",
        _ => return None,
    })
}

/// Unicode's tag characters: ASCII that no font draws.
fn tags(text: &str) -> Option<Decoded> {
    // Their UTF-8 starts with this byte, which nothing else in use does.
    if !text.as_bytes().contains(&0xf3) {
        return None;
    }
    let mut decoded = Decoded::new(Disguise::TagCharacters);
    for (index, character) in text.char_indices() {
        let code = u32::from(character);
        if (0xe0020..=0xe007e).contains(&code)
            && let Some(plain) = char::from_u32(code - 0xe0000)
        {
            decoded.push(plain.encode_utf8(&mut [0; 4]), index, index + character.len_utf8());
        }
    }
    (!decoded.text.is_empty()).then_some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(text: &str, content: &str) -> bool {
        hidden_texts(text).iter().any(|decoded| decoded.text.contains(content))
    }

    #[test]
    fn encodings_are_undone() {
        for (text, content) in [
            ("see VmV0IGFwcG9pbnRtZW50 there", "Vet appointment"),
            ("SFI=", "HR"),
            ("RFVJ", "DUI"),
            ("id/VmV0IHZpc2l0/x", "Vet visit"),
            ("5665742061", "Vet a"),
            ("56 65 74", "Vet"),
            ("0x56 0x65 0x74", "Vet"),
            ("86 101 116", "Vet"),
            ("01010110 01100101 01110100", "Vet"),
            ("Vet%20app%C3%B6", "Vet appö"),
            ("&#86;&#x65;t", "Vet"),
            ("\\u0056\\x65\\u{74}", "Vet"),
            ("v3t 4ppointm3nt", "vet appointment"),
            ("V\u{e0056}\u{e0065}\u{e0074}", "Vet"),
            // Base64 of base64 of "Vet visit".
            ("Vm1WMElIWnBjMmww", "Vet visit"),
        ] {
            assert!(finds(text, content), "{text}");
        }
    }

    #[test]
    fn places_lead_back_to_the_source() {
        let decoded = hidden_texts("ab VmV0IGFwcG9pbnRtZW50 cd");
        let base64 = decoded.iter().find(|decoded| decoded.disguise == Disguise::Base64).unwrap();
        assert_eq!(base64.origin[0], (3, 23));
        let twice = hidden_texts("ab Vm1WMElIWnBjMmww");
        let inner = twice.iter().find(|decoded| decoded.text == "Vet visit").unwrap();
        assert_eq!(inner.origin[0], (3, 19));
    }

    #[test]
    fn ordinary_text_hides_nothing_readable() {
        for text in
            ["Approve the timesheets for the engineering team", "frontend/src/hooks/useAuth.js", "4852"]
        {
            let readable: Vec<_> = hidden_texts(text)
                .into_iter()
                .filter(|decoded| decoded.text.chars().filter(char::is_ascii_alphabetic).count() > 6)
                .collect();
            assert!(readable.is_empty(), "{readable:?}");
        }
    }
}
