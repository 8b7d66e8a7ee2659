//! The first prompt of a model, before anything is spent.

use std::sync::Arc;
use std::time::Duration;

use super::asking::{add_wanted, task_of};
use super::plan::{Mode, RunOptions};
use super::run_error::RunError;
use super::state_mode;
use super::warm::open_seat;
use crate::agent::model::{ModelRequest, Models, ModelsOptions};
use crate::agent::{Agent as _, Agents, Llm, LlmSetup};
use crate::browser::{Browser, BrowserError, LaunchOptions};
use crate::error::Deadline;
use crate::observe::{Observation, Observer, Wishes};
use crate::scenario::LoadedScenario;
use crate::workspace::{ORIGIN, Server, ServerOptions, Workspace};

/// How long the first look may take in all.
const LOOK_WITHIN: Duration = Duration::from_secs(60);

/// The first prompt of an agent in a mode.
#[derive(Debug)]
pub struct Preview {
    /// The agent, as it was asked for.
    pub agent: String,
    /// The mode.
    pub mode: Mode,
    /// The defense that is in it.
    pub defense: String,
    /// What would be sent.
    pub request: ModelRequest,
    /// What is left out of it to fit.
    pub cuts: Vec<String>,
}

/// The first prompt of every model in every mode and under every defense, for one scenario. No model is
/// asked; for the apps a browser is started and looks once.
///
/// # Errors
/// [`RunError`] when the workspace or the browser does not start.
pub async fn preview(
    loaded: &LoadedScenario,
    options: &RunOptions,
    agents: &Agents,
) -> Result<Vec<Preview>, RunError> {
    let mut previews = Vec::new();
    let models = Models::new(ModelsOptions { offline: true, ..ModelsOptions::default() });
    for mode in &options.modes {
        for asked in &options.agents {
            let Some(setup) = agents.llm(asked) else { continue };
            let observation = match mode {
                Mode::EndToEnd => Some(first_look(loaded, options, setup).await?),
                Mode::State => None,
            };
            for defense in &options.defenses {
                let mut agent = Llm::new(agents.name(asked), setup.clone(), models.clone(), 0);
                let (request, cuts) = if let Some(observation) = &observation {
                    let wants = agent.wants();
                    agent.reset(&task_of(&loaded.scenario, &defense.text, &wants, options));
                    agent.request_of_step(observation)
                } else {
                    agent.reset(&state_mode::task_of(&loaded.scenario, &defense.text));
                    agent.request_of_state(&state_mode::view(loaded))
                };
                let defense = defense.name.clone();
                previews.push(Preview { agent: asked.clone(), mode: *mode, defense, request, cuts });
            }
        }
    }
    Ok(previews)
}

/// What an agent is given at the first step.
async fn first_look(
    loaded: &LoadedScenario,
    options: &RunOptions,
    setup: &LlmSetup,
) -> Result<Observation, RunError> {
    let wants = Llm::new("llm", setup.clone(), Models::new(ModelsOptions::default()), 0).wants();
    let folder = tempfile::Builder::new()
        .prefix("discreet-preview-")
        .tempdir()
        .map_err(|error| BrowserError::Start(format!("no temporary folder: {error}")))?;
    let variation = loaded.variation(&options.variations.first().copied().unwrap_or_default());
    let workspace =
        Workspace::create_varied(&folder.path().join("workspace.sqlite"), &loaded.scenario, variation)
            .map_err(|error| BrowserError::Start(format!("failed to {error}")))?;
    let server = Server::start(ServerOptions::default()).await?;
    let token = server.add(Arc::new(workspace)).token;
    let launch = LaunchOptions {
        wanted: options.browser.clone(),
        proxy: Some(format!("http://{}", server.address())),
        guard_executable: options.guard_executable.clone(),
        ..LaunchOptions::default()
    };
    let browser = Browser::launch(&launch).await?;
    let looked = async {
        let deadline = Deadline::after(LOOK_WITHIN);
        let context = open_seat(&server, &browser, &token, variation.viewport.into()).await?;
        context.active_page()?.navigate(&format!("{ORIGIN}/"), deadline).await?;
        let wishes = Wishes { properties: wants.marks || wants.dom, ..Wishes::of(options.observe) };
        let mut observer = Observer::default();
        let mut captured = observer.observe(&context, wishes, deadline).await?;
        add_wanted(&context, &observer, &mut captured, &wants, deadline).await?;
        captured.observation.step = 1;
        Ok::<_, RunError>(captured.observation)
    };
    let looked = looked.await;
    browser.close().await;
    server.shutdown(Deadline::after_ms(1_000)).await;
    looked
}
