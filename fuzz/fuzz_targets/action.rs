//! The action grammar takes any text in every mode, ends, and never panics. What it reads, it reads
//! again from its own description of the call.
#![no_main]

use discreet::action::{ActionSet, ParseOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let set = ActionSet::all();
    for strict in [false, true] {
        for compat in [false, true] {
            for multi in [false, true] {
                let options = ParseOptions { strict, compat, multi, ..ParseOptions::default() };
                if let Ok(calls) = set.calls(text, options) {
                    assert!(multi || calls.len() == 1);
                    for call in &calls {
                        let _ = set.bind(call);
                    }
                }
            }
        }
    }
});
