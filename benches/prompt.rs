//! How long it takes to build the whole input of a step for a model: prompt, history, picture, and
//! the bytes of the request in each protocol. `cargo bench --bench prompt`; the target is 10 ms.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::{Duration, Instant};

use discreet::action::ActionSet;
use discreet::agent::model::{Models, ModelsOptions, Protocol, Provider};
use discreet::agent::{Agent as _, Llm, LlmConfig, LlmSetup, Task};
use discreet::observe::{Observation, OpenPage};

const STEPS: u32 = 20;

/// A page of so many controls, with a picture of the usual size.
fn observation(step: u32, controls: usize) -> Observation {
    let url = "http://openapps.test/".to_owned();
    let tree =
        (0..controls).map(|number| format!("\t\t[{number}] button 'Control number {number}', clickable\n"));
    Observation {
        step,
        url: url.clone(),
        open_pages: vec![OpenPage { url, title: "Home".to_owned() }],
        active_page: 0,
        tree: None,
        axtree: Some(tree.collect::<Vec<_>>().concat()),
        screenshot: Some(
            (0..120_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect(),
        ),
        focused_bid: "12".to_owned(),
        last_action: "click('12')".to_owned(),
        last_action_error: String::new(),
        dialogs: Vec::new(),
        dom: None,
        marked: None,
    }
}

fn main() {
    let models = Models::new(ModelsOptions::default());
    let setup = LlmSetup::new("local/m", &LlmConfig::default(), false, &models).unwrap();
    let actions = ActionSet::named("workspace").unwrap();
    println!("{:<10} {:>9} {:>12} {:>12} {:>10}", "protocol", "controls", "median ms", "slowest ms", "KB");
    for protocol in [Protocol::OpenAi, Protocol::Anthropic, Protocol::Gemini] {
        for controls in [60, 300, 3_000] {
            let provider = Provider { protocol, ..Provider::named("local").unwrap() };
            let mut agent = Llm::new("llm", setup.clone(), models.clone(), 0);
            agent.reset(&Task {
                goal: "Send Nora the work items that are still open on my list.".to_owned(),
                action_space: actions.describe(false),
                action_set: "workspace".to_owned(),
                max_steps: STEPS,
                defense: String::new(),
            });
            let mut times: Vec<Duration> = Vec::new();
            let mut bytes = 0;
            for step in 1..=STEPS {
                let observation = observation(step, controls);
                let started = Instant::now();
                let (request, _) = agent.request_of_step(&observation);
                bytes = request.body(&provider).len();
                times.push(started.elapsed());
                agent.remember(
                    step,
                    "click('12')",
                    Some("It is the button that sends what I wrote."),
                    &observation,
                );
            }
            times.sort();
            let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
            println!(
                "{:<10} {controls:>9} {:>12.2} {:>12.2} {:>10}",
                protocol.name(),
                milliseconds(times[times.len() / 2]),
                milliseconds(times[times.len() - 1]),
                bytes / 1_000
            );
        }
    }
}
