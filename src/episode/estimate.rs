//! What a run is going to take: episodes, tokens, money and time. Not for: what it took, which its rows
//! say.
//!
//! Tokens are those of the first prompt for the first scenario, for each step that an episode may have.
//! Time is what earlier episodes of the same run took, where there are some, and assumed otherwise.

use std::num::NonZero;

use super::plan::{Mode, RunOptions, plan};
use super::preview::Preview;
use crate::agent::Agents;
use crate::report::Row;
use crate::scenario::LoadedFile;

/// Assumed work of one core for one step through the apps, observation and record included, seconds.
const STEP_SECONDS: f64 = 0.3;

/// Assumed work of one core for what an episode takes besides its steps, seconds.
const EPISODE_SECONDS: f64 = 0.5;

/// Assumed work of one core for an episode in state mode, seconds.
const STATE_SECONDS: f64 = 0.02;

/// Assumed wait for a reply of a model, seconds.
const REPLY_SECONDS: f64 = 5.0;

/// Assumed length of a reply of a model, tokens.
const REPLY_TOKENS: u64 = 300;

/// What a run is going to take at most.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Episodes that are to be acted out.
    pub episodes: usize,
    /// Episodes that are there already.
    pub kept: usize,
    /// Episodes less than all combinations make, because two variations come to the same one.
    pub alike: usize,
    /// The same by agent and mode.
    pub parts: Vec<EstimatedPart>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Tokens sent and received; `None` where no model is asked.
    pub tokens: Option<(u64, u64)>,
    /// US dollars; `None` where no model is asked, or a price is not known.
    pub cost: Option<f64>,
}

/// The episodes of one agent in one mode.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimatedPart {
    /// Name of the agent.
    pub agent: String,
    /// The mode.
    pub mode: Mode,
    /// Episodes that are to be acted out.
    pub episodes: usize,
    /// Seconds of an episode.
    pub seconds: f64,
    /// How many episodes these seconds are the mean of; 0 where they are assumed.
    pub measured: usize,
    /// Tokens of a prompt, by estimate; `None` where no model is asked.
    pub prompt_tokens: Option<u64>,
    /// Tokens sent and received.
    pub tokens: Option<(u64, u64)>,
    /// US dollars, where the price is known.
    pub cost: Option<f64>,
}

/// What the assumptions are, for a person.
#[must_use]
pub fn assumptions() -> String {
    format!(
        "{STEP_SECONDS} s of a core for a step, {REPLY_SECONDS} s and {REPLY_TOKENS} tokens for a reply of a model, every step of the budget used"
    )
}

/// Estimates a run. `previews` are the first prompts of its models, `before` the rows it has already.
#[must_use]
pub fn estimate(
    files: &[LoadedFile],
    options: &RunOptions,
    agents: &Agents,
    previews: &[Preview],
    before: &[Row],
) -> Estimate {
    // As in the run: shards go by the numbers.
    let options = &RunOptions { agents: agents.in_order(), ..options.clone() };
    let mut planned = plan(files, options);
    let all = files.len()
        * options.agents.len()
        * options.modes.len()
        * options.defenses.len()
        * options.variations.len()
        * options.trials as usize;
    let alike = all - planned.len();
    planned.retain(|one| options.shard.is_none_or(|shard| shard.holds(one.number as u64)));
    let kept: Vec<&Row> = before.iter().filter(|row| !row.outcome.is_worth_repeating()).collect();
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = options.jobs.max(1);
    let mut parts = Vec::new();
    let (mut busy, mut waiting) = (0.0, 0.0);
    for asked in &options.agents {
        for mode in &options.modes {
            let name = agents.name(asked);
            let of_part = |row: &&&Row| {
                row.agent == name && row.model.as_deref() == agents.model(asked) && row.mode == mode.name()
            };
            let there: Vec<&&Row> = kept.iter().filter(of_part).collect();
            let total = planned.iter().filter(|one| one.agent == *asked && one.mode == *mode).count();
            let episodes = total.saturating_sub(there.len());
            let steps = if *mode == Mode::State { 1 } else { u64::from(options.max_steps) };
            let asks = agents.llm(asked).is_some();
            let work = match mode {
                Mode::State => STATE_SECONDS,
                Mode::EndToEnd => EPISODE_SECONDS + STEP_SECONDS * steps as f64,
            };
            let wait = if asks { REPLY_SECONDS * steps as f64 } else { 0.0 };
            let measured = mean(there.iter().map(|row| row.timing.total_ms as f64 / 1_000.0));
            if let Some(seconds) = measured {
                // Measured at the same time as others, so that sharing the cores is in it.
                waiting += seconds * episodes as f64;
            } else {
                busy += work * episodes as f64;
                waiting += wait * episodes as f64;
            }
            let prompt_tokens = mean(
                previews
                    .iter()
                    .filter(|preview| preview.agent == *asked && preview.mode == *mode)
                    .map(|preview| preview.request.estimated_tokens() as f64),
            );
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of tokens")]
            let prompt_tokens = prompt_tokens.map(|tokens| tokens.ceil() as u64);
            let replies = steps * episodes as u64;
            let tokens = prompt_tokens.map(|prompt| (prompt * replies, REPLY_TOKENS * replies));
            let price = agents.llm(asked).and_then(crate::agent::LlmSetup::price);
            parts.push(EstimatedPart {
                agent: name.to_owned(),
                mode: *mode,
                episodes,
                seconds: measured.unwrap_or(work + wait),
                measured: if measured.is_some() { there.len() } else { 0 },
                prompt_tokens,
                tokens,
                cost: price.zip(tokens).map(|(price, (sent, received))| price.cost(sent, received)),
            });
        }
    }
    let asking: Vec<&EstimatedPart> = parts.iter().filter(|part| part.tokens.is_some()).collect();
    let tokens = asking.iter().filter_map(|part| part.tokens);
    let tokens = tokens.reduce(|one, other| (one.0 + other.0, one.1 + other.1));
    let cost: Option<f64> = asking.iter().map(|part| part.cost).sum();
    Estimate {
        episodes: parts.iter().map(|part| part.episodes).sum(),
        kept: kept.len(),
        alike,
        seconds: busy / jobs.min(cores) as f64 + waiting / jobs as f64,
        tokens,
        cost: cost.filter(|_| !asking.is_empty()),
        parts,
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Outcome;
    use crate::report::Row;
    use crate::trace::{Event, testing};

    fn files() -> Vec<LoadedFile> {
        crate::scenario::load_paths(&[
            concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/visual_co_location").into()
        ])
    }

    #[test]
    fn what_is_there_already_is_left_out_and_tells_the_pace() {
        let files = files();
        let options = RunOptions {
            agents: vec!["idle".into(), "oracle".into()],
            modes: vec![Mode::EndToEnd, Mode::State],
            max_steps: 10,
            trials: 2,
            jobs: 1,
            ..RunOptions::default()
        };
        let agents = Agents::new(&options.agents, &options.agent_options).unwrap();
        let fresh = estimate(&files, &options, &agents, &[], &[]);
        assert_eq!((fresh.episodes, fresh.kept, fresh.alike), (files.len() * 8, 0, 0));
        assert_eq!((fresh.tokens, fresh.cost), (None, None), "no model is asked");
        let expected = (files.len() * 4) as f64 * (STATE_SECONDS + EPISODE_SECONDS + 10.0 * STEP_SECONDS);
        assert!((fresh.seconds - expected).abs() < 1e-6, "{} {expected}", fresh.seconds);

        let Event::EpisodeStarted(started) = testing::started() else { panic!("the first event") };
        let mut row = Row::of(&started, &testing::finished());
        (row.agent, row.model, row.mode) = ("idle".to_owned(), None, "e2e".to_owned());
        row.timing.total_ms = 2_000;
        let lost = Row { outcome: Outcome::BrowserLost, ..row.clone() };
        let rest = estimate(&files, &options, &agents, &[], &[row, lost]);
        assert_eq!((rest.episodes, rest.kept), (fresh.episodes - 1, 1), "what was lost is done again");
        assert_eq!((rest.parts[0].seconds, rest.parts[0].measured), (2.0, 1));
        assert_eq!(rest.parts[1].measured, 0);
    }
}
