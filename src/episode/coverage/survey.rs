//! Coverage of many scenarios: one browser, several workspaces at a time.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use futures_util::StreamExt as _;

use super::super::warm::{SeatError, open_seat};
use super::walk::walk;
use super::wanted::{Coverage, Search};
use crate::browser::{Browser, BrowserError, LaunchOptions};
use crate::error::{Deadline, Explain, Fault};
use crate::scenario::LoadedScenario;
use crate::scenario::variation::{Content, Popup, Variation, VariationChoice};
use crate::workspace::{
    Registration, Server, ServerError, ServerOptions, Workspace, WorkspaceError, WorkspaceState, state_hash,
};

/// Pages that are opened of a scenario at most.
const MOST_PAGES: usize = 200;
/// The same where every list holds ten times as much.
const MOST_DENSE_PAGES: usize = 2_000;
/// How long closing a context may take, in milliseconds.
const CLOSE_WITHIN_MS: u64 = 5_000;
/// How long the server's last requests may take to end, in milliseconds.
const SHUTDOWN_MS: u64 = 1_000;

/// Why coverage could not be told.
#[derive(Debug, thiserror::Error)]
pub enum CoverageError {
    /// There is no place for the workspaces' files.
    #[error("create a temporary folder")]
    Folder(#[source] std::io::Error),
    /// A workspace's file could not be written.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The server could not listen.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The browser is not there, or failed.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// Looking at pages changed the state.
    #[error("look at the pages of `{0}` without changing anything: its state is another one now")]
    Changed(String),
    /// A page of the workspace failed.
    #[error("show the pages of `{scenario}`: failed to {failure}")]
    Page {
        /// The scenario's id.
        scenario: String,
        /// What the workspace could not do.
        failure: String,
    },
}

impl From<SeatError> for CoverageError {
    fn from(error: SeatError) -> Self {
        match error {
            SeatError::Server(error) => error.into(),
            SeatError::Browser(error) => error.into(),
        }
    }
}

impl Explain for CoverageError {
    fn fault(&self) -> Fault {
        match self {
            Self::Folder(_) => Fault::Environment,
            Self::Workspace(error) => error.fault(),
            Self::Server(error) => error.fault(),
            Self::Browser(error) => error.fault(),
            Self::Changed(_) | Self::Page { .. } => Fault::Harness,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Folder(_) => {
                Some("check the free space and the permissions of the temporary folder".to_owned())
            }
            Self::Workspace(error) => error.hint(),
            Self::Server(error) => error.hint(),
            Self::Browser(error) => error.hint(),
            Self::Changed(_) | Self::Page { .. } => None,
        }
    }
}

/// What became of one scenario of a survey.
pub type Surveyed = Result<Coverage, CoverageError>;

/// Tells the coverage of scenarios in their variations, or in what is `asked`, in their order, `jobs` at
/// a time. `done` is called as each of them ends. A scenario that the browser failed is tried once more in a fresh one.
///
/// # Errors
/// [`CoverageError`] when nothing could be looked at: no browser, no port, no folder.
pub async fn survey(
    scenarios: &[&LoadedScenario],
    asked: &VariationChoice,
    launch: &LaunchOptions,
    jobs: usize,
    done: &(dyn Fn() + Send + Sync),
) -> Result<Vec<Surveyed>, CoverageError> {
    let folder =
        tempfile::Builder::new().prefix("discreet-check-").tempdir().map_err(CoverageError::Folder)?;
    let server = Server::start(ServerOptions::default()).await?;
    let launch = LaunchOptions { proxy: Some(format!("http://{}", server.address())), ..launch.clone() };
    let mut surveyed: Vec<Option<Surveyed>> = scenarios.iter().map(|_| None).collect();
    for round in 0..2 {
        let failed = |surveyed: &Option<Surveyed>| match surveyed {
            None => true,
            Some(surveyed) => matches!(surveyed, Err(CoverageError::Browser(_))),
        };
        let ahead: Vec<usize> = (0..scenarios.len()).filter(|index| failed(&surveyed[*index])).collect();
        if ahead.is_empty() {
            break;
        }
        let browser = Browser::launch(&launch).await?;
        let (server, browser_ref) = (&server, &browser);
        let looks = ahead.iter().map(|&index| {
            let file = folder.path().join(format!("{index}-{round}.sqlite"));
            let variation = looked_at(scenarios[index].variation(asked));
            async move { (index, look(scenarios[index], variation, server, browser_ref, &file).await) }
        });
        let mut looks = futures_util::stream::iter(looks).buffer_unordered(jobs.max(1));
        while let Some((index, result)) = looks.next().await {
            surveyed[index] = Some(result);
            if round == 0 {
                done();
            }
        }
        drop(looks);
        browser.close().await;
    }
    server.shutdown(Deadline::after_ms(SHUTDOWN_MS)).await;
    Ok(surveyed.into_iter().flatten().collect())
}

/// A variation as it is looked at: a pop-up hides the pages only until it is closed, and what comes
/// late shows the same.
fn looked_at(variation: Variation) -> Variation {
    Variation { popup: Popup::None, latency_ms: 0, ..variation }
}

async fn look(
    scenario: &LoadedScenario,
    variation: Variation,
    server: &Server,
    browser: &Browser,
    file: &Path,
) -> Surveyed {
    let workspace = Arc::new(Workspace::create_varied(file, &scenario.scenario, variation)?);
    let registration = server.add(Arc::clone(&workspace));
    let looked = survey_workspace(scenario, server, &registration, (browser, variation)).await;
    server.remove(&registration.token);
    let coverage = looked?;
    if let Some(failure) = workspace.failure() {
        return Err(CoverageError::Page { scenario: scenario.scenario.scenario_id.clone(), failure });
    }
    if hash_but_for_reading(&workspace.snapshot()) != hash_but_for_reading(&workspace.initial()) {
        return Err(CoverageError::Changed(scenario.scenario.scenario_id.clone()));
    }
    remove(file);
    Ok(coverage)
}

/// A workspace's file is of no use once its pages have been looked at; a whole set would fill a disk.
fn remove(file: &Path) {
    if let Err(error) = std::fs::remove_file(file) {
        tracing::debug!(%error, "a workspace's file stays until the end");
    }
}

/// Tells the coverage of a scenario on a workspace that is on the server already, in that
/// variation.
///
/// # Errors
/// [`CoverageError::Browser`] and [`CoverageError::Server`].
pub async fn survey_workspace(
    scenario: &LoadedScenario,
    server: &Server,
    registration: &Registration,
    (browser, variation): (&Browser, Variation),
) -> Surveyed {
    let context = open_seat(server, browser, &registration.token, variation.viewport.into()).await?;
    let mut search = Search::new(scenario);
    let most = if variation.content == Content::Dense { MOST_DENSE_PAGES } else { MOST_PAGES };
    let walked = async {
        let page = context.active_page()?;
        walk(&page, most, |sight| {
            let is_all = search.look(sight.page, sight.clicks, sight.text);
            if is_all { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .await
    }
    .await;
    if let Err(error) = context.close(Deadline::after_ms(CLOSE_WITHIN_MS)).await {
        tracing::debug!(%error, "the context was not closed");
    }
    Ok(search.close(walked?.pages))
}

/// The state's hash without what reading changes: which messages are new.
fn hash_but_for_reading(state: &WorkspaceState) -> String {
    let mut state = state.clone();
    for thread in &mut state.apps.messenger.threads {
        thread.unread = 0;
        thread.new_from = None;
    }
    state_hash(&state)
}
