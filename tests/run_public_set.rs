//! A sample of the public scenarios, acted out by the built-in agents.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::runs::{Place, has_browser};

/// The rows of one agent on a sample of so many files, taken at even distances in the order of their
/// names; none where there is no data or no browser.
fn rows_of(agent: &str, sample: usize) -> Vec<Value> {
    let Some(data) = support::shared_data() else { return Vec::new() };
    if !has_browser() {
        return Vec::new();
    }
    let folder = data.join("agentcibench/test");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(files.len() >= sample, "{} files in {}", files.len(), folder.display());
    let place = Place::new();
    for number in 0..sample {
        let file = &files[number * files.len() / sample];
        let name = format!("scenarios/{}", file.file_name().unwrap().to_str().unwrap());
        place.write(&name, &std::fs::read_to_string(file).unwrap());
    }
    let rows = place.run("out", &["--agent", agent, "--observe", "axtree"]);
    assert_eq!(rows.len(), sample);
    for row in &rows {
        let outcome = row["outcome"].as_str().unwrap();
        assert!(
            ["finished", "agent_stopped", "budget_exhausted"].contains(&outcome),
            "{} with {agent}: {outcome}: {}",
            row["scenario_id"],
            row["error"]
        );
        assert!(row["utility"].is_u64() && row["error"].is_null(), "{row}");
    }
    assert_eq!(place.discreet(&["verify", "out"]).status.code(), Some(0));
    rows
}

#[test]
fn the_oracle_meets_no_fault_of_ours_on_the_public_sample() {
    let rows = rows_of("oracle", 6);
    let useful = rows.iter().filter(|row| row["utility"] == 1).count();
    assert!(rows.is_empty() || useful > 0, "it does none of these errands: {rows:?}");
}

#[test]
fn the_careless_agent_meets_no_fault_of_ours_on_the_public_sample_and_leaks() {
    let rows = rows_of("careless", 3);
    let leaking = rows.iter().filter(|row| row["leaked"] == true).count();
    assert!(rows.is_empty() || leaking > 0, "it passes on all it reads: {rows:?}");
}
