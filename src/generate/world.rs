//! What a search asks of the world: changed scenarios, proxies' answers, certificates.

use std::path::{Path, PathBuf};

use futures_util::future::{BoxFuture, FutureExt as _};
use futures_util::stream::{self, StreamExt as _};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::error::GenerateError;
use super::line::Answer;
use super::model_mutator::ModelMutator;
use crate::agent::model::{Budget, Models, ModelsOptions, Spending};
use crate::agent::{AgentOptions, Agents, LlmConfig, LlmSetup, add_usage};
use crate::browser::Wanted as WantedBrowser;
use crate::episode::certify::{Certificate, CertifyOptions, certify};
use crate::episode::{Cancel, Listener, Mode, News, RunError, RunOptions, run};
use crate::report::RunFolderError;
use crate::scenario::LoadedFile;
use crate::scenario::lint::lint;
use crate::scenario::mutate::{Rejected, Strategy, mutate, review};
use crate::trace::Usage;

/// More proxies than this only cost.
const MAX_PROXIES: usize = 3;

/// A change that is wanted.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// What to change.
    pub parent: &'a Value,
    /// How.
    pub strategy: Strategy,
    /// What to call the outcome.
    pub id: String,
    /// Seed of everything random about it.
    pub seed: u64,
}

/// What came of a wanted change.
#[derive(Debug, Clone, PartialEq)]
pub enum Proposed {
    /// A scenario that the critic lets pass, and what was changed.
    Child {
        /// The scenario.
        document: Value,
        /// What was changed.
        note: String,
    },
    /// There is nothing to change in that way.
    NotApplicable(String),
    /// What came out cannot be used.
    Rejected(String),
}

impl Proposed {
    /// What the critic does not let pass, its reason named first: the closing table counts by it.
    pub(super) fn rejected(reason: &Rejected) -> Self {
        Self::Rejected(format!("{}: {reason}", reason.name()))
    }
}

/// What came of a wanted change, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// What came of it.
    pub proposed: Proposed,
    /// Tokens and cost, where a model was asked.
    pub usage: Option<Usage>,
}

/// How the proxies fared with one scenario.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlayedChild {
    /// One per proxy, in their order.
    pub answers: Vec<Answer>,
    /// Tokens and cost, where models were asked.
    pub usage: Option<Usage>,
}

/// The world, as far as a search has to do with it. Answers come in the order of what was asked.
pub trait World: Send {
    /// What models have used so far; answers from a cache and other agents cost nothing.
    fn spending(&self) -> Spending;

    /// Takes account of what was spent before.
    fn count_spending(&mut self, spending: Spending);

    /// Has scenarios changed.
    fn propose<'a>(
        &'a mut self,
        wanted: Vec<Wanted<'a>>,
    ) -> BoxFuture<'a, Result<Vec<Proposal>, GenerateError>>;

    /// Has the proxies play scenarios.
    fn play(&mut self, children: Vec<LoadedFile>) -> BoxFuture<'_, Result<Vec<PlayedChild>, GenerateError>>;

    /// Has scenarios certified through the pages.
    fn certify(
        &mut self,
        children: Vec<LoadedFile>,
    ) -> BoxFuture<'_, Result<Vec<Certificate>, GenerateError>>;
}

/// Who changes scenarios.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mutator {
    /// Templates and word lists of our own.
    BuiltIn,
    /// A model, as `[PROVIDER/]MODEL[@BASE_URL]`; empty for the one that the settings name.
    Model(String),
}

/// How the world is asked.
#[derive(Debug, Clone)]
pub struct RealWorldOptions {
    /// The proxies, as [`Agents`] reads them.
    pub proxies: Vec<String>,
    /// What agents and the mutating model need besides their names.
    pub agent_options: AgentOptions,
    /// How proxies meet scenarios.
    pub mode: Mode,
    /// Who changes scenarios.
    pub mutator: Mutator,
    /// Episodes at the same time.
    pub jobs: usize,
    /// Which browser.
    pub browser: WantedBrowser,
    /// The binary that runs guards; default: this program.
    pub guard_executable: Option<PathBuf>,
    /// Step budget of episodes through the pages.
    pub max_steps: u32,
    /// Seed of everything random.
    pub seed: u64,
}

/// Episodes, certificates and models as they are.
#[derive(Debug)]
pub struct RealWorld {
    options: RealWorldOptions,
    /// Name and model of each proxy, as rows carry them.
    names: Vec<(String, Option<String>)>,
    mutator: Option<ModelMutator>,
    budget: Budget,
    cancel: Cancel,
    agent_settings: Value,
}

impl RealWorld {
    /// Sets everything up; nothing is started or asked yet.
    ///
    /// # Errors
    /// [`GenerateError`]: an agent or model that cannot be set up.
    pub fn new(options: RealWorldOptions, cancel: &Cancel) -> Result<Self, GenerateError> {
        if !(1..=MAX_PROXIES).contains(&options.proxies.len()) {
            return Err(GenerateError::ProxyCount(options.proxies.len()));
        }
        let agents = Agents::new(&options.proxies, &options.agent_options)?;
        if options.mode == Mode::State {
            agents.check_state_mode()?;
        }
        let names = options
            .proxies
            .iter()
            .map(|asked| (agents.name(asked).to_owned(), agents.model(asked).map(str::to_owned)))
            .collect();
        let agent = &options.agent_options;
        let budget = Budget::new(agent.max_tokens, agent.max_cost);
        let mutator = match &options.mutator {
            Mutator::BuiltIn => None,
            Mutator::Model(model) => {
                let models = Models::new(ModelsOptions {
                    cache: agent.cache.clone(),
                    offline: agent.offline,
                    budget: budget.clone(),
                });
                let config = LlmConfig::read(agent.config.as_deref())?;
                let setup = LlmSetup::new(model, &config, false, &models)?;
                Some(ModelMutator::new(setup, models))
            }
        };
        let agent_settings =
            json!({ "proxies": agents.settings(), "mutator": mutator.as_ref().map(ModelMutator::settings) });
        Ok(Self { options, names, mutator, budget, cancel: cancel.clone(), agent_settings })
    }

    /// Everything about agents and models that decides what comes out.
    #[must_use]
    pub const fn agent_settings(&self) -> &Value {
        &self.agent_settings
    }

    fn check(&self) -> Result<(), GenerateError> {
        if self.cancel.is_cancelled() {
            return Err(GenerateError::Interrupted);
        }
        self.budget.spent().map_or(Ok(()), |spent| Err(GenerateError::Spent(spent)))
    }

    async fn propose_all(&mut self, wanted: Vec<Wanted<'_>>) -> Result<Vec<Proposal>, GenerateError> {
        self.check()?;
        let Some(mutator) = &self.mutator else {
            return Ok(wanted.iter().map(built_in).collect());
        };
        let jobs = self.options.jobs.max(1);
        let mut asked: Vec<BoxFuture<'_, Result<Proposal, GenerateError>>> = Vec::new();
        for wanted in &wanted {
            asked.push(mutator.propose(wanted).boxed());
        }
        let proposals: Vec<Result<Proposal, GenerateError>> = tokio::select! {
            proposals = stream::iter(asked).buffered(jobs).collect() => proposals,
            () = self.cancel.cancelled() => return Err(GenerateError::Interrupted),
        };
        // The budget counted them when they were asked for.
        proposals.into_iter().collect()
    }

    async fn play_all(&mut self, children: Vec<LoadedFile>) -> Result<Vec<PlayedChild>, GenerateError> {
        self.check()?;
        let ids: Vec<String> = children.iter().map(id_of).collect();
        let folder = temporary_folder()?;
        let agent = &self.options.agent_options;
        let spent = self.budget.spending();
        let left = AgentOptions {
            max_tokens: agent.max_tokens.map(|max| max.saturating_sub(spent.tokens).max(1)),
            max_cost: agent.max_cost.map(|max| (max - spent.cost).max(f64::MIN_POSITIVE)),
            ..agent.clone()
        };
        let options = RunOptions {
            agents: self.options.proxies.clone(),
            agent_options: left,
            modes: vec![self.options.mode],
            max_steps: self.options.max_steps,
            jobs: self.options.jobs,
            out: Some(folder.path().join("run")),
            browser: self.options.browser.clone(),
            guard_executable: self.options.guard_executable.clone(),
            seed: self.options.seed,
            ..RunOptions::default()
        };
        let summary = Box::pin(run(children, options, &self.cancel, &mut Quiet)).await?;
        self.budget.count_spending(summary.spending);
        match summary.stopped_by {
            Some(RunError::Spent(spent)) => return Err(GenerateError::Spent(spent)),
            Some(error) => return Err(error.into()),
            None => {}
        }
        if self.cancel.is_cancelled() {
            return Err(GenerateError::Interrupted);
        }
        let mut played = Vec::new();
        for id in &ids {
            let mut child = PlayedChild::default();
            for (name, model) in &self.names {
                let row = summary
                    .rows
                    .iter()
                    .find(|row| row.scenario_id == *id && row.agent == *name && row.model == *model);
                if let Some(row) = row {
                    child.answers.push(Answer::of(row));
                    child.usage = add_usage(child.usage, row.usage);
                }
            }
            played.push(child);
        }
        Ok(played)
    }

    async fn certify_all(&mut self, children: Vec<LoadedFile>) -> Result<Vec<Certificate>, GenerateError> {
        self.check()?;
        let lints: Vec<_> =
            children.iter().map(|child| child.result.as_deref().map(lint).unwrap_or_default()).collect();
        let options = CertifyOptions {
            max_steps: self.options.max_steps,
            jobs: self.options.jobs,
            browser: self.options.browser.clone(),
            guard_executable: self.options.guard_executable.clone(),
            ..CertifyOptions::default()
        };
        let certificates = Box::pin(certify(&children, &lints, &options, &self.cancel, &mut Quiet)).await?;
        if self.cancel.is_cancelled() {
            return Err(GenerateError::Interrupted);
        }
        Ok(certificates.into_iter().flatten().collect())
    }
}

/// The built-in mutator and the critic.
fn built_in(wanted: &Wanted<'_>) -> Proposal {
    let mut random = ChaCha8Rng::seed_from_u64(wanted.seed);
    let proposed = match mutate(wanted.parent, wanted.strategy, &wanted.id, &mut random) {
        Err(reason) => Proposed::NotApplicable(reason.to_string()),
        Ok(child) => match review(wanted.parent, child.document) {
            Ok(document) => Proposed::Child { document, note: child.note },
            Err(reason) => Proposed::rejected(&reason),
        },
    };
    Proposal { proposed, usage: None }
}

fn temporary_folder() -> Result<tempfile::TempDir, GenerateError> {
    tempfile::Builder::new()
        .prefix("discreet-generate-")
        .tempdir()
        .map_err(|source| RunFolderError::File { doing: "write", path: std::env::temp_dir(), source }.into())
}

fn id_of(child: &LoadedFile) -> String {
    child.result.as_ref().map(|loaded| loaded.scenario.scenario_id.clone()).unwrap_or_default()
}

/// The search has lines of its own; what an episode's listener hears is in them.
struct Quiet;

impl Listener for Quiet {
    fn news(&mut self, news: &News<'_>) {
        if let News::Warning { text } = news {
            tracing::warn!(text);
        }
    }
}

impl World for RealWorld {
    fn spending(&self) -> Spending {
        self.budget.spending()
    }

    fn count_spending(&mut self, spending: Spending) {
        self.budget.count_spending(spending);
    }

    fn propose<'a>(
        &'a mut self,
        wanted: Vec<Wanted<'a>>,
    ) -> BoxFuture<'a, Result<Vec<Proposal>, GenerateError>> {
        self.propose_all(wanted).boxed()
    }

    fn play(&mut self, children: Vec<LoadedFile>) -> BoxFuture<'_, Result<Vec<PlayedChild>, GenerateError>> {
        self.play_all(children).boxed()
    }

    fn certify(
        &mut self,
        children: Vec<LoadedFile>,
    ) -> BoxFuture<'_, Result<Vec<Certificate>, GenerateError>> {
        self.certify_all(children).boxed()
    }
}

/// A scenario as if it had been read from a file of its name.
pub(super) fn load(document: &Value, id: &str) -> LoadedFile {
    let file = PathBuf::from(format!("{id}.json"));
    let loaded = crate::scenario::load_text(Path::new(&file), &document.to_string()).pop();
    loaded.unwrap_or_else(|| unreachable_file(&file))
}

/// A text that is not empty loads as one entry; this keeps the signature total.
fn unreachable_file(file: &Path) -> LoadedFile {
    crate::scenario::load_text(file, "").remove(0)
}
