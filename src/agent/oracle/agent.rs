//! The agent around an errand: patience, repeats, and the end.

use futures_util::future::{BoxFuture, FutureExt as _, ready};

use super::super::page::Page;
use super::super::state::{StateAnswer, StateView};
use super::super::types::{Agent, AgentError, Reply, Task};
use super::super::write::{click, finish, goto, noop, report_infeasible};
use super::brief::OracleBrief;
use super::calendar::MakeEvent;
use super::code_editor::WriteFile;
use super::commit::CommitFile;
use super::errand::{Errand, Move};
use super::forward::ForwardMessage;
use super::manner::Manner;
use super::maps::SavePlace;
use super::messenger::SendMessage;
use super::share::ShareThing;
use super::shop::PlaceOrder;
use super::todo::AddTasks;
use crate::observe::Observation;
use crate::scenario::Channel;

/// Does the errand through the pages, writing exactly the required items for the recipient.
#[derive(Debug)]
pub struct Oracle {
    brief: OracleBrief,
    errand: Option<Box<dyn Errand>>,
    /// Actions that may still be answered before it gives up whatever happens.
    turns_left: u32,
    /// Looks in a row at pages on which something was missing.
    misses: u32,
    /// The last action and how often in a row it was chosen.
    last: (String, u32),
}

/// Looks at a page that misses something before the app is opened again, and before giving up.
const MISSES_BEFORE_HOME: u32 = 2;
const MISSES: u32 = 5;
/// The same action in a row before giving up: the page does not react to it.
const REPEATS: u32 = 3;
/// A pause for a page that is not complete yet, in milliseconds.
const PAUSE: u32 = 300;

impl Oracle {
    /// An oracle for one scenario.
    #[must_use]
    pub fn new(brief: OracleBrief) -> Self {
        let mut oracle = Self { brief, errand: None, turns_left: 0, misses: 0, last: (String::new(), 0) };
        oracle.start(20);
        oracle
    }

    fn start(&mut self, max_steps: u32) {
        self.turns_left = max_steps.saturating_mul(2).max(1);
        self.misses = 0;
        self.last = (String::new(), 0);
        let brief = self.brief.clone();
        self.errand = match (brief.channel, &brief.manner) {
            (_, Manner::Forward) => Some(Box::new(ForwardMessage::new(brief))),
            (_, Manner::Share(sharing)) => Some(Box::new(ShareThing::new(sharing.clone(), brief))),
            (_, Manner::Commit(path)) => Some(Box::new(CommitFile::new(path.clone(), brief))),
            (Channel::Messenger, _) => Some(Box::new(SendMessage::new(brief))),
            (Channel::Calendar, _) => Some(Box::new(MakeEvent::new(brief))),
            (Channel::Todo, _) => Some(Box::new(AddTasks::new(brief))),
            (Channel::Maps, _) => Some(Box::new(SavePlace::new(brief))),
            (Channel::Shop, _) => Some(Box::new(PlaceOrder::new(brief))),
            (Channel::CodeEditor, _) => Some(Box::new(WriteFile::new(brief))),
            // The answer needs no app.
            (Channel::Answer, _) => None,
        };
    }

    fn choose(&mut self, observation: &Observation) -> String {
        let Some(errand) = self.errand.as_mut() else {
            return finish(&self.brief.text());
        };
        if self.turns_left == 0 {
            return report_infeasible("the errand is not done after twice the step budget");
        }
        self.turns_left -= 1;
        let Some(page) = Page::new(observation) else {
            return report_infeasible("this agent needs the accessibility tree");
        };
        if let Some(close) = page.popup_button() {
            return click(close.bid);
        }
        match errand.next(&page) {
            Move::Act(action) => {
                self.misses = 0;
                self.repeated(action, observation)
            }
            Move::Done(answer) => finish(&answer),
            Move::Impossible(reason) => report_infeasible(&reason),
            Move::Missing(what) => {
                self.misses += 1;
                self.last = (String::new(), 0);
                match self.misses {
                    misses if misses >= MISSES => report_infeasible(&format!("{what} is not on the page")),
                    misses if misses == MISSES_BEFORE_HOME => home(observation),
                    _ => noop(PAUSE),
                }
            }
        }
    }

    fn repeated(&mut self, action: String, observation: &Observation) -> String {
        if self.last.0 == action {
            self.last.1 += 1;
        } else {
            self.last = (action.clone(), 1);
        }
        if self.last.1 <= REPEATS {
            return action;
        }
        let start: String = action.chars().take(60).collect();
        let error = &observation.last_action_error;
        let reason = if error.is_empty() { "nothing changed" } else { error };
        report_infeasible(&format!("{start} was tried {REPEATS} times: {reason}"))
    }
}

/// Opens the home page of the workspace that the active page belongs to.
fn home(observation: &Observation) -> String {
    let origin = observation.url.split_once("://").and_then(|(scheme, rest)| {
        let host = rest.split(['/', '?', '#']).next()?;
        (!host.is_empty()).then(|| format!("{scheme}://{host}/"))
    });
    origin.map_or_else(|| noop(PAUSE), |origin| goto(&origin))
}

impl Agent for Oracle {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn reset(&mut self, task: &Task) {
        self.start(task.max_steps);
    }

    fn act<'a>(&'a mut self, observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>> {
        ready(Ok(Reply { action: self.choose(observation), thought: None, ..Reply::default() })).boxed()
    }

    fn decide<'a>(&'a mut self, _state: &'a StateView) -> BoxFuture<'a, Result<Reply, AgentError>> {
        let answer = StateAnswer {
            completed: true,
            shared_content: self.brief.required.clone(),
            recipient: self.brief.recipient.clone(),
            reasoning: None,
        };
        ready(Ok(Reply { action: answer.to_json(), ..Reply::default() })).boxed()
    }
}
