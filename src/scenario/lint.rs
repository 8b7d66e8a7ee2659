//! Remarks about scenarios that load and may still measure badly.

use std::collections::HashMap;

use serde::Serialize;

use super::errand;
use super::ground_truth::Item;
use super::loaded::LoadedScenario;
use super::model;
use super::text::{contains_words, normalise};
use super::types::Channel;

/// What kind of remark it is. `docs/scenario.md` explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LintCode {
    /// An item occurs nowhere in the initial state.
    ItemNotInState,
    /// The prompt ends in the middle of a sentence.
    PromptTruncated,
    /// An item is a placeholder of a generator.
    PlaceholderItem,
    /// The prompt itself says what is forbidden.
    ForbiddenInPrompt,
    /// The prompt itself says what is required.
    RequiredInPrompt,
    /// A required item is part of a forbidden one.
    RequiredInsideForbidden,
    /// A forbidden item is part of a required one, so that sharing the one shares the other.
    ForbiddenInsideRequired,
    /// An item of three characters or fewer, which harmless text may hold by chance.
    ShortItem,
    /// Nothing is required, so that every agent is useful.
    NothingRequired,
    /// The recipient is no contact.
    RecipientUnknown,
    /// The recipient is a contact without a conversation.
    RecipientWithoutThread,
    /// Several contacts fit what the prompt says.
    RecipientAmbiguous,
    /// A message is asked for, and nothing says to whom.
    NoRecipient,
    /// Another scenario of the set has the same prompt.
    DuplicatePrompt,
    /// A key inside an app's state looks like a misspelt one; it is shown as a detail.
    NearMissKey,
    /// A date could not be read; the event stands on another day.
    DateNotUnderstood,
    /// A string of the initial state, or an item in it, is on no page of the workspace.
    SeededTextNotShown,
}

impl LintCode {
    /// The name used in `check --json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ItemNotInState => "item_not_in_state",
            Self::PromptTruncated => "prompt_truncated",
            Self::PlaceholderItem => "placeholder_item",
            Self::ForbiddenInPrompt => "forbidden_in_prompt",
            Self::RequiredInPrompt => "required_in_prompt",
            Self::RequiredInsideForbidden => "required_inside_forbidden",
            Self::ForbiddenInsideRequired => "forbidden_inside_required",
            Self::ShortItem => "short_item",
            Self::NothingRequired => "nothing_required",
            Self::RecipientUnknown => "recipient_unknown",
            Self::RecipientWithoutThread => "recipient_without_thread",
            Self::RecipientAmbiguous => "recipient_ambiguous",
            Self::NoRecipient => "no_recipient",
            Self::DuplicatePrompt => "duplicate_prompt",
            Self::NearMissKey => "near_miss_key",
            Self::DateNotUnderstood => "date_not_understood",
            Self::SeededTextNotShown => "seeded_text_not_shown",
        }
    }
}

/// One remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lint {
    /// What kind.
    pub code: LintCode,
    /// For a person.
    pub message: String,
    /// What it is about (`ground_truth.must_share[2]`, `task_prompt`).
    pub path: String,
}

/// Everything there is to remark about one scenario.
#[must_use]
pub fn lint(loaded: &LoadedScenario) -> Vec<Lint> {
    let mut lints = loaded.reader_lints.clone();
    lint_items(loaded, &mut lints);
    lint_prompt(&loaded.scenario.task_prompt, &mut lints);
    lint_recipient(loaded, &mut lints);
    lints
}

/// Remarks about a set: per scenario, in the same order, the remark that an earlier one has the same
/// prompt.
#[must_use]
pub fn lint_set(set: &[&LoadedScenario]) -> Vec<Vec<Lint>> {
    let mut first_use: HashMap<String, &str> = HashMap::new();
    set.iter()
        .map(|loaded| {
            let id = loaded.scenario.scenario_id.as_str();
            let first = *first_use.entry(normalise(&loaded.scenario.task_prompt)).or_insert(id);
            if first == id {
                return Vec::new();
            }
            let message = format!("`{first}` has the same prompt");
            vec![Lint { code: LintCode::DuplicatePrompt, message, path: "task_prompt".to_owned() }]
        })
        .collect()
}

/// An item with what it needs for comparisons.
struct Known<'a> {
    item: &'a Item,
    path: String,
    wordings: Vec<String>,
}

fn known<'a>(items: &'a [Item], key: &str) -> Vec<Known<'a>> {
    items
        .iter()
        .enumerate()
        .map(|(index, item)| Known {
            item,
            path: format!("ground_truth.{key}[{index}]"),
            wordings: item.wordings().map(normalise).filter(|wording| !wording.is_empty()).collect(),
        })
        .collect()
}

fn lint_items(loaded: &LoadedScenario, lints: &mut Vec<Lint>) {
    let required = known(&loaded.ground_truth.must_share, "must_share");
    let forbidden = known(&loaded.ground_truth.must_not_share, "must_not_share");
    let mut add =
        |code, path: &str, message: String| lints.push(Lint { code, message, path: path.to_owned() });
    if required.is_empty() {
        let message = "nothing is required, so every agent is useful".to_owned();
        add(LintCode::NothingRequired, "ground_truth.must_share", message);
    }
    let state: Vec<String> = model::texts(&loaded.scenario.apps).iter().map(|text| normalise(text)).collect();
    let prompt = normalise(&loaded.scenario.task_prompt);
    for known in required.iter().chain(&forbidden) {
        let text = &known.item.text;
        let is_in_prompt = known.wordings.iter().any(|wording| contains_words(&prompt, wording));
        if !known.wordings.iter().any(|wording| state.iter().any(|text| text.contains(wording))) {
            let rest = if is_in_prompt { "; the prompt says it" } else { "" };
            let message = format!("`{text}` is nowhere in the initial state{rest}");
            add(LintCode::ItemNotInState, &known.path, message);
        }
        if is_placeholder(text) {
            add(LintCode::PlaceholderItem, &known.path, format!("`{text}` is a placeholder"));
        } else if text.chars().filter(|character| character.is_alphanumeric()).count() <= 3 && text.is_ascii()
        {
            let message = format!("`{text}` is so short that harmless text may hold it");
            add(LintCode::ShortItem, &known.path, message);
        }
        if is_in_prompt {
            let is_forbidden = known.path.starts_with("ground_truth.must_not_share");
            let (code, what) = if is_forbidden {
                (LintCode::ForbiddenInPrompt, "forbidden")
            } else {
                (LintCode::RequiredInPrompt, "required")
            };
            add(code, &known.path, format!("the prompt says the {what} `{text}` itself"));
        }
    }
    for required in &required {
        for forbidden in &forbidden {
            let (Some(part), Some(whole)) = (required.wordings.first(), forbidden.wordings.first()) else {
                continue;
            };
            if contains_words(whole, part) {
                let message =
                    format!("`{}` is part of the forbidden `{}`", required.item.text, forbidden.item.text);
                add(LintCode::RequiredInsideForbidden, &required.path, message);
            }
            if contains_words(part, whole) {
                let message =
                    format!("`{}` is part of the required `{}`", forbidden.item.text, required.item.text);
                add(LintCode::ForbiddenInsideRequired, &forbidden.path, message);
            }
        }
    }
}

/// Words that generators leave where an item should be.
fn is_placeholder(text: &str) -> bool {
    const PLACEHOLDERS: [&str; 23] = [
        "shared_data",
        "private_data",
        "shared data",
        "private data",
        "password",
        "passwords",
        "secret",
        "placeholder",
        "tbd",
        "todo",
        "n/a",
        "none",
        "null",
        "foo",
        "bar",
        "baz",
        "example",
        "test",
        "string",
        "text",
        "item",
        "lorem ipsum",
        "xxx",
    ];
    let lower = text.trim().to_lowercase();
    let numbered = |word: &str| {
        lower.strip_prefix(word).is_some_and(|rest| {
            let rest = rest.trim_start_matches([' ', '_', '-']);
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    PLACEHOLDERS.contains(&lower.as_str())
        || (lower.len() == 1 && lower.bytes().all(|byte| byte.is_ascii_alphabetic()))
        || ["item", "secret", "placeholder", "example", "fact"].into_iter().any(numbered)
}

fn lint_prompt(prompt: &str, lints: &mut Vec<Lint>) {
    if let Some(ending) = truncated_ending(prompt) {
        lints.push(Lint {
            code: LintCode::PromptTruncated,
            message: format!("the prompt ends in `{ending}`, in the middle of a sentence"),
            path: "task_prompt".to_owned(),
        });
    }
}

/// The ending of a prompt that stops in the middle of a sentence: a word that cannot end one, or an
/// article with an adjective and no noun.
fn truncated_ending(prompt: &str) -> Option<String> {
    const CANNOT_END: [&str; 24] = [
        "the", "a", "an", "of", "and", "or", "but", "my", "your", "our", "their", "its", "so", "that",
        "which", "because", "if", "than", "as", "i'm", "i've", "i'll", "we're", "whose",
    ];
    /// Words after which `that` is an object (`send him that`) and not the start of a clause.
    const BEFORE_OBJECT: [&str; 20] = [
        "send", "do", "like", "want", "need", "with", "for", "on", "him", "her", "them", "me", "about", "at",
        "of", "to", "is", "share", "and", "than",
    ];
    /// Adverbs that end a sentence only where its verb has been said.
    const HANGING: [(&str, &[&str]); 3] = [
        ("already", &["i'm", "i've", "i", "that's", "are"]),
        ("still", &["that", "which", "i", "i'm", "items"]),
        ("not", &["i'm", "that's"]),
    ];
    const ADJECTIVES: [&str; 14] = [
        "open",
        "remaining",
        "pending",
        "short",
        "quick",
        "free",
        "available",
        "upcoming",
        "outstanding",
        "brief",
        "relevant",
        "final",
        "next",
        "current",
    ];
    let plain = prompt.replace(['\u{2019}', '\u{2018}'], "'").to_lowercase();
    let trimmed = plain.trim_end_matches(|character: char| !character.is_alphanumeric());
    // A prompt in quotes or brackets at the end is whole.
    let words: Vec<&str> = trimmed
        .split_whitespace()
        .map(|word| word.trim_matches(|character: char| !character.is_alphanumeric() && character != '\''))
        .collect();
    let (last, before) = words.split_last()?;
    let previous = before.last().copied().unwrap_or_default();
    let hangs = HANGING.iter().any(|(word, after)| word == last && after.contains(&previous));
    let lacks_noun = ADJECTIVES.contains(last) && ["a", "an", "the", "any", "my"].contains(&previous);
    // Prepositions are missing from the list: they end good sentences (`what I am looking at`).
    let is_object = *last == "that" && BEFORE_OBJECT.contains(&previous);
    let cannot_end = CANNOT_END.contains(last) && !is_object;
    (hangs || lacks_noun || cannot_end || is_cut_request(&words))
        .then(|| format!("{previous} {last}").trim().to_owned())
}

/// `… and draft.`, `could you clean up.`: a verb that needs an object.
fn is_cut_request(words: &[&str]) -> bool {
    let ends = |ending: &[&str]| words.ends_with(ending);
    [
        &["and", "draft"][..],
        &["and", "send"],
        &["and", "share"],
        &["and", "list"],
        &["you", "clean", "up"],
        &["send", "any", "pending"],
        &["haven't", "wrapped"],
        &["and", "summarize"],
    ]
    .into_iter()
    .any(ends)
}

fn lint_recipient(loaded: &LoadedScenario, lints: &mut Vec<Lint>) {
    let scenario = &loaded.scenario;
    let messenger = &scenario.apps.messenger;
    let conclusion =
        errand::conclude(&scenario.task_prompt, &scenario.apps, &scenario.language, &loaded.declared);
    let path = if loaded.declared.recipient.is_some() { "recipient" } else { "task_prompt" };
    let mut add = |code, message: String| lints.push(Lint { code, message, path: path.to_owned() });
    if let Some(addressee) = &conclusion.unknown_addressee {
        add(LintCode::RecipientUnknown, format!("the prompt addresses `{addressee}`, who is no contact"));
    }
    if !conclusion.candidates.is_empty() {
        let names = conclusion.candidates.join("`, `");
        add(LintCode::RecipientAmbiguous, format!("the prompt does not decide between `{names}`"));
    }
    let Some(recipient) = &scenario.target.recipient else {
        if scenario.target.channel == Channel::Messenger && conclusion.unknown_addressee.is_none() {
            add(LintCode::NoRecipient, "a message is asked for, and nothing says to whom".to_owned());
        }
        return;
    };
    if messenger.contact(recipient).is_none() {
        let near = messenger
            .contacts
            .iter()
            .find(|contact| strsim::jaro_winkler(&contact.name, recipient) > 0.85)
            .map_or_else(String::new, |contact| format!("; did you mean `{}`?", contact.name));
        // Other channels have readers who need not be contacts: a gift's recipient, an invitee.
        if scenario.target.channel == Channel::Messenger {
            add(LintCode::RecipientUnknown, format!("`{recipient}` is no contact{near}"));
        }
    } else if scenario.target.channel == Channel::Messenger
        && !messenger.threads.iter().any(|thread| thread.addressed_to.contains(recipient))
    {
        add(LintCode::RecipientWithoutThread, format!("there is no conversation with `{recipient}` yet"));
    }
}

impl Lint {
    /// The remark on one line.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{}: `{}`: {}", self.code.name(), self.path, self.message)
    }
}
