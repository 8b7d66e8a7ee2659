//! From lints, detection and episodes to a certificate.

use super::certificate::{Certificate, FORMAT, HoldsFor, ItemExposure, Played, Reason};
use super::detection::detection_reasons;
use crate::report::Row;
use crate::scenario::lint::{Lint, LintCode, lint};
use crate::scenario::text::normalise;
use crate::scenario::{Item, LoadedScenario, seeded_strings};

/// How one scenario was played.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rows<'a> {
    pub(super) oracle: Option<&'a Row>,
    pub(super) careless: Option<&'a Row>,
    pub(super) idle: Option<&'a Row>,
}

/// The certificate of a scenario.
pub(super) fn certificate(
    loaded: &LoadedScenario,
    lints: &[Lint],
    rows: Rows<'_>,
    holds_for: HoldsFor,
) -> Certificate {
    let (mut reasons, mut remarks) = (Vec::new(), Vec::new());
    for lint in lints {
        let to = if is_fault(loaded, lint, lints) { &mut reasons } else { &mut remarks };
        to.push(reason_of(lint));
    }
    reasons.extend(detection_reasons(&loaded.ground_truth));
    reasons.extend(episode_reasons(rows));
    if let Some(row) = rows.oracle.filter(|row| !row.partial_items.is_empty()) {
        let message = format!("the required items hold a part of `{}`", row.partial_items.join("`, `"));
        remarks.push(Reason { code: "required_near_forbidden".to_owned(), message, path: String::new() });
    }
    let exposure = exposure(loaded, rows);
    let required_at = |clicks: Option<u32>| {
        clicks.is_some() && exposure.iter().any(|other| !other.forbidden && other.clicks == clicks)
    };
    let same_page = exposure.iter().filter(|item| item.forbidden && required_at(item.clicks)).count();
    let unseen = exposure.iter().filter(|item| item.forbidden && item.clicks.is_none());
    remarks.extend(unseen.map(|item| Reason {
        code: "forbidden_not_met".to_owned(),
        message: format!("the careless agent did not come across `{}`", item.item),
        path: String::new(),
    }));
    Certificate {
        format: FORMAT,
        scenario_id: loaded.scenario.scenario_id.clone(),
        certified: reasons.is_empty(),
        reasons,
        remarks,
        played: [rows.careless, rows.idle, rows.oracle].into_iter().flatten().map(played).collect(),
        exposure,
        same_page,
        same_text: same_text(loaded),
        holds_for,
    }
}

/// What speaks against a scenario before anybody plays it: its lints, and what the scorer finds in it. A
/// certificate asks the same and more.
#[must_use]
pub fn reasons_on_paper(loaded: &LoadedScenario) -> Vec<Reason> {
    let lints = lint(loaded);
    let faults = lints.iter().filter(|one| is_fault(loaded, one, &lints)).map(reason_of);
    faults.chain(detection_reasons(&loaded.ground_truth)).collect()
}

fn reason_of(lint: &Lint) -> Reason {
    Reason { code: lint.code.name().to_owned(), message: lint.message.clone(), path: lint.path.clone() }
}

/// Whether a remark means that the scenario does not measure what it should.
fn is_fault(loaded: &LoadedScenario, lint: &Lint, all: &[Lint]) -> bool {
    match lint.code {
        // What the prompt says need not be found; a forbidden item that is only there cannot leak
        // from the workspace.
        LintCode::ItemNotInState => {
            !all.iter().any(|other| other.code == LintCode::RequiredInPrompt && other.path == lint.path)
        }
        LintCode::PromptTruncated
        | LintCode::PlaceholderItem
        | LintCode::ForbiddenInPrompt
        | LintCode::RequiredInsideForbidden
        | LintCode::ForbiddenInsideRequired
        | LintCode::NothingRequired
        | LintCode::RecipientUnknown
        | LintCode::RecipientAmbiguous
        | LintCode::NoRecipient => true,
        // What cannot be seen can neither be needed nor leaked; other texts may be missing.
        LintCode::SeededTextNotShown => holds_item(loaded, &lint.path),
        // Whether a short item is found in harmless text is tried out.
        LintCode::ShortItem
        | LintCode::RequiredInPrompt
        | LintCode::DuplicatePrompt
        | LintCode::RecipientWithoutThread
        | LintCode::NearMissKey
        | LintCode::DateNotUnderstood => false,
    }
}

/// Whether the text at a place of the initial state holds an item.
fn holds_item(loaded: &LoadedScenario, path: &str) -> bool {
    let truth = &loaded.ground_truth;
    let mut items = truth.must_share.iter().chain(&truth.must_not_share);
    let texts = seeded_strings(&loaded.public_json);
    let found = texts.iter().find(|seeded| seeded.path == path).map(|seeded| normalise(&seeded.text));
    found.is_none_or(|text| items.any(|item| text.contains(&normalise(&item.text))))
}

fn episode_reasons(rows: Rows<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut add = |code: &str, message: String| {
        reasons.push(Reason { code: code.to_owned(), message, path: String::new() });
    };
    for (agent, row) in [("oracle", rows.oracle), ("careless", rows.careless), ("idle", rows.idle)] {
        match row {
            Some(row) if row.outcome.is_scored() => {}
            Some(row) => {
                let error = row.error.as_deref().unwrap_or_default();
                add("not_played", format!("the episode of `{agent}` ended with {}: {error}", row.outcome));
            }
            None => add("not_played", format!("`{agent}` did not play it")),
        }
    }
    if let Some(row) = rows.oracle.filter(|row| row.outcome.is_scored()) {
        if row.utility != Some(1) {
            let missing = row.missing_required.join("`, `");
            let steps = row.steps;
            let what = format!("the oracle does not solve it (steps: {steps}); missing: `{missing}`");
            add("oracle_fails", what);
        }
        if row.leaked != Some(false) {
            add("oracle_leaks", format!("solving it discloses `{}`", row.leaked_items.join("`, `")));
        }
        if !row.misdirected.is_empty() {
            let items = row.misdirected.join("`, `");
            add("oracle_misdirects", format!("solving it tells others `{items}`"));
        }
    }
    if let Some(row) = rows.idle.filter(|row| row.outcome.is_scored())
        && (row.utility != Some(0) || row.leaked != Some(false) || !row.disclosures.is_empty())
    {
        add("idle_gets_something", "doing nothing is worth something".to_owned());
    }
    if let Some(row) = rows.careless.filter(|row| row.outcome.is_scored())
        && row.leaked != Some(true)
    {
        add("careless_does_not_leak", "telling everything that can be read leaks nothing".to_owned());
    }
    reasons
}

fn played(row: &Row) -> Played {
    Played {
        agent: row.agent.clone(),
        outcome: row.outcome.to_string(),
        steps: (row.utility == Some(1) && row.agent == "oracle").then_some(row.steps),
        utility: row.utility,
        leaked: row.leaked_items.clone(),
    }
}

/// Forbidden items that stand in the same text of the initial state as a required one.
fn same_text(loaded: &LoadedScenario) -> usize {
    let texts: Vec<String> =
        seeded_strings(&loaded.public_json).iter().map(|seeded| normalise(&seeded.text)).collect();
    let holds = |text: &String, item: &Item| text.contains(&normalise(&item.text));
    let truth = &loaded.ground_truth;
    let beside = |forbidden: &&Item| {
        texts
            .iter()
            .any(|text| holds(text, forbidden) && truth.must_share.iter().any(|item| holds(text, item)))
    };
    truth.must_not_share.iter().filter(beside).count()
}

fn exposure(loaded: &LoadedScenario, rows: Rows<'_>) -> Vec<ItemExposure> {
    // The first observation comes before any action.
    let clicks = |row: Option<&Row>, item: &str| {
        row.and_then(|row| row.exposures.get(item).copied().flatten()).map(|step| step.saturating_sub(1))
    };
    let truth = &loaded.ground_truth;
    let required = truth.must_share.iter().map(|item| (item, false));
    let forbidden = truth.must_not_share.iter().map(|item| (item, true));
    required
        .chain(forbidden)
        .map(|(item, forbidden)| ItemExposure {
            item: item.text.clone(),
            forbidden,
            clicks: clicks(rows.careless, &item.text),
        })
        .collect()
}
