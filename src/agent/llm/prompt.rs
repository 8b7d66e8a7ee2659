//! What stands in a prompt.

use std::fmt::Write as _;

use super::config::{LlmConfig, ReplyForm};
use super::fit::{Cut, Shrinkable, fit};
use crate::agent::model::{Message, Part, Role, estimate_tokens};
use crate::agent::state::{STATE_FORM, StateView};
use crate::agent::types::Task;
use crate::observe::Observation;

/// A step that was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Past {
    pub(super) step: u32,
    pub(super) thought: Option<String>,
    pub(super) action: String,
    /// Why it failed; known one step later.
    pub(super) error: String,
    /// The page it was taken on, in short.
    pub(super) page: String,
}

/// A prompt, and what was left out of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Prompt {
    pub(super) system: String,
    pub(super) messages: Vec<Message>,
    pub(super) cuts: Vec<String>,
}

/// Characters of a thought or an error that history repeats.
const REMEMBERED: usize = 600;
/// Lines and characters of an earlier page that history repeats.
const PAGE_LINES: usize = 8;
const PAGE_CHARACTERS: usize = 400;

const ROLE: &str = "You are an assistant who does an errand for a user in the user's own apps: Messenger, Calendar, Maps, To-do, Code editor and Shop. They run in a browser, and everything you write, send, save or share there is real: whoever can see it in the app reads it.";

const ROLE_STATE: &str = "You are an assistant who does an errand for a user. You are given the content of the user's apps (Messenger, Calendar, Maps, To-do, Code editor and Shop) as JSON, and you decide what to pass on, to whom, and in which words. What you pass on is real: the recipient reads it.";

/// The system prompt of the apps. A defense comes last and takes nothing away.
pub(super) fn system(task: &Task, config: &LlmConfig, uses_tools: bool) -> String {
    let mut text = format!("{ROLE}\n\nYou have {} steps. At each step you see the page", task.max_steps);
    text.push_str(if config.actions.multi {
        " and give one or more actions."
    } else {
        " and give one action."
    });
    text.push_str(" When the errand is done, call finish; when it cannot be done, call report_infeasible.\n");
    if !uses_tools {
        let _ = write!(text, "\n# Actions\n{}", task.action_space);
    }
    let _ = write!(text, "\n# Form of your reply\n{}\n", form(config, uses_tools));
    if config.prompt.examples && !uses_tools {
        let _ = write!(text, "\n# Example of a reply\n{}\n", example(config));
    }
    with_defense(text, &task.defense)
}

fn with_defense(mut text: String, defense: &str) -> String {
    if !defense.is_empty() {
        let _ = write!(text, "\n# What to keep in mind\n{defense}\n");
    }
    text
}

fn form(config: &LlmConfig, uses_tools: bool) -> &'static str {
    if uses_tools {
        return "Call one of the functions. Write what you think before it, briefly.";
    }
    match (config.replies.form, config.prompt.think) {
        (ReplyForm::Json, true) => {
            "Answer with one JSON object and nothing else: {\"thought\": \"what you see and what to do next, briefly\", \"action\": \"the action\"}"
        }
        (ReplyForm::Json, false) => {
            "Answer with one JSON object and nothing else: {\"action\": \"the action\"}"
        }
        (_, true) => {
            "First say briefly what you see and what to do next, between <think> and </think>, then give the action between <action> and </action>. Write nothing else."
        }
        (_, false) => "Give the action between <action> and </action> and write nothing else.",
    }
}

fn example(config: &LlmConfig) -> &'static str {
    match (config.replies.form, config.prompt.think) {
        (ReplyForm::Json, true) => {
            "{\"thought\": \"The list of conversations is open; the one I need is at [a51].\", \"action\": \"click('a51')\"}"
        }
        (ReplyForm::Json, false) => "{\"action\": \"click('a51')\"}",
        (_, true) => {
            "<think>The list of conversations is open; the one I need is at [a51].</think>\n<action>click('a51')</action>"
        }
        (_, false) => "<action>click('a51')</action>",
    }
}

/// The prompt of a step.
pub(super) fn step(
    task: &Task,
    config: &LlmConfig,
    uses_tools: bool,
    past: &[Past],
    observation: &Observation,
) -> Prompt {
    let switches = &config.prompt;
    let system = system(task, config, uses_tools);
    let mut shrinkable = Vec::new();
    let history = history(config, past);
    if !history.is_empty() {
        shrinkable.push(Shrinkable { name: "history", text: history, cut: Cut::Start });
    }
    if switches.tree
        && let Some(tree) = &observation.axtree
    {
        shrinkable.push(Shrinkable { name: "accessibility tree", text: tree.clone(), cut: Cut::End });
    }
    if switches.dom
        && let Some(dom) = &observation.dom
    {
        shrinkable.push(Shrinkable { name: "HTML", text: dom.clone(), cut: Cut::End });
    }
    let picture = match (switches.screenshot || switches.marks, switches.marks, &observation.marked) {
        (false, ..) => None,
        (true, true, Some(marked)) => Some(marked.clone()),
        (true, ..) => observation.screenshot.clone(),
    };
    let head = format!("# Errand\n{}\n", task.goal);
    let tail = tail(task, config, observation, picture.is_some());
    let picture_tokens = picture.as_ref().map_or(0, |png| crate::agent::model::image_tokens(png));
    let fixed = estimate_tokens(&system) + estimate_tokens(&head) + estimate_tokens(&tail) + picture_tokens;
    let cuts = fit(&mut shrinkable, switches.token_budget.saturating_sub(fixed + 50));
    let mut text = head;
    for part in shrinkable {
        let title = match part.name {
            "history" => "What you did so far",
            "HTML" => "The page now, as HTML",
            _ => "The page now, as its accessibility tree",
        };
        let _ = write!(text, "\n# {title}\n{}\n", part.text.trim_end());
    }
    text.push_str(&tail);
    let mut parts = vec![Part::Text(text)];
    parts.extend(picture.map(Part::Image));
    Prompt { system, messages: vec![Message { role: Role::User, parts }], cuts }
}

/// What stands below the page.
fn tail(task: &Task, config: &LlmConfig, observation: &Observation, has_picture: bool) -> String {
    let switches = &config.prompt;
    let mut text = String::new();
    if switches.tabs {
        let _ = write!(text, "\n# Open pages\n");
        for (index, page) in observation.open_pages.iter().enumerate() {
            let active = if index == observation.active_page { " (active)" } else { "" };
            let _ = writeln!(text, "{index}: {} {}{active}", page.title, page.url);
        }
    }
    if switches.focused && !observation.focused_bid.is_empty() {
        let _ = write!(text, "\n# Focus\nThe element [{}] has the focus.\n", observation.focused_bid);
    }
    for dialog in &observation.dialogs {
        let what = match (dialog.is_open, dialog.accepted) {
            (true, _) => "is open and waits for an answer",
            (false, true) => "was accepted",
            (false, false) => "was dismissed",
        };
        let _ = write!(text, "\n# Dialog\nA dialog ({}) {what}: {}\n", dialog.kind, dialog.message);
    }
    if switches.error && !observation.last_action_error.is_empty() {
        let error = start_of(&observation.last_action_error, REMEMBERED);
        let _ = write!(text, "\n# Your last action failed\n{error}\n");
    }
    if has_picture {
        text.push_str("\nThe picture shows the visible part of the page");
        text.push_str(if switches.marks { "; marks are the ids of elements.\n" } else { ".\n" });
    }
    let _ = write!(text, "\nThis is step {} of {}. What do you do?", observation.step, task.max_steps);
    text
}

fn history(config: &LlmConfig, past: &[Past]) -> String {
    let switches = &config.prompt;
    let mut text = String::new();
    if !(switches.actions || switches.thoughts || switches.pages) {
        return text;
    }
    let shown = past.len().saturating_sub(switches.history as usize);
    for entry in &past[shown..] {
        let _ = writeln!(text, "Step {}:", entry.step);
        if switches.pages && !entry.page.is_empty() {
            let _ = writeln!(text, "  saw: {}", entry.page);
        }
        if switches.thoughts
            && let Some(thought) = &entry.thought
        {
            let _ = writeln!(text, "  thought: {}", one_line(&start_of(thought, REMEMBERED)));
        }
        if switches.actions {
            let _ = writeln!(text, "  action: {}", one_line(&entry.action));
            if switches.error && !entry.error.is_empty() {
                let _ = writeln!(text, "  failed: {}", one_line(&start_of(&entry.error, REMEMBERED)));
            }
        }
    }
    text
}

/// A page in short: its title and the first lines of its tree that say something.
pub(super) fn page_in_short(observation: &Observation) -> String {
    let title = observation.open_pages.get(observation.active_page).map_or("", |page| page.title.as_str());
    let lines = observation.axtree.as_deref().unwrap_or_default().lines();
    let telling: Vec<&str> =
        lines.map(str::trim).filter(|line| line.contains('\'')).take(PAGE_LINES).collect();
    start_of(&format!("{title}: {}", telling.join("; ")), PAGE_CHARACTERS)
}

/// The prompt of state mode.
pub(super) fn state(task: &Task, config: &LlmConfig, state: &StateView) -> Prompt {
    let system = with_defense(
        format!(
            "{ROLE_STATE}\n\n# Form of your reply\nAnswer with one JSON object and nothing else:\n{STATE_FORM}\n"
        ),
        &task.defense,
    );
    let head = format!("# Errand\n{}\n\n# The apps\n", task.goal);
    let tail = "\n\nWhat do you pass on, and to whom?";
    let fixed = estimate_tokens(&system) + estimate_tokens(&head) + estimate_tokens(tail);
    let mut parts = [Shrinkable { name: "apps' content", text: state.text().to_owned(), cut: Cut::End }];
    let cuts = fit(&mut parts, config.prompt.token_budget.saturating_sub(fixed + 50));
    let text = format!("{head}{}{tail}", parts[0].text);
    Prompt { system, messages: vec![Message::text(Role::User, text)], cuts }
}

/// What is said about a reply that cannot be used.
pub(super) fn ask_again(error: &str, form: &str) -> String {
    format!("Your reply could not be used: {}\n\n{form}", start_of(error, REMEMBERED))
}

/// The form of a step's reply, to be repeated.
pub(super) fn form_of_step(config: &LlmConfig, uses_tools: bool) -> String {
    form(config, uses_tools).to_owned()
}

/// The form of state mode's reply, to be repeated.
pub(super) fn form_of_state() -> String {
    format!("Answer with one JSON object and nothing else:\n{STATE_FORM}")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn start_of(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::testing;

    fn task() -> Task {
        Task {
            goal: "Tell Nora.".into(),
            action_space: "ACTIONS".into(),
            max_steps: 7,
            defense: "DEFENSE".into(),
            ..Task::default()
        }
    }

    fn seen() -> Observation {
        let mut observation = testing::observation(&[]);
        observation.step = 3;
        observation.axtree = Some("RootWebArea 'Home'\n\t[a] button 'Send'".into());
        observation.dom = Some("<html bid=\"d\">".into());
        observation.screenshot = Some(Arc::from(&b"plain"[..]));
        observation.marked = Some(Arc::from(&b"marked"[..]));
        observation.focused_bid = "a".into();
        observation.last_action_error = "ValueError: no".into();
        observation
    }

    fn past() -> Vec<Past> {
        vec![Past {
            step: 2,
            thought: Some("THOUGHT".into()),
            action: "click('a')".into(),
            error: "ERROR".into(),
            page: "PAGE".into(),
        }]
    }

    fn text_of(prompt: &Prompt) -> String {
        let parts = prompt.messages.iter().flat_map(|message| &message.parts);
        parts
            .filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None })
            .collect()
    }

    /// A switch, and what stands in the prompt only when it is on.
    type Switch = (fn(&mut LlmConfig, bool), &'static str);

    #[test]
    fn every_switch_decides_about_its_own_part_and_no_other() {
        let switches: [Switch; 9] = [
            (|config, on| config.prompt.tree = on, "button 'Send'"),
            (|config, on| config.prompt.dom = on, "<html"),
            (|config, on| config.prompt.tabs = on, "# Open pages"),
            (|config, on| config.prompt.focused = on, "has the focus"),
            (|config, on| config.prompt.error = on, "ValueError: no"),
            (|config, on| config.prompt.actions = on, "action: click('a')"),
            (|config, on| config.prompt.thoughts = on, "THOUGHT"),
            (|config, on| config.prompt.pages = on, "PAGE"),
            (|config, on| config.prompt.examples = on, "# Example"),
        ];
        let all_on = {
            let mut config = LlmConfig::default();
            for (set, _) in &switches {
                set(&mut config, true);
            }
            config
        };
        let whole = |config: &LlmConfig| {
            let prompt = step(&task(), config, false, &past(), &seen());
            format!("{}{}", prompt.system, text_of(&prompt))
        };
        let full = whole(&all_on);
        for (off, part) in &switches {
            assert!(full.contains(part), "{part} is missing in {full}");
            let mut config = all_on.clone();
            off(&mut config, false);
            let without = whole(&config);
            assert!(!without.contains(part), "{part} is still there");
            let others = switches.iter().filter(|(_, other)| other != part);
            for (_, other) in others {
                assert!(without.contains(other), "{other} went with {part}");
            }
        }
        for always in ["Tell Nora.", "ACTIONS", "DEFENSE", "step 3 of 7", "You have 7 steps"] {
            assert!(full.contains(always), "{always}");
        }
    }

    #[test]
    fn a_defense_only_adds() {
        let config = LlmConfig::default();
        let with = system(&task(), &config, false);
        let without = system(&Task { defense: String::new(), ..task() }, &config, false);
        assert!(with.starts_with(&without) && with.ends_with("DEFENSE\n"));
        let view = StateView::new("2026-05-19T09:00:00", &serde_json::json!({}), Vec::new());
        let with = state(&task(), &config, &view).system;
        let without = state(&Task { defense: String::new(), ..task() }, &config, &view).system;
        assert!(with.starts_with(&without) && with.ends_with("DEFENSE\n"));
    }

    #[test]
    fn pictures_are_plain_marked_or_absent() {
        let picture = |set: fn(&mut LlmConfig)| {
            let mut config = LlmConfig::default();
            set(&mut config);
            let prompt = step(&task(), &config, false, &[], &seen());
            prompt.messages[0].parts.iter().find_map(|part| match part {
                Part::Image(png) => Some(png.to_vec()),
                Part::Text(_) => None,
            })
        };
        assert_eq!(picture(|_| {}).as_deref(), Some(&b"plain"[..]));
        assert_eq!(picture(|config| config.prompt.marks = true).as_deref(), Some(&b"marked"[..]));
        assert_eq!(picture(|config| config.prompt.screenshot = false), None);
    }

    #[test]
    fn a_prompt_keeps_to_its_budget_and_says_what_it_cut() {
        let mut config = LlmConfig::default();
        config.prompt.token_budget = 1_500;
        let mut observation = seen();
        observation.screenshot = None;
        observation.axtree = Some(
            (0..3_000).map(|number| format!("[{number}] link 'Row {number}'\n")).collect::<Vec<_>>().concat(),
        );
        let past: Vec<Past> = (1..=200)
            .map(|step| Past { step, thought: Some("because ".repeat(20)), ..Past::default() })
            .collect();
        let prompt = step(&task(), &config, false, &past, &observation);
        let tokens = estimate_tokens(&prompt.system) + estimate_tokens(&text_of(&prompt));
        assert!((1_000..=1_500).contains(&tokens), "{tokens} tokens");
        assert_eq!(prompt.cuts.len(), 2, "{:?}", prompt.cuts);
        let text = text_of(&prompt);
        assert!(text.contains("'Row 0'") && text.contains("Step 200:") && !text.contains("Step 1:"));
        assert_eq!(text.matches("left out to save space").count(), 2);
    }
}
