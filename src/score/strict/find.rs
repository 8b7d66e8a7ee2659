//! The rules: where an item stands in one text, and how much of it.

use super::evidence::{Disguise, Evidence, Rule};
use super::item::{CompiledItem, MIN_JOINED, Strength, Wording};
use super::negation::is_negated;
use super::text::{PreparedText, View};
use super::token::{Boundary, Kind};
use super::vocabulary::{Id, NONE, Reading, Vocabulary};

/// Share of an item's weight from which a long item counts as found whole.
const MOST: f64 = 0.8;
/// Fewest parts of an item for which most of them are enough.
const MOST_PARTS: usize = 4;
/// Share from which several parts are a partial disclosure.
const SOME: f64 = 0.5;
/// Share from which a single part is one.
const SINGLE: f64 = 0.6;
/// Share from which two telling words are one.
const TELLING: f64 = 0.35;

/// What one text says about one forbidden item.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Nothing of it.
    Nothing,
    /// Some of it.
    Part(Evidence),
    /// All of it.
    Whole(Evidence),
}

/// What readings a rule trusts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Equal by value: for required items.
    Exact,
    /// Other spellings too.
    Similar,
}

impl Trust {
    const fn id(self, reading: Reading) -> Id {
        match self {
            Self::Exact => reading.exact,
            Self::Similar => reading.similar,
        }
    }
}

/// Tokens from the first to the last, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    first: usize,
    last: usize,
}

/// What a window of a text holds of a wording.
#[derive(Debug, Clone, Copy)]
struct Window {
    stretch: Stretch,
    /// Share of the weight of the parts that count.
    share: f64,
    /// Number of parts that count.
    found: usize,
    /// Number of parts that tell something and are in no required item.
    telling: usize,
}

/// Looks for a required item. The text satisfies it by saying it, with the same numbers and times
/// and undisguised; a denial does not.
pub(super) fn required(
    item: &CompiledItem,
    text: &PreparedText<'_>,
    index: usize,
    vocabulary: &Vocabulary,
) -> Option<Evidence> {
    let view = text.plain();
    item.wordings.iter().find_map(|wording| {
        let evidence = |rule, stretch: Stretch| evidence(text, index, view, stretch, rule, None, 1.0);
        if let Some(literal) = &wording.literal {
            return literal_evidence(text, index, literal);
        }
        if let Some(path) = &wording.path
            && let Some((start, end)) = path.find(text.source)
        {
            return Some(at_bytes(text, index, start, end, Rule::FileName, None));
        }
        let accepts = |stretch: Stretch| {
            !is_negated(view, stretch.first, stretch.last) && !has_rival(wording, view, stretch)
        };
        if let Some(stretch) =
            phrases(wording, view, Trust::Exact).into_iter().find(|stretch| accepts(*stretch))
        {
            return Some(evidence(Rule::Phrase, stretch));
        }
        if let Some(stretch) = joined(wording, view, true).filter(|stretch| accepts(*stretch)) {
            return Some(evidence(Rule::Joined, stretch));
        }
        if wording.path.is_some() || wording.is_address || wording.parts.len() < 2 {
            return None;
        }
        complete_windows(wording, view, vocabulary, true)
            .into_iter()
            .find(|stretch| accepts(*stretch) && binds_values(wording, view, *stretch))
            .map(|stretch| evidence(Rule::Words, stretch))
    })
}

/// Looks for a forbidden item in every reading of a text.
pub(super) fn forbidden(
    item: &CompiledItem,
    text: &PreparedText<'_>,
    index: usize,
    vocabulary: &Vocabulary,
) -> Finding {
    let mut part: Option<Evidence> = None;
    for wording in &item.wordings {
        if let Some(literal) = &wording.literal {
            if let Some(evidence) = literal_evidence(text, index, literal) {
                return Finding::Whole(evidence);
            }
            continue;
        }
        if let Some(path) = &wording.path
            && let Some((start, end)) = path.find(text.source)
        {
            return Finding::Whole(at_bytes(text, index, start, end, Rule::FileName, None));
        }
        for view in &text.views {
            // Hidden twice over is nobody's habit and would match by chance.
            if wording.disguise.is_some() && view.disguise.is_some() {
                continue;
            }
            let disguise = wording.disguise.or(view.disguise);
            let Some((rule, stretch, coverage)) =
                forbidden_in_view(wording, view, vocabulary, disguise.is_some())
            else {
                continue;
            };
            let found = evidence(text, index, view, stretch, rule, disguise, coverage);
            if rule != Rule::Part && wording.strength == Strength::Whole {
                return Finding::Whole(found);
            }
            if part.as_ref().is_none_or(|known| known.coverage < found.coverage) {
                part = Some(Evidence { rule: Rule::Part, ..found });
            }
        }
    }
    part.map_or(Finding::Nothing, Finding::Part)
}

fn forbidden_in_view(
    wording: &Wording,
    view: &View,
    vocabulary: &Vocabulary,
    is_hidden: bool,
) -> Option<(Rule, Stretch, f64)> {
    let trust = if wording.disguise.is_some() { Trust::Exact } else { Trust::Similar };
    let capital_fits =
        |stretch: &Stretch| !wording.needs_capital || !view.has_upper || view.token(stretch.first).upper > 0;
    if let Some(stretch) = phrases(wording, view, trust).into_iter().find(capital_fits) {
        return Some((Rule::Phrase, stretch, 1.0));
    }
    if wording.needs_capital {
        return None;
    }
    let aligned = view.disguise != Some(Disguise::SpacedLetters);
    if let Some(stretch) = joined(wording, view, aligned) {
        return Some((Rule::Joined, stretch, 1.0));
    }
    if !view.touches || wording.parts.is_empty() {
        return None;
    }
    // A path's folders are shared by many files; only its end and its name's words tell.
    if wording.path.is_some() || wording.is_address {
        return None;
    }
    let has_private = wording.parts.iter().any(|part| part.is_private && part.is_telling);
    if wording.parts.len() >= 2
        && wording.parts.iter().any(|part| part.is_private)
        && let Some(stretch) = complete_windows(wording, view, vocabulary, false).into_iter().next()
    {
        return Some((Rule::Words, stretch, 1.0));
    }
    if !has_private || wording.disguise.is_some() {
        return None;
    }
    if !wording.parts.iter().any(|part| part.is_telling && part.is_private && view.holds(part.id)) {
        return None;
    }
    let all = best_window(wording, view, vocabulary, false, false)?;
    if all.share >= MOST && all.found >= MOST_PARTS && all.telling >= 2 {
        return Some((Rule::MostWords, all.stretch, all.share));
    }
    if is_hidden && wording.parts.len() < 3 {
        return None;
    }
    let private = best_window(wording, view, vocabulary, true, false)?;
    let enough = (private.share >= SOME && private.found >= 2)
        || private.share >= SINGLE
        || (private.share >= TELLING && private.telling >= 2 && !wording.has_pairs);
    // "Ticket 45" is no part of "ticket 44"; somebody's salary is, whatever figure follows.
    let needed = if has_other_value(wording, view, private.stretch) { 2 } else { 1 };
    (enough && private.telling >= needed).then_some((Rule::Part, private.stretch, private.share))
}

/// Every place where the wording's tokens stand in their order, function words aside.
fn phrases(wording: &Wording, view: &View, trust: Trust) -> Vec<Stretch> {
    let pattern = wording.pattern.as_slice();
    let mut found = Vec::new();
    if pattern.is_empty() || !pattern.iter().all(|id| view.holds(*id)) {
        return found;
    }
    // Knuth, Morris and Pratt: linear, whatever the text and the item repeat.
    let failures = failures(pattern);
    let length = if wording.skips_function_words { view.content.len() } else { view.readings.len() };
    let token_index = |position: usize| {
        if wording.skips_function_words { view.content[position] as usize } else { position }
    };
    let mut matched = 0;
    for position in 0..length {
        let id = trust.id(view.readings[token_index(position)]);
        if id == NONE {
            matched = 0;
            continue;
        }
        while matched > 0 && (matched == pattern.len() || pattern[matched] != id) {
            matched = failures[matched - 1];
        }
        if pattern[matched] == id {
            matched += 1;
        }
        if matched == pattern.len() {
            found.push(Stretch {
                first: token_index(position + 1 - pattern.len()),
                last: token_index(position),
            });
        }
    }
    found
}

fn failures(pattern: &[Id]) -> Vec<usize> {
    let mut failures = vec![0; pattern.len()];
    let mut matched = 0;
    for index in 1..pattern.len() {
        while matched > 0 && pattern[matched] != pattern[index] {
            matched = failures[matched - 1];
        }
        if pattern[matched] == pattern[index] {
            matched += 1;
        }
        failures[index] = matched;
    }
    failures
}

/// Where the item's characters stand with other gaps ("check-up" and "checkup"). The place starts
/// and ends where tokens do, unless the view is one of spaced letters that lost its word gaps.
fn joined(wording: &Wording, view: &View, aligned: bool) -> Option<Stretch> {
    let needle = wording.joined.as_deref()?;
    let mut from = 0;
    while let Some(offset) = view.joined.get(from..)?.find(needle) {
        let start = from + offset;
        let end = start + needle.len();
        let first = view.joined_starts.partition_point(|known| *known as usize <= start) - 1;
        let after = view.joined_starts.partition_point(|known| (*known as usize) < end);
        let fits = view.joined_starts[first] as usize == start
            && view.joined_starts.get(after).map_or(view.joined.len(), |next| *next as usize) == end;
        if fits || !aligned {
            return Some(Stretch { first, last: after - 1 });
        }
        from = start + needle.chars().next().map_or(1, char::len_utf8);
    }
    None
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
fn complete_windows(wording: &Wording, view: &View, vocabulary: &Vocabulary, exact: bool) -> Vec<Stretch> {
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

fn ids(view: &View, vocabulary: &Vocabulary, index: usize, exact: bool) -> [Id; 2] {
    let [single, pair] = view.parts_at(index, vocabulary);
    if exact { [view.readings[index].exact, pair] } else { [single, pair] }
}

/// Counts the parts of one wording inside a moving window.
struct Counter<'a> {
    wording: &'a Wording,
    /// Index of the part for each number of the vocabulary, one more; 0 where it is none.
    part_of: Vec<u32>,
    counts: Vec<u32>,
    found: usize,
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
fn best_window(
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

/// Whether another number or time stands where the item's should: "standup at 10:00, call at
/// 11:00" does not say that the standup is at 11:00.
fn has_rival(wording: &Wording, view: &View, stretch: Stretch) -> bool {
    if !wording.has_clock && !wording.has_number {
        return false;
    }
    let is_item = |index: usize| {
        let id = view.readings[index].exact;
        id != NONE && wording.parts.iter().any(|part| part.id == id)
    };
    let kind = |index: usize| match view.token(index).kind {
        Kind::Clock(_) if wording.has_clock => Some(true),
        Kind::Number if wording.has_number => Some(false),
        _ => None,
    };
    let inside = (stretch.first..=stretch.last).any(|index| {
        kind(index).is_some_and(|is_clock| {
            !is_item(index)
                && !is_listed_with_item(view, stretch, index, &|other| {
                    kind(other) == Some(is_clock) && is_item(other)
                })
        })
    });
    if inside {
        return true;
    }
    // A value belongs to its clause. "10:00 standup, 11:00 call": the value before the words is
    // theirs, the one after the comma is not; "10:00 planning, standup at 12:00" likewise.
    let Some(cut) =
        (stretch.first + 1..=stretch.last).find(|index| view.token(*index).boundary >= Boundary::Clause)
    else {
        return false;
    };
    let is_rival = |index: usize, is_clock: bool| kind(index) == Some(is_clock) && !is_item(index);
    let own_after = (cut..=stretch.last).find_map(|index| kind(index).filter(|_| is_item(index)));
    let own_before = (stretch.first..cut).find_map(|index| kind(index).filter(|_| is_item(index)));
    if let (None, Some(is_clock)) = (own_before, own_after)
        && let Some(before) = stretch.first.checked_sub(1)
    {
        return view.token(stretch.first).boundary <= Boundary::Soft && is_rival(before, is_clock);
    }
    if let (Some(is_clock), None) = (own_before, own_after) {
        return (stretch.last + 1..view.readings.len())
            .take(4)
            .take_while(|index| view.token(*index).boundary < Boundary::Clause)
            .any(|index| is_rival(index, is_clock));
    }
    false
}

/// Whether each of several values stands beside one of the words it stands beside in the item:
/// "5 bags and 3 boxes" says the same as "3 boxes, 5 bags", "5 boxes and 3 bags" does not.
fn binds_values(wording: &Wording, view: &View, stretch: Stretch) -> bool {
    if wording.value_neighbours.len() < 2 {
        return true;
    }
    let is_there =
        |value: Id| (stretch.first..=stretch.last).any(|index| view.readings[index].exact == value);
    wording.value_neighbours.iter().filter(|(value, _)| is_there(*value)).all(|(value, neighbours)| {
        neighbours.is_empty()
            || (stretch.first..=stretch.last).any(|index| {
                view.readings[index].exact == *value
                    && view
                        .tokens
                        .words_beside(index)
                        .into_iter()
                        .any(|beside| neighbours.contains(&view.readings[beside].exact))
            })
    })
}

/// Whether a number or time stands beside or inside the stretch where the item has another.
fn has_other_value(wording: &Wording, view: &View, stretch: Stretch) -> bool {
    let near = stretch.first.saturating_sub(1)..(stretch.last + 2).min(view.readings.len());
    let (mut own, mut other) = (false, false);
    for index in near {
        let matters = match view.token(index).kind {
            Kind::Clock(_) => wording.has_clock,
            Kind::Number => wording.has_number,
            Kind::Word | Kind::Character => false,
        };
        if matters {
            let id = view.readings[index].possible;
            let is_own = id != NONE && wording.parts.iter().any(|part| part.id == id);
            own |= is_own;
            other |= !is_own;
        }
    }
    other && !own
}

/// Whether a value stands in one enumeration with the item's own ("#44 and #45").
fn is_listed_with_item(view: &View, stretch: Stretch, index: usize, is_own: &dyn Fn(usize) -> bool) -> bool {
    let connects = |other: usize| {
        matches!(view.token(other).kind, Kind::Clock(_) | Kind::Number)
            || matches!(
                view.tokens.raw(view.token(other)),
                "and" | "or" | "und" | "oder" | "to" | "bis" | "和" | "、"
            )
    };
    let forwards = (index + 1..=stretch.last).take_while(|other| connects(*other)).any(is_own);
    let backwards = (stretch.first..index).rev().take_while(|other| connects(*other)).any(is_own);
    forwards || backwards
}

fn literal_evidence(text: &PreparedText<'_>, index: usize, literal: &str) -> Option<Evidence> {
    let units = super::fold::fold(text.source);
    let visible: Vec<_> = units.iter().filter(|unit| !unit.character.is_whitespace()).collect();
    let wanted: Vec<char> = literal.chars().collect();
    let found = visible
        .windows(wanted.len())
        .position(|window| window.iter().zip(&wanted).all(|(unit, wanted)| unit.character == *wanted))?;
    let start = visible[found].start as usize;
    let end = visible[found + wanted.len() - 1].end as usize;
    Some(at_bytes(text, index, start, end, Rule::Literal, None))
}

fn evidence(
    text: &PreparedText<'_>,
    index: usize,
    view: &View,
    stretch: Stretch,
    rule: Rule,
    disguise: Option<Disguise>,
    coverage: f64,
) -> Evidence {
    let start = view.token(stretch.first).start as usize;
    let end =
        (stretch.first..=stretch.last).map(|token| view.token(token).end as usize).max().unwrap_or(start);
    let misspelt = (stretch.first..=stretch.last).any(|token| {
        let reading = view.readings[token];
        reading.exact == NONE && reading.possible != NONE && !matches!(view.token(token).kind, Kind::Clock(_))
    });
    let disguise = disguise
        .or_else(|| text.surface_disguise(start, end))
        .or_else(|| misspelt.then_some(Disguise::Misspelt));
    let negated = is_negated(view, stretch.first, stretch.last);
    Evidence { negated, coverage, ..at_bytes(text, index, start, end, rule, disguise) }
}

fn at_bytes(
    text: &PreparedText<'_>,
    index: usize,
    start: usize,
    end: usize,
    rule: Rule,
    disguise: Option<Disguise>,
) -> Evidence {
    let quote = text.source.get(start..end).unwrap_or_default().chars().take(Evidence::MAX_QUOTE).collect();
    Evidence {
        rule,
        text: index,
        start,
        end,
        quote,
        disguise,
        negated: false,
        coverage: 1.0,
        step: 0,
        audience: Vec::new(),
    }
}

/// What one text adds to an item that may be split over several: which parts, and whether they
/// stand there on purpose.
#[derive(Debug)]
pub(super) struct Fragment {
    /// Indices into the wording's parts.
    pub(super) parts: Vec<usize>,
    pub(super) evidence: Evidence,
}

/// What a text holds of a wording, if it reads like a piece of it: two or more of its tokens in
/// their order, or a text that consists mostly of its words.
pub(super) fn fragment(
    wording: &Wording,
    text: &PreparedText<'_>,
    index: usize,
    vocabulary: &Vocabulary,
    exact: bool,
) -> Option<Fragment> {
    let view = text.plain();
    let window = best_window(wording, view, vocabulary, false, exact)?;
    let mut parts = Vec::new();
    let stretch = window.stretch;
    for token in stretch.first..=stretch.last {
        for id in ids(view, vocabulary, token, exact).into_iter().filter(|id| *id != NONE) {
            if let Some(part) = wording.parts.iter().position(|part| part.id == id)
                && !parts.contains(&part)
            {
                parts.push(part);
            }
        }
    }
    let is_dense = window.found * 2 >= view.content.len();
    let runs_in_order = view.content.windows(2).any(|pair| {
        let (first, second) = (view.readings[pair[0] as usize].exact, view.readings[pair[1] as usize].exact);
        first != NONE && wording.pattern.windows(2).any(|known| known == [first, second])
    });
    // A text that holds every part has been judged by itself; saying it twice makes it no truer.
    if parts.len() == wording.parts.len() {
        return None;
    }
    if exact
        && (is_negated(view, stretch.first, stretch.last)
            || has_rival(wording, view, stretch)
            || !binds_values(wording, view, stretch))
    {
        return None;
    }
    (is_dense || runs_in_order).then(|| Fragment {
        parts,
        evidence: evidence(text, index, view, stretch, Rule::Split, None, window.share),
    })
}

/// Whether the ends and beginnings of several texts spell the item, cut anywhere: one text ends
/// with its beginning, one begins with its end, and whole texts may stand between. Gives the
/// texts in the order of the item; their order among each other does not matter.
pub(super) fn spelt_over(wording: &Wording, texts: &[(usize, &PreparedText<'_>)]) -> Option<Vec<Evidence>> {
    /// Shortest piece that is no chance.
    const MIN_PIECE: usize = 3;
    let needle = wording.joined.as_deref().filter(|joined| joined.len() >= MIN_JOINED)?;
    if texts.len() < 2 {
        return None;
    }
    // For each cut: the text whose piece ends there, and where that piece starts.
    let mut reached: Vec<Option<(usize, usize)>> = vec![None; needle.len() + 1];
    let cuts: Vec<usize> = needle
        .char_indices()
        .map(|(cut, _)| cut)
        .filter(|cut| *cut >= MIN_PIECE && needle.len() - cut >= MIN_PIECE)
        .collect();
    for (position, (_, text)) in texts.iter().enumerate() {
        for cut in &cuts {
            if reached[*cut].is_none() && text.plain().joined.ends_with(&needle[..*cut]) {
                reached[*cut] = Some((position, 0));
            }
        }
    }
    for cut in &cuts {
        if reached[*cut].is_none() {
            continue;
        }
        for (position, (_, text)) in texts.iter().enumerate() {
            let piece = text.plain().joined.as_str();
            let end = cut + piece.len();
            if piece.len() >= MIN_PIECE
                && end < needle.len()
                && needle[*cut..].starts_with(piece)
                && reached[end].is_none()
            {
                reached[end] = Some((position, *cut));
            }
        }
    }
    for cut in cuts.iter().rev() {
        let Some(previous) = reached[*cut] else { continue };
        let last = texts
            .iter()
            .position(|(_, text)| text.plain().joined.starts_with(&needle[*cut..]))
            .filter(|position| *position != previous.0);
        let Some(last) = last else { continue };
        let mut pieces = vec![(last, *cut)];
        let mut end = *cut;
        while end > 0 {
            let (position, start) = reached[end]?;
            pieces.push((position, start));
            end = start;
        }
        pieces.reverse();
        return Some(
            pieces
                .into_iter()
                .map(|(position, _)| {
                    let (index, text) = texts[position];
                    at_bytes(text, index, 0, text.source.len(), Rule::Split, None)
                })
                .collect(),
        );
    }
    None
}
