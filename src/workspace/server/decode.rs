//! Targets and forms as text. Total: whatever the bytes, there is a result within bounds.

use percent_encoding::percent_decode;

/// Pairs that a query or form may have.
const PAIRS_LIMIT: usize = 10_000;

/// A path with each segment percent-decoded; `None` when a segment is no UTF-8.
pub(super) fn path(raw: &str) -> Option<String> {
    let segments: Option<Vec<String>> = raw
        .split('/')
        .map(|segment| {
            percent_decode(segment.as_bytes()).decode_utf8().ok().map(std::borrow::Cow::into_owned)
        })
        .collect();
    segments.map(|segments| segments.join("/"))
}

/// The pairs of a query or an `application/x-www-form-urlencoded` form, in order; bytes that are no
/// UTF-8 become U+FFFD. `None` when there are too many.
pub(super) fn pairs(raw: &[u8]) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    for pair in raw.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
        if pairs.len() == PAIRS_LIMIT {
            return None;
        }
        let middle = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
        let value = pair.get(middle + 1..).unwrap_or_default();
        pairs.push((text(&pair[..middle]), text(value)));
    }
    Some(pairs)
}

fn text(raw: &[u8]) -> String {
    let spaced: Vec<u8> = raw.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decode(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_are_decoded_per_segment() {
        assert_eq!(path("/a%20b/%E6%B8%AC/c+d"), Some("/a b/測/c+d".to_owned()));
        assert_eq!(path("/%ff"), None);
        assert_eq!(path("/%"), Some("/%".to_owned()));
    }

    #[test]
    fn forms_keep_order_doubles_and_empty_values() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            pairs(b"to=a%26b&to=%23x+y&&text=1%0D%0A2&flag&=z"),
            Some(vec![
                pair("to", "a&b"),
                pair("to", "#x y"),
                pair("text", "1\r\n2"),
                pair("flag", ""),
                pair("", "z"),
            ])
        );
        assert_eq!(pairs(&b"a=1&".repeat(PAIRS_LIMIT + 1)), None);
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(name in ".*", value in ".*") {
            let encode = |text: &str| {
                percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
            };
            let raw = format!("{}={}", encode(&name), encode(&value));
            prop_assert_eq!(pairs(raw.as_bytes()), Some(vec![(name, value.clone())]));
            let raw = format!("/{}", encode(&value));
            prop_assert_eq!(path(&raw), Some(format!("/{value}")));
        }

        #[test]
        fn any_bytes_have_a_result(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(pairs(&bytes).is_some());
        }
    }
}
