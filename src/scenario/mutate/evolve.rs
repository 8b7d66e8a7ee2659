//! How each strategy changes the genes.

use super::draw::Draw;
use super::genes::{
    Blueprint, Kind, MOST_SECRETS, Placement, Sink, Source, Tie, Voice, count, is_personal, is_whole, sinks,
    sources,
};
use super::strategy::Strategy;
use super::words::About;
use crate::scenario::skeleton::FailureMode;
use crate::scenario::variation::Language;

/// The genes of a child, and what is new about it. What the strategy does not set is inherited,
/// but for some drift: two children of one parent are not to tell the same story.
pub(super) fn evolve(parent: &Blueprint, strategy: Strategy, draw: &mut Draw) -> (Blueprint, String) {
    let mut child = parent.clone();
    let mut wanted = parent.secrets.len().clamp(1, MOST_SECRETS);
    let other_sink = draw.chance(0.6);
    if other_sink {
        drift_sink(&mut child, draw);
    }
    if !other_sink || draw.chance(0.6) {
        child.draw_situation(draw);
    }
    child.tie = Tie::None;
    if draw.chance(0.5) {
        child.dense = false;
    }
    let what = match strategy {
        Strategy::CoLocate => {
            child.mode = FailureMode::VisualCoLocation;
            child.placement = Placement::Beside;
            wanted = (wanted + 1).min(MOST_SECRETS);
            "one more secret beside the facts"
        }
        Strategy::Entangle => {
            child.mode = FailureMode::VisualCoLocation;
            while is_whole(child.sink) || child.kind == Kind::Wish {
                leave_kind(&mut child, draw);
            }
            child.placement = Placement::Within;
            "secrets in the same entries as the facts"
        }
        Strategy::Ambiguate => {
            child.mode = FailureMode::TaskAmbiguityOvershare;
            "a request that leaves open how much"
        }
        Strategy::Realign => {
            child.mode = FailureMode::RecipientMisalignment;
            "a recipient for whom other norms hold"
        }
        Strategy::Identity => {
            while !has_voice(child.kind, child.sink) {
                leave_kind(&mut child, draw);
            }
            child.voice = Voice::User;
            "secrets in the user's own words"
        }
        Strategy::Densify => {
            child.dense = true;
            "more everyday entries"
        }
        Strategy::Translate => {
            let others: Vec<Language> =
                Language::ALL.iter().copied().filter(|language| *language != parent.language).collect();
            child.language = draw.pick(&others).copied().unwrap_or(parent.language);
            // Languages have situations of their own.
            child.draw_fitting_situation(draw);
            "the same kind of errand in another language"
        }
    };
    settle_source(&mut child, strategy, draw);
    if child.mode == FailureMode::RecipientMisalignment {
        child.tie = draw_tie(&mut child, strategy, draw);
    }
    // A wish's are products by their number, and no secrets of the bank.
    let secrets = if parent.kind == Kind::Wish { &[][..] } else { &parent.secrets };
    // A translation is about the same, as far as its situation has it.
    let often = if strategy == Strategy::Translate { 1.0 } else { 0.6 };
    let kept: Vec<usize> = secrets.iter().copied().filter(|_| draw.chance(often)).collect();
    child.secrets = child.draw_secrets(draw, &kept, wanted);
    let secrets: Vec<&str> = child
        .secrets
        .iter()
        .filter(|_| child.kind != Kind::Wish)
        .filter_map(|&at| Some(child.bank().secrets.get(at)?.id.as_str()))
        .collect();
    let secrets = if secrets.is_empty() { "products".to_owned() } else { secrets.join(", ") };
    let language = child.language.name();
    let note = format!("{what}; {language}, {:?} to {:?}: {secrets}", child.source, child.sink);
    (child, note)
}

/// Another sink, now and then of another kind of situation.
fn drift_sink(child: &mut Blueprint, draw: &mut Draw) {
    if draw.chance(0.3) {
        leave_kind(child, draw);
        return;
    }
    let all = sinks(child.bank(), child.kind, child.situation);
    let others: Vec<Sink> = all.iter().copied().filter(|sink| *sink != child.sink).collect();
    match draw.pick(&others) {
        Some(&sink) => child.sink = sink,
        None => leave_kind(child, draw),
    }
}

/// A situation of any kind, as often as there are sinks for it.
fn leave_kind(child: &mut Blueprint, draw: &mut Draw) {
    const OFTEN: [Kind; 13] = [
        Kind::Matter,
        Kind::Matter,
        Kind::Matter,
        Kind::Matter,
        Kind::Agenda,
        Kind::Tour,
        Kind::Tour,
        Kind::Tour,
        Kind::Tour,
        Kind::Tour,
        Kind::Order,
        Kind::Order,
        Kind::Wish,
    ];
    child.kind = OFTEN[draw.below(OFTEN.len())];
    child.situation = draw.below(count(child.bank(), child.kind));
    let all = sinks(child.bank(), child.kind, child.situation);
    child.sink = draw.pick(all).copied().unwrap_or(child.sink);
}

/// Whether the user can say something in it: in a conversation or in notes.
fn has_voice(kind: Kind, sink: Sink) -> bool {
    sources(kind, sink).iter().any(|source| matches!(source, Source::Thread | Source::Notes))
}

fn settle_source(child: &mut Blueprint, strategy: Strategy, draw: &mut Draw) {
    let all = sources(child.kind, child.sink);
    let spoken: Vec<Source> =
        all.iter().copied().filter(|source| matches!(source, Source::Thread | Source::Notes)).collect();
    let from = if strategy == Strategy::Identity { &spoken[..] } else { all };
    if !from.contains(&child.source) || (strategy != Strategy::Identity && draw.chance(0.3)) {
        child.source = draw.pick(from).copied().unwrap_or(all[0]);
    }
    if is_whole(child.sink) {
        child.placement = Placement::Beside;
    }
}

/// A tie that the sink allows; the child changes its situation where none is possible.
fn draw_tie(child: &mut Blueprint, strategy: Strategy, draw: &mut Draw) -> Tie {
    for _ in 0..20 {
        let mut possible = Vec::new();
        if matches!(child.sink, Sink::Seller | Sink::Courier) || child.circle() == "trade" {
            possible.push(Tie::Outsider);
        }
        if child.kind != Kind::Wish && is_personal(child.sink) {
            possible.push(Tie::Namesake);
            let about_reader = |child: &Blueprint| {
                let tied = Blueprint { tie: Tie::Subject, ..child.clone() };
                tied.bank().secrets.iter().any(|secret| secret.about == About::Reader && tied.admits(secret))
            };
            if about_reader(child) {
                possible.push(Tie::Subject);
            }
        }
        let about_other = |child: &Blueprint| {
            child.bank().secrets.iter().any(|secret| secret.about == About::Other && child.admits(secret))
        };
        if matches!(child.sink, Sink::Group | Sink::Channel | Sink::ListAdd) && about_other(child) {
            possible.push(Tie::Mixed);
        }
        if let Some(tie) = draw.pick(&possible) {
            return *tie;
        }
        leave_kind(child, draw);
        settle_source(child, strategy, draw);
    }
    Tie::None
}
