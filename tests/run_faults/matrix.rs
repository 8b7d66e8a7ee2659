//! The list of faults in the documentation names tests that are there.

use std::path::Path;

const ROWS: usize = 28;

/// The cells of the table's rows: number, fault, what happens, tests.
fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .filter(|line| line.starts_with("| ") && line[2..].starts_with(|first: char| first.is_ascii_digit()))
        .map(|line| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// Whether a file has a test of this name.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().collect();
    lines.iter().enumerate().any(|(number, line)| {
        let is_it = line.trim_start().trim_start_matches("async ").starts_with(&format!("fn {name}("));
        let mut above = lines[..number].iter().rev().take_while(|line| line.trim_start().starts_with("#["));
        is_it && above.any(|line| line.contains("#[test]") || line.contains("#[tokio::test"))
    })
}

#[test]
fn every_row_of_the_fault_matrix_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("docs/faults.md")).unwrap();
    let rows = rows(&text);
    let numbers: Vec<usize> = rows.iter().map(|cells| cells[0].parse().unwrap()).collect();
    assert_eq!(numbers, (1..=ROWS).collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for cells in rows {
        let [number, _, _, tests] = &cells[..] else { panic!("a row of four cells: {cells:?}") };
        let (mut file, mut found) = (None, 0);
        for word in tests.split('`').skip(1).step_by(2) {
            if word.contains('/') {
                let source = std::fs::read_to_string(root.join(word));
                file = Some((word, source.unwrap_or_else(|error| panic!("row {number}: {word}: {error}"))));
                continue;
            }
            let (path, source) = file.as_ref().unwrap_or_else(|| panic!("row {number}: `{word}` of no file"));
            if has_test(source, word) {
                found += 1;
            } else {
                wrong.push(format!("row {number}: {path} has no test `{word}`"));
            }
        }
        if found == 0 {
            wrong.push(format!("row {number} names no test"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_test_is_told_from_what_is_none() {
    let source = "#[test]\nfn one() {}\n\nfn helper() {}\n\n\n#[tokio::test(flavor = \"x\")]\n#[ignore]\nasync fn two() {}\n";
    assert!(has_test(source, "one") && has_test(source, "two"));
    assert!(!has_test(source, "helper") && !has_test(source, "on") && !has_test("// fn one() {", "one"));
}
