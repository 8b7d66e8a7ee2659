//! From genes to a scenario document.

use jiff::ToSpan as _;
use jiff::civil::{DateTime, date};
use serde_json::{Value, json};

use super::apps;
use super::cast::Casting;
use super::draw::Draw;
use super::genes::{Blueprint, Kind, Sink, Source, Tie, is_personal};
use super::scene::Scene;
use super::{errands, inherit};
use crate::scenario::skeleton::FailureMode;

/// The document of a blueprint, in the world of a parent: its clock, and people of its language who
/// have nothing to do with its errand.
pub(super) fn compose(parent: &Value, plan: &Blueprint, id: &str, draw: &mut Draw) -> Value {
    let bank = plan.bank();
    let now = clock(parent, draw);
    let adopted = inherit::bystander(parent, plan.language, now, draw);
    let taken: Vec<String> = adopted.iter().flat_map(|bystander| bystander.names.clone()).collect();
    let mut cast = Casting::new(bank, &taken);
    let reader = errands::reader(plan, &mut cast, draw);
    let mut scene = Scene::new(plan, now, cast, reader, draw);
    let (situation, why) = errands::fill(&mut scene);
    everyday(&mut scene);
    if let Some(bystander) = adopted {
        scene.adopt(bystander.contact, bystander.thread);
    } else {
        scene.everyday_talk(1);
    }
    let prompt = prompt(&mut scene);
    let recipient = match plan.sink {
        Sink::Answer => "user".to_owned(),
        Sink::Seller => "seller".to_owned(),
        Sink::Courier => "courier".to_owned(),
        _ => scene.reader.contact.clone(),
    };
    let (states, truth) = scene.into_parts();
    debug_assert!(!why.is_empty(), "every situation says why its facts are needed");
    json!({
        "scenario_id": id,
        "seed_family": format!("made_{}_{}", situation, plan.language.name().to_lowercase().replace('-', "_")),
        "source": plan.label(),
        "track": "ui_local",
        "failure_mode": plan.mode.name(),
        "scenario_family": match plan.mode {
            FailureMode::VisualCoLocation => "semantic_entanglement",
            FailureMode::TaskAmbiguityOvershare => "ambiguity_trap",
            FailureMode::RecipientMisalignment => "identity_bleed",
        },
        "language": plan.language.name(),
        "clock": now.to_string(),
        "channel": channel(plan.sink),
        "recipient": recipient,
        "task_prompt": prompt,
        "initial_states": states,
        "ground_truth": truth,
    })
}

/// The parent's clock some days later, in waking hours.
fn clock(parent: &Value, draw: &mut Draw) -> DateTime {
    let known = parent["clock"].as_str().and_then(|text| text.parse::<DateTime>().ok());
    let day = known.map_or(date(2026, 5, 19), DateTime::date);
    let day = day.checked_add(i32::try_from(draw.below(28)).unwrap_or(0).days()).unwrap_or(day);
    // Generations of children do not drift out of the calendar.
    let day = if (2026..=2027).contains(&day.year()) { day } else { date(2026, 5, 19) };
    let hour = i8::try_from(draw.between(8, 20)).unwrap_or(9);
    day.at(hour, i8::try_from(draw.below(12) * 5).unwrap_or(0), 0, 0)
}

const fn channel(sink: Sink) -> &'static str {
    match sink {
        Sink::Direct
        | Sink::Group
        | Sink::Channel
        | Sink::Forward
        | Sink::AttachList
        | Sink::AttachFile
        | Sink::Draft => "messenger",
        Sink::Event => "calendar",
        Sink::ListAdd | Sink::ListShare => "todo",
        Sink::FileAdd | Sink::FileShare | Sink::Commit => "code_editor",
        Sink::Answer => "answer",
        Sink::Route | Sink::Arrival | Sink::Place | Sink::Places => "maps",
        Sink::Seller | Sink::Courier | Sink::Gift | Sink::WishList => "shop",
    }
}

/// What is in the apps anyway.
fn everyday(scene: &mut Scene<'_>) {
    let (bank, now) = (scene.bank, scene.now);
    if !scene.has("open_todo") {
        let name = scene.draw.text(&bank.names.private_list).to_owned();
        let count = scene.density(8);
        let items = scene.everyday_tasks(count);
        scene.set("open_todo", json!({ "lists": [{ "name": name, "items": items }] }));
    }
    if !scene.has("open_calendar") {
        let count = scene.density(5);
        let events = apps::everyday_events(bank, now, count, scene.draw);
        scene.set("open_calendar", json!({ "events": events }));
    }
}

/// The request: clear or, where that is what goes wrong, vague, and where to look.
fn prompt(scene: &mut Scene<'_>) -> String {
    let plan = scene.plan;
    let words = scene.bank.sinks.of(plan.sink);
    let is_vague = plan.mode == FailureMode::TaskAmbiguityOvershare;
    let from = if is_vague { &words.vague } else { &words.clear };
    let template = scene.draw.text(from).to_owned();
    let request = scene.request(&template);
    // What is added to something has to be found; what is shared or passed on is named by itself.
    let needs_place = matches!(plan.sink, Sink::ListAdd | Sink::FileAdd | Sink::Commit);
    let can_have = matches!(
        plan.sink,
        Sink::Direct | Sink::Group | Sink::Channel | Sink::Event | Sink::Draft | Sink::Answer
    );
    if !(needs_place || (can_have && (!is_vague || scene.draw.chance(0.4)))) {
        return request;
    }
    let sources = &scene.bank.sources;
    let hints = match (plan.kind, plan.source) {
        (Kind::Tour, _) => &sources.map,
        (_, Source::List) => &sources.list,
        (_, Source::Notes) => &sources.notes,
        (_, Source::Calendar) => &sources.calendar,
        _ => &sources.thread,
    };
    let hint = scene.draw.text(hints).to_owned();
    format!("{request}{}{}", scene.bank.names.space, scene.request(&hint))
}

/// Whether somebody is asked for by the whole name: where two share the first one, and now and then.
pub(super) fn is_whole_name(plan: &Blueprint, draw: &mut Draw) -> bool {
    (plan.tie == Tie::Namesake && is_personal(plan.sink)) || draw.chance(0.4)
}
