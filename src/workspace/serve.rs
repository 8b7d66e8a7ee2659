//! A workspace for a person, in their own browser.

use std::sync::Arc;

use super::server::{Server, ServerError, ServerOptions};
use super::{Workspace, WorkspaceError, openapps};
use crate::error::{Deadline, Explain, Fault};
use crate::scenario::Scenario;
use crate::scenario::variation::Variation;

/// How long open requests may take to end, in milliseconds.
const SHUTDOWN_MS: u64 = 2_000;

/// Why a workspace could not be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// There is no place for its file.
    #[error("create a temporary folder")]
    Folder(#[source] std::io::Error),
    /// Its file could not be written.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The server could not listen.
    #[error(transparent)]
    Server(#[from] ServerError),
}

impl Explain for ServeError {
    fn fault(&self) -> Fault {
        match self {
            Self::Folder(_) => Fault::Environment,
            Self::Workspace(error) => error.fault(),
            Self::Server(error) => error.fault(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Folder(_) => {
                Some("check the free space and the permissions of the temporary folder".to_owned())
            }
            Self::Workspace(error) => error.hint(),
            Self::Server(error) => error.hint(),
        }
    }
}

/// What to open a served workspace with.
#[derive(Debug, Clone)]
pub struct Addresses {
    /// The address for a browser.
    pub enter: String,
    /// Where programs read the state: `http://127.0.0.1:PORT`.
    pub origin: String,
    /// What they send as [`CONTROL_HEADER`](super::CONTROL_HEADER).
    pub control_token: String,
}

impl Addresses {
    /// Where the state is read in OpenApps' shapes.
    #[must_use]
    pub const fn openapps_paths() -> [&'static str; 6] {
        openapps::PATHS
    }
}

/// Serves a workspace filled from `scenario`, in a variation, on `port` of 127.0.0.1 (0 for any free one) until
/// `stop` ends. `announce` is given the addresses, once the server answers there. The
/// workspace's file lives in a temporary folder and is removed at the end.
///
/// # Errors
/// [`ServeError`] when the port is taken or the file cannot be written.
pub async fn serve(
    scenario: &Scenario,
    variation: Variation,
    port: u16,
    announce: impl FnOnce(&Addresses),
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    // The port first: it is what most often fails.
    let server = Server::start(ServerOptions { port }).await?;
    let folder = tempfile::Builder::new().prefix("discreet-serve-").tempdir().map_err(ServeError::Folder)?;
    let workspace =
        Arc::new(Workspace::create_varied(&folder.path().join("workspace.sqlite"), scenario, variation)?);
    let registration = server.add(workspace);
    let origin = format!("http://{}", server.address());
    announce(&Addresses {
        enter: format!("{origin}/enter/{}", registration.token),
        origin,
        control_token: registration.control_token,
    });
    stop.await;
    server.shutdown(Deadline::after_ms(SHUTDOWN_MS)).await;
    Ok(())
}
