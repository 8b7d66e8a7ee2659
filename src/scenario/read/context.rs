//! What all readers share: faults found so far, remarks, ids.

use std::collections::BTreeMap;

use super::super::error::Problem;
use super::super::json::JsonPath;
use super::super::lint::{Lint, LintCode};

/// Faults kept per scenario.
const MOST_FINDINGS: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) findings: Vec<(JsonPath, Problem)>,
    pub(super) lints: Vec<Lint>,
    counters: BTreeMap<&'static str, u64>,
}

impl Context {
    /// Notes a fault.
    pub(super) fn fault(&mut self, path: JsonPath, problem: Problem) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push((path, problem));
        }
    }

    /// Notes a remark that stops nothing.
    pub(super) fn remark(&mut self, code: LintCode, path: &JsonPath, message: String) {
        if self.lints.len() < MOST_FINDINGS {
            self.lints.push(Lint { code, path: path.to_string(), message });
        }
    }

    /// Gives out the next id of a kind: `message-13`.
    pub(super) fn next_id(&mut self, kind: &'static str) -> String {
        let counter = self.counters.entry(kind).or_insert(0);
        *counter += 1;
        format!("{kind}-{counter}")
    }
}
