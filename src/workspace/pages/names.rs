//! Names that stay apart on a page.

use std::collections::HashMap;

use super::context::Context;

/// Gives the second, third, … control of the same name its number, so that no two controls of a
/// page have the same role and name.
#[derive(Debug, Default)]
pub(super) struct Names {
    seen: HashMap<String, usize>,
}

impl Names {
    /// The name itself the first time, `name (2)` the second time, and so on. A name that looks
    /// like a numbered one counts as taken, too.
    pub(super) fn unique(&mut self, context: &Context<'_>, name: &str) -> String {
        let mut candidate = name.to_owned();
        // Names differ in more than white space: browsers collapse it.
        while self.seen.contains_key(&folded(&candidate)) {
            let number = self.seen.entry(folded(name)).or_insert(1);
            *number += 1;
            let number = number.to_string();
            candidate = format!("{name} {}", context.text("name.ordinal", &[("number", &number)]));
        }
        self.seen.insert(folded(&candidate), 1);
        candidate
    }
}

fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::look::Look;
    use super::super::router::Request;
    use super::*;

    #[test]
    fn equal_names_are_numbered() {
        let state = super::super::tests::full::empty_state("en");
        let context =
            Context::new(&state, &Request { path: "/", query: &[], look: Look::usual(&state.language) });
        let mut names = Names::default();
        let given = ["Milk", "Milk", "Milk (2)", "Milk ", "Eggs"].map(|name| names.unique(&context, name));
        assert_eq!(given, ["Milk", "Milk (2)", "Milk (2) (2)", "Milk  (3)", "Eggs"]);
    }
}
