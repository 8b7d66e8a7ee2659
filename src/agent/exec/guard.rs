//! The guard of an agent's process: our own binary, run again.
//!
//! It starts the process in a group of its own and hands bytes through in both directions, so that it
//! is the one who notices when we are gone: our end of its pipe closes, or its parent changes. Then
//! the process may end by itself for a moment, is asked to, and is killed with its group and with
//! everything that carries its mark in the environment, whatever group that has moved to.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, getppid};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use crate::config::kill_where;

/// The hidden subcommand that runs the guard.
pub const COMMAND: &str = "__agent_guard";

/// The variable whose value marks everything that belongs to one agent.
pub(super) const MARK: &str = "DISCREET_AGENT_MARK";

/// How long the process may take to end after its input has ended, and after it was asked to end.
const GRACE: Duration = Duration::from_millis(1_000);
const AFTER_TERM: Duration = Duration::from_millis(300);

/// How often the guard looks whether its parent is still there.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Runs the guard: `PARENT MARK PROGRAM ARGUMENT...`. Returns the exit code of the process, or what
/// stands for a signal.
#[must_use]
pub fn run(words: &[OsString]) -> u8 {
    let [parent, mark, program, arguments @ ..] = words else { return 2 };
    let parent = parent.to_str().and_then(|parent| parent.parse::<i32>().ok()).unwrap_or(0);
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return 1 };
    let code = runtime.block_on(guard(parent, program, arguments));
    kill_marked(mark.to_str().unwrap_or_default());
    runtime.shutdown_background();
    code
}

async fn guard(parent: i32, program: &OsString, arguments: &[OsString]) -> u8 {
    let spawned = Command::new(program)
        .args(arguments)
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn();
    let Ok(mut child) = spawned else { return 127 };
    let group = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
    let status = watch(parent, &mut child).await;
    let status = match status {
        Some(status) => Some(status),
        None => end(&mut child, group).await,
    };
    // What it left in its group goes with it.
    if let Some(group) = group {
        let _ = killpg(group, Signal::SIGKILL);
    }
    status.map_or(1, code_of)
}

/// Hands bytes through until the process ends by itself (its status), or we are to end it (`None`).
async fn watch(parent: i32, child: &mut Child) -> Option<ExitStatus> {
    let (stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
    // We are sent one message at a time, so that what waits here is small.
    let (sender, receiver) = mpsc::unbounded_channel();
    // Reading apart from writing: a process that does not read must not keep us from noticing the end.
    let input = std::thread::spawn(move || read_input(&sender));
    let feeding = tokio::spawn(feed(receiver, stdin));
    let output = hand_on(stdout);
    tokio::pin!(output);
    let Ok(mut term) = signal(SignalKind::terminate()) else { return None };
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let mut output_ended = false;
    let mut ended = None;
    loop {
        tokio::select! {
            status = child.wait(), if ended.is_none() => ended = Some(status.ok()),
            () = &mut output, if !output_ended => output_ended = true,
            _ = term.recv() => return None,
            _ = looks.tick() => {
                let orphaned = parent != 0 && getppid().as_raw() != parent;
                if orphaned || input.is_finished() {
                    break;
                }
            }
        }
        if let Some(status) = ended
            && output_ended
        {
            return status;
        }
        if ended.is_some() {
            // What it started may hold the pipe open for ever; what it wrote itself is there already.
            let _ = tokio::time::timeout(AFTER_TERM, &mut output).await;
            return ended.flatten();
        }
    }
    // Our input has ended: the process gets to see that, after what was sent before.
    let flushed = async {
        let _ = feeding.await;
        child.wait().await.ok()
    };
    tokio::select! {
        status = tokio::time::timeout(GRACE, flushed) => status.ok().flatten(),
        () = async { (&mut output).await; std::future::pending::<()>().await }, if !output_ended => None,
    }
}

/// Asks the process to end, then makes it.
async fn end(child: &mut Child, group: Option<Pid>) -> Option<ExitStatus> {
    let group = group?;
    let _ = killpg(group, Signal::SIGTERM);
    if let Ok(status) = tokio::time::timeout(AFTER_TERM, child.wait()).await {
        return status.ok();
    }
    let _ = killpg(group, Signal::SIGKILL);
    child.wait().await.ok()
}

/// Reads our input until it ends; runs in a thread of its own.
fn read_input(sender: &mpsc::UnboundedSender<Vec<u8>>) {
    let mut stdin = std::io::stdin().lock();
    let mut chunk = vec![0_u8; 64 * 1024];
    while let Ok(read) = stdin.read(&mut chunk)
        && read > 0
    {
        // A process that reads no more is no reason to miss the end of our input.
        let _ = sender.send(chunk[..read].to_vec());
    }
}

async fn feed(mut receiver: mpsc::UnboundedReceiver<Vec<u8>>, mut stdin: ChildStdin) {
    while let Some(chunk) = receiver.recv().await {
        if stdin.write_all(&chunk).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

/// Hands the process's output on until it ends or nobody reads it.
async fn hand_on(mut stdout: ChildStdout) {
    let (sender, mut receiver) = mpsc::channel::<Vec<u8>>(4);
    let (done, written) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let mut own = std::io::stdout().lock();
        while let Some(chunk) = receiver.blocking_recv() {
            if own.write_all(&chunk).and_then(|()| own.flush()).is_err() {
                break;
            }
        }
        drop(receiver);
        let _ = done.send(());
    });
    let mut chunk = vec![0_u8; 64 * 1024];
    while let Ok(read) = stdout.read(&mut chunk).await
        && read > 0
        && sender.send(chunk[..read].to_vec()).await.is_ok()
    {}
    drop(sender);
    let _ = written.await;
}

fn code_of(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt as _;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

/// Kills whatever carries the mark in its environment, ourselves excepted.
fn kill_marked(mark: &str) {
    if mark.is_empty() {
        return;
    }
    let needle = format!("{MARK}={mark}");
    kill_where("environ", |environment| {
        environment.split(|byte| *byte == 0).any(|variable| variable == needle.as_bytes())
    });
}
