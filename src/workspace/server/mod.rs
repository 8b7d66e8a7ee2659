//! One HTTP server on the loopback interface for many isolated workspaces.
//!
//! **The browser comes as to a proxy.** It is started with this server as its HTTP proxy, and the
//! workspace's origin is the fixed name [`ORIGIN`], so no address, page or tree ever holds a port
//! or a token. Requests arrive in absolute form (`GET http://openapps.test/messages`); which
//! workspace is meant is told by the cookie [`COOKIE`], which the harness sets in the browser's
//! context. Everything else that reaches the proxy (another host, `CONNECT`, a missing or foreign
//! `Host`) is refused with 403 and noted, so this is the network's wall as well.
//!
//! **A person comes directly.** `GET /enter/TOKEN` sets the cookie in an ordinary browser.
//!
//! **The harness** may read a workspace under `/ctl/`, and whoever holds the token its state at
//! `/state` and in OpenApps' shapes (`/todo_all` and the like), directly and with the header
//! [`CONTROL_HEADER`] only: no request that comes through the proxy, and no cookie, opens it.
//!
//! Design note, 2026-05: problem: runs must be deterministic, but ports and tokens differ per run,
//! and Chromium's own allow-lists leak (a popup escapes page-level interception). Choice: be the
//! proxy. Refused: a port in the origin with `proxy-bypass-list`, which puts the port into every
//! address an agent sees; a path prefix per workspace, which puts the token there.

mod answer;
mod blocked;
mod control;
mod decode;
mod gate;
mod listen;
mod registry;

pub use blocked::BlockedRequest;
pub use listen::{ReservedDoor, Server, ServerError, ServerOptions};
pub use registry::{Activity, Registration};

/// Origin of every workspace, as a browser that uses the server as its proxy sees it.
pub const ORIGIN: &str = "http://openapps.test";
/// Host of [`ORIGIN`].
pub const HOST: &str = "openapps.test";
/// Name of the cookie that says which workspace is meant.
pub const COOKIE: &str = "discreet_workspace";
/// Name of the header that opens the control addresses.
pub const CONTROL_HEADER: &str = "x-discreet-control";
