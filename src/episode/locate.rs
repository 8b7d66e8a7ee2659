//! Where items stand in the pictures of a trace: found by doing the recorded actions again and asking
//! the page.
//!
//! Only for pictures that come out the same, pixel for pixel: then what the page says about itself holds
//! for the recorded picture too. For every other step nothing is said.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::act::patience;
use super::replay::{ReplayError, Replayer, Walk};
use super::warm::open_seat;
use crate::action::{ActionSet, Executor, ParseOptions};
use crate::browser::Context;
use crate::error::Deadline;
use crate::observe::{AccessMode, Observer, Wishes};
use crate::trace::is_same_picture;
use crate::workspace::{ORIGIN, Workspace};

/// Asks a page where texts stand.
const LOCATE: &str = include_str!("../browser/page/locate.js");

/// How long each question and action may take.
const WITHIN: Duration = Duration::from_secs(20);

/// The boxes of a picture, `[x, y, width, height]` in pixels, by step.
pub type Boxes = BTreeMap<u32, Vec<[f64; 4]>>;

impl Replayer {
    /// Finds where `texts` stand in the pictures of an episode's folder.
    ///
    /// # Errors
    /// [`ReplayError`] when the trace has no actions or the replay cannot be made. One that goes another
    /// way than the recording ends there, with the boxes found until then.
    pub async fn locate(&self, folder: &Path, texts: &[String]) -> Result<Boxes, ReplayError> {
        let steps = Walk::of(folder)?;
        let place =
            tempfile::Builder::new().prefix("discreet-replay-").tempdir().map_err(ReplayError::Folder)?;
        let nothing = |why: String| ReplayError::Nothing { path: folder.to_owned(), why };
        let file = place.path().join("workspace.sqlite");
        let workspace = Workspace::create_varied(&file, &steps.scenario, steps.variation)
            .map_err(|error| nothing(error.to_string()))?;
        let workspace = Arc::new(workspace);
        let registration = self.server.add(Arc::clone(&workspace));
        let found = self.walk_through(&registration.token, &workspace, &steps, texts).await;
        self.server.remove(&registration.token);
        found
    }

    /// Opens the workspace in a context of its own and plays the replies there.
    async fn walk_through(
        &self,
        token: &str,
        workspace: &Workspace,
        steps: &Walk,
        texts: &[String],
    ) -> Result<Boxes, ReplayError> {
        let viewport = steps.variation.viewport.into();
        let context = open_seat(&self.server, &self.browser, token, viewport).await?;
        context.set_dialog_policy(steps.dialogs);
        let found = walk(&context, workspace, steps, texts).await;
        if let Err(error) = context.close(Deadline::after_ms(2_000)).await {
            tracing::debug!(%error, "the context was not closed");
        }
        found
    }
}

/// Plays the replies and asks at each step.
async fn walk(
    context: &Context,
    workspace: &Workspace,
    steps: &Walk,
    texts: &[String],
) -> Result<Boxes, ReplayError> {
    let mut found = Boxes::new();
    let mut observer = Observer::default();
    let patience = patience(steps.variation.latency_ms);
    let mut executor = Executor::default().with_patience(patience);
    let actions = ActionSet::all();
    context.active_page()?.navigate(&format!("{ORIGIN}/"), Deadline::after(WITHIN + patience)).await?;
    for (step, reply) in &steps.replies {
        workspace.set_step(*step);
        let seen = observer.observe(context, Wishes::of(AccessMode::Mixed), Deadline::after(WITHIN)).await?;
        let same = match (&seen.observation.screenshot, steps.pictures.get(step)) {
            (Some(png), Some(recorded)) => is_same_picture(png, recorded),
            (None, None) => true,
            _ => false,
        };
        if same {
            let asked = context.active_page()?.run(LOCATE, &[json!(texts)], Deadline::after(WITHIN)).await?;
            // A page that says nothing usable, or that it cannot say, gives no boxes.
            if let Ok(boxes) = serde_json::from_value::<Vec<[f64; 4]>>(asked) {
                found.insert(*step, boxes);
            }
        } else {
            tracing::debug!(step, "the picture came out another way");
        }
        let Ok(parsed) = actions.parse(reply, ParseOptions { multi: true, ..ParseOptions::default() }) else {
            continue;
        };
        for action in &parsed {
            executor.perform(context, &observer, action).await?;
        }
    }
    Ok(found)
}
