//! The guard: our own binary, run again, that ends the browser when we are gone.
//!
//! It starts the browser in a process group of its own and reads its standard input, a pipe whose
//! other end we hold. When the pipe closes, because we close it or because we were killed, the guard
//! kills the group, and then whatever else still runs on the profile (Chromium's helpers may leave
//! the group), and removes the profile folder. The same happens when the browser ends by itself.
//! It runs in a group of its own, so that a Ctrl-C in the terminal reaches us and not it.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::config::kill_where;

/// The hidden subcommand that runs the guard.
pub const COMMAND: &str = "__guard";

/// What the guard writes to its standard output once the browser runs, before the process id.
pub(crate) const STARTED: &str = "browser-process ";

/// Runs the guard: `PROFILE EXECUTABLE ARGUMENT…`. Returns the exit code: 0 when the browser ended
/// or was ended, 2 for wrong arguments, 6 when it could not be started.
#[must_use]
pub fn run(arguments: &[OsString]) -> u8 {
    let [profile, executable, rest @ ..] = arguments else { return 2 };
    let profile = Path::new(profile);
    let mut command = Command::new(executable);
    command.args(rest).process_group(0).stdin(Stdio::null()).stdout(Stdio::null());
    clean_environment(&mut command, profile);
    let child = command.spawn();
    let code = match child {
        Ok(child) => {
            watch(child, profile);
            0
        }
        Err(error) => {
            // The one who reads this is `process::start`, which turns it into an error with a hint.
            let _ = writeln!(std::io::stderr(), "the guard could not start the browser: {error}");
            6
        }
    };
    remove(profile);
    code
}

/// What of our environment a browser needs, and therefore its guard: nothing else, keys above all, is
/// handed on to either.
pub(crate) fn needed_environment() -> impl Iterator<Item = (&'static str, OsString)> {
    ["PATH", "TMPDIR", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH"]
        .into_iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)))
}

fn clean_environment(command: &mut Command, profile: &Path) {
    command.env_clear().envs(needed_environment());
    command.env("HOME", profile).env("LANG", "C.UTF-8").env("TZ", "UTC");
    // What a killed browser leaves in its temporary folder goes with the profile. It puts a socket
    // there, and the address of a socket is short.
    if profile.as_os_str().len() <= LONGEST_TEMPORARY {
        command.env("TMPDIR", profile);
    }
}

/// Longest temporary folder, in bytes, that leaves room for the browser's socket below it: of the 108
/// bytes of an address it needs about 45.
const LONGEST_TEMPORARY: usize = 60;

enum News {
    PipeClosed,
    BrowserEnded,
}

fn watch(mut child: Child, profile: &Path) {
    let group = Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX));
    let mut stdout = std::io::stdout();
    let told = writeln!(stdout, "{STARTED}{}", child.id()).and_then(|()| stdout.flush());
    let (sender, news) = mpsc::channel();
    let pipe_sender = sender.clone();
    std::thread::spawn(move || {
        let mut buffer = [0_u8; 64];
        while matches!(std::io::stdin().read(&mut buffer), Ok(read) if read > 0) {}
        let _ = pipe_sender.send(News::PipeClosed);
    });
    // Whoever started us is gone already: there is nobody to serve.
    let mut open = told.is_ok();
    while open {
        match news.recv_timeout(Duration::from_millis(50)) {
            Ok(News::PipeClosed | News::BrowserEnded) => open = false,
            Err(_) => open = matches!(child.try_wait(), Ok(None)),
        }
    }
    let _ = killpg(group, Signal::SIGKILL);
    kill_users_of(profile);
    let _ = child.wait();
    let _ = sender.send(News::BrowserEnded);
}

/// Kills every process that names the profile on its command line, ourselves and other guards excepted.
fn kill_users_of(profile: &Path) {
    let needle = profile.as_os_str().as_encoded_bytes();
    let holds = |line: &[u8], part: &[u8]| line.windows(part.len()).any(|window| window == part);
    kill_where("cmdline", |line| !holds(line, COMMAND.as_bytes()) && holds(line, needle));
}

/// Removes a profile folder; a process that is just ending may still write into it.
pub(crate) fn remove(profile: &Path) {
    remove_socket(profile);
    for _ in 0..100 {
        match std::fs::remove_dir_all(profile) {
            Ok(()) => return,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Removes the folder with the socket by which a Chromium finds another one on its profile. It lies
/// beside the profile, because a socket's path must be short, and a killed Chromium leaves it there.
/// Only what is known to be in it is removed.
fn remove_socket(profile: &Path) {
    let Ok(socket) = std::fs::read_link(profile.join("SingletonSocket")) else { return };
    let Some(folder) = socket.parent() else { return };
    for name in ["SingletonSocket", "SingletonCookie"] {
        // What is not there need not be removed, and the folder is then removed or not empty.
        let _ = std::fs::remove_file(folder.join(name));
    }
    let _ = std::fs::remove_dir(folder);
}
