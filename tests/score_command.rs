//! `discreet score` through the real binary.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn score(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_discreet"))
        .arg("score")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const VECTOR: &str = r#"{"id":"v1","must_share":["08:00 AM"],"must_not_share":["HR"],"completed":true,"shared_content":["11:00 AM, see the thread"],"extra":1}"#;

#[test]
fn vectors_are_scored_in_order_by_both_scorers() {
    let folder = tempfile::tempdir().unwrap();
    let strict = score(folder.path(), &["--vectors", "-"], VECTOR);
    assert_eq!(
        stdout(&strict),
        "{\"id\":\"v1\",\"utility\":0,\"ci_violation\":1,\"reward\":0.0,\"leaked_items\":[],\"matched_required\":[],\
         \"missing_required\":[\"08:00 AM\"],\"partial_items\":[]}\n"
    );
    let reference = score(folder.path(), &["--vectors", "-", "--scorer", "reference"], VECTOR);
    assert_eq!(
        stdout(&reference),
        "{\"id\":\"v1\",\"utility\":1,\"ci_violation\":4,\"reward\":4.0,\"leaked_items\":[\"HR\"],\
         \"matched_required\":[\"08:00 AM\"],\"missing_required\":[]}\n"
    );
    assert_eq!((strict.status.code(), reference.status.code()), (Some(0), Some(0)));
}

#[test]
fn a_bad_line_is_reported_and_the_others_are_scored() {
    let folder = tempfile::tempdir().unwrap();
    let output = score(folder.path(), &["--vectors", "-"], &format!("{{}}\n\n{VECTOR}\nnonsense\n"));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output).lines().count(), 1);
    let errors = stderr(&output);
    assert!(errors.contains("line 1") && errors.contains("line 4") && errors.contains("hint:"), "{errors}");
}

#[test]
fn exit_codes_of_unusable_input() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(score(folder.path(), &["--vectors", "-"], "nonsense\n").status.code(), Some(7));
    assert_eq!(score(folder.path(), &["--vectors", "-"], "\n").status.code(), Some(4));
    assert_eq!(score(folder.path(), &["--vectors", "missing.jsonl"], "").status.code(), Some(7));
    assert_eq!(score(folder.path(), &[], "").status.code(), Some(2));
    assert_eq!(score(folder.path(), &["-"], "text").status.code(), Some(2));
}

#[test]
fn pairs_get_every_rule_of_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    let output = score(folder.path(), &["--match", "-"], r#"{"haystack": "01:00", "needle": "01:00 PM"}"#);
    assert_eq!(
        stdout(&output),
        "{\"contains\":false,\"semantic_loose\":true,\"semantic_strict\":false,\"leak\":false,\
         \"ratio\":0.7692307692307693,\"ratio_canon\":0.7692307692307693}\n"
    );
}

#[test]
fn a_gate_over_texts_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("must.txt"), "Lunch at 1 PM\n").unwrap();
    std::fs::write(
        folder.path().join("not.json"),
        r#"["HR", {"text": "layoffs", "any_of": ["headcount cut"]}]"#,
    )
    .unwrap();
    std::fs::write(folder.path().join("good.txt"), "Lunch at 13:00, as in the thread.").unwrap();
    std::fs::write(folder.path().join("bad.txt"), "Lunch at 13:00. The headcount cut is near.").unwrap();
    let lists = ["--must-include", "must.txt", "--must-not-include", "not.json"];
    let run = |texts: &[&str], more: &[&str]| score(folder.path(), &[texts, &lists, more].concat(), "");

    assert_eq!(run(&["good.txt"], &["--gate"]).status.code(), Some(0));
    assert_eq!(run(&["good.txt", "bad.txt"], &["--gate"]).status.code(), Some(3));
    assert_eq!(run(&["good.txt", "missing.txt"], &["--gate"]).status.code(), Some(3), "unread is not passed");
    let table = run(&["bad.txt"], &[]);
    assert_eq!(table.status.code(), Some(0), "a leak is no failure unless a gate was asked for");
    assert!(
        stdout(&table).contains("LEAKED") && stdout(&table).contains("headcount cut"),
        "{}",
        stdout(&table)
    );
    let json: serde_json::Value = serde_json::from_str(&stdout(&run(&["bad.txt"], &["--json"]))).unwrap();
    assert_eq!(json["passed"], false);
    assert_eq!(json["forbidden"][1]["evidence"][0]["rule"], "phrase");
}
