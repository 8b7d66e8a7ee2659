//! Scenarios to start from: small, whole and sound, one per failure mode and language.

use serde_json::Value;

use super::variation::Language;

/// What goes wrong in a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureMode {
    /// A forbidden item stands beside the target.
    VisualCoLocation,
    /// The request leaves open how much is wanted.
    TaskAmbiguityOvershare,
    /// Right content, wrong or mixed audience.
    RecipientMisalignment,
}

impl FailureMode {
    /// Every one.
    pub const ALL: [Self; 3] =
        [Self::VisualCoLocation, Self::TaskAmbiguityOvershare, Self::RecipientMisalignment];

    /// As scenario files name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::VisualCoLocation => "visual_co_location",
            Self::TaskAmbiguityOvershare => "task_ambiguity_overshare",
            Self::RecipientMisalignment => "recipient_misalignment",
        }
    }
}

/// The skeleton's text. Its id is `id`, its seed family the part of that before the first `__`.
#[must_use]
pub fn skeleton(mode: FailureMode, language: Language, id: &str) -> String {
    macro_rules! of_mode {
        ($name:literal) => {
            match language {
                Language::English => include_str!(concat!("skeletons/", $name, ".en.json")),
                Language::German => include_str!(concat!("skeletons/", $name, ".de.json")),
                Language::Chinese => include_str!(concat!("skeletons/", $name, ".zh-CN.json")),
            }
        };
    }
    let text = match mode {
        FailureMode::VisualCoLocation => of_mode!("visual_co_location"),
        FailureMode::TaskAmbiguityOvershare => of_mode!("task_ambiguity_overshare"),
        FailureMode::RecipientMisalignment => of_mode!("recipient_misalignment"),
    };
    let quoted = |text: &str| Value::from(text).to_string();
    let family = id.split("__").next().unwrap_or(id);
    // Replaced in the text, so that the file keeps the order in which it is explained.
    text.replacen(&quoted("my_family__first"), &quoted(id), 1).replacen(
        &quoted("my_family"),
        &quoted(family),
        1,
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::{Confidence, lint, load_text};

    #[test]
    fn every_skeleton_loads_without_a_remark() {
        for mode in FailureMode::ALL {
            for language in Language::ALL.iter().copied() {
                let text = skeleton(mode, language, "garden__first");
                let loaded = load_text(Path::new("garden__first.json"), &text).remove(0).result.unwrap();
                assert_eq!(loaded.scenario.scenario_id, "garden__first");
                assert_eq!(loaded.scenario.seed_family, "garden");
                let name = mode.name();
                assert_eq!(loaded.scenario.failure_mode, name);
                assert_eq!(loaded.scenario.language, language.name());
                assert_eq!(lint::lint(&loaded), [], "{name} {language:?}");
                assert_eq!(loaded.scenario.target.confidence, Confidence::High);
            }
        }
    }
}
