//! Texts that are a Python dictionary printed as a string: `{'name': 'a.md', 'content': '# A'}`.
//! Generated scenarios hold them where a file was meant.

/// The entries of such a text whose keys and values are all strings; `None` for everything else.
pub(super) fn dictionary(text: &str) -> Option<Vec<(String, String)>> {
    let mut rest = text.trim().strip_prefix('{')?.trim_start();
    let mut entries = Vec::new();
    loop {
        if let Some(end) = rest.strip_prefix('}') {
            return (end.trim().is_empty() && !entries.is_empty()).then_some(entries);
        }
        let (key, after) = quoted(rest)?;
        let after = after.trim_start().strip_prefix(':')?.trim_start();
        let (value, after) = quoted(after)?;
        entries.push((key, value));
        let after = after.trim_start();
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
        if rest.is_empty() {
            return None;
        }
    }
}

/// One string literal in single or double quotes, and the text after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((offset, character)) = characters.next() {
        if character == quote {
            return Some((value, &text[offset + 1..]));
        }
        if character != '\\' {
            value.push(character);
            continue;
        }
        match characters.next()?.1 {
            'n' => value.push('\n'),
            't' => value.push('\t'),
            'r' => value.push('\r'),
            same @ ('\\' | '\'' | '"') => value.push(same),
            // Any other escape: not a text this reads, so the whole stays verbatim.
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_dictionaries_are_read() {
        let entries = dictionary(r#"{'name': 'a "b".md', "content": "it's\n\\x"}"#).unwrap();
        assert_eq!(entries[0], ("name".to_owned(), "a \"b\".md".to_owned()));
        assert_eq!(entries[1], ("content".to_owned(), "it's\n\\x".to_owned()));
    }

    #[test]
    fn anything_else_is_not() {
        for text in ["", "{", "{}", "a.md", "{'a'}", "{'a': 1}", "{'a': 'b'", "{'a': 'b'} x", "{'a': '\\q'}"]
        {
            assert_eq!(dictionary(text), None, "{text}");
        }
    }
}
