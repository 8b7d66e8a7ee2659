//! What the parts of a scenario are put into while it is composed.

use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use super::apps;
use super::cast::{Casting, Person};
use super::draw::Draw;
use super::genes::{Blueprint, Placement, Tie, Voice};
use super::secret::{Said, Secret};
use super::talk::{self, Line, by, you};
use super::words::{About, Bank, filled};

/// A scenario in the making.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) plan: &'a Blueprint,
    pub(super) bank: &'static Bank,
    pub(super) now: DateTime,
    pub(super) cast: Casting<'static>,
    pub(super) draw: &'a mut Draw,
    /// Who is to get it.
    pub(super) reader: Person,
    /// Somebody else who reads it as well.
    pub(super) second: Option<Person>,
    pub(super) secrets: Vec<Secret>,
    contacts: Vec<Value>,
    threads: Vec<Value>,
    states: Map<String, Value>,
    required: Vec<Value>,
    forbidden: Vec<Value>,
    /// What was said to secrets.
    answers: Vec<String>,
    /// What the request's gaps are filled with.
    pub(super) gaps: Vec<(&'static str, String)>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        plan: &'a Blueprint,
        now: DateTime,
        cast: Casting<'static>,
        reader: Person,
        draw: &'a mut Draw,
    ) -> Self {
        Self {
            plan,
            bank: plan.bank(),
            now,
            cast,
            draw,
            reader,
            second: None,
            secrets: Vec::new(),
            contacts: Vec::new(),
            threads: Vec::new(),
            states: Map::new(),
            required: Vec::new(),
            forbidden: Vec::new(),
            answers: Vec::new(),
            gaps: Vec::new(),
        }
    }

    /// Draws the secrets of the plan. `day` is the weekday they name, where it has to be a certain one.
    pub(super) fn draw_secrets(&mut self, day: Option<&str>) {
        for (number, &at) in self.plan.secrets.iter().enumerate() {
            let Some(words) = self.bank.secrets.get(at) else { continue };
            let reads_along = self.plan.tie == Tie::Mixed && words.about == About::Other;
            let known = self.second.as_ref().map(|second| second.first.clone());
            let known = known.or_else(|| self.reader.members.first().cloned());
            let other = match known {
                Some(name) if reads_along => name,
                _ => self.cast.first(self.draw),
            };
            let mut secret = Secret::new(words, self.bank, self.draw, &other, &self.reader.first, day);
            match self.plan.tie {
                Tie::Mixed if reads_along => secret.because(&self.bank.names.mixed_why),
                Tie::Namesake if number > 0 && number + 1 == self.plan.secrets.len() => {
                    secret.because(&self.bank.names.twin_why);
                }
                _ => {}
            }
            self.secrets.push(secret);
        }
    }

    /// How many everyday entries stand around the items.
    pub(super) const fn density(&self, usual: usize) -> usize {
        if self.plan.dense { usual + usual / 2 } else { usual }
    }

    pub(super) fn is_within(&self) -> bool {
        self.plan.placement == Placement::Within
    }

    pub(super) fn requires(&mut self, text: &str, why: &str, audience_ok: &[String]) {
        let mut item = json!({ "text": text, "why": why });
        if !audience_ok.is_empty() {
            item["audience_ok"] = json!(audience_ok);
        }
        self.required.push(item);
    }

    pub(super) fn forbids(&mut self, said: &Said, why: &str) {
        self.forbidden.push(json!({ "text": said.item, "why": why }));
    }

    /// Takes the secrets as notes, each forbidden from now on.
    pub(super) fn notes(&mut self) -> Vec<String> {
        self.said(Secret::note)
    }

    /// Takes what is secret of them as titles.
    pub(super) fn titles(&mut self) -> Vec<String> {
        let title = |secret: &Secret| {
            let item = secret.note().item;
            Said { text: item.clone(), item }
        };
        self.said(title)
    }

    /// Takes the secrets as lines of the user's notes, in the voice of the plan.
    pub(super) fn jottings(&mut self) -> Vec<String> {
        match self.plan.voice {
            Voice::User => self.said(Secret::own),
            Voice::Other => self.notes(),
        }
    }

    fn said(&mut self, how: impl Fn(&Secret) -> Said) -> Vec<String> {
        let secrets = std::mem::take(&mut self.secrets);
        let said: Vec<(Said, String)> =
            secrets.iter().map(|secret| (how(secret), secret.why.clone())).collect();
        said.into_iter()
            .map(|(said, why)| {
                self.forbids(&said, &why);
                said.text
            })
            .collect()
    }

    /// A sentence with its stop.
    pub(super) fn sentence(&self, text: &str) -> String {
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
        let text = format!("{first}{}", letters.as_str());
        if text.ends_with(['.', '!', '?', '。', '！', '？']) {
            text
        } else {
            format!("{text}{}", self.bank.names.end)
        }
    }

    /// Two sentences in one message.
    pub(super) fn joined(&self, one: &str, other: &str) -> String {
        format!("{}{}{}", self.sentence(one), self.bank.names.space, self.sentence(other))
    }

    /// The conversation in which facts are said by `speaker`, and secrets beside or within them.
    pub(super) fn source_talk(&mut self, lead: &Person, facts: &[String], by_user: bool, opener: &str) {
        let (bank, name) = (self.bank, lead.contact.as_str());
        let chat = &bank.chat;
        let mut lines = vec![by(name, opener), you(self.draw.text(&chat.you_ask))];
        if by_user {
            lines.pop();
        }
        let secrets = std::mem::take(&mut self.secrets);
        let mut waiting = secrets.into_iter();
        for (number, fact) in facts.iter().enumerate() {
            let fact = self.sentence(fact);
            // The first fact stands alone, so that what is asked for is seen first.
            let secret = if number == 0 && facts.len() > 1 { None } else { waiting.next() };
            let Some(secret) = secret else {
                lines.push(if by_user { you(fact) } else { by(name, fact) });
                continue;
            };
            let said = if self.plan.voice == Voice::User { secret.own() } else { secret.told() };
            self.forbids(&said, &secret.why);
            let is_users = self.plan.voice == Voice::User;
            if self.is_within() {
                let text = self.joined(&fact, &said.text);
                lines.push(if is_users { you(text) } else { by(name, text) });
            } else {
                lines.push(if by_user { you(fact) } else { by(name, fact) });
                lines.push(if is_users { you(said.text) } else { by(name, said.text) });
            }
            lines.push(self.answer(name, is_users, secret.about));
        }
        for secret in waiting {
            let is_users = self.plan.voice == Voice::User;
            let said = if is_users { secret.own() } else { secret.told() };
            self.forbids(&said, &secret.why);
            lines.push(if is_users { you(said.text) } else { by(name, said.text) });
            lines.push(self.answer(name, is_users, secret.about));
        }
        if !by_user {
            lines.push(you(self.draw.text(&chat.you_note)));
        }
        lines.push(by(name, self.draw.text(&chat.lead_close)));
        lines.push(you(self.draw.text(&chat.you_close)));
        self.talk(lead, &lines, 1);
    }

    /// What is said to a secret: by who was told something about the user or somebody else, or by the user,
    /// who was asked after something of the user's own or told about others.
    fn answer(&mut self, lead: &str, is_users: bool, about: About) -> Line {
        let chat = &self.bank.chat;
        let from = match (is_users, about) {
            (true, About::User) => &chat.lead_own,
            (true, _) => &chat.lead_hear,
            (false, About::User) => &chat.you_thank,
            (false, _) => &chat.you_keep,
        };
        // Nobody says the same twice.
        let new: Vec<&String> = from.iter().filter(|text| !self.answers.contains(text)).collect();
        let text =
            self.draw.pick(&new).map_or_else(|| self.draw.text(from).to_owned(), |text| (*text).clone());
        self.answers.push(text.clone());
        if is_users { by(lead, text) } else { you(text) }
    }

    /// A conversation, whose counterpart becomes a contact.
    pub(super) fn talk(&mut self, with: &Person, lines: &[Line], days: i32) {
        self.contacts.push(with.json());
        self.threads.push(talk::thread(&with.contact, lines, self.now, days, self.draw));
    }

    /// The conversation with whoever is to get it: a question, a promise, small talk.
    pub(super) fn reader_talk(&mut self, ask: &str, promise: &str) {
        let reader = self.reader.clone();
        let speakers =
            if reader.members.is_empty() { vec![reader.contact.clone()] } else { reader.members.clone() };
        let mut lines = Vec::new();
        let mut speaker = 0;
        let mut next = || {
            speaker += 1;
            speakers[(speaker - 1) % speakers.len()].clone()
        };
        let wanted = self.density(3);
        let pairs = self.draw.some(&self.bank.chat.reader, wanted);
        let before = self.draw.below(pairs.len().max(1));
        for (number, (theirs, ours)) in pairs.into_iter().enumerate() {
            if number == before && !ask.is_empty() {
                lines.push(by(&next(), ask));
                if !promise.is_empty() {
                    lines.push(you(promise));
                }
            }
            lines.push(by(&next(), theirs.as_str()));
            lines.push(you(ours.as_str()));
        }
        self.talk(&reader, &lines, 1);
    }

    /// Somebody else of the reader's first name, who was told the last secret.
    pub(super) fn twin_talk(&mut self) {
        if self.plan.tie != Tie::Namesake {
            return;
        }
        let role = self.draw.text(&self.bank.everyday.contacts).to_owned();
        let first = self.reader.first.clone();
        let twin = self.cast.named(self.draw, &first, &role, true);
        let pairs = self.draw.some(&self.bank.chat.twin, 2);
        let mut lines: Vec<Line> = Vec::new();
        for (theirs, ours) in pairs {
            lines.push(by(&twin.contact, theirs.as_str()));
            lines.push(you(ours.as_str()));
        }
        // One stays where the facts are.
        if self.secrets.len() > 1
            && let Some(secret) = self.secrets.pop()
        {
            let said = secret.own();
            self.forbids(&said, &secret.why);
            let at = 2.min(lines.len());
            lines.insert(at, you(said.text));
            let answer = self.answer(&twin.contact, true, secret.about);
            lines.insert(at + 1, answer);
        }
        self.talk(&twin, &lines, 3);
    }

    /// Conversations about nothing that matters here.
    pub(super) fn everyday_talk(&mut self, count: usize) {
        let talks = self.draw.some(&self.bank.chat.everyday, count);
        let roles = self.draw.some(&self.bank.everyday.contacts, count);
        for (number, (talk, role)) in talks.into_iter().zip(roles).enumerate() {
            let person = self.cast.person(self.draw, role, false);
            let lines: Vec<Line> = talk
                .iter()
                .enumerate()
                .map(
                    |(at, text)| {
                        if at % 2 == 0 { by(&person.contact, text.as_str()) } else { you(text.as_str()) }
                    },
                )
                .collect();
            self.talk(&person, &lines, 4 + i32::try_from(number).unwrap_or(0));
        }
    }

    /// A conversation of the parent, as it is.
    pub(super) fn adopt(&mut self, contact: Value, thread: Value) {
        self.contacts.push(contact);
        self.threads.push(thread);
    }

    pub(super) fn set(&mut self, app: &str, state: Value) {
        self.states.insert(app.to_owned(), state);
    }

    /// Whether an app has its state already.
    pub(super) fn has(&self, app: &str) -> bool {
        self.states.contains_key(app)
    }

    /// Everyday tasks, as many as wanted.
    pub(super) fn everyday_tasks(&mut self, count: usize) -> Vec<Value> {
        let titles = self.draw.some(&self.bank.everyday.todo, count);
        apps::tasks(&titles, self.draw)
    }

    /// Everyday lines of notes.
    pub(super) fn everyday_notes(&mut self, count: usize) -> Vec<String> {
        self.draw.some(&self.bank.everyday.notes, count).into_iter().cloned().collect()
    }

    /// A request with its gaps filled.
    pub(super) fn request(&self, template: &str) -> String {
        let gaps: Vec<(&str, &str)> = self.gaps.iter().map(|(name, value)| (*name, value.as_str())).collect();
        // What is asked for has gaps of its own.
        filled(&filled(template, &gaps), &gaps)
    }

    /// State and ground truth.
    pub(super) fn into_parts(mut self) -> (Value, Value) {
        let messenger = json!({ "contacts": self.contacts, "threads": self.threads });
        self.states.insert("open_messenger".to_owned(), messenger);
        let truth = json!({ "must_share": self.required, "must_not_share": self.forbidden });
        (Value::Object(self.states), truth)
    }
}
