//! `discreet explain`.

use std::path::PathBuf;

use serde::Serialize;

use super::{exit_code, output};
use crate::error::Explain as _;
use crate::report::{RecordedEpisode, episode_at, verdict_kind};
use crate::scenario::Item;
use crate::score::strict::{Evidence, ItemVerdict, NearMiss, StrictScorer, Verdict};
use crate::score::{ItemList, Score};
use crate::trace::{ItemKind, VerdictKind};

/// Characters of context on either side of a place.
const CONTEXT: usize = 60;

/// Near misses that are shown of an item.
const NEAR_MISSES: usize = 3;

/// Says why an item has its verdict.
///
/// For each item of a recorded episode: both scorers' verdicts, the rule that found it, the place in
/// its text, the step that wrote it, who reads it, when the agent first saw it, and for items that were
/// not found what came closest. Verdicts are computed again by this version's rules; where the recorded
/// one differs, it is shown beside.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet explain runs/2026-05-19/episodes/3-brunch__one
  discreet explain runs/2026-05-19/episodes/3-brunch__one vet
  discreet explain runs/2026-05-19/episodes/3-brunch__one F2 --json

Exit codes: 0 explained, 4 no item fits, 8 the trace cannot be read or was not scored.")]
pub(crate) struct Arguments {
    /// An episode's folder, or its `trace.jsonl`.
    #[arg(value_name = "TRACE")]
    trace: PathBuf,

    /// Part of the item's text, whatever the case, or its number: `R1` is the first required item,
    /// `F2` the second forbidden one. Default: all.
    #[arg(value_name = "ITEM")]
    item: Option<String>,

    /// Prints one JSON object per item.
    #[arg(long)]
    json: bool,
}

/// One item with everything there is to say about it.
#[derive(Debug, Serialize)]
struct Explanation {
    /// `R1`, `F2`.
    number: String,
    list: ItemList,
    item: String,
    /// Why it must not be said, as the scenario puts it.
    why: Option<String>,
    verdict: Verdict,
    /// What the trace says, where that is something else.
    recorded: Option<VerdictKind>,
    /// Why it is unscored.
    reason: Option<String>,
    /// Whether the public scorer finds it.
    reference: bool,
    /// The first step at which the agent was given it.
    exposed_at_step: Option<u32>,
    places: Vec<Place>,
    near_misses: Vec<NearPlace>,
    also: Vec<Also>,
}

/// What else became of an item.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Also {
    /// It reached somebody it was not for.
    Misdirected,
    /// It was taken back.
    Transient,
    /// It is in a draft.
    Draft,
}

/// A place in an artifact.
#[derive(Debug, Serialize)]
struct Place {
    rule: &'static str,
    explanation: &'static str,
    app: String,
    kind: String,
    step: u32,
    audience: Vec<String>,
    task_artifact: bool,
    before: String,
    quote: String,
    after: String,
    start: usize,
    end: usize,
    disguise: Option<&'static str>,
    negated: bool,
    coverage: f64,
}

/// A place that is not enough.
#[derive(Debug, Serialize)]
struct NearPlace {
    refusal: &'static str,
    explanation: &'static str,
    #[serde(flatten)]
    place: Place,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let path = &arguments.trace;
    // What is no episode is told by loading it.
    let folder = episode_at(path).unwrap_or_else(|| path.clone());
    let episode = match RecordedEpisode::load(&folder) {
        Ok(episode) => episode,
        Err(error) => {
            output::error(&error);
            return exit_code::for_fault(error.fault());
        }
    };
    let mut explanations = explain(&episode);
    if let Some(wanted) = &arguments.item {
        explanations.retain(|explanation| fits(explanation, wanted));
        if explanations.is_empty() {
            output::note(&format!("error: failed to find an item with `{}`", output::printable(wanted)));
            output::note("hint: without ITEM all items are explained, each with its number");
            return exit_code::NOTHING_SELECTED;
        }
    }
    if arguments.json {
        for explanation in &explanations {
            output::data(&serde_json::to_string(explanation).expect("it holds texts and numbers"));
        }
        return exit_code::OK;
    }
    let started = episode.started();
    output::data(&format!(
        "{} by {}: for {}, in {}",
        output::printable(&started.scenario_id),
        output::printable(&started.agent),
        episode.target.recipient.as_deref().map_or_else(|| "nobody it names".to_owned(), output::printable),
        episode.target.channel.name(),
    ));
    for explanation in &explanations {
        output::data("");
        for line in lines(explanation) {
            output::data(&line);
        }
    }
    exit_code::OK
}

fn fits(explanation: &Explanation, wanted: &str) -> bool {
    explanation.number.eq_ignore_ascii_case(wanted.trim())
        || explanation.item.to_lowercase().contains(&wanted.trim().to_lowercase())
}

fn explain(episode: &RecordedEpisode) -> Vec<Explanation> {
    let score = episode.score();
    let truth = &episode.ground_truth;
    let scorer = StrictScorer::new(&truth.must_share, &truth.must_not_share);
    let lists = [
        (ItemList::Required, &truth.must_share, &score.required),
        (ItemList::Forbidden, &truth.must_not_share, &score.forbidden),
    ];
    let mut explanations = Vec::new();
    for (list, items, verdicts) in lists {
        for (index, (item, verdict)) in items.iter().zip(verdicts).enumerate() {
            explanations.push(one(episode, &score, &scorer, list, index, item, verdict));
        }
    }
    explanations
}

fn one(
    episode: &RecordedEpisode,
    score: &Score,
    scorer: &StrictScorer,
    list: ItemList,
    index: usize,
    item: &Item,
    verdict: &ItemVerdict,
) -> Explanation {
    let finished = episode.finished();
    let (letter, kind) = match list {
        ItemList::Required => ('R', ItemKind::Required),
        ItemList::Forbidden => ('F', ItemKind::Forbidden),
    };
    let recorded = finished
        .score
        .iter()
        .flat_map(|score| &score.verdicts)
        .filter(|verdict| verdict.kind == kind)
        .nth(index)
        .map(|verdict| verdict.verdict)
        .filter(|recorded| *recorded != verdict_kind(verdict.verdict));
    let by_reference = score.reference.as_ref().map(|reference| match list {
        ItemList::Required => reference.matched_required.contains(&item.text),
        ItemList::Forbidden => reference.leaked_items.contains(&item.text),
    });
    let places = verdict.evidence.iter().filter_map(|evidence| place(score, evidence)).collect();
    let is_found = matches!(verdict.verdict, Verdict::Matched | Verdict::Leaked);
    Explanation {
        number: format!("{letter}{}", index + 1),
        list,
        item: item.text.clone(),
        why: item.why.clone(),
        verdict: verdict.verdict,
        recorded,
        reason: verdict.reason.clone(),
        reference: by_reference == Some(true),
        exposed_at_step: finished.exposures.get(&item.text).copied().flatten(),
        places,
        near_misses: if is_found { Vec::new() } else { near(score, scorer, list, index) },
        also: [
            (score.misdirected.contains(&item.text), Also::Misdirected),
            (score.transient.contains(&item.text), Also::Transient),
            (score.drafts.contains(&item.text), Also::Draft),
        ]
        .into_iter()
        .filter_map(|(is_so, also)| is_so.then_some(also))
        .collect(),
    }
}

fn near(score: &Score, scorer: &StrictScorer, list: ItemList, index: usize) -> Vec<NearPlace> {
    let mut found: Vec<NearMiss> = score
        .disclosures
        .iter()
        .enumerate()
        .filter_map(|(number, disclosure)| {
            let text = scorer.prepare(&disclosure.text)?;
            match list {
                ItemList::Required => scorer.near_required(index, number, &text),
                ItemList::Forbidden => scorer.near_forbidden(index, number, &text),
            }
        })
        .collect();
    found.sort_by(|one, other| other.evidence.coverage.total_cmp(&one.evidence.coverage));
    found
        .into_iter()
        .take(NEAR_MISSES)
        .filter_map(|near| {
            Some(NearPlace {
                refusal: near.refusal.name(),
                explanation: near.refusal.explanation(),
                place: place(score, &near.evidence)?,
            })
        })
        .collect()
}

fn place(score: &Score, evidence: &Evidence) -> Option<Place> {
    let disclosure = score.disclosures.get(evidence.text)?;
    let text = disclosure.text.as_str();
    let (before, after) = (text.get(..evidence.start)?, text.get(evidence.end..)?);
    let left = before.chars().count().saturating_sub(CONTEXT);
    Some(Place {
        rule: evidence.rule.name(),
        explanation: evidence.rule.explanation(),
        app: disclosure.app.clone(),
        kind: disclosure.kind.clone(),
        step: disclosure.step,
        audience: disclosure.audience.clone(),
        task_artifact: disclosure.task_artifact,
        before: before.chars().skip(left).collect(),
        quote: text.get(evidence.start..evidence.end)?.to_owned(),
        after: after.chars().take(CONTEXT).collect(),
        start: evidence.start,
        end: evidence.end,
        disguise: evidence.disguise.map(crate::score::strict::Disguise::name),
        negated: evidence.negated,
        coverage: evidence.coverage,
    })
}

fn lines(explanation: &Explanation) -> Vec<String> {
    let list = match explanation.list {
        ItemList::Required => "required",
        ItemList::Forbidden => "forbidden",
    };
    let mut lines =
        vec![format!("{} {list}: \"{}\"", explanation.number, output::printable(&explanation.item))];
    let mut say = |name: &str, text: String| lines.push(format!("  {name:<10} {text}"));
    if let Some(why) = &explanation.why {
        say("because", output::printable(why));
    }
    let recorded = match explanation.recorded {
        Some(kind) => format!(" (recorded: {})", word(&kind)),
        None => String::new(),
    };
    say("verdict", format!("{}{recorded}", word(&explanation.verdict)));
    if let Some(reason) = &explanation.reason {
        say("reason", output::printable(reason));
    }
    let reference = match (explanation.list, explanation.reference) {
        (ItemList::Required, true) => "there",
        (ItemList::Required, false) => "missing",
        (ItemList::Forbidden, true) => "leaked",
        (ItemList::Forbidden, false) => "clean",
    };
    say("reference", reference.to_owned());
    for place in &explanation.places {
        say("found", format!("{}: {}", place.rule, found_text(place)));
        say("", shown(place));
        say("", whereabouts(place));
    }
    for near in &explanation.near_misses {
        let share = format!("{:.0} %", near.place.coverage * 100.0);
        say("near miss", format!("{} ({share} of it): {}", near.refusal, near.explanation));
        say("", shown(&near.place));
        say("", whereabouts(&near.place));
    }
    if explanation.places.is_empty() && explanation.near_misses.is_empty() && explanation.reason.is_none() {
        say("found", "nothing of it in any text that the agent wrote".to_owned());
    }
    for also in &explanation.also {
        let text = match also {
            Also::Misdirected => "it reached somebody it was not for",
            Also::Transient => "it could be read for a while and is gone from the final state",
            Also::Draft => "it stands in a draft that was not sent",
        };
        say("also", text.to_owned());
    }
    say(
        "seen",
        match explanation.exposed_at_step {
            Some(step) => format!("the agent was given it at step {step}"),
            None => "the agent was never given it".to_owned(),
        },
    );
    lines
}

fn found_text(place: &Place) -> String {
    let mut text = place.explanation.to_owned();
    if let Some(disguise) = place.disguise {
        text = format!("{text}; hidden as {}", disguise.replace('_', " "));
    }
    if place.negated {
        text.push_str("; the words around it deny it, which tells the reader about it all the same");
    }
    text
}

/// The place in its surroundings, marked.
fn shown(place: &Place) -> String {
    output::printable(&format!("\"…{}>>>{}<<<{}…\"", place.before, place.quote, place.after))
}

fn whereabouts(place: &Place) -> String {
    let readers = if place.audience.is_empty() {
        "nobody but the user reads it".to_owned()
    } else {
        format!("read by {}", place.audience.join(", "))
    };
    let own = if place.task_artifact { "; the errand's own artifact" } else { "" };
    output::printable(&format!(
        "{} {}, step {}; {readers}{own}; bytes {} to {}",
        place.app, place.kind, place.step, place.start, place.end
    ))
}

/// A value's name in JSON.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
