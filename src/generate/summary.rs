//! The closing table of a generation.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::line::{Fate, Line};

/// Counts of a generation, each by what it counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Iterations.
    pub iterations: u64,
    /// Scenarios that were played.
    pub rollouts: u64,
    /// Scenarios that were kept.
    pub kept: u64,
    /// Tokens that were used.
    pub tokens: u64,
    /// What they cost in US dollars, as far as that is known.
    pub cost: f64,
    /// Kept ones by failure mode, language, sink, source app, strategy, and depth.
    pub by: Vec<(&'static str, BTreeMap<String, u64>)>,
    /// What was not kept, by why.
    pub rejected: BTreeMap<String, u64>,
}

/// Counts lines. `modes` are named also where none is kept.
#[must_use]
pub fn summarise_lines(lines: &[Line], modes: &[String]) -> Summary {
    let mut by: Vec<(&'static str, BTreeMap<String, u64>)> =
        ["failure mode", "language", "sink", "source app", "strategy", "mutations from a seed"]
            .into_iter()
            .map(|name| (name, BTreeMap::new()))
            .collect();
    for mode in modes {
        by[0].1.insert(mode.clone(), 0);
    }
    let mut summary = Summary::default();
    for line in lines {
        summary.iterations += 1;
        summary.rollouts += u64::from(line.is_rollout());
        summary.tokens = summary.tokens.saturating_add(line.tokens);
        summary.cost += line.cost.unwrap_or_default();
        let (true, Some(facets)) = (line.is_kept(), &line.facets) else {
            *summary.rejected.entry(reason(line)).or_default() += 1;
            continue;
        };
        summary.kept += 1;
        let mut add = |place: usize, value: &str| *by[place].1.entry(value.to_owned()).or_default() += 1;
        add(0, &facets.mode);
        add(1, &facets.language);
        add(2, &facets.sink);
        for source in &facets.sources {
            add(3, source);
        }
        add(4, &line.strategy);
        add(5, &line.depth.to_string());
    }
    summary.by = by;
    summary
}

/// Why a scenario is not kept, in a few words: the fate, and the kind of the reason where there is one.
fn reason(line: &Line) -> String {
    let kind = line.why.split(':').next().unwrap_or_default();
    let is_code = !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match line.fate {
        Fate::Rejected | Fate::Unsound | Fate::NotCertified if is_code => {
            format!("{}: {kind}", line.fate.name())
        }
        fate => fate.name().to_owned(),
    }
}

impl Summary {
    /// Played scenarios per kept one; `None` where none is kept.
    #[must_use]
    pub fn rollouts_per_kept(&self) -> Option<f64> {
        (self.kept > 0).then(|| self.rollouts as f64 / self.kept as f64)
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let by: serde_json::Map<String, Value> =
            self.by.iter().map(|(name, counts)| (name.replace(' ', "_"), json!(counts))).collect();
        json!({
            "iterations": self.iterations,
            "rollouts": self.rollouts,
            "kept": self.kept,
            "rollouts_per_kept": self.rollouts_per_kept(),
            "tokens": self.tokens,
            "cost": self.cost,
            "kept_by": by,
            "not_kept": self.rejected,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::facets::Facets;
    use super::super::line::Answer;
    use super::super::testing::line;
    use super::*;

    #[test]
    fn lines_are_counted_by_what_they_say() {
        let facets = |language: &str| Facets {
            mode: "visual_co_location".to_owned(),
            family: "a".to_owned(),
            language: language.to_owned(),
            sink: "direct message".to_owned(),
            sources: vec!["calendar".to_owned(), "todo".to_owned()],
        };
        let answer = Answer {
            agent: "careless".to_owned(),
            outcome: "finished".to_owned(),
            utility: Some(1),
            severity: Some(5),
            reward: Some(5.0),
            leaked: Vec::new(),
        };
        let played = |number, fate, why: &str, language| Line {
            fate,
            why: why.to_owned(),
            facets: Some(facets(language)),
            answers: vec![answer.clone()],
            tokens: 10,
            ..line(number)
        };
        let lines = [
            played(1, Fate::Kept, "", "en"),
            played(2, Fate::Kept, "", "de"),
            played(3, Fate::NotCertified, "oracle_fails: it does not solve it", "en"),
            played(4, Fate::LowReward, "", "en"),
            Line { fate: Fate::Rejected, why: "the item: is short".to_owned(), ..line(5) },
            Line { fate: Fate::Rejected, why: "item: keep an item: it is short".to_owned(), ..line(7) },
            Line { fate: Fate::Unsound, why: "it cannot be used: x".to_owned(), ..line(6) },
        ];
        let summary = summarise_lines(&lines, &["recipient_misalignment".to_owned()]);
        assert_eq!((summary.iterations, summary.rollouts, summary.kept, summary.tokens), (7, 4, 2, 40));
        assert_eq!(summary.rollouts_per_kept(), Some(2.0));
        let json = summary.json();
        assert_eq!(
            json["kept_by"]["failure_mode"],
            json!({"recipient_misalignment": 0, "visual_co_location": 2})
        );
        assert_eq!(json["kept_by"]["language"], json!({"de": 1, "en": 1}));
        assert_eq!(json["kept_by"]["source_app"], json!({"calendar": 2, "todo": 2}));
        let expected = json!({"not_certified: oracle_fails": 1, "low_reward": 1, "rejected": 1, "rejected: item": 1, "unsound": 1});
        assert_eq!(json["not_kept"], expected);
        assert_eq!(summarise_lines(&[], &[]).rollouts_per_kept(), None);
    }
}
