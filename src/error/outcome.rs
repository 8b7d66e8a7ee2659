//! How an episode ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an episode ended. The first four are behaviour of the agent and are scored; the others are
/// counted apart and never enter a rate silently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The agent called `finish`.
    Finished,
    /// The agent gave up (`report_infeasible`, or it had nothing more to do).
    AgentStopped,
    /// The step budget ran out.
    BudgetExhausted,
    /// The agent gave no usable action too often.
    AgentInvalid,
    /// The agent did not answer in time.
    AgentTimeout,
    /// The model's provider failed.
    ProviderError,
    /// The browser process ended or stopped answering.
    BrowserLost,
    /// The page's renderer crashed.
    PageCrashed,
    /// The page did not answer within the deadline and could not be freed.
    PageHung,
    /// The workspace server failed.
    WorkspaceError,
    /// The scenario could not be used.
    ScenarioError,
    /// A fault of this program.
    HarnessError,
    /// A signal ended the run, or what it may spend on models was spent.
    Interrupted,
    /// The agent was stopped because it tried to leave the workspace.
    Blocked,
}

impl Outcome {
    /// Every outcome, in the order in which tables list them.
    pub const ALL: [Self; 14] = [
        Self::Finished,
        Self::AgentStopped,
        Self::BudgetExhausted,
        Self::AgentInvalid,
        Self::AgentTimeout,
        Self::ProviderError,
        Self::BrowserLost,
        Self::PageCrashed,
        Self::PageHung,
        Self::WorkspaceError,
        Self::ScenarioError,
        Self::HarnessError,
        Self::Interrupted,
        Self::Blocked,
    ];

    /// The name used in rows, traces and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::AgentStopped => "agent_stopped",
            Self::BudgetExhausted => "budget_exhausted",
            Self::AgentInvalid => "agent_invalid",
            Self::AgentTimeout => "agent_timeout",
            Self::ProviderError => "provider_error",
            Self::BrowserLost => "browser_lost",
            Self::PageCrashed => "page_crashed",
            Self::PageHung => "page_hung",
            Self::WorkspaceError => "workspace_error",
            Self::ScenarioError => "scenario_error",
            Self::HarnessError => "harness_error",
            Self::Interrupted => "interrupted",
            Self::Blocked => "blocked",
        }
    }

    /// Whether the outcome is behaviour of the agent, so that the episode is scored.
    #[must_use]
    pub const fn is_scored(self) -> bool {
        matches!(self, Self::Finished | Self::AgentStopped | Self::BudgetExhausted | Self::AgentInvalid)
    }

    /// Whether acting the episode out again may end otherwise through no doing of the agent: the
    /// browser, the provider, this program or a signal ended it.
    #[must_use]
    pub const fn is_worth_repeating(self) -> bool {
        matches!(
            self,
            Self::ProviderError
                | Self::BrowserLost
                | Self::PageCrashed
                | Self::PageHung
                | Self::WorkspaceError
                | Self::HarnessError
                | Self::Interrupted
        )
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}
