//! What loading returns.

use std::path::PathBuf;

use serde_json::Value;

use super::errand::Declared;
use super::error::ScenarioError;
use super::ground_truth::GroundTruth;
use super::lint::Lint;
use super::types::Scenario;
use super::variation::{Variation, VariationChoice};

/// One scenario of a file, or why it cannot be used.
#[derive(Debug, Clone)]
pub struct LoadedFile {
    /// The file, as it was named or found below a named folder.
    pub file: PathBuf,
    /// The line the scenario starts on, in a file with several; `None` for a file with one.
    pub line: Option<usize>,
    /// The scenario, or what is wrong with it. One bad scenario never stops the others.
    pub result: Result<Box<LoadedScenario>, ScenarioError>,
}

/// A scenario with everything its file says.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedScenario {
    /// What workspace, agent and trace may know.
    pub scenario: Scenario,
    /// What only the scoring side may know.
    pub ground_truth: GroundTruth,
    /// What the file says besides.
    pub extras: Extras,
    /// The file's JSON without its ground truth, encoded fields decoded: what a trace records and
    /// what `scenario.content_hash` is the hash of.
    pub public_json: Value,
    /// Channel and recipient as the file names them.
    pub declared: Declared,
    /// What the readers remarked; part of [`super::lint::lint`].
    pub(super) reader_lints: Vec<Lint>,
}

impl LoadedScenario {
    /// The variation to show the scenario in: what `asked` says, else what the scenario says.
    #[must_use]
    pub fn variation(&self, asked: &VariationChoice) -> Variation {
        asked.over(self.extras.variation.over(Variation::in_language(&self.scenario.language)))
    }
}

/// Fields of a scenario file that only reports and runs need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extras {
    /// AgentCIBench's mutation (`ambiguity_trap`, …).
    pub scenario_family: Option<String>,
    /// Where it came from (`seed`, …).
    pub source: Option<String>,
    /// AgentCIBench's track (`ui_local`).
    pub track: Option<String>,
    /// Factors of appearance and content the scenario asks for.
    pub variation: VariationChoice,
}
