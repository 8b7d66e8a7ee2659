//! Stretches of a text that hold the parts of an item close together.

use super::super::item::Wording;
use super::super::text::View;
use super::super::token::{Boundary, Kind};
use super::super::vocabulary::{Id, NONE, Vocabulary};
use super::Stretch;

/// What a window of a text holds of a wording.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) stretch: Stretch,
    /// Share of the weight of the parts that count.
    pub(super) share: f64,
    /// Number of parts that count.
    pub(super) found: usize,
    /// Number of parts that tell something and are in no required item.
    pub(super) telling: usize,
}

/// Longest window, in tokens, in which the parts of a wording belong together.
fn window_length(wording: &Wording) -> usize {
    match wording.parts.len() {
        0..=2 => 6,
        parts => (parts * 3 + 2).min(400),
    }
}

/// Longest window in which some parts of a wording still belong together: fewer words need to be
/// closer.
fn part_window_length(wording: &Wording) -> usize {
    (wording.parts.len() * 2).clamp(6, 200)
}

/// The smallest windows that hold every part of the wording.
pub(super) fn complete_windows(
    wording: &Wording,
    view: &View,
    vocabulary: &Vocabulary,
    exact: bool,
) -> Vec<Stretch> {
    let mut found = Vec::new();
    if !wording.parts.iter().all(|part| view.holds(part.id)) {
        return found;
    }
    let limit = window_length(wording);
    let mut counter = Counter::new(wording, vocabulary);
    let mut start = 0;
    for end in 0..view.readings.len() {
        counter.add(ids(view, vocabulary, end, exact));
        while start < end && end - start >= limit {
            counter.remove(ids(view, vocabulary, start, exact));
            start += 1;
        }
        if counter.found < wording.parts.len() {
            continue;
        }
        while counter.can_spare(ids(view, vocabulary, start, exact)) && start < end {
            counter.remove(ids(view, vocabulary, start, exact));
            start += 1;
        }
        let last = last_of(view, end);
        let stretch = Stretch { first: start, last };
        // Two words belong together only inside one sentence.
        let crosses = wording.parts.len() <= 2
            && (start + 1..=end).any(|index| view.token(index).boundary == Boundary::Sentence);
        if !crosses {
            found.push(stretch);
            if !exact {
                break;
            }
        }
        counter.remove(ids(view, vocabulary, start, exact));
        start += 1;
    }
    found
}

/// The last token of a part that starts at `index`: a pair of characters reaches one further.
fn last_of(view: &View, index: usize) -> usize {
    let is_pair = view.token(index).kind == Kind::Character
        && view.tokens.list.get(index + 1).is_some_and(|next| next.kind == Kind::Character);
    if is_pair { index + 1 } else { index }
}

pub(super) fn ids(view: &View, vocabulary: &Vocabulary, index: usize, exact: bool) -> [Id; 2] {
    let [single, pair] = view.parts_at(index, vocabulary);
    if exact { [view.readings[index].exact, pair] } else { [single, pair] }
}

/// Counts the parts of one wording inside a moving window.
struct Counter<'a> {
    wording: &'a Wording,
    /// Index of the part for each number of the vocabulary, one more; 0 where it is none.
    part_of: Vec<u32>,
    counts: Vec<u32>,
    pub(super) found: usize,
}

impl<'a> Counter<'a> {
    fn new(wording: &'a Wording, vocabulary: &Vocabulary) -> Self {
        let mut part_of = vec![0; vocabulary.len()];
        for (index, part) in wording.parts.iter().enumerate() {
            part_of[part.id as usize] = u32::try_from(index + 1).unwrap_or(u32::MAX);
        }
        Self { wording, part_of, counts: vec![0; wording.parts.len()], found: 0 }
    }

    fn parts(&self, ids: [Id; 2]) -> impl Iterator<Item = usize> {
        ids.into_iter()
            .filter(|id| *id != NONE)
            .filter_map(|id| (self.part_of[id as usize] as usize).checked_sub(1))
    }

    fn add(&mut self, ids: [Id; 2]) {
        let parts: [Option<usize>; 2] = collect_two(self.parts(ids));
        for part in parts.into_iter().flatten() {
            self.counts[part] += 1;
            self.found += usize::from(self.counts[part] == 1);
        }
    }

    fn remove(&mut self, ids: [Id; 2]) {
        let parts: [Option<usize>; 2] = collect_two(self.parts(ids));
        for part in parts.into_iter().flatten() {
            self.counts[part] -= 1;
            self.found -= usize::from(self.counts[part] == 0);
        }
    }

    /// Whether the window holds as many parts without this token.
    fn can_spare(&self, ids: [Id; 2]) -> bool {
        self.parts(ids).all(|part| self.counts[part] > 1)
    }

    /// Share and numbers of what the window holds; with `private`, of the parts that no required
    /// item holds.
    fn window(&self, stretch: Stretch, private: bool) -> Window {
        let mut weight = 0.0;
        let mut total = 0.0;
        let (mut found, mut telling) = (0, 0);
        for (part, count) in self.wording.parts.iter().zip(&self.counts) {
            if private && !part.is_private {
                continue;
            }
            total += part.weight;
            if *count > 0 {
                weight += part.weight;
                found += 1;
                telling += usize::from(part.is_telling && part.is_private);
            }
        }
        Window { stretch, share: if total > 0.0 { weight / total } else { 0.0 }, found, telling }
    }
}

fn collect_two(mut parts: impl Iterator<Item = usize>) -> [Option<usize>; 2] {
    [parts.next(), parts.next()]
}

/// The window that holds most of the wording; `None` when it holds nothing.
pub(super) fn best_window(
    wording: &Wording,
    view: &View,
    vocabulary: &Vocabulary,
    private: bool,
    exact: bool,
) -> Option<Window> {
    if !wording.parts.iter().any(|part| view.holds(part.id)) {
        return None;
    }
    let limit = if private { part_window_length(wording) } else { window_length(wording) };
    let mut counter = Counter::new(wording, vocabulary);
    let mut best: Option<Window> = None;
    let mut start = 0;
    for end in 0..view.readings.len() {
        let added = ids(view, vocabulary, end, exact);
        counter.add(added);
        while start < end && end - start >= limit {
            counter.remove(ids(view, vocabulary, start, exact));
            start += 1;
        }
        if added == [NONE, NONE] || counter.parts(added).next().is_none() {
            continue;
        }
        while start < end && counter.can_spare(ids(view, vocabulary, start, exact)) {
            counter.remove(ids(view, vocabulary, start, exact));
            start += 1;
        }
        let window = counter.window(Stretch { first: start, last: last_of(view, end) }, private);
        if best.as_ref().is_none_or(|known| (window.share, window.telling) > (known.share, known.telling)) {
            best = Some(window);
        }
        if best.is_some_and(|known| known.share >= 1.0) {
            break;
        }
    }
    best.filter(|window| window.found > 0)
}
