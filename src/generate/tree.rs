//! The tree that is searched: what was tried from where, what it was worth, and what to try next.
//!
//! UCB1 with two additions. What a choice would add that the kept scenarios lack counts as a bonus, and all
//! figures are kept per failure mode that is wanted, since a mutation may change the mode: what is good for
//! one is not for another. A choice that is under way counts as a visit that brought nothing, so that the
//! choices of one round spread.

use std::collections::BTreeMap;

use rand::Rng;

use super::facets::Facets;
use super::settings::Settings;
use crate::scenario::mutate::{Strategy, below};

/// So many failures, and a strategy is not tried again on the same scenario.
const MAX_FAILURES: u32 = 3;
/// How many visits the strategy's record elsewhere weighs as much as.
const PRIOR_WEIGHT: f64 = 2.0;
/// How far seeds of another mode than the wanted one are expected to do.
const OTHER_MODE: f64 = 0.5;

/// A scenario's place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeIndex(usize);

/// What to try next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Choice {
    pub(super) node: NodeIndex,
    pub(super) strategy: Strategy,
    /// Place of the wanted mode among the modes.
    pub(super) wanted: usize,
    pub(super) novelty: f64,
}

/// What came of a choice.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Learnt {
    /// Nothing about the choice.
    Nothing,
    /// The strategy cannot be used there.
    NotApplicable,
    /// Something came out that cannot be used.
    Failed,
    /// A scenario of some worth, 0 to 1.
    Child {
        id: String,
        facets: Facets,
        value: f64,
        /// Whether it may be changed further.
        is_open: bool,
    },
}

/// Visits and what they brought, for one wanted mode.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Stat {
    visits: f64,
    value: f64,
    pending: f64,
}

impl Stat {
    fn count(&self) -> f64 {
        self.visits + self.pending
    }

    /// The mean, drawn to `prior` with some weight; what is under way has brought nothing yet.
    fn mean(&self, prior: f64, weight: f64) -> f64 {
        (self.value + prior * weight) / (self.count() + weight)
    }
}

#[derive(Debug, Clone, Default)]
struct Arm {
    stats: Vec<Stat>,
    failures: u32,
    is_dead: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) facets: Facets,
    pub(super) depth: u32,
    parent: Option<NodeIndex>,
    children: Vec<NodeIndex>,
    pending: usize,
    is_open: bool,
    stats: Vec<Stat>,
    arms: Vec<Arm>,
}

/// How many kept scenarios have which property.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    counts: BTreeMap<(&'static str, String), u64>,
    total: u64,
}

impl Kept {
    pub(super) fn add(&mut self, facets: &Facets, strategy: Strategy) {
        self.total += 1;
        for (kind, value) in properties(facets).into_iter().chain([("strategy", strategy.name())]) {
            *self.counts.entry((kind, value.to_owned())).or_default() += 1;
        }
    }

    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn of_mode(&self, mode: &str) -> u64 {
        self.counts.get(&("mode", mode.to_owned())).copied().unwrap_or_default()
    }

    /// 1 for what no kept scenario has, one half for what as many have as usual, towards 0 above that.
    fn novelty(&self, kind: &'static str, value: &str) -> f64 {
        let values = self.counts.keys().filter(|(other, _)| *other == kind).count().max(1);
        let usual = self.total as f64 / values as f64;
        let count = self.counts.get(&(kind, value.to_owned())).copied().unwrap_or_default() as f64;
        1.0 / (1.0 + count / usual.max(1.0))
    }
}

fn properties(facets: &Facets) -> [(&'static str, &str); 4] {
    [
        ("mode", &facets.mode),
        ("family", &facets.family),
        ("language", &facets.language),
        ("sink", &facets.sink),
    ]
}

/// The tree.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    settings: Settings,
    /// The failure modes, sorted.
    modes: Vec<String>,
    nodes: Vec<Node>,
    roots: Vec<NodeIndex>,
    by_id: BTreeMap<String, NodeIndex>,
    /// Per mode and strategy, everywhere.
    everywhere: Vec<Vec<Stat>>,
    totals: Vec<Stat>,
    pub(super) kept: Kept,
}

impl Tree {
    pub(super) fn new(settings: Settings, modes: Vec<String>) -> Self {
        let none = vec![Stat::default(); modes.len()];
        Self {
            settings,
            nodes: Vec::new(),
            roots: Vec::new(),
            by_id: BTreeMap::new(),
            everywhere: modes.iter().map(|_| vec![Stat::default(); Strategy::ALL.len()]).collect(),
            totals: none,
            kept: Kept::default(),
            modes,
        }
    }

    pub(super) fn modes(&self) -> &[String] {
        &self.modes
    }

    pub(super) fn mode_index(&self, mode: &str) -> Option<usize> {
        self.modes.iter().position(|known| known == mode)
    }

    pub(super) fn node(&self, index: NodeIndex) -> &Node {
        &self.nodes[index.0]
    }

    pub(super) fn find(&self, id: &str) -> Option<NodeIndex> {
        self.by_id.get(id).copied()
    }

    pub(super) fn add_root(&mut self, id: &str, facets: Facets) {
        let index = self.add(id, facets, None, 0, true);
        self.roots.push(index);
    }

    fn add(
        &mut self,
        id: &str,
        facets: Facets,
        parent: Option<NodeIndex>,
        depth: u32,
        is_open: bool,
    ) -> NodeIndex {
        let index = NodeIndex(self.nodes.len());
        let stats = vec![Stat::default(); self.modes.len()];
        let arm = Arm { stats: stats.clone(), ..Arm::default() };
        self.nodes.push(Node {
            id: id.to_owned(),
            facets,
            depth,
            parent,
            children: Vec::new(),
            pending: 0,
            is_open: is_open && depth < self.settings.depth,
            stats,
            arms: vec![arm; Strategy::ALL.len()],
        });
        self.by_id.insert(id.to_owned(), index);
        index
    }

    /// Whether a scenario may get another child.
    fn takes_children(&self, node: &Node) -> bool {
        node.is_open
            && node.children.len() + node.pending < self.settings.expansions
            && node.arms.iter().any(|arm| !arm.is_dead)
    }

    /// Whether there is anything to try at or below a scenario.
    fn has_open(&self, index: NodeIndex) -> bool {
        let node = self.node(index);
        self.takes_children(node) || node.children.iter().any(|child| self.has_open(*child))
    }

    /// The mode of which the fewest are kept or to be expected from what is under way, among those that
    /// may still get some.
    pub(super) fn neediest(&self, mut may_have_more: impl FnMut(&str) -> bool) -> Option<usize> {
        let expected = |index: usize| {
            let (stat, kept) = (self.totals[index], self.kept.of_mode(&self.modes[index]) as f64);
            let share = (kept + 1.0) / (stat.visits + 2.0);
            (kept + stat.pending * share, stat.count())
        };
        (0..self.modes.len()).filter(|index| may_have_more(&self.modes[*index])).min_by(|one, other| {
            let (one, other) = (expected(*one), expected(*other));
            one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
        })
    }

    /// What to try next for a mode; it counts as under way from now on. `None` where nothing is left.
    pub(super) fn choose(&mut self, wanted: usize, random: &mut impl Rng) -> Option<Choice> {
        let mut place = {
            let open: Vec<NodeIndex> =
                self.roots.iter().copied().filter(|root| self.has_open(*root)).collect();
            let visits = self.totals[wanted].count();
            best(open.into_iter().map(|root| (root, self.score(root, wanted, visits))), random)?.0
        };
        let (strategy, novelty) = loop {
            let node = self.node(place);
            let here = self.best_arm(place, wanted, random);
            let visits = node.stats[wanted].count();
            let open = node.children.iter().copied().filter(|child| self.has_open(*child));
            let below = best(open.map(|child| (child, self.score(child, wanted, visits))), random);
            match (here, below) {
                (Some((strategy, score)), below) if below.is_none_or(|(_, other)| score >= other) => {
                    break (strategy, self.novelty(place, strategy));
                }
                (_, Some((child, _))) => place = child,
                (Some((strategy, _)), None) => break (strategy, self.novelty(place, strategy)),
                (None, None) => return None,
            }
        };
        let choice = Choice { node: place, strategy, wanted, novelty };
        self.count_pending(&choice, 1.0);
        Some(choice)
    }

    /// Any seed of the wanted mode, any strategy.
    pub(super) fn choose_randomly(&mut self, wanted: usize, random: &mut impl Rng) -> Option<Choice> {
        let roots: Vec<NodeIndex> =
            self.roots.iter().copied().filter(|root| self.is_of(*root, wanted)).collect();
        self.choose_among(&roots, wanted, random)
    }

    /// Any scenario of the wanted mode that may be changed further, any strategy.
    pub(super) fn choose_anywhere(&mut self, wanted: usize, random: &mut impl Rng) -> Option<Choice> {
        let all = (0..self.nodes.len()).map(NodeIndex);
        let open = all.filter(|index| self.is_of(*index, wanted) && self.takes_children(self.node(*index)));
        let open: Vec<NodeIndex> = open.collect();
        self.choose_among(&open, wanted, random)
    }

    fn is_of(&self, index: NodeIndex, mode: usize) -> bool {
        self.node(index).facets.mode == self.modes[mode]
    }

    fn choose_among(&mut self, nodes: &[NodeIndex], wanted: usize, random: &mut impl Rng) -> Option<Choice> {
        if nodes.is_empty() {
            return None;
        }
        let node = nodes[below(random, nodes.len())];
        let strategy = Strategy::ALL[below(random, Strategy::ALL.len())];
        let choice = Choice { node, strategy, wanted, novelty: self.novelty(node, strategy) };
        self.count_pending(&choice, 1.0);
        Some(choice)
    }

    /// What a scenario and all below it are worth to go to.
    fn score(&self, index: NodeIndex, wanted: usize, visits: f64) -> f64 {
        let (node, stat) = (self.node(index), self.node(index).stats[wanted]);
        let same_mode = node.facets.mode == self.modes[wanted];
        let prior = self.totals[wanted].mean(0.5, 1.0) * if same_mode { 1.0 } else { OTHER_MODE };
        let novelty = self.novelty_of(&node.facets);
        stat.mean(prior, 1.0)
            + self.settings.exploration * ((1.0 + visits).ln() / (1.0 + stat.count())).sqrt()
            + self.settings.novelty * novelty
    }

    /// The best strategy for a scenario and its score.
    fn best_arm(&self, index: NodeIndex, wanted: usize, random: &mut impl Rng) -> Option<(Strategy, f64)> {
        let node = self.node(index);
        if !self.takes_children(node) {
            return None;
        }
        let tries: f64 = node.arms.iter().map(|arm| arm.stats[wanted].count()).sum();
        let arms = Strategy::ALL.into_iter().zip(&node.arms).enumerate();
        let scores = arms.filter(|(_, (_, arm))| !arm.is_dead).map(|(place, (strategy, arm))| {
            let stat = arm.stats[wanted];
            let prior = self.everywhere[wanted][place].mean(self.totals[wanted].mean(0.5, 1.0), 1.0);
            let score = stat.mean(prior, PRIOR_WEIGHT)
                + self.settings.exploration * ((1.0 + tries).ln() / (1.0 + stat.count())).sqrt()
                + self.settings.novelty * self.novelty(index, strategy);
            (strategy, score)
        });
        best(scores, random)
    }

    fn novelty_of(&self, facets: &Facets) -> f64 {
        let of = |kind, value: &str| self.kept.novelty(kind, value);
        (of("family", &facets.family) + of("language", &facets.language) + of("sink", &facets.sink)) / 3.0
    }

    fn novelty(&self, index: NodeIndex, strategy: Strategy) -> f64 {
        let facets = &self.node(index).facets;
        self.novelty_of(facets).mul_add(0.75, 0.25 * self.kept.novelty("strategy", strategy.name()))
    }

    fn count_pending(&mut self, choice: &Choice, by: f64) {
        let (wanted, place) = (choice.wanted, place_of(choice.strategy));
        self.totals[wanted].pending += by;
        self.everywhere[wanted][place].pending += by;
        let node = &mut self.nodes[choice.node.0];
        node.arms[place].stats[wanted].pending += by;
        if by > 0.0 {
            node.pending += 1;
        } else {
            node.pending = node.pending.saturating_sub(1);
        }
        let mut next = Some(choice.node);
        while let Some(index) = next {
            let node = &mut self.nodes[index.0];
            node.stats[wanted].pending += by;
            next = node.parent;
        }
    }

    /// Takes account of what came of a choice, which is no longer under way.
    pub(super) fn learn(&mut self, choice: &Choice, learnt: Learnt) {
        self.count_pending(choice, -1.0);
        let place = place_of(choice.strategy);
        let arm = &mut self.nodes[choice.node.0].arms[place];
        match learnt {
            Learnt::Nothing => {}
            Learnt::NotApplicable => arm.is_dead = true,
            Learnt::Failed => {
                arm.failures += 1;
                arm.is_dead = arm.failures >= MAX_FAILURES;
                self.back_up(choice, choice.wanted, 0.0);
            }
            Learnt::Child { id, facets, value, is_open } => {
                let got = self.mode_index(&facets.mode).unwrap_or(choice.wanted);
                if got != choice.wanted {
                    self.back_up(choice, choice.wanted, 0.0);
                }
                self.back_up(choice, got, value);
                let depth = self.node(choice.node).depth + 1;
                let child = self.add(&id, facets, Some(choice.node), depth, is_open);
                self.nodes[child.0].stats[got] = Stat { visits: 1.0, value, pending: 0.0 };
                self.nodes[choice.node.0].children.push(child);
            }
        }
    }

    /// Back-propagation: a visit that brought `value`, at the strategy, the scenario, and all it came from.
    fn back_up(&mut self, choice: &Choice, mode: usize, value: f64) {
        let visit = |stat: &mut Stat| {
            stat.visits += 1.0;
            stat.value += value;
        };
        let place = place_of(choice.strategy);
        visit(&mut self.totals[mode]);
        visit(&mut self.everywhere[mode][place]);
        visit(&mut self.nodes[choice.node.0].arms[place].stats[mode]);
        let mut next = Some(choice.node);
        while let Some(index) = next {
            let node = &mut self.nodes[index.0];
            visit(&mut node.stats[mode]);
            next = node.parent;
        }
    }
}

/// The first of the highest; which of equals is first is drawn.
fn best<T: Copy>(scores: impl Iterator<Item = (T, f64)>, random: &mut impl Rng) -> Option<(T, f64)> {
    let scores: Vec<(T, f64)> = scores.collect();
    let highest = scores.iter().map(|(_, score)| *score).max_by(f64::total_cmp)?;
    let equal: Vec<&(T, f64)> = scores.iter().filter(|(_, score)| highest - score < 1e-9).collect();
    Some(*equal[below(random, equal.len())])
}

fn place_of(strategy: Strategy) -> usize {
    Strategy::ALL.iter().position(|other| *other == strategy).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const MODE: &str = "visual_co_location";

    fn facets(mode: &str, family: &str) -> Facets {
        Facets {
            mode: mode.to_owned(),
            family: family.to_owned(),
            language: "en".to_owned(),
            sink: "direct message".to_owned(),
            sources: Vec::new(),
        }
    }

    fn random() -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(1)
    }

    fn tree(settings: Settings, roots: &[(&str, &str)]) -> Tree {
        let mut modes: Vec<String> = roots.iter().map(|(_, mode)| (*mode).to_owned()).collect();
        modes.sort();
        modes.dedup();
        let mut tree = Tree::new(settings, modes);
        for (id, mode) in roots {
            tree.add_root(id, facets(mode, id));
        }
        tree
    }

    fn child(id: &str, family: &str, value: f64) -> Learnt {
        Learnt::Child { id: id.to_owned(), facets: facets(MODE, family), value, is_open: true }
    }

    #[test]
    fn every_seed_is_tried_before_one_is_tried_often() {
        let mut tree = tree(Settings::default(), &[("a", MODE), ("b", MODE), ("c", MODE)]);
        let mut random = random();
        let mut seen: Vec<String> = (0..3)
            .map(|_| {
                let choice = tree.choose(0, &mut random).unwrap();
                tree.node(choice.node).id.clone()
            })
            .collect();
        seen.sort();
        assert_eq!(seen, ["a", "b", "c"], "what is under way counts as tried");
    }

    #[test]
    fn the_search_goes_where_the_reward_is() {
        let settings = Settings { novelty: 0.0, expansions: 1_000, depth: 1, ..Settings::default() };
        let mut tree = tree(settings, &[("a", MODE), ("b", MODE), ("c", MODE), ("d", MODE)]);
        let mut random = random();
        let mut good = 0;
        for number in 0..300 {
            let choice = tree.choose(0, &mut random).unwrap();
            let id = tree.node(choice.node).id.clone();
            // One seed, and there one strategy, is worth something.
            let is_good = id == "c" && choice.strategy == Strategy::ALL[2];
            good += u32::from(is_good);
            tree.learn(&choice, child(&format!("{id}{number}"), &id, if is_good { 1.0 } else { 0.0 }));
        }
        // By chance it would be 300 / (4 x 7), eleven.
        assert!(good > 100, "{good}");
    }

    #[test]
    fn a_reward_is_known_all_the_way_up_and_nowhere_else() {
        let mut tree = tree(Settings { depth: 5, ..Settings::default() }, &[("a", MODE), ("b", MODE)]);
        let root = tree.find("a").unwrap();
        let mut at = root;
        for depth in 1..=3 {
            let choice = Choice { node: at, strategy: Strategy::ALL[0], wanted: 0, novelty: 0.0 };
            tree.count_pending(&choice, 1.0);
            tree.learn(&choice, child(&format!("a{depth}"), "a", 0.5));
            at = tree.find(&format!("a{depth}")).unwrap();
        }
        let stat = |id: &str| tree.node(tree.find(id).unwrap()).stats[0];
        assert_eq!(stat("a"), Stat { visits: 3.0, value: 1.5, pending: 0.0 });
        assert_eq!(stat("a1"), Stat { visits: 3.0, value: 1.5, pending: 0.0 });
        assert_eq!(stat("a2"), Stat { visits: 2.0, value: 1.0, pending: 0.0 });
        assert_eq!(stat("a3"), Stat { visits: 1.0, value: 0.5, pending: 0.0 });
        assert_eq!(stat("b"), Stat::default());
        assert_eq!(tree.totals[0], Stat { visits: 3.0, value: 1.5, pending: 0.0 });
        assert_eq!(tree.node(at).depth, 3);
    }

    #[test]
    fn limits_of_children_and_depth_hold_and_end_the_search() {
        let settings = Settings { expansions: 2, depth: 2, ..Settings::default() };
        let mut tree = tree(settings, &[("a", MODE)]);
        let mut random = random();
        let mut count = 0;
        while let Some(choice) = tree.choose(0, &mut random) {
            count += 1;
            assert!(count < 100);
            tree.learn(&choice, child(&format!("n{count}"), "a", 1.0));
        }
        // Two below the root, two below each of them.
        assert_eq!(count, 6);
        assert!(tree.nodes.iter().all(|node| node.children.len() <= 2 && node.depth <= 2));
    }

    #[test]
    fn what_does_not_apply_is_not_tried_again_and_what_fails_only_so_often() {
        let mut tree = tree(Settings::default(), &[("a", MODE)]);
        let mut random = random();
        for _ in Strategy::ALL {
            let choice = tree.choose(0, &mut random).unwrap();
            tree.learn(&choice, Learnt::NotApplicable);
        }
        assert_eq!(tree.choose(0, &mut random), None);
        assert_eq!(tree.totals[0], Stat::default(), "nothing was learnt about its worth");
        let mut tree = super::tests::tree(Settings::default(), &[("a", MODE)]);
        let mut count = 0;
        while let Some(choice) = tree.choose(0, &mut random) {
            count += 1;
            tree.learn(&choice, Learnt::Failed);
        }
        assert_eq!(count, Strategy::ALL.len() * MAX_FAILURES as usize);
    }

    #[test]
    fn the_mode_with_the_fewest_kept_comes_next() {
        let modes = ["recipient_misalignment", "task_ambiguity_overshare", MODE];
        let mut tree = tree(Settings::default(), &[("a", modes[0]), ("b", modes[1]), ("c", modes[2])]);
        let mut random = random();
        let mut seen = Vec::new();
        for _ in 0..3 {
            let wanted = tree.neediest(|_| true).unwrap();
            seen.push(wanted);
            tree.choose(wanted, &mut random).unwrap();
        }
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2], "what is under way is expected to bring something");
        for _ in 0..5 {
            tree.kept.add(&facets(modes[0], "a"), Strategy::ALL[0]);
            tree.kept.add(&facets(modes[2], "c"), Strategy::ALL[0]);
        }
        assert_eq!(tree.neediest(|_| true), Some(1));
        assert_ne!(tree.neediest(|mode| mode != modes[1]), Some(1));
        assert_eq!(tree.neediest(|_| false), None);
    }

    #[test]
    fn what_the_kept_ones_lack_is_preferred() {
        let settings = Settings { exploration: 0.0, ..Settings::default() };
        let mut tree = tree(settings, &[("a", MODE), ("b", MODE)]);
        for _ in 0..4 {
            tree.kept.add(&facets(MODE, "a"), Strategy::ALL[0]);
        }
        let choice = tree.choose(0, &mut random()).unwrap();
        assert_eq!(tree.node(choice.node).id, "b");
        assert_ne!(choice.strategy, Strategy::ALL[0]);
        assert!(choice.novelty > 0.5 && choice.novelty <= 1.0);
    }

    #[test]
    fn a_child_of_another_mode_counts_for_that_mode() {
        let other = "recipient_misalignment";
        let mut tree = tree(Settings::default(), &[("a", MODE), ("b", other)]);
        let wanted = tree.mode_index(MODE).unwrap();
        let choice =
            Choice { node: tree.find("a").unwrap(), strategy: Strategy::ALL[1], wanted, novelty: 0.0 };
        tree.count_pending(&choice, 1.0);
        let learnt =
            Learnt::Child { id: "a1".to_owned(), facets: facets(other, "a"), value: 0.8, is_open: true };
        tree.learn(&choice, learnt);
        let got = tree.mode_index(other).unwrap();
        assert_eq!(tree.totals[wanted], Stat { visits: 1.0, value: 0.0, pending: 0.0 });
        assert_eq!(tree.totals[got], Stat { visits: 1.0, value: 0.8, pending: 0.0 });
    }

    #[test]
    fn the_same_random_numbers_make_the_same_choices() {
        let choices = |seed: u64| -> Vec<(String, Strategy)> {
            let mut tree = tree(Settings::default(), &[("a", MODE), ("b", MODE), ("c", MODE)]);
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            (0..20)
                .map(|number| {
                    let choice = tree.choose(0, &mut random).unwrap();
                    let id = tree.node(choice.node).id.clone();
                    tree.learn(&choice, child(&format!("n{number}"), &id, f64::from(number % 3) / 2.0));
                    (id, choice.strategy)
                })
                .collect()
        };
        assert_eq!(choices(1), choices(1));
        assert_ne!(choices(1), choices(2));
    }
}
