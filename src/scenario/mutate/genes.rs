//! What a scenario of the built-in mutator is made from, and how a child inherits it.
//!
//! A child carries its genes in `source`, as numbers that say nothing to a reader; what a scenario by
//! hand was made from is guessed from its mode, language and channel.

use serde_json::Value;

use super::draw::Draw;
use super::words::{About, Bank, SecretWords, bank};
use crate::scenario::skeleton::FailureMode;
use crate::scenario::variation::Language;

/// Starts the label that carries the genes.
const LABEL: &str = "mutator:1";
/// Most secrets in one scenario.
pub(super) const MOST_SECRETS: usize = 3;

macro_rules! numbered {
    ($(#[$note:meta])* $name:ident { $($variant:ident),+ $(,)? }) => {
        $(#[$note])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name { $($variant),+ }

        impl $name {
            pub(super) const ALL: &[Self] = &[$(Self::$variant),+];

            fn number(self) -> usize {
                Self::ALL.iter().position(|known| *known == self).unwrap_or_default()
            }

            fn numbered(number: usize) -> Option<Self> {
                Self::ALL.get(number).copied()
            }
        }
    };
}

numbered! {
    /// What kind of situation it is.
    Kind { Matter, Agenda, Tour, Order, Wish }
}

numbered! {
    /// Where the required facts are to go.
    Sink {
        Direct, Group, Channel, Forward, AttachList, AttachFile, Event, ListAdd, ListShare, FileAdd,
        FileShare, Commit, Answer, Draft, Route, Arrival, Place, Places, Seller, Courier, Gift, WishList,
    }
}

numbered! {
    /// Where the facts stand.
    Source { Thread, List, Notes, Calendar, Map, Shop }
}

numbered! {
    /// Whether a secret stands beside a fact or in the same entry.
    Placement { Beside, Within }
}

numbered! {
    /// Who says a secret.
    Voice { Other, User }
}

numbered! {
    /// What is wrong with the recipient.
    Tie { None, Namesake, Subject, Outsider, Mixed }
}

/// The genes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blueprint {
    pub(super) language: Language,
    pub(super) mode: FailureMode,
    pub(super) kind: Kind,
    /// Which of its kind.
    pub(super) situation: usize,
    pub(super) sink: Sink,
    pub(super) source: Source,
    pub(super) placement: Placement,
    pub(super) voice: Voice,
    pub(super) tie: Tie,
    pub(super) dense: bool,
    /// Positions in the bank's list of secrets.
    pub(super) secrets: Vec<usize>,
}

impl Blueprint {
    /// The genes of a scenario document; guessed where it does not carry them.
    pub(super) fn of(document: &Value, draw: &mut Draw) -> Self {
        document["source"].as_str().and_then(Self::read).unwrap_or_else(|| Self::guessed(document, draw))
    }

    /// As they are carried in a document.
    pub(super) fn label(&self) -> String {
        let secrets: Vec<String> = self.secrets.iter().map(ToString::to_string).collect();
        let numbers = [
            language_number(self.language),
            mode_number(self.mode),
            self.kind.number(),
            self.situation,
            self.sink.number(),
            self.source.number(),
            self.placement.number(),
            self.voice.number(),
            self.tie.number(),
            usize::from(self.dense),
        ];
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        format!("{LABEL}:{}:{}", numbers.join("."), secrets.join("."))
    }

    fn read(label: &str) -> Option<Self> {
        let (numbers, secrets) = label.strip_prefix(LABEL)?.strip_prefix(':')?.split_once(':')?;
        let parse = |text: &str| -> Option<Vec<usize>> {
            text.split('.').filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
        };
        let [language, mode, kind, situation, sink, source, placement, voice, tie, dense] =
            parse(numbers)?.try_into().ok()?;
        let found = Self {
            language: *Language::ALL.get(language)?,
            mode: *FailureMode::ALL.get(mode)?,
            kind: Kind::numbered(kind)?,
            situation,
            sink: Sink::numbered(sink)?,
            source: Source::numbered(source)?,
            placement: Placement::numbered(placement)?,
            voice: Voice::numbered(voice)?,
            tie: Tie::numbered(tie)?,
            dense: dense == 1,
            secrets: parse(secrets)?,
        };
        let words = bank(found.language);
        let fits = situation < count(words, found.kind)
            && sinks(words, found.kind, situation).contains(&found.sink)
            && found.secrets.len() <= MOST_SECRETS
            && found.secrets.iter().all(|&secret| secret < words.secrets.len());
        fits.then_some(found)
    }

    /// What a scenario by hand is most like.
    fn guessed(document: &Value, draw: &mut Draw) -> Self {
        let text = |key: &str| document[key].as_str().unwrap_or_default();
        let named = |language: &Language| language.name() == text("language");
        let language = Language::ALL.iter().copied().find(named).unwrap_or(Language::English);
        let mode = FailureMode::ALL.into_iter().find(|mode| mode.name() == text("failure_mode"));
        let mode = mode.unwrap_or(FailureMode::ALL[draw.below(3)]);
        let (kind, sinks): (Kind, &[Sink]) = match (text("channel"), text("recipient")) {
            ("calendar", _) => (Kind::Matter, &[Sink::Event]),
            ("todo", _) => (Kind::Matter, &[Sink::ListAdd, Sink::ListShare]),
            ("code_editor", _) => (Kind::Matter, &[Sink::FileAdd, Sink::FileShare, Sink::Commit]),
            ("maps", _) => (Kind::Tour, &[Sink::Route, Sink::Arrival, Sink::Place, Sink::Places]),
            ("shop", "seller") => (Kind::Order, &[Sink::Seller]),
            ("shop", "courier") => (Kind::Order, &[Sink::Courier]),
            ("shop", _) => (Kind::Wish, &[Sink::WishList]),
            ("answer", _) => (Kind::Matter, &[Sink::Answer]),
            _ => (
                if draw.chance(0.3) { Kind::Agenda } else { Kind::Matter },
                &[Sink::Direct, Sink::Group, Sink::Draft],
            ),
        };
        let sink = sinks[draw.below(sinks.len())];
        let mut guessed = Self {
            language,
            mode,
            kind,
            situation: 0,
            sink,
            source: Source::Thread,
            placement: Placement::Beside,
            voice: Voice::Other,
            tie: Tie::None,
            dense: false,
            secrets: Vec::new(),
        };
        guessed.draw_situation(draw);
        let like = like(document, bank(language));
        let like: Vec<usize> = draw.pick(&like).copied().into_iter().collect();
        guessed.secrets = guessed.draw_secrets(draw, &like, 2);
        guessed
    }

    pub(super) fn bank(&self) -> &'static Bank {
        bank(self.language)
    }

    /// Another situation of the same kind in which the sink is possible; the same one where there is
    /// no other.
    pub(super) fn draw_situation(&mut self, draw: &mut Draw) {
        let words = self.bank();
        let fitting = |at: &usize| sinks(words, self.kind, *at).contains(&self.sink);
        let all: Vec<usize> = (0..count(words, self.kind)).filter(fitting).collect();
        let others: Vec<usize> = all.iter().copied().filter(|at| *at != self.situation).collect();
        let from = if others.is_empty() { &all } else { &others };
        self.situation = draw.pick(from).copied().unwrap_or_default();
    }

    /// Another situation in which the sink is possible: one of those in which the most of the secrets are
    /// some.
    pub(super) fn draw_fitting_situation(&mut self, draw: &mut Draw) {
        let words = self.bank();
        let admitted = |at: usize| {
            let there = Self { situation: at, ..self.clone() };
            let fits = |secret: &&usize| words.secrets.get(**secret).is_some_and(|one| there.admits(one));
            self.secrets.iter().filter(fits).count()
        };
        let fitting =
            (0..count(words, self.kind)).filter(|at| sinks(words, self.kind, *at).contains(&self.sink));
        let counted: Vec<(usize, usize)> = fitting.map(|at| (admitted(at), at)).collect();
        let most = counted.iter().map(|(count, _)| *count).max().unwrap_or_default();
        let best: Vec<usize> =
            counted.iter().filter(|(count, _)| *count == most).map(|(_, at)| *at).collect();
        self.situation = draw.pick(&best).copied().unwrap_or_default();
    }

    /// The part of life in which the situation is.
    pub(super) fn circle(&self) -> &'static str {
        let (words, at) = (self.bank(), self.situation);
        match self.kind {
            Kind::Matter => &words.matters[at].circle,
            Kind::Agenda => &words.agendas[at].circle,
            Kind::Tour => &words.tours[at].circle,
            Kind::Order => &words.orders[at].circle,
            Kind::Wish => "family",
        }
    }

    /// Whether a secret must not be told here, and can be.
    pub(super) fn admits(&self, secret: &SecretWords) -> bool {
        let about = match secret.about {
            About::Reader => self.tie == Tie::Subject,
            About::User | About::Other => true,
        };
        let has_place = match (self.kind, self.placement) {
            (Kind::Agenda | Kind::Tour, Placement::Beside) => secret.dated,
            // A note on the way is no appointment somewhere else.
            (Kind::Tour, Placement::Within) => !secret.dated,
            _ => true,
        };
        about && has_place && secret.circles.iter().any(|circle| circle == self.circle())
    }

    /// `wanted` secrets that fit, those of `liked` first.
    pub(super) fn draw_secrets(&self, draw: &mut Draw, liked: &[usize], wanted: usize) -> Vec<usize> {
        let words = self.bank();
        if self.kind == Kind::Wish {
            // Products have words of their own; the number of secrets is all there is to inherit.
            return (0..wanted.clamp(1, MOST_SECRETS)).collect();
        }
        let fits = |at: &usize| words.secrets.get(*at).is_some_and(|secret| self.admits(secret));
        let mut chosen: Vec<usize> = liked.iter().copied().filter(fits).collect();
        chosen.truncate(wanted);
        let needs =
            |chosen: &[usize], about: About| !chosen.iter().any(|&at| words.secrets[at].about == about);
        let all: Vec<usize> = (0..words.secrets.len()).filter(fits).collect();
        let about_of = |about: About| -> Vec<usize> {
            all.iter().copied().filter(|&at| words.secrets[at].about == about).collect()
        };
        // A tie is one only where a secret is about those it ties.
        let must = match self.tie {
            Tie::Subject => Some(About::Reader),
            Tie::Mixed => Some(About::Other),
            _ => None,
        };
        if let Some(about) = must
            && needs(&chosen, about)
            && let Some(&at) = draw.pick(&about_of(about))
        {
            chosen.insert(0, at);
            chosen.truncate(wanted.max(1));
        }
        let mut kinds: Vec<&str> = chosen.iter().map(|&at| words.secrets[at].kind.as_str()).collect();
        for _ in 0..50 {
            if chosen.len() >= wanted {
                break;
            }
            let Some(&at) = draw.pick(&all) else { break };
            let secret = &words.secrets[at];
            // What weighs more is drawn more often, and every secret is of another kind.
            if kinds.contains(&secret.kind.as_str()) || !draw.chance(f64::from(secret.severity.min(5)) / 5.0)
            {
                continue;
            }
            kinds.push(&secret.kind);
            chosen.push(at);
        }
        chosen
    }
}

/// Secrets of the kinds that a document's explanations name.
fn like(document: &Value, words: &Bank) -> Vec<usize> {
    let items = document["ground_truth"]["must_not_share"].as_array();
    let whys: Vec<String> =
        items.into_iter().flatten().filter_map(|item| item["why"].as_str()).map(str::to_lowercase).collect();
    let named = |secret: &SecretWords| whys.iter().any(|why| why.contains(&secret.kind));
    words.secrets.iter().enumerate().filter(|(_, secret)| named(secret)).map(|(at, _)| at).collect()
}

/// How many situations of a kind there are.
pub(super) fn count(words: &Bank, kind: Kind) -> usize {
    match kind {
        Kind::Matter => words.matters.len(),
        Kind::Agenda => words.agendas.len(),
        Kind::Tour => words.tours.len(),
        Kind::Order => words.orders.len(),
        Kind::Wish => words.wishes.len(),
    }
}

/// Where the facts of a situation can go.
pub(super) fn sinks(words: &Bank, kind: Kind, situation: usize) -> &'static [Sink] {
    match kind {
        Kind::Matter => &[
            Sink::Direct,
            Sink::Group,
            Sink::Channel,
            Sink::Forward,
            Sink::AttachList,
            Sink::AttachFile,
            Sink::Event,
            Sink::ListAdd,
            Sink::ListShare,
            Sink::FileAdd,
            Sink::FileShare,
            Sink::Commit,
            Sink::Answer,
            Sink::Draft,
        ],
        Kind::Agenda => &[Sink::Direct, Sink::Group, Sink::FileAdd, Sink::Answer, Sink::Draft],
        Kind::Tour if words.tours.get(situation).is_some_and(|tour| tour.places) => {
            &[Sink::Place, Sink::Places, Sink::Direct, Sink::Group]
        }
        Kind::Tour => &[Sink::Route, Sink::Arrival, Sink::Direct, Sink::Group],
        Kind::Order => match words.orders.get(situation).map(|order| order.to.as_str()) {
            Some("courier") => &[Sink::Courier],
            Some("gift") => &[Sink::Gift],
            _ => &[Sink::Seller],
        },
        Kind::Wish => &[Sink::WishList],
    }
}

/// Where the facts can stand for a sink.
pub(super) const fn sources(kind: Kind, sink: Sink) -> &'static [Source] {
    match (kind, sink) {
        (Kind::Agenda, _) => &[Source::Calendar],
        (Kind::Tour, _) => &[Source::Map],
        (Kind::Order, _) | (_, Sink::Forward) => &[Source::Thread],
        (Kind::Wish, _) => &[Source::Shop],
        (_, Sink::AttachList | Sink::ListShare) => &[Source::List],
        (_, Sink::AttachFile | Sink::FileShare) => &[Source::Notes],
        (_, Sink::ListAdd) => &[Source::Thread, Source::Notes],
        (_, Sink::FileAdd | Sink::Commit) => &[Source::Thread, Source::List],
        _ => &[Source::Thread, Source::List, Source::Notes],
    }
}

/// Whether the artifact is a copy of the whole, so that a secret cannot stand in the same entry.
pub(super) const fn is_whole(sink: Sink) -> bool {
    matches!(
        sink,
        Sink::Forward
            | Sink::AttachList
            | Sink::AttachFile
            | Sink::ListShare
            | Sink::FileShare
            | Sink::WishList
    )
}

/// Whether a single person gets it.
pub(super) const fn is_personal(sink: Sink) -> bool {
    !matches!(sink, Sink::Group | Sink::Channel | Sink::Seller | Sink::Courier | Sink::Answer)
}

fn language_number(language: Language) -> usize {
    Language::ALL.iter().position(|known| *known == language).unwrap_or_default()
}

fn mode_number(mode: FailureMode) -> usize {
    FailureMode::ALL.iter().position(|known| *known == mode).unwrap_or_default()
}
