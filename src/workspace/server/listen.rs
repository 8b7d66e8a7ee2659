//! Starting, holding and stopping a server.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::handler::Handler as _;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::super::Workspace;
use super::blocked::BlockedRequest;
use super::gate;
use super::registry::{Activity, Door, Entry, Registration, Registry};
use crate::error::{Deadline, Explain, Fault};

/// How to start a server.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServerOptions {
    /// Port on 127.0.0.1; 0 for any free one.
    pub port: u16,
}

/// Why a server could not listen.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Another program listens there.
    #[error("listen on port {0}: it is in use")]
    PortInUse(u16),
    /// The system refused otherwise.
    #[error("listen on port {port}")]
    Listen {
        /// The port asked for.
        port: u16,
        /// Why not.
        source: std::io::Error,
    },
    /// A door was asked for to a workspace that is not on the server.
    #[error("open a door to a workspace: it is not on this server")]
    UnknownWorkspace,
}

impl Explain for ServerError {
    fn fault(&self) -> Fault {
        match self {
            Self::PortInUse(_) | Self::Listen { .. } => Fault::Environment,
            Self::UnknownWorkspace => Fault::Harness,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::PortInUse(_) => Some("choose another port, or 0 for any free one".to_owned()),
            Self::Listen { .. } => Some("choose a port above 1023, or 0 for any free one".to_owned()),
            Self::UnknownWorkspace => None,
        }
    }
}

/// A running server. Dropping it stops it at once; [`Server::shutdown`] lets requests end first.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    registry: Arc<Registry>,
    /// What reserved doors lead to.
    lobby: Arc<Workspace>,
    stop: watch::Sender<bool>,
    doors: tokio::sync::Mutex<JoinSet<()>>,
}

impl Server {
    /// Starts a server without workspaces, bound to 127.0.0.1.
    ///
    /// # Errors
    /// [`ServerError::PortInUse`] or [`ServerError::Listen`].
    pub async fn start(options: ServerOptions) -> Result<Self, ServerError> {
        let (listener, address) = bind(options.port).await?;
        let registry = Arc::new(Registry::default());
        let stop = watch::Sender::new(false);
        let mut doors = JoinSet::new();
        let door = Door { registry: Arc::clone(&registry), address, only: None };
        doors.spawn(listen(listener, door, until(stop.subscribe())));
        let (lobby, doors) = (Arc::new(Workspace::of_nobody()), tokio::sync::Mutex::new(doors));
        Ok(Self { address, registry, lobby, stop, doors })
    }

    /// Where it listens: the browser's proxy, and the address for a person.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves a workspace under new tokens.
    pub fn add(&self, workspace: Arc<Workspace>) -> Registration {
        self.registry.add(workspace)
    }

    /// No longer serves a workspace, and gives it back.
    pub fn remove(&self, token: &str) -> Option<Arc<Workspace>> {
        self.registry.remove(token)
    }

    /// Opens one more port that leads to this workspace only, until the workspace is removed.
    ///
    /// A browser context that has it as its proxy is told apart from the others even where no
    /// cookie comes along, that is in requests to other hosts: they are then noted for this
    /// workspace.
    ///
    /// # Errors
    /// [`ServerError`] when the system has no port left or the token is unknown.
    pub async fn open_door(&self, token: &str) -> Result<SocketAddr, ServerError> {
        Ok(self.open_to(token).await?.0)
    }

    /// Opens a port for a workspace that is not there yet. Until [`Server::lead`] it leads to the lobby, an
    /// empty workspace of nobody: what is shown there, the first pages' styles, scripts and fonts, need
    /// not be fetched once the workspace is there.
    ///
    /// # Errors
    /// [`ServerError`] when the system has no port left.
    pub async fn reserve_door(&self) -> Result<ReservedDoor, ServerError> {
        let Registration { token, .. } = self.registry.add(Arc::clone(&self.lobby));
        let (address, only) = self.open_to(&token).await?;
        Ok(ReservedDoor { registry: Arc::clone(&self.registry), address, token, only })
    }

    /// Lets a reserved port lead to a workspace, as [`Server::open_door`] does; the workspace's own cookie
    /// opens it.
    ///
    /// # Errors
    /// [`ServerError`] when the token is unknown.
    pub fn lead(&self, door: &ReservedDoor, token: &str) -> Result<(), ServerError> {
        door.only.send_replace(self.entry(token)?);
        Ok(())
    }

    async fn open_to(&self, token: &str) -> Result<(SocketAddr, watch::Sender<Arc<Entry>>), ServerError> {
        let entry = self.entry(token)?;
        let (listener, address) = bind(0).await?;
        let (only, leads_to) = watch::channel(entry);
        let (stop, removed) = (until(self.stop.subscribe()), until_removed(leads_to.clone()));
        let closing = async move {
            tokio::select! { () = stop => {}, () = removed => {} }
        };
        let door = Door { registry: Arc::clone(&self.registry), address, only: Some(leads_to) };
        let mut doors = self.doors.lock().await;
        // Forget the doors that have closed meanwhile.
        while doors.try_join_next().is_some() {}
        doors.spawn(listen(listener, door, closing));
        Ok((address, only))
    }

    fn entry(&self, token: &str) -> Result<Arc<Entry>, ServerError> {
        self.registry.entry(token).ok_or(ServerError::UnknownWorkspace)
    }

    /// How busy a workspace's pages are, to wait for quiet; `None` when it is not on the server.
    #[must_use]
    pub fn workspace_activity(&self, token: &str) -> Option<watch::Receiver<Activity>> {
        self.registry.activity(token)
    }

    /// Refused requests with a number above `seq`: those of a workspace, or with `None` those that
    /// could be told for none.
    #[must_use]
    pub fn blocked_since(&self, token: Option<&str>, seq: u64) -> Vec<BlockedRequest> {
        self.registry.blocked_since(token, seq)
    }

    /// Accepts no more connections, lets requests end until the deadline, and stops. Returns
    /// whether all had ended by then.
    pub async fn shutdown(self, deadline: Deadline) -> bool {
        self.stop.send_replace(true);
        let mut doors = self.doors.into_inner();
        let ended = deadline
            .race("open requests to end", async { while doors.join_next().await.is_some() {} })
            .await
            .is_ok();
        doors.shutdown().await;
        ended
    }
}

/// A port that leads to the lobby until it is led to a workspace. Dropped before, it closes.
#[derive(Debug)]
pub struct ReservedDoor {
    registry: Arc<Registry>,
    address: SocketAddr,
    token: String,
    only: watch::Sender<Arc<Entry>>,
}

impl ReservedDoor {
    /// Where it is.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Value of the cookie [`COOKIE`](super::COOKIE) with which the lobby opens.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for ReservedDoor {
    fn drop(&mut self) {
        self.registry.remove(&self.token);
    }
}

async fn bind(port: u16) -> Result<(TcpListener, SocketAddr), ServerError> {
    let failed = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::AddrInUse => ServerError::PortInUse(port),
        _ => ServerError::Listen { port, source },
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Ends when the value turns true, or when nobody is left to set it.
async fn until(mut flag: watch::Receiver<bool>) {
    // An error means that the sender is gone: the server was dropped.
    let _ = flag.wait_for(|set| *set).await;
}

/// Ends when the workspace is removed that a door leads to at that time.
async fn until_removed(mut leads_to: watch::Receiver<Arc<Entry>>) {
    loop {
        let entry = Arc::clone(&leads_to.borrow_and_update());
        let removed = until(entry.removal());
        tokio::pin!(removed);
        tokio::select! {
            () = &mut removed => {}
            moved = leads_to.changed() => if moved.is_err() {
                // Nobody is left who could lead it elsewhere.
                removed.await;
            },
        }
        if Arc::ptr_eq(&entry, &leads_to.borrow()) {
            return;
        }
    }
}

async fn listen(listener: TcpListener, door: Door, closing: impl Future<Output = ()> + Send + 'static) {
    let address = door.address;
    // One handler for every request: a router matches paths, and what has to be told apart first
    // here is the form of the target.
    let service = gate::handle.with_state(door).into_make_service();
    // Without it the last piece of an answer may wait 40 ms for an acknowledgement.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "failed to send without delay");
        }
    });
    if let Err(error) = axum::serve(listener, service).with_graceful_shutdown(closing).await {
        tracing::error!(%address, %error, "the server stopped");
    }
}
