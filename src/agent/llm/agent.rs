//! The agent itself: asks, reads, asks again, remembers.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _};

use super::prompt::{self, Past, Prompt};
use super::reply;
use super::setup::LlmSetup;
use crate::action::{ActionSet, gbnf, state_gbnf};
use crate::agent::exchange::Exchange;
use crate::agent::model::{Message, ModelReply, ModelRequest, Models, Role};
use crate::agent::state::{StateAnswer, StateView};
use crate::agent::types::{Agent, AgentError, Reply, Task, Wants};
use crate::error::Deadline;
use crate::observe::Observation;

/// Characters of a reply that is none that are recorded as the action; the whole is in the trace.
const SHOWN: usize = 2_000;

/// What the episode waits longer than this agent does, so that it is this agent that says what took
/// too long.
const MARGIN: Duration = Duration::from_secs(5);

/// An agent that asks a model at every step.
#[derive(Debug)]
pub struct Llm {
    name: String,
    setup: LlmSetup,
    models: Models,
    seed: u64,
    task: Task,
    past: Vec<Past>,
    /// How often the same was sent in this episode, by its hash.
    sent: HashMap<u64, u32>,
    exchanges: Vec<Exchange>,
}

/// A conversation until it gives something that can be used.
enum Conversation<T> {
    Usable(T),
    /// The last answer and what is wrong with it.
    Unusable(ModelReply, String),
}

impl Llm {
    /// An agent of that name in rows; `seed` tells repeats of an episode apart.
    #[must_use]
    pub fn new(name: impl Into<String>, setup: LlmSetup, models: Models, seed: u64) -> Self {
        Self {
            name: name.into(),
            setup,
            models,
            seed,
            task: Task::default(),
            past: Vec::new(),
            sent: HashMap::new(),
            exchanges: Vec::new(),
        }
    }

    /// The request of a step, as it would be sent, and what was cut from it.
    #[must_use]
    pub fn request_of_step(&self, observation: &Observation) -> (ModelRequest, Vec<String>) {
        let uses_tools = self.setup.uses_tools();
        let prompt = prompt::step(&self.task, self.setup.config(), uses_tools, &self.past, observation);
        let actions = self.actions();
        let cuts = prompt.cuts.clone();
        let mut request = self.request(prompt);
        if uses_tools {
            request.tools = actions.tools();
        }
        if self.setup.sends_grammar() {
            request.grammar = Some(gbnf(&actions));
        }
        (request, cuts)
    }

    /// The request of state mode, as it would be sent, and what was cut from it.
    #[must_use]
    pub fn request_of_state(&self, state: &StateView) -> (ModelRequest, Vec<String>) {
        let prompt = prompt::state(&self.task, self.setup.config(), state);
        let cuts = prompt.cuts.clone();
        let mut request = self.request(prompt);
        if self.setup.sends_grammar() {
            request.grammar = Some(state_gbnf());
        }
        (request, cuts)
    }

    fn request(&self, prompt: Prompt) -> ModelRequest {
        let model = &self.setup.config().model;
        ModelRequest {
            model: self.setup.model().to_owned(),
            system: prompt.system,
            messages: prompt.messages,
            max_output_tokens: model.max_output_tokens,
            temperature: model.temperature,
            tools: Vec::new(),
            grammar: None,
            extra: self.setup.extra().clone(),
        }
    }

    fn actions(&self) -> ActionSet {
        // The set was checked when the agent was set up; the task names it.
        ActionSet::named(&self.task.action_set).unwrap_or_else(|_| ActionSet::all())
    }

    /// Asks until `read` can use the answer, at most so often.
    async fn converse<T>(
        &mut self,
        mut request: ModelRequest,
        cuts: Vec<String>,
        form: &str,
        read: impl Fn(&ModelReply) -> Result<T, String> + Send + Sync,
    ) -> Result<Conversation<T>, AgentError> {
        let deadline = Deadline::after(self.setup.total_within());
        let asks = self.setup.config().replies.ask_again + 1;
        let mut cuts = Some(cuts);
        for ask in 1..=asks {
            let occurrence = self.occurrence(&request);
            let called = self.setup.called(self.seed, occurrence);
            let before = self.exchanges.len();
            let answered = self.models.ask(&called, &request, deadline, &mut self.exchanges).await;
            if let (Some(cuts), Some(first)) = (cuts.take(), self.exchanges.get_mut(before)) {
                first.notes.extend(cuts);
            }
            let answer = answered?;
            let error = match read(&answer) {
                Ok(usable) => return Ok(Conversation::Usable(usable)),
                Err(error) => error,
            };
            if let Some(last) = self.exchanges.last_mut() {
                last.error = Some(format!("the reply cannot be used: {error}"));
                last.notes.push(format!("reply {ask} of at most {asks} cannot be used: {error}"));
            }
            if ask == asks {
                return Ok(Conversation::Unusable(answer, error));
            }
            let said = if answer.text.trim().is_empty() { "(no text)" } else { answer.text.as_str() };
            request.messages.push(Message::text(Role::Assistant, said));
            request.messages.push(Message::text(Role::User, prompt::ask_again(&error, form)));
        }
        Err(AgentError::Invalid("it was not asked".to_owned()))
    }

    /// How often the episode has sent this before, for the cache: with the same question a model may
    /// answer differently.
    fn occurrence(&mut self, request: &ModelRequest) -> u32 {
        use std::hash::{Hash as _, Hasher as _};

        let mut hasher = std::hash::DefaultHasher::new();
        request.system.hash(&mut hasher);
        for message in &request.messages {
            format!("{:?}", message.role).hash(&mut hasher);
            for part in &message.parts {
                match part {
                    crate::agent::model::Part::Text(text) => text.hash(&mut hasher),
                    crate::agent::model::Part::Image(png) => png.hash(&mut hasher),
                }
            }
        }
        let count = self.sent.entry(hasher.finish()).or_default();
        let occurrence = *count;
        *count += 1;
        occurrence
    }

    async fn step(&mut self, observation: &Observation) -> Result<Reply, AgentError> {
        if let Some(last) = self.past.last_mut() {
            last.error.clone_from(&observation.last_action_error);
        }
        let (request, cuts) = self.request_of_step(observation);
        let (actions, multi) = (self.actions(), self.setup.config().actions.multi);
        let form = prompt::form_of_step(self.setup.config(), self.setup.uses_tools());
        let read = |answer: &ModelReply| reply::read(answer, &actions, multi);
        let reply = match self.converse(request, cuts, &form, read).await? {
            Conversation::Usable(read) => {
                Reply { action: read.action, thought: read.thought, malformed: None }
            }
            Conversation::Unusable(answer, error) => unusable(&answer, error),
        };
        let action = if reply.malformed.is_some() { "(none)" } else { reply.action.as_str() };
        self.remember(observation.step, action, reply.thought.as_deref(), observation);
        Ok(reply)
    }

    /// Adds a step to the history that later prompts show.
    pub fn remember(&mut self, step: u32, action: &str, thought: Option<&str>, observation: &Observation) {
        let page =
            if self.setup.config().prompt.pages { prompt::page_in_short(observation) } else { String::new() };
        self.past.push(Past {
            step,
            thought: thought.map(str::to_owned),
            action: action.to_owned(),
            error: String::new(),
            page,
        });
    }

    async fn state(&mut self, state: &StateView) -> Result<Reply, AgentError> {
        let (request, cuts) = self.request_of_state(state);
        let read = |answer: &ModelReply| {
            let (thought, rest) = reply::split_thought(&answer.text);
            StateAnswer::parse(&rest).map(|answer| (answer, thought))
        };
        Ok(match self.converse(request, cuts, &prompt::form_of_state(), read).await? {
            Conversation::Usable((answer, thought)) => Reply {
                thought: thought.or_else(|| answer.reasoning.clone()),
                action: answer.to_json(),
                malformed: None,
            },
            Conversation::Unusable(answer, error) => unusable(&answer, error),
        })
    }
}

fn unusable(answer: &ModelReply, error: String) -> Reply {
    Reply { action: answer.text.chars().take(SHOWN).collect(), thought: None, malformed: Some(error) }
}

impl Agent for Llm {
    fn name(&self) -> &str {
        &self.name
    }

    fn wants(&self) -> Wants {
        let config = self.setup.config();
        Wants {
            action_set: config.actions.allow.as_ref().map(|names| names.join(",")),
            multi: config.actions.multi,
            dom: config.prompt.dom,
            marks: config.prompt.marks,
            patience: Some(self.setup.total_within() + MARGIN),
        }
    }

    fn reset(&mut self, task: &Task) {
        self.task = task.clone();
        self.past.clear();
        self.sent.clear();
        self.exchanges.clear();
    }

    fn act<'a>(&'a mut self, observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>> {
        self.step(observation).boxed()
    }

    fn decide<'a>(&'a mut self, state: &'a StateView) -> BoxFuture<'a, Result<Reply, AgentError>> {
        self.state(state).boxed()
    }

    fn take_exchanges(&mut self) -> Vec<Exchange> {
        std::mem::take(&mut self.exchanges)
    }
}
