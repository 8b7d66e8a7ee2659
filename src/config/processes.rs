//! Ending what the guards' children have left behind, whatever group it has moved to.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// How long it is tried: a process that cannot be ended must not keep its guard for ever.
const WITHIN: Duration = Duration::from_secs(2);

/// The pause before the next look.
const PAUSE: Duration = Duration::from_millis(5);

/// Kills every process, ourselves excepted, whose file `name` below `/proc/<process>/` (`environ`,
/// `cmdline`) has a content that `is_ours` picks, until no such process is left.
pub(crate) fn kill_where(name: &str, is_ours: impl Fn(&[u8]) -> bool) {
    let deadline = Instant::now() + WITHIN;
    loop {
        let found = processes_where(name, &is_ours);
        if found.is_empty() || Instant::now() > deadline {
            return;
        }
        for process in found {
            // One that has ended meanwhile is what was wanted.
            let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
        }
        std::thread::sleep(PAUSE);
    }
}

fn processes_where(name: &str, is_ours: impl Fn(&[u8]) -> bool) -> Vec<i32> {
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|process| *process != own)
        // What may not be read belongs to somebody else.
        .filter(|process| std::fs::read(format!("/proc/{process}/{name}")).is_ok_and(|file| is_ours(&file)))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn only_what_is_picked_is_ended() {
        let start = |mark: &str| {
            let mut command = Command::new("sleep");
            command.arg("60").env("DISCREET_TEST_MARK", mark).stdin(Stdio::null());
            command.spawn().unwrap()
        };
        let own = format!("mine-{}", std::process::id());
        let (mut ours, mut other) = (start(&own), start("other"));
        let needle = format!("DISCREET_TEST_MARK={own}");
        let is_ours =
            |file: &[u8]| file.split(|byte| *byte == 0).any(|variable| variable == needle.as_bytes());
        // A child has its environment once it has become the program.
        let deadline = Instant::now() + Duration::from_secs(20);
        while processes_where("environ", is_ours).is_empty() {
            assert!(Instant::now() < deadline, "the process does not start");
            std::thread::sleep(PAUSE);
        }
        // Nobody waits for it until it is gone: what has ended has no environment any more.
        kill_where("environ", is_ours);
        assert!(!ours.wait().unwrap().success());
        assert!(other.try_wait().unwrap().is_none(), "it still runs");
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
