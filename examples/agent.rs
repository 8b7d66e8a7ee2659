//! An agent for `discreet` in Rust, as a process of its own.
//!
//! ```text
//! cargo build --example agent
//! discreet run scenarios --agent 'mine=exec:target/debug/examples/agent' --mode e2e,state
//! ```
//!
//! It opens every app once, in the order of the page, and finishes; in state mode it passes nothing on.

use std::collections::BTreeSet;
use std::io::{BufRead as _, Write as _};

use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut opened = BTreeSet::new();
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let reply = match message["type"].as_str() {
            Some("observe") => choose(&message["observation"], &mut opened),
            Some("decide") => {
                json!({ "completed": false, "shared_content": [], "recipient": null, "reasoning": "I only look." })
            }
            // `reset`, and whatever later versions tell: there is nothing to answer.
            _ => continue,
        };
        writeln!(stdout, "{reply}")?;
        stdout.flush()?;
    }
    Ok(())
}

/// Clicks the first app that was not opened yet.
fn choose(observation: &Value, opened: &mut BTreeSet<String>) -> Value {
    let tree = observation["axtree"].as_str().unwrap_or_default();
    let apps = ["Messages", "Calendar", "Maps", "To-do", "Shop"];
    let links = tree.lines().filter_map(|line| {
        let (bid, rest) = line.trim().strip_prefix('[')?.split_once("] link '")?;
        let app = apps.into_iter().find(|app| rest.starts_with(app))?;
        Some((bid, app))
    });
    for (bid, app) in links {
        if opened.insert(app.to_owned()) {
            return json!({ "action": format!("click('{bid}')"), "thought": format!("I open {app}.") });
        }
    }
    json!({ "action": "finish()", "thought": "I have seen every app." })
}
