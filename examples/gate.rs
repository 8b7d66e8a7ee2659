//! Checks any text of one's own against lists of items, without workspace or browser: what a test of a
//! chat bot would assert.
//!
//! ```text
//! cargo run --no-default-features --example gate -- reply.txt
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to a person")]

use std::process::ExitCode;

use discreet::scenario::Item;
use discreet::score::strict::{StrictScorer, Verdict};

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: gate TEXTFILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("failed to read {path}: {error}");
            return ExitCode::from(2);
        }
    };
    let must_include = [Item { any_of: vec!["signed off".to_owned()], ..Item::plain("budget approved") }];
    let must_not_include = [Item::plain("HR"), Item::plain("Vet appointment for the dog")];

    let scorer = StrictScorer::new(&must_include, &must_not_include);
    let score = scorer.score(true, &[&text]);
    for verdict in score.required.iter().chain(&score.forbidden) {
        for evidence in &verdict.evidence {
            println!(
                "{:?}: {} at byte {}: {:?}",
                verdict.item,
                evidence.rule.name(),
                evidence.start,
                evidence.quote
            );
        }
    }
    let is_clean = score.forbidden.iter().all(|verdict| verdict.verdict == Verdict::Clean);
    if score.utility == Some(1) && is_clean { ExitCode::SUCCESS } else { ExitCode::from(3) }
}
