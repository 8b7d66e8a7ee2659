//! The action table as a grammar (GBNF) for servers that let a model write nothing else, such as
//! llama.cpp's. Even a weak model then answers with an action that can be read.

use std::fmt::Write as _;

use super::set::ActionSet;
use super::table::Kind;

/// What all grammars share. Lengths are bounded, so that a model that repeats itself comes to an end.
const COMMON: &str = r#"str ::= "'" char{0,600} "'"
bid ::= "'" [a-zA-Z0-9]{1,8} "'"
char ::= [^'\\\n\r] | "\\" ['\\n]
number ::= "-"? [0-9]{1,5} ("." [0-9]{1,3})?
whole ::= [0-9]{1,3}
flag ::= "True" | "False"
button ::= "'left'" | "'middle'" | "'right'"
modifier ::= "'Alt'" | "'Control'" | "'ControlOrMeta'" | "'Meta'" | "'Shift'"
modifiers ::= "[" (modifier ("," " "? modifier){0,3})? "]"
texts ::= str | "[" str ("," " "? str){0,7} "]"
"#;

/// A grammar of one action of the set, between `<action>` and `</action>`. Arguments that have a
/// default may be left out from the right, so that a short call is always possible.
#[must_use]
pub fn gbnf(set: &ActionSet) -> String {
    let mut text = String::from("root ::= \"<action>\" call \"</action>\"\ncall ::= ");
    let names: Vec<String> = set.actions().iter().map(|name| rule_name(name)).collect();
    let _ = writeln!(text, "{}", names.join(" | "));
    for definition in set.definitions() {
        let mut rule = format!("\"{}(\"", definition.name);
        let mut open = 0;
        for (place, parameter) in definition.parameters.iter().enumerate() {
            let comma = if place == 0 { "" } else { "\", \" " };
            if parameter.default.is_some() {
                let _ = write!(rule, " ({comma}{}", symbol(parameter.kind));
                open += 1;
            } else {
                let _ = write!(rule, " {comma}{}", symbol(parameter.kind));
            }
        }
        rule.push_str(&")?".repeat(open));
        let _ = writeln!(text, "{} ::= {rule} \")\"", rule_name(definition.name));
    }
    text.push_str(COMMON);
    text
}

/// A grammar of the reply of state mode.
#[must_use]
pub fn state_gbnf() -> String {
    r#"root ::= "{\"completed\": " ("true" | "false") ", \"shared_content\": [" (text (", " text){0,20})? "], \"recipient\": " (text | "null") ", \"reasoning\": " text "}"
text ::= "\"" letter{0,300} "\""
letter ::= [^"\\\x00-\x1F] | "\\" ["\\n]
"#
    .to_owned()
}

/// Rule names hold letters, digits and dashes only.
fn rule_name(name: &str) -> String {
    format!("a-{}", name.replace('_', "-"))
}

const fn symbol(kind: Kind) -> &'static str {
    match kind {
        Kind::Bid => "bid",
        Kind::Message | Kind::Text => "str",
        Kind::Wait | Kind::Pixels | Kind::WholePixels => "number",
        Kind::Index => "whole",
        Kind::Flag => "flag",
        Kind::Button => "button",
        Kind::Modifiers => "modifiers",
        Kind::Texts => "texts",
    }
}

#[cfg(test)]
#[path = "gbnf_tests.rs"]
mod tests;
