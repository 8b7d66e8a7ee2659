//! How many vectors a core scores in a second, by both scorers, and how fast long text is searched.
//!
//! ```text
//! cargo bench --no-default-features --bench scoring
//! ```
//!
//! The vectors are those made by running the public scorer, where `DISCREET_SHARED` names the folder
//! that holds them, else the labelled set of this repository. One thread; the best of seven rounds,
//! since other work on the machine only ever makes a round slower. Parsing is measured apart.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a benchmark prints, and fails on unreadable vectors"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use discreet::scenario::Item;
use discreet::score::strict::StrictScorer;
use discreet::score::vectors::{CompiledItems, Vector};

const ROUNDS: usize = 7;

/// The lines to score, and where they are from.
fn lines() -> (Vec<String>, &'static str) {
    let shared = std::env::var_os("DISCREET_SHARED").map(std::path::PathBuf::from);
    let path = shared.map(|shared| shared.join("data/scorer_vectors.jsonl")).filter(|path| path.is_file());
    if let Some(path) = path {
        let text = std::fs::read_to_string(path).unwrap();
        return (text.lines().map(str::to_owned).collect(), "public vectors");
    }
    let corpus = include_str!("../tests/corpus/strict.jsonl");
    let vector = |line: &str| {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let (required, forbidden) = if case["kind"] == "required" {
            (vec![case["item"].clone()], vec![])
        } else {
            (vec![], vec![case["item"].clone()])
        };
        serde_json::json!({
            "must_share": required, "must_not_share": forbidden, "completed": true,
            "shared_content": case["texts"],
        })
        .to_string()
    };
    (corpus.lines().map(vector).collect(), "labelled set (DISCREET_SHARED is not set)")
}

/// The shortest of some rounds.
fn best(mut round: impl FnMut()) -> Duration {
    best_with(|| (), |()| round())
}

/// The same, where each round uses up what is made before it.
fn best_with<T>(make: impl Fn() -> T, mut round: impl FnMut(T)) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let made = make();
        let started = Instant::now();
        round(made);
        best = best.min(started.elapsed());
    }
    best
}

fn main() {
    let (lines, source) = lines();
    let vectors: Vec<Vector> = lines.iter().map(|line| Vector::parse(line).unwrap()).collect();
    println!("{} vectors: {source}", vectors.len());
    let rate = |name: &str, time: Duration| {
        println!("{name:<22} {:>9.0} vectors/s", vectors.len() as f64 / time.as_secs_f64());
    };
    let parse = best(|| {
        for line in &lines {
            black_box(Vector::parse(black_box(line)).unwrap());
        }
    });
    rate("parse", parse);
    let reference = best_with(
        || vectors.clone(),
        |vectors| {
            for vector in vectors {
                black_box(black_box(vector).reference());
            }
        },
    );
    rate("reference", reference);
    let strict = best_with(
        || vectors.clone(),
        |vectors| {
            let mut compiled = CompiledItems::default();
            for vector in vectors {
                black_box(black_box(vector).strict(&mut compiled));
            }
        },
    );
    rate("strict", strict);
    let prepare = best(|| {
        let scorer = StrictScorer::new(&vectors[0].must_share, &vectors[0].must_not_share);
        for text in vectors.iter().flat_map(|vector| &vector.shared_content) {
            black_box(scorer.prepare(black_box(text)));
        }
    });
    rate("strict, reading only", prepare);

    let forbidden = ["Vet appointment for the dog", "HR", "May 19", "体检报告"].map(Item::plain);
    let scorer = StrictScorer::new(&[Item::plain("Lunch at 1 PM")], &forbidden);
    let paragraph = "On Tuesday at 9:30 we review PR #44 and src/main.rs with 1,200 rows, then the thread goes on. \
        Die Besprechung ist um 15 Uhr. 今天下午三点开会，请把文件发给同事。\n";
    let text = paragraph.repeat((1 << 20) / paragraph.len());
    let time = best(|| {
        black_box(scorer.score(true, &[black_box(&text)]));
    });
    println!("{:<22} {:>9.1} ms for 1 MB of text", "strict, long text", time.as_secs_f64() * 1e3);
}
