//! The agent's side that is in our process.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, FutureExt as _};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::super::exchange::Exchange;
use super::super::state::StateView;
use super::super::types::{Agent, AgentError, Reply, Task};
use super::lines::{self, NoLine};
use super::{guard, protocol};
use crate::error::Deadline;
use crate::observe::Observation;

/// The longest line that is read from the process, in bytes.
const MAX_LINE: usize = 1 << 20;

/// How much of what the process says on stderr is kept for a message.
const STDERR_KEPT: usize = 2_000;

/// How long the guard may take to end the process by itself: it waits a second before it kills.
const GUARD_WITHIN: Duration = Duration::from_secs(4);

/// Variables that the process gets besides those that are asked for.
const ENVIRONMENT: [&str; 9] =
    ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV"];

/// How to run the process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecOptions {
    /// A command line for `sh -c`.
    pub command: String,
    /// Names of variables of our environment that the process gets as well.
    pub environment: Vec<String>,
    /// The binary that runs the guard; default: this program.
    pub guard_executable: Option<PathBuf>,
}

/// An agent in a process of its own. The process is started at the first observation of an episode
/// and ended with the episode.
#[derive(Debug)]
pub struct Exec {
    name: String,
    options: ExecOptions,
    task: Task,
    process: Option<Process>,
    exchanges: Vec<Exchange>,
}

#[derive(Debug)]
struct Process {
    guard: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    /// The end of what it said on stderr.
    said: Arc<Mutex<Vec<u8>>>,
}

impl Exec {
    /// An agent of that name in rows.
    #[must_use]
    pub fn new(name: impl Into<String>, options: ExecOptions) -> Self {
        Self { name: name.into(), options, task: Task::default(), process: None, exchanges: Vec::new() }
    }

    /// Sends a message and returns the line that answers it.
    async fn ask(&mut self, message: &Value) -> Result<Vec<u8>, AgentError> {
        if self.process.is_none() {
            let mut process = Process::start(&self.options)?;
            let sent = process.send(&protocol::reset(&self.task)).await;
            self.process = Some(process);
            if let Err(error) = sent {
                return Err(self.ended(&format!("it does not read its input: {error}")).await);
            }
        }
        let Some(process) = self.process.as_mut() else {
            return Err(AgentError::Invalid("its process is gone".to_owned()));
        };
        if let Err(error) = process.send(message).await {
            return Err(self.ended(&format!("it does not read its input: {error}")).await);
        }
        match lines::next(&mut process.stdout, MAX_LINE).await {
            Ok(line) => Ok(line),
            Err(error @ NoLine::TooLong(_)) => Err(AgentError::Invalid(error.to_string())),
            Err(error) => Err(self.ended(&error.to_string()).await),
        }
    }

    /// The error of a process that is not there any more, with what it left.
    async fn ended(&mut self, how: &str) -> AgentError {
        let Some(process) = self.process.as_mut() else {
            return AgentError::Invalid(how.to_owned());
        };
        process.stdin = None;
        let code = match Deadline::after(GUARD_WITHIN).race("the agent's process", process.guard.wait()).await
        {
            Ok(Ok(status)) => match status.code() {
                Some(127) => " (exit code 127: there is no such command)".to_owned(),
                Some(code) => format!(" (exit code {code})"),
                None => String::new(),
            },
            _ => String::new(),
        };
        let said = process.said();
        let said = if said.is_empty() { said } else { format!("; it said: {said}") };
        AgentError::Invalid(format!("{how}{code}{said}"))
    }

    fn note_usage(
        &mut self,
        message: &Value,
        line: &[u8],
        usage: Option<crate::trace::Usage>,
        asked: Instant,
    ) {
        // Only an agent that says what it used has an exchange to record; the rest is in the trace.
        if usage.is_some() {
            let mut request = message.clone();
            if let Some(observation) = request.get_mut("observation").and_then(Value::as_object_mut) {
                // They are in the trace already, as observation.
                observation.retain(|name, _| name != "screenshot" && name != "axtree");
            }
            self.exchanges.push(Exchange {
                request: request.to_string().into_bytes(),
                response: Some(line.to_vec()),
                usage,
                latency: asked.elapsed(),
                ..Exchange::default()
            });
        }
    }
}

impl Process {
    fn start(options: &ExecOptions) -> Result<Self, AgentError> {
        let failed =
            |error: std::io::Error| AgentError::Invalid(format!("its guard does not start: {error}"));
        let executable = match &options.guard_executable {
            Some(executable) => executable.clone(),
            None => std::env::current_exe().map_err(failed)?,
        };
        let mark = format!("{}-{:016x}", std::process::id(), rand::random::<u64>());
        let mut command = Command::new(executable);
        command
            .arg(guard::COMMAND)
            .arg(std::process::id().to_string())
            .arg(&mark)
            .args(["sh", "-c", &options.command])
            .env_clear()
            .env(guard::MARK, &mark)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let asked = options.environment.iter().map(String::as_str);
        for name in ENVIRONMENT.into_iter().chain(asked) {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        let mut guard = command.spawn().map_err(failed)?;
        let (stdin, stdout, stderr) = (guard.stdin.take(), guard.stdout.take(), guard.stderr.take());
        let (Some(stdout), Some(mut stderr)) = (stdout, stderr) else {
            return Err(AgentError::Invalid("its guard has no pipes".to_owned()));
        };
        let said = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&said);
        // Nobody else reads it, and a full pipe would stop the process.
        tokio::spawn(async move {
            let mut chunk = vec![0_u8; 8 * 1024];
            while let Ok(read) = stderr.read(&mut chunk).await
                && read > 0
            {
                let mut said = into.lock().unwrap_or_else(PoisonError::into_inner);
                said.extend_from_slice(&chunk[..read]);
                let surplus = said.len().saturating_sub(STDERR_KEPT);
                said.drain(..surplus);
            }
        });
        Ok(Self { guard, stdin, stdout: BufReader::new(stdout), said })
    }

    async fn send(&mut self, message: &Value) -> std::io::Result<()> {
        let Some(stdin) = self.stdin.as_mut() else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        let mut line = message.to_string();
        line.push('\n');
        stdin.write_all(line.as_bytes()).await?;
        stdin.flush().await
    }

    /// The last of what it said on stderr, on one line.
    fn said(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(3)..];
        last.join(" | ").chars().take(500).collect()
    }

    /// Ends the process and waits until it, and all that it started, is gone.
    async fn end(&mut self) {
        self.stdin = None;
        if Deadline::after(GUARD_WITHIN).race("the agent's guard", self.guard.wait()).await.is_ok() {
            return;
        }
        // The guard may be busy handing our last message to a process that does not read.
        if let Some(id) = self.guard.id().and_then(|id| i32::try_from(id).ok()) {
            let _ = kill(Pid::from_raw(id), Signal::SIGTERM);
        }
        if Deadline::after(GUARD_WITHIN).race("the agent's guard", self.guard.wait()).await.is_err() {
            tracing::warn!(guard = self.guard.id(), "the agent's guard did not end; killing it");
            let _ = self.guard.kill().await;
        }
    }
}

impl Agent for Exec {
    fn name(&self) -> &str {
        &self.name
    }

    fn reset(&mut self, task: &Task) {
        self.task = task.clone();
    }

    fn act<'a>(&'a mut self, observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>> {
        async move {
            let asked = Instant::now();
            let message = protocol::observe(observation);
            let line = self.ask(&message).await?;
            let (reply, usage) = protocol::reply(&line);
            self.note_usage(&message, &line, usage, asked);
            Ok(reply)
        }
        .boxed()
    }

    fn decide<'a>(&'a mut self, state: &'a StateView) -> BoxFuture<'a, Result<Reply, AgentError>> {
        async move { Ok(protocol::decision(&self.ask(&protocol::decide(state)).await?)) }.boxed()
    }

    fn take_exchanges(&mut self) -> Vec<Exchange> {
        std::mem::take(&mut self.exchanges)
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        async move {
            if let Some(mut process) = self.process.take() {
                process.end().await;
            }
        }
        .boxed()
    }
}
