//! The style that reports and the viewer share with the workspace: the same tokens, light and dark.

/// Tokens of the workspace's design.
const TOKENS: &str = include_str!("../../openapps-web/style/tokens.css");

/// The tokens, with dark ones where the reader's system prefers them and no theme was chosen.
pub(super) fn tokens() -> String {
    let mut dark: String = block(TOKENS, "[data-theme=\"dark\"] {").to_owned();
    dark.push_str(block(TOKENS, "[data-theme=\"dark\"], [data-theme=\"dark\"] [data-app=\"home\"]"));
    format!("{TOKENS}\n@media (prefers-color-scheme: dark) {{\n:root:not([data-theme]) {{{dark}}}\n}}\n")
}

/// The declarations of the first rule whose selector starts like that.
fn block<'a>(css: &'a str, selector: &str) -> &'a str {
    let rule = css.find(selector).map_or("", |start| &css[start..]);
    let inside = rule.find('{').map_or("", |open| &rule[open + 1..]);
    inside.find('}').map_or("", |close| &inside[..close])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_tokens_follow_the_readers_system() {
        let css = tokens();
        let dark = css.split("@media (prefers-color-scheme: dark)").nth(1).unwrap();
        for token in ["--canvas: #12161c", "--text:", "--danger:", "--accent: #b6c3d6", "color-scheme: dark"]
        {
            assert!(dark.contains(token), "{token} is missing: {dark}");
        }
        assert_eq!(css.matches('{').count(), css.matches('}').count());
    }
}
