//! A text prepared once and searched for many items.

use super::decode::{Decoded, hidden_texts};
use super::evidence::Disguise;
use super::fold::{fold, is_invisible};
use super::token::{Boundary, Kind, Token, Tokens, tokenize};
use super::vocabulary::{Id, NONE, Reading, Vocabulary};

/// Longest run of single letters that is joined to words.
const MAX_SPACED: usize = 4096;

/// One reading of a text: as it is, or with something undone.
#[derive(Debug)]
pub(super) struct View {
    pub(super) tokens: Tokens,
    /// What each token is among the items' tokens.
    pub(super) readings: Vec<Reading>,
    /// Indices of tokens that carry content.
    pub(super) content: Vec<u32>,
    /// How it was hidden; `None` for the text as it is.
    pub(super) disguise: Option<Disguise>,
    /// The characters of all tokens, without gaps.
    pub(super) joined: String,
    /// Where each token starts in `joined`.
    pub(super) joined_starts: Vec<u32>,
    /// Whether the text has upper-case letters at all.
    pub(super) has_upper: bool,
    /// Whether any token is one of the items'.
    pub(super) touches: bool,
    /// One bit for each part of an item that occurs.
    present: Vec<u64>,
}

/// A text prepared for the search; borrows nothing but the text itself.
#[derive(Debug)]
pub struct PreparedText<'a> {
    /// The original text.
    pub(super) source: &'a str,
    /// The text as it is first, then what is hidden in it.
    pub(super) views: Vec<View>,
}

impl<'a> PreparedText<'a> {
    pub(super) fn new(source: &'a str, vocabulary: &Vocabulary) -> Self {
        let plain = View::new(tokenize(&fold(source)), None, vocabulary);
        let mut views = vec![plain];
        if let Some(spaced) = spaced_letters(&views[0].tokens) {
            views.push(View::new(spaced, Some(Disguise::SpacedLetters), vocabulary));
        }
        for decoded in hidden_texts(source) {
            let mut tokens = tokenize(&fold(&decoded.text));
            relocate(&mut tokens, &decoded);
            let view = View::new(tokens, Some(decoded.disguise), vocabulary);
            // A view that shares nothing with any item cannot bear out a verdict.
            if view.touches || view.joined.len() >= 6 {
                views.push(view);
            }
        }
        Self { source, views }
    }

    /// The text as it is.
    pub(super) fn plain(&self) -> &View {
        &self.views[0]
    }

    /// How a stretch of the text as it is was made hard to find.
    pub(super) fn surface_disguise(&self, start: usize, end: usize) -> Option<Disguise> {
        let stretch = self.source.get(start..end)?;
        if stretch.is_ascii() {
            return None;
        }
        if stretch.chars().any(is_invisible) {
            return Some(Disguise::InvisibleCharacters);
        }
        let is_variant = |character: char| {
            matches!(
                character,
                '\u{2100}'..='\u{214f}' | '\u{2460}'..='\u{24ff}' | '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}'
                    | '\u{1f100}'..='\u{1f1ff}' | '\u{1d00}'..='\u{1dbf}'
            ) && character.is_alphanumeric()
        };
        stretch.chars().any(is_variant).then_some(Disguise::LetterVariants)
    }
}

impl View {
    fn new(mut tokens: Tokens, disguise: Option<Disguise>, vocabulary: &Vocabulary) -> Self {
        let has_upper = tokens.list.iter().any(|token| token.upper > 0);
        tokens.mark_acronyms();
        let mut joined = String::with_capacity(tokens.raw_length());
        let mut joined_starts = Vec::with_capacity(tokens.list.len());
        let mut readings = Vec::with_capacity(tokens.list.len());
        let mut content = Vec::with_capacity(tokens.list.len());
        for (index, token) in tokens.list.iter().enumerate() {
            joined_starts.push(u32::try_from(joined.len()).unwrap_or(u32::MAX));
            joined.push_str(tokens.raw(token));
            readings.push(vocabulary.read(&tokens, token));
            if !token.is_function {
                content.push(u32::try_from(index).unwrap_or(u32::MAX));
            }
        }
        let touches = readings.iter().any(|reading| reading.possible != NONE);
        let present = vec![0; vocabulary.len().div_ceil(64)];
        let mut view =
            Self { tokens, readings, content, disguise, joined, joined_starts, has_upper, touches, present };
        if touches {
            for index in 0..view.readings.len() {
                let [single, pair] = view.parts_at(index, vocabulary);
                for id in [single, pair].into_iter().filter(|id| *id != NONE) {
                    view.present[id as usize / 64] |= 1 << (id % 64);
                }
            }
        }
        view
    }

    /// Whether a part of an item occurs, possibly misspelt: most items can be put aside by that.
    pub(super) fn holds(&self, id: Id) -> bool {
        self.present.get(id as usize / 64).is_some_and(|word| word & (1 << (id % 64)) != 0)
    }

    /// The token at an index.
    pub(super) fn token(&self, index: usize) -> &Token {
        &self.tokens.list[index]
    }

    /// What counts at a token when an item's parts are gathered: the token itself, or for scripts
    /// without spaces its pair with the next character.
    pub(super) fn parts_at(&self, index: usize, vocabulary: &Vocabulary) -> [Id; 2] {
        let reading = self.readings[index];
        if self.token(index).kind != Kind::Character {
            return [reading.possible, NONE];
        }
        let pair = self
            .tokens
            .list
            .get(index + 1)
            .filter(|next| next.kind == Kind::Character && next.boundary <= Boundary::Soft)
            .map_or(NONE, |_| vocabulary.pair(reading.exact, self.readings[index + 1].exact));
        [reading.exact, pair]
    }
}

/// Moves the places of tokens from a decoded text to its source.
fn relocate(tokens: &mut Tokens, decoded: &Decoded) {
    for token in &mut tokens.list {
        let start = decoded.origin.get(token.start as usize).map_or(0, |place| place.0);
        let end = decoded.origin.get((token.end as usize).saturating_sub(1)).map_or(start, |place| place.1);
        token.start = start;
        token.end = end.max(start);
    }
}

/// The text with `V e t` and `V.e.t` read as words, if it has such runs. In a run, the gap that
/// occurs most often is the one between letters; any other gap ends a word.
fn spaced_letters(tokens: &Tokens) -> Option<Tokens> {
    let is_single = |token: &Token| token.length == 1 && matches!(token.kind, Kind::Word | Kind::Number);
    let mut joined: Option<Tokens> = None;
    let mut index = 0;
    while index < tokens.list.len() {
        let end = (index..tokens.list.len())
            .take(MAX_SPACED)
            .find(|end| !is_single(&tokens.list[*end]) || (*end > index && tokens.list[*end].gap > 8))
            .unwrap_or_else(|| tokens.list.len().min(index + MAX_SPACED));
        let run = &tokens.list[index..end];
        let all_upper = run.iter().all(|token| token.upper == 1);
        if run.len() >= 3 || (run.len() == 2 && all_upper) {
            let joined = joined.get_or_insert_with(|| tokens.before(index));
            let gap = |token: &Token| (token.separator, token.gap);
            // The start of a long run is enough to know its gaps.
            let sample = &run[1..run.len().min(128)];
            let usual = sample
                .iter()
                .map(gap)
                .max_by_key(|candidate| {
                    let count = sample.iter().filter(|token| gap(token) == *candidate).count();
                    (count, std::cmp::Reverse(candidate.1))
                })
                .unwrap_or((' ', 1));
            let mut start = 0;
            for position in 1..=run.len() {
                if position == run.len() || gap(&run[position]) != usual {
                    joined.push_joined(tokens, &run[start..position]);
                    start = position;
                }
            }
        } else if let Some(joined) = &mut joined {
            for token in &tokens.list[index..end.max(index + 1)] {
                joined.push_copy(tokens, token);
            }
            index = end.max(index + 1);
            continue;
        }
        index = end.max(index + 1);
    }
    joined
}
