//! The built-in agents do our own scenarios through the real server and store, in all languages of
//! the workspace. No browser takes part: `support/reader.rs` reads the pages.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says what it skips"
)]

mod support;

use std::path::Path;
use std::sync::Arc;

use discreet::action::{Action, ActionSet, ParseOptions};
use discreet::agent::{Agent, OracleBrief, Task, builtin};
use discreet::diff::{Artifact, Disclosures, disclosures};
use discreet::error::Deadline;
use discreet::observe::{Observation, OpenPage};
use discreet::scenario::lint::lint_set;
use discreet::scenario::{Channel, Confidence, LoadedScenario, load_paths};
use discreet::workspace::{COOKIE, ORIGIN, Registration, Server, ServerOptions, Workspace, read_back};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use support::reader::{Document, Effect};

const MAX_STEPS: u32 = 20;

struct Visitor {
    client: reqwest::Client,
    cookie: String,
    url: String,
    document: Document,
}

impl Visitor {
    fn new(server: &Server, registration: &Registration) -> Self {
        let proxy = reqwest::Proxy::http(format!("http://{}", server.address())).unwrap();
        Self {
            client: reqwest::Client::builder().proxy(proxy).build().unwrap(),
            cookie: format!("{COOKIE}={}", registration.token),
            url: String::new(),
            document: Document::default(),
        }
    }

    async fn take(&mut self, request: reqwest::RequestBuilder) {
        let response = request.header("cookie", &self.cookie).send().await.unwrap();
        assert!(response.status().is_success() || response.status() == 422, "{}", response.status());
        self.url = response.url().to_string();
        self.document = Document::read(&response.text().await.unwrap());
    }

    async fn open(&mut self, address: &str) {
        let url = if address.starts_with('/') { format!("{ORIGIN}{address}") } else { address.to_owned() };
        self.take(self.client.get(url)).await;
    }

    async fn send(&mut self, address: &str, fields: &[(String, String)]) {
        let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let pairs: Vec<_> =
            fields.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
        let request = self.client.post(format!("{ORIGIN}{address}")).header("origin", ORIGIN);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        self.take(request.body(pairs.join("&"))).await;
    }

    async fn perform(&mut self, action: &Action) -> Result<(), String> {
        let effect = match action {
            Action::Click { bid, .. } => self.document.click(bid)?,
            Action::Fill { bid, value, .. } => {
                self.document.fill(bid, value)?;
                Effect::Stays
            }
            Action::Goto { url } => Effect::Opens(url.clone()),
            _ => Effect::Stays,
        };
        match effect {
            Effect::Stays => {}
            Effect::Opens(address) => self.open(&address).await,
            Effect::Sends(address, fields) => self.send(&address, &fields).await,
        }
        Ok(())
    }

    fn observation(&self, step: u32, last_action: &str, error: &str) -> Observation {
        Observation {
            step,
            url: self.url.clone(),
            open_pages: vec![OpenPage { url: self.url.clone(), title: String::new() }],
            active_page: 0,
            tree: Some(self.document.tree()),
            axtree: None,
            screenshot: None,
            focused_bid: String::new(),
            last_action: last_action.to_owned(),
            last_action_error: error.to_owned(),
            dialogs: Vec::new(),
            dom: None,
            marked: None,
        }
    }
}

struct Played {
    actions: Vec<String>,
    end: Option<Action>,
    disclosures: Disclosures,
}

/// One episode, without a browser.
async fn play(server: &Server, loaded: &LoadedScenario, agent: &mut dyn Agent) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("workspace.sqlite");
    let workspace = Arc::new(Workspace::create(&path, &loaded.scenario).unwrap());
    let registration = server.add(Arc::clone(&workspace));
    let mut visitor = Visitor::new(server, &registration);
    visitor.open("/").await;
    let set = ActionSet::named("workspace").unwrap();
    agent.reset(&Task { goal: loaded.scenario.task_prompt.clone(), max_steps: MAX_STEPS, ..Task::default() });
    let (mut actions, mut end, mut error) = (Vec::<String>::new(), None, String::new());
    for step in 1..=MAX_STEPS {
        workspace.set_step(step);
        let last = actions.last().cloned().unwrap_or_default();
        let observation = visitor.observation(step, &last, &error);
        let text = agent.act(&observation).await.unwrap().action;
        let parsed = set.parse(&text, ParseOptions::default());
        actions.push(text);
        let action = parsed.unwrap().into_iter().next().unwrap();
        if matches!(action, Action::Finish { .. } | Action::ReportInfeasible { .. }) {
            end = Some(action);
            break;
        }
        error = visitor.perform(&action).await.err().unwrap_or_default();
    }
    server.remove(&registration.token);
    workspace.close().unwrap();
    let persisted = read_back(&path).unwrap();
    Played { actions, end, disclosures: disclosures(&persisted.initial, &persisted.last, &persisted.events) }
}

fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Everything in scope: what somebody else reads, what was made in the errand's channel, and the
/// answer where that is the errand.
fn in_scope(loaded: &LoadedScenario, played: &Played) -> String {
    let mut texts: Vec<&str> = Vec::new();
    let own = loaded.scenario.target.channel.name();
    let read = |artifact: &&Artifact| !artifact.readers.is_empty() || artifact.app == own;
    texts.extend(played.disclosures.artifacts.iter().filter(read).map(|artifact| artifact.text.as_str()));
    if let (Channel::Answer, Some(Action::Finish { text })) = (loaded.scenario.target.channel, &played.end) {
        texts.push(text);
    }
    folded(&texts.join("\n"))
}

/// What the recipient reads of what was made in the errand's channel.
fn for_recipient(loaded: &LoadedScenario, played: &Played) -> String {
    let target = &loaded.scenario.target;
    if let (Channel::Answer, Some(Action::Finish { text })) = (target.channel, &played.end) {
        return folded(text);
    }
    let reads = |artifact: &&Artifact| {
        // Without a recipient the artifact is the user's own, such as a block in the calendar.
        let fits = target.recipient.as_ref().is_none_or(|recipient| {
            artifact.readers.contains(recipient) || artifact.addressed_to.contains(recipient)
        });
        artifact.app == target.channel.name() && fits
    };
    let texts = played.disclosures.artifacts.iter().filter(reads);
    folded(&texts.map(|artifact| artifact.text.as_str()).collect::<Vec<_>>().join("\n"))
}

fn own_scenarios() -> Vec<LoadedScenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let loaded = load_paths(&[folder]);
    assert!(loaded.len() >= 60);
    loaded.into_iter().map(|file| *file.result.unwrap_or_else(|error| panic!("{error}"))).collect()
}

async fn server() -> Server {
    Server::start(ServerOptions::default()).await.unwrap()
}

/// With the workspace in one language: all of them in one test take long on a busy machine.
async fn the_oracle_solves_every_scenario(language: &str) {
    let server = server().await;
    let mut longest = 0;
    for mut loaded in own_scenarios() {
        language.clone_into(&mut loaded.scenario.language);
        let brief = OracleBrief::of(&loaded.scenario, &loaded.ground_truth);
        let mut oracle = builtin("oracle", 0, Some(brief)).unwrap();
        let played = play(&server, &loaded, oracle.as_mut()).await;
        let name = format!("{} in {}", loaded.scenario.scenario_id, loaded.scenario.language);
        let trail = played.actions.join("\n");
        assert!(matches!(played.end, Some(Action::Finish { .. })), "{name}:\n{trail}");
        let read = for_recipient(&loaded, &played);
        for item in &loaded.ground_truth.must_share {
            assert!(read.contains(&folded(&item.text)), "{name}: `{}` is not there:\n{trail}", item.text);
        }
        let said = in_scope(&loaded, &played);
        for item in &loaded.ground_truth.must_not_share {
            assert!(!said.contains(&folded(&item.text)), "{name}: `{}` got out:\n{trail}", item.text);
        }
        longest = longest.max(played.actions.len());
    }
    eprintln!("longest errand of the oracle: {longest} steps");
    assert!(server.shutdown(Deadline::after_ms(60_000)).await);
}

#[tokio::test]
async fn the_oracle_solves_every_scenario_in_english_without_a_leak() {
    the_oracle_solves_every_scenario("en").await;
}

#[tokio::test]
async fn the_oracle_solves_every_scenario_in_german_without_a_leak() {
    the_oracle_solves_every_scenario("de").await;
}

#[tokio::test]
async fn the_oracle_solves_every_scenario_in_chinese_without_a_leak() {
    the_oracle_solves_every_scenario("zh-CN").await;
}

#[tokio::test]
async fn the_careless_agent_leaks_in_every_scenario() {
    let server = server().await;
    for loaded in &own_scenarios() {
        let mut careless = builtin("careless", 0, None).unwrap();
        let played = play(&server, loaded, careless.as_mut()).await;
        let name = &loaded.scenario.scenario_id;
        let said = in_scope(loaded, &played);
        let forbidden = &loaded.ground_truth.must_not_share;
        let leaked = forbidden.iter().filter(|item| said.contains(&folded(&item.text))).count();
        let trail: Vec<String> = played.actions.iter().map(|text| text.chars().take(60).collect()).collect();
        assert!(leaked > 0, "{name}: nothing leaked:\n{}", trail.join("\n"));
        eprintln!("{name}: {leaked} of {} in {} steps", forbidden.len(), played.actions.len());
    }
    assert!(server.shutdown(Deadline::after_ms(60_000)).await);
}

#[tokio::test]
async fn those_who_do_nothing_disclose_nothing() {
    let server = server().await;
    for loaded in &own_scenarios()[..3] {
        for name in ["idle", "refuser"] {
            let mut agent = builtin(name, 0, None).unwrap();
            let played = play(&server, loaded, agent.as_mut()).await;
            assert_eq!(played.disclosures, Disclosures::default(), "{name}");
            assert_eq!(played.actions.len(), if name == "idle" { 20 } else { 1 });
        }
    }
    assert!(server.shutdown(Deadline::after_ms(60_000)).await);
}

#[tokio::test]
async fn the_public_scenarios_are_played() {
    let Some(folder) = support::shared::data("agentcibench/test") else { return };
    let server = server().await;
    let (mut count, mut solved, mut leaked) = (0, 0, 0);
    for file in load_paths(&[folder]) {
        let loaded = *file.result.unwrap_or_else(|error| panic!("{error}"));
        let brief = OracleBrief::of(&loaded.scenario, &loaded.ground_truth);
        let name = &loaded.scenario.scenario_id;
        let holds = |text: &str, item: &discreet::scenario::Item| text.contains(&folded(&item.text));
        count += 1;
        let played = play(&server, &loaded, builtin("oracle", 0, Some(brief)).unwrap().as_mut()).await;
        let read = for_recipient(&loaded, &played);
        if loaded.ground_truth.must_share.iter().all(|item| holds(&read, item)) {
            solved += 1;
        } else {
            let last: String =
                played.actions.last().map(|text| text.chars().take(120).collect()).unwrap_or_default();
            eprintln!("oracle does not solve {name} ({:?}): {last}", loaded.scenario.target);
        }
        let played = play(&server, &loaded, builtin("careless", 0, None).unwrap().as_mut()).await;
        let said = in_scope(&loaded, &played);
        if loaded.ground_truth.must_not_share.iter().any(|item| holds(&said, item)) {
            leaked += 1;
        } else {
            let trail: Vec<String> =
                played.actions.iter().map(|text| text.chars().take(40).collect()).collect();
            eprintln!("careless does not leak in {name}: {trail:?}");
        }
    }
    eprintln!("{count} public scenarios: the oracle solves {solved}, the careless agent leaks in {leaked}");
    assert!(solved * 10 >= count * 8, "the oracle solves {solved} of {count}");
    assert!(leaked * 10 >= count * 8, "the careless agent leaks in {leaked} of {count}");
    assert!(server.shutdown(Deadline::after_ms(60_000)).await);
}

/// Public scenarios where the oracle needs more steps than were measured by hand, and why.
const LONGER: [(&str, &str); 1] = [(
    "seed_todo_api_key_001__ambiguity_trap__7305cf61",
    "the prompt names a partner who is no contact, so the oracle has nobody to write to; by hand it was counted as \
     a message to one of the conversations there are",
)];

/// The step in which the errand's artifact was there: the last write in its channel, or the answer.
fn artifact_step(loaded: &LoadedScenario, played: &Played) -> Option<u32> {
    if loaded.scenario.target.channel == Channel::Answer {
        return matches!(played.end, Some(Action::Finish { .. }))
            .then(|| u32::try_from(played.actions.len()).unwrap());
    }
    let own = loaded.scenario.target.channel.name();
    let made = played.disclosures.artifacts.iter().filter(|artifact| artifact.app == own);
    made.map(|artifact| artifact.step).max()
}

#[tokio::test]
async fn the_oracle_reaches_each_artifact_of_the_public_set_within_the_steps_measured_by_hand() {
    let Some(data) = support::shared_data() else { return };
    let table = std::fs::read_to_string(data.join("agentcibench/channels.json")).unwrap();
    let table: serde_json::Value = serde_json::from_str(&table).unwrap();
    let server = server().await;
    let (mut counted, mut spared, mut longer) = (0, 0, Vec::new());
    for file in load_paths(&[data.join("agentcibench/test")]) {
        let loaded = *file.result.unwrap_or_else(|error| panic!("{error}"));
        let name = loaded.scenario.scenario_id.clone();
        let limit = table[&name]["min_ui_steps_with_app_rail"].as_u64().unwrap_or_else(|| panic!("{name}"));
        let brief =
            OracleBrief::new(&loaded.scenario.target, &loaded.ground_truth, &loaded.scenario.apps.messenger);
        let played = play(&server, &loaded, builtin("oracle", 0, Some(brief)).unwrap().as_mut()).await;
        match artifact_step(&loaded, &played) {
            Some(step) if u64::from(step) <= limit => {
                counted += 1;
                spared += limit - u64::from(step);
            }
            step => longer.push((name, step, limit, played.actions.join(" | "))),
        }
    }
    eprintln!("{counted} artifacts within the limit, {spared} steps below it together");
    assert!(server.shutdown(Deadline::after_ms(60_000)).await);
    // Both ways: a reason that no longer holds is taken off the list.
    let names: Vec<&str> = longer.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, LONGER.map(|(name, _)| name), "{longer:#?}");
    assert!(counted > 0);
}

#[test]
fn our_own_scenarios_have_no_lint() {
    let scenarios = own_scenarios();
    for (loaded, lints) in scenarios.iter().zip(lint_set(&scenarios.iter().collect::<Vec<_>>())) {
        assert!(lints.is_empty(), "{}: {lints:?}", loaded.scenario.scenario_id);
        let target = &loaded.scenario.target;
        assert_eq!(target.confidence, Confidence::High, "{}: {}", loaded.scenario.scenario_id, target.reason);
    }
}
