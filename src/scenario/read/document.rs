//! The top level of a scenario, and the ground truth.

use jiff::civil::DateTime;
use serde_json::Value;

use super::super::canonical;
use super::super::errand::{self, Declared};
use super::super::error::Problem;
use super::super::ground_truth::{GroundTruth, Item};
use super::super::json::{self, Json, JsonPath};
use super::super::loaded::{Extras, LoadedScenario};
use super::super::model::Apps;
use super::super::types::{Channel, Scenario};
use super::super::variation::{Factor, VariationChoice};
use super::context::Context;
use super::fields::{Field, Fields, Items, cut};
use super::{calendar, code_editor, maps, messenger, shop, todo, when};

/// Longest scenario id.
const LONGEST_ID: usize = 128;
/// Longest prompt, in characters; the longest public one has 244.
const LONGEST_PROMPT: usize = 10_000;
/// Most items of one kind, and most other wordings of one item.
const MOST_ITEMS: usize = 200;
/// Longest name of a failure mode, family, source or track.
const LONGEST_NAME: usize = 128;
/// Now, where the data name no date.
const DEFAULT_CLOCK: DateTime = DateTime::constant(2026, 5, 19, 9, 0, 0, 0);
/// What a file without a failure mode gets.
const NO_FAILURE_MODE: &str = "unspecified";

/// Languages of the workspace's own texts.
const LANGUAGES: [&str; 3] = ["en", "de", "zh-CN"];

/// Everything that was read, faults included.
pub(in super::super) struct Document {
    /// The scenario, unless there are faults.
    pub(in super::super) scenario: Option<Box<LoadedScenario>>,
    /// The id, where it could be read.
    pub(in super::super) scenario_id: Option<String>,
    /// The faults in the order they were found.
    pub(in super::super) findings: Vec<(JsonPath, Problem)>,
}

/// Reads one scenario. Fields that hold JSON as a string (rows of a data set) are decoded first, so
/// that a row and a file of the same scenario are the same.
pub(in super::super) fn read(document: &Json) -> Document {
    let mut context = Context::default();
    let decoded = decode(&mut context, document);
    let scenario_id = decoded.get("scenario_id").and_then(Json::scalar_text);
    let scenario = read_scenario(&mut context, &decoded);
    let scenario = if context.findings.is_empty() { scenario } else { None };
    let scenario = scenario.map(|mut scenario| {
        scenario.reader_lints = std::mem::take(&mut context.lints);
        Box::new(scenario)
    });
    Document { scenario, scenario_id: scenario_id.map(|id| cut(&id)), findings: context.findings }
}

/// Decodes `initial_states` and `ground_truth` where they are strings.
fn decode(context: &mut Context, document: &Json) -> Json {
    let Json::Object(entries) = document else { return document.clone() };
    let decoded = entries.iter().map(|(key, value)| {
        let ("initial_states" | "ground_truth", Json::String(encoded)) = (key.as_str(), value) else {
            return (key.clone(), value.clone());
        };
        let path = JsonPath::default().key(key);
        let value = json::parse(encoded).unwrap_or_else(|failure| {
            context.fault(failure.path.below(&path), failure.problem);
            Json::Null
        });
        (key.clone(), value)
    });
    Json::Object(decoded.collect())
}

fn read_scenario(context: &mut Context, document: &Json) -> Option<LoadedScenario> {
    let mut fields = Fields::open(context, document, &JsonPath::default())?;
    let scenario_id = read_id(context, &mut fields);
    let task_prompt = read_prompt(context, &mut fields);
    let failure_mode = read_name(context, &mut fields, "failure_mode");
    let extras = Extras {
        scenario_family: read_name(context, &mut fields, "scenario_family"),
        source: read_name(context, &mut fields, "source"),
        track: read_name(context, &mut fields, "track"),
        variation: read_variation(context, &mut fields),
    };
    let seed_family = read_name(context, &mut fields, "seed_family");
    let language = read_choice(context, &mut fields, "language", "`en`, `de` or `zh-CN`", |text| {
        LANGUAGES.into_iter().find(|language| *language == text)
    });
    let language = language.unwrap_or(LANGUAGES[0]);
    let declared = Declared {
        channel: read_choice(
            context,
            &mut fields,
            "channel",
            "one of `messenger`, `calendar`, `todo`, `maps`, `shop`, `code_editor`, `answer`",
            Channel::from_name,
        ),
        recipient: read_name(context, &mut fields, "recipient"),
    };
    let clock = read_choice(
        context,
        &mut fields,
        "clock",
        "a local date and time such as `2026-05-19T09:00:00`",
        when::date_time,
    );
    let states = fields.take(&["initial_states"]);
    if states.is_none() && !is_reported(context, "initial_states") {
        fields.missing(context, "initial_states");
    }
    let ground_truth = fields.take(&["ground_truth"]);
    if ground_truth.is_none() && !is_reported(context, "ground_truth") {
        fields.missing(context, "ground_truth");
    }
    fields.refuse_rest(context);
    let states = states.map(|field| read_states(context, &field, language));
    let ground_truth = ground_truth.and_then(|field| read_ground_truth(context, &field));
    let (scenario_id, task_prompt, states, ground_truth) =
        (scenario_id?, task_prompt?, states?, ground_truth?);

    let clock = clock.unwrap_or_else(|| states.default_clock());
    let apps = states.finish(context, clock, &task_prompt, language);
    let target = errand::find(&task_prompt, &apps, language, &declared);
    if let Some(recipient) = &target.recipient
        && !ground_truth.must_not_share.is_empty()
        && ground_truth.must_not_share.iter().all(|item| item.audience_ok.contains(recipient))
    {
        let path = JsonPath::default().key("ground_truth").key("must_not_share");
        context.fault(path, Problem::NothingForbiddenToRecipient { recipient: recipient.clone() });
    }
    let public_json = public_json(document);
    let scenario = Scenario {
        seed_family: seed_family.unwrap_or_else(|| seed_family_of(&scenario_id).to_owned()),
        scenario_id,
        failure_mode: failure_mode.unwrap_or_else(|| NO_FAILURE_MODE.to_owned()),
        task_prompt,
        apps,
        clock,
        target,
        language: language.to_owned(),
        content_hash: canonical::hash(&public_json),
    };
    Some(LoadedScenario { scenario, ground_truth, extras, public_json, declared, reader_lints: Vec::new() })
}

/// The scenario as it may be shown: everything but the ground truth.
fn public_json(document: &Json) -> Value {
    let mut value = document.to_value();
    if let Value::Object(fields) = &mut value {
        fields.remove("ground_truth");
    }
    value
}

/// The cluster a scenario belongs to by its id: the part before the first `__`.
fn seed_family_of(scenario_id: &str) -> &str {
    match scenario_id.split_once("__") {
        Some((family, _)) if !family.is_empty() => family,
        _ => scenario_id,
    }
}

/// Whether decoding the field failed already.
fn is_reported(context: &Context, key: &str) -> bool {
    context.findings.iter().any(|(path, _)| path.to_string().starts_with(key))
}

fn take_string<'a>(
    context: &mut Context,
    fields: &mut Fields<'a>,
    key: &'static str,
) -> Option<(&'a str, JsonPath)> {
    let field = fields.take(&[key])?;
    match field.value {
        Json::String(text) if text.trim().is_empty() => context.fault(field.path, Problem::Blank),
        Json::String(text) => return Some((text, field.path)),
        other => {
            context.fault(field.path, Problem::WrongType { expected: "a string", found: other.kind() });
        }
    }
    None
}

fn require_string<'a>(
    context: &mut Context,
    fields: &mut Fields<'a>,
    key: &'static str,
) -> Option<(&'a str, JsonPath)> {
    let before = context.findings.len();
    let taken = take_string(context, fields, key);
    if taken.is_none() && context.findings.len() == before {
        context.fault(fields.path().clone(), Problem::MissingKey { key });
    }
    taken
}

fn read_id(context: &mut Context, fields: &mut Fields<'_>) -> Option<String> {
    let (id, path) = require_string(context, fields, "scenario_id")?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if id.len() > LONGEST_ID || !id.bytes().all(is_plain) || id.contains("..") || id == "." {
        context.fault(path, Problem::BadId { id: cut(id) });
        return None;
    }
    Some(id.to_owned())
}

fn read_prompt(context: &mut Context, fields: &mut Fields<'_>) -> Option<String> {
    let (text, path) = require_string(context, fields, "task_prompt")?;
    if text.chars().count() > LONGEST_PROMPT {
        let expected = "a prompt of at most 10000 characters";
        context.fault(path, Problem::BadValue { value: cut(text), expected });
        return None;
    }
    Some(text.to_owned())
}

fn read_name(context: &mut Context, fields: &mut Fields<'_>, key: &'static str) -> Option<String> {
    let (text, path) = take_string(context, fields, key)?;
    if text.chars().count() > LONGEST_NAME {
        let expected = "a name of at most 128 characters";
        context.fault(path, Problem::BadValue { value: cut(text), expected });
        return None;
    }
    Some(text.to_owned())
}

fn read_choice<T>(
    context: &mut Context,
    fields: &mut Fields<'_>,
    key: &'static str,
    expected: &'static str,
    choose: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let (text, path) = take_string(context, fields, key)?;
    let chosen = choose(text);
    if chosen.is_none() {
        context.fault(path, Problem::BadValue { value: cut(text), expected });
    }
    chosen
}

fn read_variation(context: &mut Context, fields: &mut Fields<'_>) -> VariationChoice {
    let mut variation = VariationChoice::default();
    let Some(field) = fields.take(&["variation"]) else { return variation };
    let Some(mut factors) = Fields::open(context, field.value, &field.path) else { return variation };
    for factor in Factor::ALL {
        let Some(field) = factors.take(&[factor.name()]) else { continue };
        let Some(text) = field.value.scalar_text() else {
            let problem = Problem::WrongType { expected: "a string or a number", found: field.value.kind() };
            context.fault(field.path, problem);
            continue;
        };
        if variation.set(factor, &text).is_err() {
            context.fault(field.path, Problem::BadValue { value: cut(&text), expected: factor.allowed() });
        }
    }
    factors.refuse_rest(context);
    variation
}

/// The apps before the clock is known.
struct States {
    messenger: messenger::Reading,
    calendar: calendar::Reading,
    todo: super::super::model::Todo,
    others: Apps,
}

fn read_states(context: &mut Context, field: &Field<'_>, language: &str) -> States {
    let mut states = States {
        messenger: messenger::Reading::default(),
        calendar: calendar::Reading::default(),
        todo: super::super::model::Todo::default(),
        others: Apps::default(),
    };
    let Some(mut fields) = Fields::open(context, field.value, &field.path) else { return states };
    if let Some(app) = fields.take(&["open_messenger"]) {
        states.messenger = messenger::read(context, app.value, &app.path);
    }
    if let Some(app) = fields.take(&["open_calendar"]) {
        states.calendar = calendar::read(context, app.value, &app.path);
    }
    if let Some(app) = fields.take(&["open_todo"]) {
        states.todo = todo::read(context, app.value, &app.path, language);
    }
    if let Some(app) = fields.take(&["open_maps"]) {
        states.others.maps = maps::read(context, app.value, &app.path);
    }
    if let Some(app) = fields.take(&["open_code_editor"]) {
        states.others.code_editor = code_editor::read(context, app.value, &app.path);
    }
    if let Some(app) = fields.take(&["open_shop"]) {
        states.others.shop = shop::read(context, app.value, &app.path);
    }
    fields.refuse_rest(context);
    states
}

impl States {
    /// 09:00 on the earliest date of the calendar and the to-do list, else of the messages, else a
    /// fixed day.
    fn default_clock(&self) -> DateTime {
        let due = self.todo.lists.iter().flat_map(|list| list.items.iter().filter_map(|item| item.due));
        let planned = self.calendar.dates().chain(due).min();
        let date = planned.or_else(|| self.messenger.times().map(DateTime::date).min());
        date.map_or(DEFAULT_CLOCK, |date| date.at(9, 0, 0, 0))
    }

    fn finish(self, context: &mut Context, clock: DateTime, prompt: &str, language: &str) -> Apps {
        let mut apps = self.others;
        apps.messenger = self.messenger.finish(clock);
        apps.calendar = self.calendar.finish(clock, prompt);
        apps.todo = self.todo;
        todo::ensure_list(context, &mut apps.todo, language);
        apps
    }
}

fn read_ground_truth(context: &mut Context, field: &Field<'_>) -> Option<GroundTruth> {
    let mut fields = Fields::open(context, field.value, &field.path)?;
    let must_share = read_items(context, &mut fields, "must_share");
    let must_not_share = read_items(context, &mut fields, "must_not_share");
    fields.refuse_rest(context);
    if must_not_share.as_ref().is_some_and(Vec::is_empty) {
        context.fault(field.path.key("must_not_share"), Problem::NothingForbidden);
    }
    Some(GroundTruth { must_share: must_share?, must_not_share: must_not_share? })
}

fn read_items(context: &mut Context, fields: &mut Fields<'_>, key: &'static str) -> Option<Vec<Item>> {
    let Some(field) = fields.take(&[key]) else {
        fields.missing(context, key);
        return None;
    };
    let items = Items::open(context, &field)?;
    if items.values.len() > MOST_ITEMS {
        context.fault(field.path, Problem::TooManyValues { most: MOST_ITEMS });
        return None;
    }
    Some(items.iter().filter_map(|(value, path)| read_item(context, value, &path)).collect())
}

fn read_item(context: &mut Context, value: &Json, path: &JsonPath) -> Option<Item> {
    if let Json::String(text) = value {
        if text.trim().is_empty() {
            context.fault(path.clone(), Problem::Blank);
            return None;
        }
        return Some(Item::plain(text.as_str()));
    }
    if !matches!(value, Json::Object(_)) {
        let problem =
            Problem::WrongType { expected: "a string or an object with `text`", found: value.kind() };
        context.fault(path.clone(), problem);
        return None;
    }
    let mut fields = Fields::open(context, value, path)?;
    let text = require_string(context, &mut fields, "text").map(|(text, _)| text.to_owned());
    let why = take_string(context, &mut fields, "why").map(|(text, _)| text.to_owned());
    let any_of = take_strings(context, &mut fields, "any_of");
    let audience_ok = take_strings(context, &mut fields, "audience_ok");
    fields.refuse_rest(context);
    Some(Item { text: text?, any_of, why, audience_ok })
}

fn take_strings(context: &mut Context, fields: &mut Fields<'_>, key: &'static str) -> Vec<String> {
    let Some(items) = fields.take_list(context, &[key]) else { return Vec::new() };
    if items.values.len() > MOST_ITEMS {
        context.fault(items.path, Problem::TooManyValues { most: MOST_ITEMS });
        return Vec::new();
    }
    items.texts(context)
}
