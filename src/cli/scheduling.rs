//! Flags of `discreet run` and `discreet study` that say how a run is done, not what it measures.

use std::path::PathBuf;
use std::time::Duration;

use super::{exit_code, output};
use crate::config::env_vars;
use crate::error::{Explain, Fault};
use crate::report::{Metric, Shard, Summary};

/// How a run is done.
#[derive(Debug, clap::Args)]
pub(crate) struct Scheduling {
    /// Go on with the run in its folder: keep what verifies, act out what is missing and what browser,
    /// provider or harness failed
    #[arg(long)]
    pub(super) resume: bool,
    /// Act out one share of the episodes, `I/N`; `/N` takes the index from Slurm or Kubernetes, `off`
    /// ignores them [default: the share that `SLURM_ARRAY_TASK_ID` and `SLURM_ARRAY_TASK_COUNT` name,
    /// or `JOB_COMPLETION_INDEX` and `DISCREET_SHARDS`]
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// How many jobs share a browser at most: fewer take more memory, and lose fewer episodes at once where
    /// a browser dies [default: up to 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) jobs_per_browser: Option<u16>,
    /// How often an episode is acted out again at once that browser, provider or harness failed; the attempt
    /// stays on record [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10))]
    pub(super) retries: Option<u32>,
    /// Start no further episodes after more than N that failed
    #[arg(long, value_name = "N")]
    pub(super) max_failures: Option<u32>,
    /// Start no further episodes after this time, such as `90m` or `8h`
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) stop_after: Option<Duration>,
    /// Exit with 3 when a figure of any agent is above X: `leakage=0`, `L_eng=10%`; repeatable
    #[arg(long, value_name = "METRIC=X", value_parser = Limit::parse)]
    fail_above: Vec<Limit>,
    /// Append what happens to a file, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(super) events: Option<PathBuf>,
}

impl Scheduling {
    /// Which share of the episodes to act out.
    ///
    /// # Errors
    /// [`ShardRequestError`] when the flag or the scheduler's variables name none.
    pub(super) fn shard(&self) -> Result<Option<Shard>, ShardRequestError> {
        let shard = requested_shard(self.shard.as_deref(), |name| std::env::var(name).ok())?;
        if let Some(shard) = shard {
            output::note(&format!("shard {shard} of the run; `discreet merge` joins the shards"));
        }
        Ok(shard)
    }

    /// Says which figures are above their limits; the exit code.
    pub(super) fn gate(&self, summaries: &[Summary]) -> u8 {
        let mut failed = false;
        for limit in &self.fail_above {
            for summary in summaries {
                let group: Vec<&str> = summary.group.iter().map(|(_, value)| value.as_str()).collect();
                let (metric, group) = (limit.metric.name(), group.join(", "));
                let value = summary.figure(limit.metric).and_then(|figure| figure.value);
                // A gate has to be sure: what was not measured has not passed.
                let reason = if summary.scored == 0 {
                    Some("is not known: no episode was scored".to_owned())
                } else if limit.metric == Metric::Leakage && summary.leaked_unscored > 0 {
                    Some(format!(
                        "is not all: {} episodes that were not scored leaked",
                        summary.leaked_unscored
                    ))
                } else {
                    value
                        .filter(|value| *value > limit.above)
                        .map(|value| format!("is {value:.4}, above {}", limit.above))
                };
                if let Some(reason) = reason {
                    failed = true;
                    output::note(&format!("gate failed: {metric} of {group} {reason}"));
                }
            }
        }
        if failed { exit_code::GATE } else { exit_code::OK }
    }
}

/// A limit of `--fail-above`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Limit {
    metric: Metric,
    above: f64,
}

impl Limit {
    fn parse(text: &str) -> Result<Self, String> {
        let known = || Metric::ALL.map(Metric::name).join(", ");
        let (metric, above) =
            text.split_once('=').ok_or_else(|| "it is not `METRIC=X`, such as `leakage=0.1`".to_owned())?;
        let metric = Metric::parse(metric.trim())
            .ok_or_else(|| format!("there is no figure `{metric}`; there are {}", known()))?;
        let above = above.trim();
        let number = match above.strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
            None => above.parse(),
        };
        match number {
            Ok(above) if above.is_finite() && above >= 0.0 => Ok(Self { metric, above }),
            _ => Err(format!("`{above}` is no limit: give a share such as `0.1` or `10%`")),
        }
    }
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time: write `90s`, `30m` or `1h 30m`");
    let span: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
    Duration::try_from(span).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
}

/// No share can be made out.
#[derive(Debug, thiserror::Error)]
#[error("find out which shard to run: {reason}")]
pub(crate) struct ShardRequestError {
    reason: String,
    hint: &'static str,
}

impl Explain for ShardRequestError {
    fn fault(&self) -> Fault {
        Fault::Usage
    }

    fn hint(&self) -> Option<String> {
        Some(self.hint.to_owned())
    }
}

/// The share that a flag asks for, or that a scheduler gives this process.
fn requested_shard(
    flag: Option<&str>,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Option<Shard>, ShardRequestError> {
    let wrong = |reason: String, hint| ShardRequestError { reason, hint };
    let number = |name: &str| -> Result<Option<u32>, ShardRequestError> {
        let Some(text) = environment(name) else { return Ok(None) };
        let hint = "set it to a whole number, or give `--shard I/N`; `--shard off` ignores it";
        text.trim().parse().map(Some).map_err(|_| wrong(format!("`{name}` is `{text}`"), hint))
    };
    // The scheduler's number of this process, from 0.
    let position = || -> Result<Option<u32>, ShardRequestError> {
        if let Some(index) = number(env_vars::KUBERNETES_INDEX)? {
            return Ok(Some(index));
        }
        let Some(task) = number(env_vars::SLURM_TASK)? else { return Ok(None) };
        let first = number(env_vars::SLURM_FIRST)?.unwrap_or(0);
        let step = number(env_vars::SLURM_STEP)?.unwrap_or(1).max(1);
        Ok(Some(task.saturating_sub(first) / step))
    };
    let count = match flag {
        Some("off") => return Ok(None),
        Some(flag) => match flag.strip_prefix('/') {
            None => {
                return flag.parse().map(Some).map_err(|_| {
                    wrong(
                        format!("`{flag}` is not `I/N` with 1 <= I <= N"),
                        "write `--shard 2/8` for the second of eight",
                    )
                });
            }
            Some(count) => Some(count.parse().map_err(|_| {
                wrong(
                    format!("`{flag}` names no number of shards"),
                    "write `--shard /8` inside an array job of eight",
                )
            })?),
        },
        None => match number(env_vars::SHARDS)? {
            Some(count) => Some(count),
            None => number(env_vars::SLURM_TASKS)?,
        },
    };
    match (position()?, count) {
        (Some(position), Some(count)) => {
            Shard::new(position.saturating_add(1), count).map(Some).ok_or_else(|| {
                wrong(
                    format!(
                        "the scheduler's index {position} (from 0) is not below the number of shards, {count}"
                    ),
                    "an array that does not start at 0 needs `SLURM_ARRAY_TASK_MIN`; or give `--shard I/N`",
                )
            })
        }
        (Some(_), None) if environment(env_vars::KUBERNETES_INDEX).is_some() => Err(wrong(
            "this is a pod of an Indexed Job, which does not say how many there are".to_owned(),
            "give `--shard /N` with the job's completions, set `DISCREET_SHARDS`, or `--shard off`",
        )),
        (None, Some(_)) if flag.is_some() => Err(wrong(
            "no scheduler gives this process an index".to_owned(),
            "write `--shard I/N` with an index",
        )),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(flag: Option<&str>, environment: &[(&str, &str)]) -> Result<Option<String>, String> {
        requested_shard(flag, |name| {
            environment.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned())
        })
        .map(|shard| shard.map(|shard| shard.to_string()))
        .map_err(|error| error.to_string())
    }

    #[test]
    fn schedulers_name_the_share() {
        let shard = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(ask(None, &[]), Ok(None));
        assert_eq!(ask(Some("2/5"), &[]), shard("2/5"));
        let slurm = |task, count| vec![("SLURM_ARRAY_TASK_ID", task), ("SLURM_ARRAY_TASK_COUNT", count)];
        assert_eq!(ask(None, &slurm("0", "4")), shard("1/4"));
        let mut from_one = slurm("4", "4");
        from_one.push(("SLURM_ARRAY_TASK_MIN", "1"));
        assert_eq!(ask(None, &from_one), shard("4/4"));
        let mut by_twos = slurm("7", "4");
        by_twos.extend([("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_STEP", "2")]);
        assert_eq!(ask(None, &by_twos), shard("4/4"));
        assert_eq!(ask(Some("off"), &slurm("0", "4")), Ok(None));
        assert_eq!(ask(Some("2/5"), &slurm("0", "4")), shard("2/5"), "the flag decides");
        let pod = [("JOB_COMPLETION_INDEX", "2")];
        assert_eq!(ask(Some("/3"), &pod), shard("3/3"));
        assert_eq!(ask(None, &[pod[0], ("DISCREET_SHARDS", "3")]), shard("3/3"));
    }

    #[test]
    fn a_share_is_never_guessed() {
        for (flag, environment) in [
            (None, vec![("JOB_COMPLETION_INDEX", "2")]),
            (None, vec![("SLURM_ARRAY_TASK_ID", "4"), ("SLURM_ARRAY_TASK_COUNT", "4")]),
            (None, vec![("SLURM_ARRAY_TASK_ID", "x"), ("SLURM_ARRAY_TASK_COUNT", "4")]),
            (Some("/4"), vec![]),
            (Some("5/4"), vec![]),
            (Some("0/4"), vec![]),
            (Some("three"), vec![]),
        ] {
            assert!(ask(flag, &environment).is_err(), "{flag:?} {environment:?}");
        }
    }

    #[test]
    fn a_gate_does_not_pass_what_was_not_measured() {
        use crate::error::Outcome;
        use crate::report::{Grouping, Row, summarise};
        use crate::trace::{EpisodeFinished, Event, testing};

        let Event::EpisodeStarted(started) = testing::started() else { panic!("the first event") };
        let lost = EpisodeFinished { outcome: Outcome::BrowserLost, score: None, ..testing::finished() };
        let gate = |limit: &str, finished: &EpisodeFinished| {
            let rows = [Row::of(&started, finished)];
            let summaries = summarise(&rows, &[Grouping::Agent], crate::stats::Bootstrap::default());
            let scheduling = Scheduling {
                resume: false,
                shard: None,
                jobs_per_browser: None,
                retries: None,
                max_failures: None,
                stop_after: None,
                fail_above: vec![Limit::parse(limit).expect("a limit")],
                events: None,
            };
            scheduling.gate(&summaries)
        };
        assert_eq!(gate("leakage=1", &lost), exit_code::GATE);
        assert_eq!(gate("utility=1", &lost), exit_code::GATE);
        assert_eq!(gate("leakage=0.5", &testing::finished()), exit_code::GATE, "it leaked");
        assert_eq!(gate("leakage=1", &testing::finished()), exit_code::OK);
    }

    #[test]
    fn limits_and_times_are_read_or_refused() {
        assert_eq!(Limit::parse("leakage=0.25"), Ok(Limit { metric: Metric::Leakage, above: 0.25 }));
        assert_eq!(Limit::parse("L_eng=10%"), Ok(Limit { metric: Metric::EngagedLeakage, above: 0.1 }));
        for text in ["leakage", "leaks=0", "leakage=", "leakage=x", "leakage=-1", "leakage=inf"] {
            assert!(Limit::parse(text).is_err(), "{text}");
        }
        assert_eq!(duration("90m"), Ok(Duration::from_secs(5_400)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_secs(5_400)));
        for text in ["", "90", "-5m", "0s", "soon"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
