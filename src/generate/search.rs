//! The search: rounds of iterations, each chosen before any of it is played, and recorded in order.

use std::collections::{BTreeMap, BTreeSet};

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::error::GenerateError;
use super::facets::Facets;
use super::folder::{Folder, SeedRecord};
use super::line::{Fate, Line};
use super::settings::{Policy, Settings};
use super::similar::{Fingerprint, Pool};
use super::tree::{Choice, Learnt, Tree};
use super::world::{PlayedChild, Proposed, Wanted, World, load};
use crate::episode::certify::{Certificate, reasons_on_paper};
use crate::scenario::{LoadedFile, LoadedScenario, canonical, rows};
use crate::trace::Usage;

/// So many rounds in which nothing could be played, and the search gives up.
const MAX_ROUNDS_IN_VAIN: u32 = 3;
/// How far a mode may be ahead of the one with the fewest kept.
const BALANCE: f64 = 1.2;
/// Kept scenarios of a mode that need no others beside them.
const FIRST: u64 = 4;
/// The longest part of a new id that comes from the seed family.
const MAX_FAMILY: usize = 80;

/// When a search ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct End {
    /// After so many iterations.
    pub iterations: u64,
    /// When so many scenarios are kept.
    pub keep: Option<u64>,
    /// After the round in which so many scenarios were played.
    pub rollouts: Option<u64>,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Enough are kept.
    Kept,
    /// The iterations are used up.
    Iterations,
    /// Enough were played.
    Rollouts,
    /// Nothing is left to try.
    Exhausted,
}

/// How far a search is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Iterations so far.
    pub iterations: u64,
    /// Scenarios that were played.
    pub rollouts: u64,
    /// Scenarios that are kept.
    pub kept: u64,
}

/// What an iteration came to: its line, and the scenario where there is one to be remembered.
#[derive(Debug)]
struct Entry {
    line: Line,
    document: Option<Value>,
    fingerprint: Option<Fingerprint>,
    certificate: Option<Certificate>,
}

/// A child on its way through a round.
struct Candidate {
    /// Its place in the round.
    place: usize,
    file: LoadedFile,
    document: Value,
    fingerprint: Fingerprint,
}

/// A search.
#[derive(Debug)]
pub struct Search {
    settings: Settings,
    end: End,
    tree: Tree,
    pool: Pool,
    documents: BTreeMap<String, Value>,
    seeds: Vec<SeedRecord>,
    iterations: u64,
    rounds: u64,
    rollouts: u64,
    in_vain: u32,
    lines: Vec<Line>,
}

impl Search {
    /// A search from these seeds, in their order.
    ///
    /// # Errors
    /// [`GenerateError::NoSeeds`].
    pub fn new(settings: Settings, end: End, seeds: &[&LoadedScenario]) -> Result<Self, GenerateError> {
        if seeds.is_empty() {
            return Err(GenerateError::NoSeeds);
        }
        let modes: BTreeSet<String> = seeds.iter().map(|seed| seed.scenario.failure_mode.clone()).collect();
        let mut tree = Tree::new(settings.clone(), modes.into_iter().collect());
        let mut pool = Pool::new(settings.same_prompt, settings.same_forbidden);
        let mut documents = BTreeMap::new();
        let mut records = Vec::new();
        for seed in seeds {
            let (id, document) = (seed.scenario.scenario_id.clone(), rows::document(seed));
            tree.add_root(&id, Facets::of(seed));
            pool.add(Fingerprint::of(seed));
            records.push(SeedRecord { scenario_id: id.clone(), hash: canonical::hash(&document) });
            documents.insert(id, document);
        }
        Ok(Self {
            settings,
            end,
            tree,
            pool,
            documents,
            seeds: records,
            iterations: 0,
            rounds: 0,
            rollouts: 0,
            in_vain: 0,
            lines: Vec::new(),
        })
    }

    /// What it started from.
    #[must_use]
    pub fn seeds(&self) -> &[SeedRecord] {
        &self.seeds
    }

    /// Writes the seeds beside what will be made of them.
    ///
    /// # Errors
    /// [`GenerateError::Folder`].
    pub fn write_seeds(&self, folder: &Folder) -> Result<(), GenerateError> {
        for seed in &self.seeds {
            if let Some(document) = self.documents.get(&seed.scenario_id) {
                folder.write_node(&seed.scenario_id, document)?;
            }
        }
        Ok(())
    }

    /// The failure modes of its seeds.
    pub(super) fn modes(&self) -> &[String] {
        self.tree.modes()
    }

    /// The record so far.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The kept scenarios, in the order in which they were found.
    #[must_use]
    pub fn kept(&self) -> Vec<&Value> {
        let kept = self.lines.iter().filter(|line| line.is_kept());
        kept.filter_map(|line| self.documents.get(&line.child)).collect()
    }

    /// Goes through rounds that were recorded, and checks that they are what comes out now.
    ///
    /// # Errors
    /// [`GenerateError::Different`] where they are not.
    pub fn replay(
        &mut self,
        lines: Vec<Line>,
        folder: &Folder,
        world: &mut dyn World,
    ) -> Result<(), GenerateError> {
        let mut lines = lines.into_iter().peekable();
        while let Some(size) = lines.peek().map(|line| line.round_size) {
            let round: Vec<Line> = lines.by_ref().take(size).collect();
            let choices = self.choose(size);
            let mut entries = Vec::new();
            for (place, line) in round.into_iter().enumerate() {
                let expected = choices.get(place).map(|choice| self.blank(place, choices.len(), choice));
                let same = expected.is_some_and(|expected| {
                    (&expected.parent, &expected.strategy, &expected.wanted, &expected.child)
                        == (&line.parent, &line.strategy, &line.wanted, &line.child)
                });
                if !same {
                    let what = format!("another choice comes out for iteration {}", line.iteration);
                    return Err(GenerateError::Different { path: folder.path().to_owned(), what });
                }
                let document = line.hash.as_deref().map(|hash| folder.node(&line.child, hash)).transpose()?;
                let loaded = document.as_ref().map(|document| load(document, &line.child));
                let fingerprint =
                    loaded.and_then(|file| file.result.ok()).map(|loaded| Fingerprint::of(&loaded));
                entries.push(Entry { line, document, fingerprint, certificate: None });
            }
            self.commit(&choices, entries);
        }
        // Not the sum of the lines: those tell what answers take, also those that came from a cache.
        world.count_spending(folder.spending().unwrap_or_default());
        Ok(())
    }

    /// Searches until an end is reached. Without a folder nothing is written.
    ///
    /// # Errors
    /// [`GenerateError`]; whole rounds are recorded, and the search can be gone on with.
    pub async fn run(
        &mut self,
        world: &mut dyn World,
        mut folder: Option<&mut Folder>,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Ended, GenerateError> {
        loop {
            if let Some(ended) = self.ended() {
                return Ok(ended);
            }
            let left = self.end.iterations - self.iterations;
            let size = self.settings.batch.min(usize::try_from(left).unwrap_or(usize::MAX)).max(1);
            let choices = self.choose(size);
            if choices.is_empty() {
                return Ok(Ended::Exhausted);
            }
            let acted = self.act(&choices, world).await;
            if let Some(folder) = folder.as_deref() {
                // What is spent is spent, also where nothing came of the round.
                folder.keep_spending(world.spending())?;
            }
            let entries = acted?;
            if let Some(folder) = folder.as_deref_mut() {
                record(folder, &entries)?;
            }
            self.commit(&choices, entries);
            progress(Progress {
                iterations: self.iterations,
                rollouts: self.rollouts,
                kept: self.tree.kept.total(),
            });
            if self.in_vain >= MAX_ROUNDS_IN_VAIN {
                let why = self.lines.last().map(|line| line.why.clone()).unwrap_or_default();
                return Err(GenerateError::ProxiesFail(why));
            }
        }
    }

    fn ended(&self) -> Option<Ended> {
        if self.end.keep.is_some_and(|keep| self.tree.kept.total() >= keep) {
            Some(Ended::Kept)
        } else if self.end.rollouts.is_some_and(|rollouts| self.rollouts >= rollouts) {
            Some(Ended::Rollouts)
        } else {
            (self.iterations >= self.end.iterations).then_some(Ended::Iterations)
        }
    }

    /// How many of a mode may be kept, as things stand.
    fn most_of_a_mode(&self) -> u64 {
        let fewest =
            self.tree.modes().iter().map(|mode| self.tree.kept.of_mode(mode)).min().unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
        let ahead = (fewest as f64 * BALANCE).floor() as u64;
        // As many more as a round brings of one mode, so that nobody has to wait for exactly the same number.
        let of_a_round = self.settings.batch.div_ceil(self.tree.modes().len().max(1)) as u64;
        ahead.max(fewest + of_a_round).max(FIRST)
    }

    /// The choices of a round. They depend on what was recorded and nothing else.
    fn choose(&mut self, size: usize) -> Vec<Choice> {
        let mut choices = Vec::new();
        for place in 0..size {
            let mut random = self.random("choice", self.iterations + place as u64 + 1);
            // Both ways keep the same balance, so that they differ in what they choose and in nothing else.
            let (most, kept) = (self.most_of_a_mode(), self.tree.kept.clone());
            let Some(wanted) = self.tree.neediest(|mode| kept.of_mode(mode) < most) else { break };
            let choice = match self.settings.policy {
                Policy::Random => self.tree.choose_randomly(wanted, &mut random),
                Policy::Walk => self.tree.choose_anywhere(wanted, &mut random),
                Policy::Tree => self.tree.choose(wanted, &mut random),
            };
            let Some(choice) = choice else { break };
            choices.push(choice);
        }
        choices
    }

    /// Random numbers that depend on what they are for, and not on what was drawn before.
    fn random(&self, purpose: &str, iteration: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.number(purpose, iteration))
    }

    fn number(&self, purpose: &str, iteration: u64) -> u64 {
        let digest = Sha256::digest(format!("{}\0{purpose}\0{iteration}", self.settings.seed));
        digest.iter().take(8).fold(0, |number, byte| (number << 8) | u64::from(*byte))
    }

    /// The line of a choice before anything came of it.
    fn blank(&self, place: usize, size: usize, choice: &Choice) -> Line {
        let (node, iteration) = (self.tree.node(choice.node), self.iterations + place as u64 + 1);
        let fits = |letter: &char| letter.is_ascii_alphanumeric() || "-_.".contains(*letter);
        let family: String = node.facets.family.chars().filter(fits).take(MAX_FAMILY).collect();
        Line {
            iteration,
            round: self.rounds + 1,
            round_size: size,
            wanted: self.tree.modes()[choice.wanted].clone(),
            parent: node.id.clone(),
            strategy: choice.strategy.name().to_owned(),
            child: format!("{family}__g{}_{iteration:05}", self.settings.seed),
            depth: node.depth + 1,
            note: String::new(),
            hash: None,
            facets: None,
            answers: Vec::new(),
            reward: None,
            value: 0.0,
            novelty: rounded(choice.novelty),
            tokens: 0,
            cost: None,
            fate: Fate::NotApplicable,
            why: String::new(),
        }
    }

    /// Has the choices of a round carried out.
    async fn act(&self, choices: &[Choice], world: &mut dyn World) -> Result<Vec<Entry>, GenerateError> {
        let mut entries: Vec<Entry> = choices
            .iter()
            .enumerate()
            .map(|(place, choice)| Entry {
                line: self.blank(place, choices.len(), choice),
                document: None,
                fingerprint: None,
                certificate: None,
            })
            .collect();
        let wanted = choices.iter().zip(&entries).filter_map(|(choice, entry)| {
            Some(Wanted {
                parent: self.documents.get(&entry.line.parent)?,
                strategy: choice.strategy,
                id: entry.line.child.clone(),
                seed: self.number("mutation", entry.line.iteration),
            })
        });
        let proposals = world.propose(wanted.collect()).await?;
        let mut candidates: Vec<Candidate> = Vec::new();
        for (place, proposal) in proposals.into_iter().enumerate() {
            let line = &mut entries[place].line;
            add_usage(line, proposal.usage);
            let (fate, why) = match proposal.proposed {
                Proposed::NotApplicable(why) => (Fate::NotApplicable, why),
                Proposed::Rejected(why) => (Fate::Rejected, why),
                Proposed::Child { document, note } => {
                    line.note = note;
                    match self.examine(document, line, &candidates) {
                        Ok((file, document, fingerprint)) => {
                            candidates.push(Candidate { place, file, document, fingerprint });
                            continue;
                        }
                        Err(refused) => refused,
                    }
                }
            };
            (line.fate, line.why) = (fate, why);
        }
        let promising = self.play(&mut entries, candidates, world).await?;
        self.certify(&mut entries, promising, world).await?;
        Ok(entries)
    }

    /// Whether a child is worth playing: it loads, is sound on paper, and no copy.
    fn examine(
        &self,
        mut document: Value,
        line: &mut Line,
        before: &[Candidate],
    ) -> Result<(LoadedFile, Value, Fingerprint), (Fate, String)> {
        let family = self.tree.find(&line.parent).map(|node| self.tree.node(node).facets.family.clone());
        let Some(members) = document.as_object_mut() else {
            return Err((Fate::Unsound, "it is no JSON object".to_owned()));
        };
        // A mutator that draws another situation names the family it belongs to.
        if !members.contains_key("seed_family") {
            members.insert("seed_family".to_owned(), json!(family));
        }
        members.insert("scenario_id".to_owned(), json!(line.child));
        // The built-in mutator keeps there what the next change goes on from.
        members.entry("source").or_insert_with(|| json!("generated"));
        let file = load(&document, &line.child);
        let loaded = match &file.result {
            Ok(loaded) => loaded,
            Err(error) => return Err((Fate::Unsound, format!("it cannot be used: {error}"))),
        };
        line.facets = Some(Facets::of(loaded));
        if self.tree.mode_index(&loaded.scenario.failure_mode).is_none() {
            let mode = &loaded.scenario.failure_mode;
            return Err((Fate::Unsound, format!("no seed has the failure mode `{mode}`")));
        }
        if let Some(reason) = reasons_on_paper(loaded).into_iter().next() {
            return Err((Fate::Unsound, format!("{}: {}", reason.code, reason.message)));
        }
        let fingerprint = Fingerprint::of(loaded);
        if let Some(why) = self.pool.copy_of(&fingerprint) {
            return Err((Fate::Duplicate, why));
        }
        if let Some(other) =
            before.iter().find(|other| self.pool.are_copies(&other.fingerprint, &fingerprint))
        {
            let id = other.file.result.as_ref().map(|loaded| loaded.scenario.scenario_id.clone());
            return Err((Fate::Duplicate, format!("nearly `{}`", id.unwrap_or_default())));
        }
        let document = rows::document(loaded);
        Ok((file, document, fingerprint))
    }

    /// Has the proxies play the candidates; what reaches the threshold.
    async fn play(
        &self,
        entries: &mut [Entry],
        candidates: Vec<Candidate>,
        world: &mut dyn World,
    ) -> Result<Vec<Candidate>, GenerateError> {
        if candidates.is_empty() {
            return Ok(candidates);
        }
        let files = candidates.iter().map(|candidate| candidate.file.clone()).collect();
        let played = world.play(files).await?;
        let mut promising = Vec::new();
        for (candidate, PlayedChild { answers, usage }) in candidates.into_iter().zip(played) {
            let entry = &mut entries[candidate.place];
            let line = &mut entry.line;
            add_usage(line, usage);
            line.reward = self.settings.combine.of(&answers).map(rounded);
            line.answers = answers;
            let Some(reward) = line.reward else {
                let failed = line.answers.iter().find(|answer| answer.reward.is_none());
                line.fate = Fate::NotPlayed;
                line.why = failed.map(|one| format!("{}: {}", one.agent, one.outcome)).unwrap_or_default();
                continue;
            };
            line.value = rounded(self.settings.value(reward));
            line.fate = Fate::LowReward;
            line.hash = Some(canonical::hash(&candidate.document));
            entry.document = Some(candidate.document.clone());
            entry.fingerprint = Some(candidate.fingerprint.clone());
            if reward >= self.settings.threshold {
                promising.push(candidate);
            }
        }
        Ok(promising)
    }

    /// Has what reached the threshold certified, as far as there is room for it.
    async fn certify(
        &self,
        entries: &mut [Entry],
        promising: Vec<Candidate>,
        world: &mut dyn World,
    ) -> Result<(), GenerateError> {
        let most = self.most_of_a_mode();
        let mut kept: BTreeMap<String, u64> = BTreeMap::new();
        let mut total = self.tree.kept.total();
        let mut chosen = Vec::new();
        for candidate in promising {
            let Ok(loaded) = &candidate.file.result else { continue };
            let mode = loaded.scenario.failure_mode.clone();
            let count = kept.entry(mode.clone()).or_insert_with(|| self.tree.kept.of_mode(&mode));
            // A comparison with chance wants everything that is found.
            let has_room = self.end.rollouts.is_some()
                || (*count < most && self.end.keep.is_none_or(|keep| total < keep));
            if has_room {
                (*count, total) = (*count + 1, total + 1);
                chosen.push(candidate);
            } else {
                entries[candidate.place].line.fate = Fate::Surplus;
            }
        }
        if !self.settings.certifies {
            for candidate in chosen {
                entries[candidate.place].line.fate = Fate::Kept;
            }
            return Ok(());
        }
        if chosen.is_empty() {
            return Ok(());
        }
        let files = chosen.iter().map(|candidate| candidate.file.clone()).collect();
        let certificates = world.certify(files).await?;
        for (candidate, certificate) in chosen.into_iter().zip(certificates) {
            let entry = &mut entries[candidate.place];
            if certificate.certified {
                entry.line.fate = Fate::Kept;
                entry.certificate = Some(certificate);
                continue;
            }
            let reason = certificate.reasons.first();
            entry.line.why = reason.map(|one| format!("{}: {}", one.code, one.message)).unwrap_or_default();
            entry.line.fate = Fate::NotCertified;
            entry.line.value = 0.0;
        }
        Ok(())
    }

    /// Takes account of a round.
    fn commit(&mut self, choices: &[Choice], entries: Vec<Entry>) {
        let mut is_in_vain = false;
        let mut is_something_played = false;
        for (choice, entry) in choices.iter().zip(entries) {
            let Entry { line, document, fingerprint, .. } = entry;
            self.iterations += 1;
            self.rollouts += u64::from(line.is_rollout());
            is_in_vain |= line.fate == Fate::NotPlayed;
            is_something_played |= line.reward.is_some();
            let learnt = match line.fate {
                Fate::NotApplicable => Learnt::NotApplicable,
                Fate::NotPlayed => Learnt::Nothing,
                Fate::Rejected | Fate::Unsound | Fate::Duplicate => Learnt::Failed,
                Fate::LowReward | Fate::Surplus | Fate::NotCertified | Fate::Kept => {
                    match line.facets.clone() {
                        Some(facets) => Learnt::Child {
                            id: line.child.clone(),
                            facets,
                            value: line.value,
                            is_open: line.fate != Fate::NotCertified,
                        },
                        None => Learnt::Nothing,
                    }
                }
            };
            self.tree.learn(choice, learnt);
            if let Some(fingerprint) = fingerprint {
                if line.is_kept() { self.pool.add(fingerprint) } else { self.pool.add_tried(&fingerprint) }
            }
            if let (true, Some(facets)) = (line.is_kept(), &line.facets) {
                self.tree.kept.add(facets, choice.strategy);
            }
            if let Some(document) = document {
                self.documents.insert(line.child.clone(), document);
            }
            self.lines.push(line);
        }
        self.rounds += 1;
        self.in_vain = if is_in_vain && !is_something_played { self.in_vain + 1 } else { 0 };
    }
}

/// Scenarios first, then the lines that name them.
fn record(folder: &mut Folder, entries: &[Entry]) -> Result<(), GenerateError> {
    for Entry { line, document, certificate, .. } in entries {
        let Some(document) = document else { continue };
        folder.write_node(&line.child, document)?;
        if let (true, Some(facets)) = (line.is_kept(), &line.facets) {
            folder.keep(&facets.mode, &line.child, document, certificate.as_ref())?;
        }
    }
    let lines: Vec<Line> = entries.iter().map(|entry| entry.line.clone()).collect();
    folder.append(&lines)
}

fn add_usage(line: &mut Line, usage: Option<Usage>) {
    if let Some(usage) = usage {
        line.tokens = line.tokens.saturating_add(usage.input_tokens).saturating_add(usage.output_tokens);
        line.cost = match (line.cost, usage.cost) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
    }
}

/// To a millionth: what is written is what is gone on with.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::path::Path;

    use super::super::testing::{FakeWorld, seeds};
    use super::*;
    use crate::report::viewer::SEARCH_LINES_FILE;

    fn search(settings: Settings, end: End) -> Search {
        let seeds = seeds();
        let seeds: Vec<&LoadedScenario> = seeds.iter().collect();
        Search::new(settings, end, &seeds).unwrap()
    }

    async fn run(search: &mut Search, world: &mut FakeWorld, folder: Option<&mut Folder>) -> Ended {
        search.run(world, folder, &mut |_| {}).await.unwrap()
    }

    fn open(path: &Path, search: &Search, settings: &Settings, resume: bool) -> (Folder, Vec<Line>) {
        Folder::open(path, settings, search.seeds(), resume).unwrap()
    }

    /// Every file of a folder but its lock, and the account of what was spent: what a round took that was
    /// not recorded is in it.
    fn bytes(path: &Path) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![path.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let file = entry.unwrap().path();
                if file.is_dir() {
                    folders.push(file);
                } else if !["lock", "spending.json"].map(OsStr::new).contains(&file.file_name().unwrap()) {
                    let name = file.strip_prefix(path).unwrap().to_string_lossy().into_owned();
                    found.insert(name, std::fs::read(&file).unwrap());
                }
            }
        }
        found
    }

    #[tokio::test]
    async fn enough_are_kept_in_balance_and_no_two_are_alike() {
        let end = End { iterations: 2_000, keep: Some(24), rollouts: None };
        let mut search = search(Settings::default(), end);
        assert_eq!(run(&mut search, &mut FakeWorld::default(), None).await, Ended::Kept);
        let mut by_mode: BTreeMap<String, u64> = BTreeMap::new();
        let kept: Vec<LoadedScenario> =
            search.kept().iter().map(|document| *load(document, "kept").result.unwrap()).collect();
        for loaded in &kept {
            *by_mode.entry(loaded.scenario.failure_mode.clone()).or_default() += 1;
        }
        assert_eq!(by_mode.values().sum::<u64>(), 24);
        let (fewest, most) = (by_mode.values().min().unwrap(), by_mode.values().max().unwrap());
        assert!(by_mode.len() == 3 && most - fewest <= 4, "{by_mode:?}");
        let prints: Vec<Fingerprint> = kept.iter().map(Fingerprint::of).collect();
        for (place, one) in prints.iter().enumerate() {
            assert!(prints[..place].iter().all(|other| !search.pool.are_copies(one, other)));
        }
        let lines = search.lines();
        assert!(lines.iter().filter(|line| line.is_kept()).all(|line| line.reward.unwrap() >= 4.0));
        for fate in [Fate::LowReward, Fate::NotCertified, Fate::NotApplicable, Fate::Rejected] {
            assert!(lines.iter().any(|line| line.fate == fate), "{}", fate.name());
        }
    }

    #[tokio::test]
    async fn without_a_number_to_keep_no_mode_gets_far_ahead() {
        let mut search = search(Settings::default(), End { iterations: 300, ..End::default() });
        // Nothing of one mode is ever worth anything.
        let mut world = FakeWorld { barren: Some("recipient_misalignment"), ..FakeWorld::default() };
        assert_eq!(run(&mut search, &mut world, None).await, Ended::Iterations);
        let kept = |mode: &str| search.tree.kept.of_mode(mode);
        assert_eq!(kept("recipient_misalignment"), 0);
        for mode in ["visual_co_location", "task_ambiguity_overshare"] {
            assert!((1..=FIRST).contains(&kept(mode)), "{mode}: {}", kept(mode));
        }
    }

    #[tokio::test]
    async fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut made = Vec::new();
        for (name, seed) in [("one", 3), ("two", 3), ("three", 4)] {
            let settings = Settings { seed, ..Settings::default() };
            let mut search = search(settings.clone(), End { iterations: 150, ..End::default() });
            let path = folder.path().join(name);
            let (mut out, _) = open(&path, &search, &settings, false);
            run(&mut search, &mut FakeWorld::default(), Some(&mut out)).await;
            made.push(bytes(&path));
        }
        assert!(made[0].keys().any(|name| name.starts_with("scenarios/")));
        assert_eq!(made[0], made[1]);
        assert_ne!(made[0][SEARCH_LINES_FILE], made[2][SEARCH_LINES_FILE]);
    }

    #[tokio::test]
    async fn a_search_that_was_ended_anywhere_goes_on_to_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (settings, end) = (Settings::default(), End { iterations: 120, keep: Some(18), rollouts: None });
        let whole = folder.path().join("whole");
        let mut first = search(settings.clone(), end);
        let (mut out, _) = open(&whole, &first, &settings, false);
        run(&mut first, &mut FakeWorld::default(), Some(&mut out)).await;
        let expected = bytes(&whole);
        for rounds in [0, 1, 4] {
            let path = folder.path().join(format!("part{rounds}"));
            let mut part = search(settings.clone(), end);
            let (mut out, _) = open(&path, &part, &settings, false);
            // The world ends in the middle of a round.
            let mut world = FakeWorld { rounds: Some(rounds), ..FakeWorld::default() };
            let result = part.run(&mut world, Some(&mut out), &mut |_| {}).await;
            assert!(matches!(result, Err(GenerateError::Interrupted)));
            drop(out);
            let spent = world.spending;
            assert_eq!(spent.tokens, 3 * ((rounds + 1) * settings.batch) as u64);
            let mut rest = search(settings.clone(), end);
            let (mut out, lines) = open(&path, &rest, &settings, true);
            assert_eq!(lines.len(), rounds * settings.batch);
            let mut world = FakeWorld::default();
            rest.replay(lines, &out, &mut world).unwrap();
            assert_eq!(world.spending, spent, "the round that was not recorded counts, too");
            run(&mut rest, &mut world, Some(&mut out)).await;
            drop(out);
            assert_eq!(bytes(&path), expected, "after {rounds} rounds");
            let account = std::fs::read_to_string(path.join("spending.json")).unwrap();
            assert_eq!(
                serde_json::from_str::<crate::agent::model::Spending>(&account).unwrap(),
                world.spending
            );
        }
    }

    #[tokio::test]
    async fn a_record_that_was_tampered_with_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::default();
        let end = End { iterations: 60, ..End::default() };
        let mut whole = search(settings.clone(), end);
        let (mut out, _) = open(folder.path(), &whole, &settings, false);
        run(&mut whole, &mut FakeWorld::default(), Some(&mut out)).await;
        drop(out);
        let again = |change: &dyn Fn(&mut Vec<Line>)| {
            let mut search = search(settings.clone(), end);
            let (out, mut lines) = open(folder.path(), &search, &settings, true);
            change(&mut lines);
            search.replay(lines, &out, &mut FakeWorld::default())
        };
        assert!(again(&|_| {}).is_ok());
        let error = again(&|lines| lines[20].parent = "nobody".to_owned()).unwrap_err().to_string();
        assert!(error.contains("iteration 21"), "{error}");
        let changed = |lines: &mut Vec<Line>| {
            let line = lines.iter_mut().find(|line| line.hash.is_some()).unwrap();
            line.hash = Some("0".repeat(64));
        };
        assert!(again(&changed).unwrap_err().to_string().contains("was changed"));
    }

    #[tokio::test]
    async fn what_cannot_be_played_is_no_judgement_and_ends_the_search() {
        let mut search = search(Settings::default(), End { iterations: 500, ..End::default() });
        let mut world = FakeWorld { proxies_fail: true, ..FakeWorld::default() };
        let error = search.run(&mut world, None, &mut |_| {}).await.unwrap_err();
        assert!(matches!(error, GenerateError::ProxiesFail(_)), "{error}");
        assert!(search.lines().iter().all(|line| line.hash.is_none()));
        assert!(search.lines().len() < 100);
    }

    #[tokio::test]
    async fn nothing_is_searched_from_nothing() {
        let nothing = Search::new(Settings::default(), End::default(), &[]);
        assert!(matches!(nothing, Err(GenerateError::NoSeeds)));
    }
}
