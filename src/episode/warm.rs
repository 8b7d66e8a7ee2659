//! The browser context of the next episode, made ready while an episode runs.
//!
//! A new context costs more than the rest of an episode's set-up. So once an episode is set up, the
//! next context is opened beside it, behind a port that leads to an empty workspace, and shows that once.
//! The next episode takes it, blank again, lets the port lead to its own workspace and puts its cookie in. A
//! context serves one episode only; one that nobody takes ends with its browser. Episodes that share a browser
//! share its one context in reserve: each more would cost the memory of a page.

use std::sync::{Mutex, PoisonError};

use serde_json::json;
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

/// Where the next context is kept; one per browser, and whoever comes first takes it.
#[derive(Debug, Default)]
pub struct WarmSeat {
    place: Mutex<Place>,
}

#[derive(Debug, Default)]
enum Place {
    #[default]
    Empty,
    /// Somebody is making one ready.
    Reserved,
    Taken(Box<Ready>),
}

/// An episode's word that now is the time to make the next context ready.
#[derive(Debug)]
pub(super) struct Wish(watch::Sender<Said>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// The episode is not set up yet.
    Nothing,
    /// It is set up, and leaves time.
    Now,
    /// It ended before it was set up.
    Never,
}

impl Default for Wish {
    fn default() -> Self {
        Self(watch::Sender::new(Said::Nothing))
    }
}

impl Wish {
    /// The episode is set up, and leaves time to make the next one's context ready.
    pub(super) fn now(&self) {
        self.0.send_replace(Said::Now);
    }

    /// The episode is over: it asks no more.
    pub(super) fn end(&self) {
        self.0.send_if_modified(|said| std::mem::replace(said, Said::Never) == Said::Nothing);
    }

    /// Waits for the word; whether it is that a context is wanted.
    pub(super) async fn is_now(&self) -> bool {
        let mut words = self.0.subscribe();
        // An error would mean that the episode is gone.
        words.wait_for(|said| *said != Said::Nothing).await.is_ok_and(|said| *said == Said::Now)
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
        if let Some(ready) = self.take() {
            // A renderer may have gone while the context waited.
            if ready.viewport == viewport && ready.context.active_page().is_ok() {
                server.lead(&ready.door, token)?;
                ready.context.set_cookies(&cookies(token), Deadline::after_ms(10_000)).await?;
                return Ok(ready.context);
            }
            // What does not fit is of no use to others either.
            discard(ready.context).await;
        }
        open_seat(server, browser, token, viewport).await
    }

    fn take(&self) -> Option<Ready> {
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut *place) {
            Place::Taken(ready) => Some(*ready),
            other => {
                *place = other;
                None
            }
        }
    }

    /// Makes a context ready, unless there is one or somebody is at it. Without one the next episode
    /// opens its own, and says what is wrong. `observe` is what the next agent is likely to be given.
    pub async fn make_ready(
        &self,
        server: &Server,
        browser: &Browser,
        viewport: Viewport,
        observe: AccessMode,
    ) {
        let Some(reservation) = Reservation::of(self) else { return };
        let Ok(door) = server.reserve_door().await else { return };
        let options = options(door.address(), cookies(door.token()), viewport);
        let context = match browser.open_context(&options).await {
            Ok(context) => context,
            Err(error) => return tracing::debug!(%error, "no context was made ready"),
        };
        if let Err(error) = warm_up(&context, observe).await {
            tracing::debug!(%error, "a context was not warmed up");
            return discard(context).await;
        }
        reservation.keep(Ready { door, context, viewport });
    }
}

/// The right to fill a seat; given back when it is dropped, also in the middle.
struct Reservation<'a>(&'a WarmSeat);

impl<'a> Reservation<'a> {
    /// `None` where a context is there or on its way.
    fn of(seat: &'a WarmSeat) -> Option<Self> {
        let mut place = seat.place.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(*place, Place::Empty).then(|| {
            *place = Place::Reserved;
            Self(seat)
        })
    }

    fn keep(self, ready: Ready) {
        *self.0.place.lock().unwrap_or_else(PoisonError::into_inner) = Place::Taken(Box::new(ready));
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut place = self.0.place.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*place, Place::Reserved) {
            *place = Place::Empty;
        }
    }
}

async fn discard(context: Context) {
    if let Err(error) = context.close(Deadline::after_ms(2_000)).await {
        tracing::debug!(%error, "a context that nobody needs was not closed");
    }
}

/// Shows the lobby once and leaves a blank page, without a history, as a new context has it. The first sight
/// of a page costs more than later ones: styles and scripts are fetched, fonts opened, a renderer taken.
async fn warm_up(context: &Context, observe: AccessMode) -> Result<(), BrowserError> {
    let deadline = Deadline::after_ms(5_000);
    let page = context.active_page()?;
    page.load(&format!("{ORIGIN}/"), deadline).await?;
    Observer::default().observe(context, Wishes::of(observe), deadline).await?;
    page.load("about:blank", deadline).await?;
    page.call_raw("Page.resetNavigationHistory", json!({}), deadline).await?;
    Ok(())
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
