//! The browser context of the next episode, made ready while an episode runs.
//!
//! A new context costs more than the rest of an episode's set-up. So once an episode is set up, the
//! next context is opened beside it: blank, without cookies, behind a port that leads nowhere yet.
//! The next episode takes it, opens the port to its own workspace and puts its cookie in. A context
//! serves one episode only; one that nobody takes ends with its browser.

use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use crate::browser::{Browser, BrowserError, Context, ContextOptions, Viewport, Wall};
use crate::error::{Deadline, Explain, Fault};
use crate::observe::{AccessMode, Observer, Wishes};
use crate::workspace::{COOKIE, ORIGIN, ReservedDoor, Server, ServerError};

/// A context that is ready.
#[derive(Debug)]
struct Ready {
    door: ReservedDoor,
    context: Context,
    viewport: Viewport,
}

/// Where a worker's next context is kept; one per browser.
///
/// [`WarmSeat::make_ready`] runs beside an episode, which [`WarmSeat::ask`]s once it is set up; the next
/// episode takes what is ready by [`WarmSeat::open`].
#[derive(Debug)]
pub struct WarmSeat {
    ready: Mutex<Option<Ready>>,
    wish: watch::Sender<Wish>,
}

/// Whether another context is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// The episode is not set up yet.
    Open,
    /// One with the viewport of the episode that is set up: the next one is likely to have it too.
    For(Viewport),
    /// The episode ended before it was set up.
    None,
}

impl Default for WarmSeat {
    fn default() -> Self {
        Self { ready: Mutex::new(None), wish: watch::Sender::new(Wish::Open) }
    }
}

/// Why there is no context on a workspace.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// The server opens no door.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The browser opens no context.
    #[error(transparent)]
    Browser(#[from] BrowserError),
}

impl Explain for SeatError {
    fn fault(&self) -> Fault {
        match self {
            Self::Server(error) => error.fault(),
            Self::Browser(error) => error.fault(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Server(error) => error.hint(),
            Self::Browser(error) => error.hint(),
        }
    }
}

/// Opens a context of its own on the workspace of that token, with a blank page.
///
/// # Errors
/// [`SeatError`].
pub async fn open_seat(
    server: &Server,
    browser: &Browser,
    token: &str,
    viewport: Viewport,
) -> Result<Context, SeatError> {
    // A door of its own: what a page asks of other hosts carries no cookie, and is told apart by it.
    let door = server.open_door(token).await?;
    Ok(browser.open_context(&options(door, cookies(token), viewport)).await?)
}

impl WarmSeat {
    /// A context on a workspace: the one that is ready, or a new one.
    ///
    /// # Errors
    /// [`SeatError`].
    pub async fn open(
        &self,
        server: &Server,
        browser: &Browser,
        token: &str,
        viewport: Viewport,
    ) -> Result<Context, SeatError> {
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(ready) = ready {
            if ready.viewport == viewport {
                server.open_reserved_door(ready.door, token).await?;
                ready.context.set_cookies(&cookies(token), Deadline::after_ms(10_000)).await?;
                return Ok(ready.context);
            }
            // What does not fit is of no use to others either.
            if let Err(error) = ready.context.close(Deadline::after_ms(2_000)).await {
                tracing::debug!(%error, "a context that did not fit was not closed");
            }
        }
        open_seat(server, browser, token, viewport).await
    }

    /// An episode is set up, and leaves time to make the next one's context ready.
    pub fn ask(&self, viewport: Viewport) {
        self.wish.send_replace(Wish::For(viewport));
    }

    /// The episode is over: it asks no more.
    pub(super) fn end_wishes(&self) {
        self.wish.send_if_modified(|wish| std::mem::replace(wish, Wish::None) == Wish::Open);
    }

    /// Waits until a context is asked for, and makes it ready. Without one the next episode opens
    /// its own, and says what is wrong.
    pub async fn make_ready(&self, server: &Server, browser: &Browser) {
        self.wish.send_replace(Wish::Open);
        let mut wishes = self.wish.subscribe();
        // An error would mean that the seat is gone.
        let wish = wishes.wait_for(|wish| *wish != Wish::Open).await.map_or(Wish::None, |wish| *wish);
        let Wish::For(viewport) = wish else { return };
        let Ok(door) = server.reserve_door().await else { return };
        let options = options(door.address(), Vec::new(), viewport);
        match browser.open_context(&options).await {
            Ok(context) => {
                // The first look at a page costs more than later ones: what a renderer needs for it once
                // is there afterwards.
                let wishes = Wishes::of(AccessMode::Mixed);
                let looked = Observer::default().observe(&context, wishes, Deadline::after_ms(5_000)).await;
                if let Err(error) = looked {
                    tracing::debug!(%error, "the blank page was not looked at");
                }
                let ready = Ready { door, context, viewport };
                *self.ready.lock().unwrap_or_else(PoisonError::into_inner) = Some(ready);
            }
            Err(error) => tracing::debug!(%error, "no context was made ready"),
        }
    }
}

fn cookies(token: &str) -> Vec<(String, String, String)> {
    vec![(ORIGIN.to_owned(), COOKIE.to_owned(), token.to_owned())]
}

fn options(
    door: std::net::SocketAddr,
    cookies: Vec<(String, String, String)>,
    viewport: Viewport,
) -> ContextOptions {
    ContextOptions {
        wall: Wall::Origin(ORIGIN.to_owned()),
        proxy: Some(format!("http://{door}")),
        cookies,
        viewport,
    }
}
