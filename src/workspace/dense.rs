//! Everyday rows for `content=dense`: ten times as much in every list, and nothing to do with the
//! errand.
//!
//! They stand beside what the scenario says, with ids of their own kind (`dense-task-3`), so that no
//! seeded row and no id that a command gives out is another than without them. The same scenario
//! gets the same rows. They are part of the workspace only: scenario, coverage and scoring do not
//! know them. What shares a word of four letters or more with what the scenario says, or two Chinese
//! characters in a row, is left out: rows, and the words that rows are made of.

use std::collections::BTreeSet;

use jiff::ToSpan as _;
use serde::Deserialize;

use super::{WorkspaceState, catalogue::catalogue, strings, web};
use crate::scenario::model::{
    Author, CalendarEvent, CartLine, Contact, ContactKind, Message, Place, Search, SourceFile, Thread,
    TodoItem, TodoList, texts,
};

/// Rows that join each one of the scenario's.
const PER_ROW: usize = 9;
/// Fewest and most rows that join a list.
const FEWEST: usize = 9;
const MOST: usize = 45;

/// What ids of these rows start with.
pub(super) const ID_PREFIX: &str = "dense-";

/// The words of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// Between the two halves of a row.
    joint: String,
    /// Names for the list of tasks; the first that the scenario leaves free is taken.
    lists: Vec<String>,
    first_names: Vec<String>,
    last_names: Vec<String>,
    messages: Vec<String>,
    tasks: [Vec<String>; 2],
    events: [Vec<String>; 2],
    places: [Vec<String>; 2],
    streets: Vec<String>,
    files: [Vec<String>; 2],
    /// Lines of the files.
    file_text: Vec<String>,
}

impl Words {
    fn of(language: &str) -> Option<Self> {
        let source = web::source(&format!("everyday/{}.json", strings::supported(language)))?;
        // The files are part of the program: a test parses each of them.
        serde_json::from_str(&source).ok()
    }

    /// The same without the halves and lines that the scenario says.
    fn without(self, said: &Said) -> Self {
        let free = |all: Vec<String>| all.into_iter().filter(|one| !said.has(one)).collect::<Vec<_>>();
        let lines = self.file_text.into_iter().filter(|line| !said.has(&line.replace("{name}", "")));
        Self {
            joint: self.joint,
            lists: free(self.lists),
            first_names: free(self.first_names),
            last_names: free(self.last_names),
            messages: free(self.messages),
            tasks: self.tasks.map(free),
            events: self.events.map(free),
            places: self.places.map(free),
            streets: free(self.streets),
            files: self.files.map(free),
            file_text: lines.collect(),
        }
    }

    fn names(&self, language: &str) -> Vec<String> {
        // Chinese names begin with the family's.
        let halves = if language == "zh-CN" {
            [&self.last_names[..], &self.first_names]
        } else {
            [&self.first_names[..], &self.last_names]
        };
        pairs(halves, &self.joint)
    }
}

/// Rows of two halves, each pair once, in a fixed mixed order.
fn pairs([first, second]: [&[String]; 2], joint: &str) -> Vec<String> {
    let count = first.len() * second.len();
    let pair = |number: usize| {
        let one = number % first.len();
        let other = (number / first.len() + one) % second.len();
        format!("{}{joint}{}", first[one], second[other])
    };
    (0..count).map(pair).collect()
}

/// Whether a text holds another at least as words of its own: `it` is not within `kitchen`.
fn is_within(inner: &str, outer: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
    outer.match_indices(inner).any(|(start, found)| {
        let (before, after) =
            (outer[..start].chars().next_back(), outer[start + found.len()..].chars().next());
        let cuts_before = is_part(before) && is_part(found.chars().next());
        let cuts_after = is_part(after) && is_part(found.chars().next_back());
        !cuts_before && !cuts_after
    })
}

/// What the scenario says, to keep away from.
struct Said {
    words: BTreeSet<String>,
    whole: Vec<String>,
}

impl Said {
    fn new(all: &[String]) -> Self {
        let words = all.iter().flat_map(|text| words_of(text)).collect();
        let whole = all
            .iter()
            .map(|text| text.trim().to_lowercase())
            .filter(|text| text.chars().count() > 1)
            .collect();
        Self { words, whole }
    }

    /// Whether a row could be taken for something that the scenario says.
    fn has(&self, row: &str) -> bool {
        let lower = row.to_lowercase();
        words_of(row).iter().any(|word| self.words.contains(word))
            || self.whole.iter().any(|text| is_within(text, &lower) || is_within(&lower, text))
    }
}

/// What tells something: words of four letters or more, and pairs of Chinese characters, whose words
/// nothing parts.
fn words_of(text: &str) -> Vec<String> {
    let is_chinese = |letter: char| ('\u{3400}'..='\u{9fff}').contains(&letter);
    let mut words = Vec::new();
    for run in text.split(|letter: char| !letter.is_alphanumeric()) {
        let letters: Vec<char> = run.chars().flat_map(char::to_lowercase).collect();
        for pair in letters.windows(2).filter(|pair| pair.iter().all(|letter| is_chinese(*letter))) {
            words.push(pair.iter().collect());
        }
        let others = letters.split(|letter| is_chinese(*letter)).filter(|word| word.len() >= 4);
        words.extend(others.map(|word| word.iter().collect::<String>()));
    }
    words
}

/// Adds the rows. `errand` is what the user asks for, whose words are kept free, too.
pub(super) fn fill(state: &mut WorkspaceState, errand: &str) {
    let Some(words) = Words::of(&state.language) else { return };
    let mut all = texts(&state.apps);
    all.push(errand.to_owned());
    let said = Said::new(&all);
    let words = words.without(&said);
    let mut filler = Filler { words: &words, said: &said, state };
    filler.messages();
    filler.events();
    filler.tasks();
    filler.maps();
    filler.files();
    filler.shop();
}

struct Filler<'a> {
    words: &'a Words,
    said: &'a Said,
    state: &'a mut WorkspaceState,
}

impl Filler<'_> {
    /// Rows that say nothing the scenario says, as many as join `present` ones.
    fn chosen(&self, rows: Vec<String>, present: usize) -> Vec<String> {
        let wanted = present.saturating_mul(PER_ROW).clamp(FEWEST, MOST);
        rows.into_iter().filter(|row| !self.said.has(row)).take(wanted).collect()
    }

    fn messages(&mut self) {
        let messenger = &self.state.apps.messenger;
        let names = self.chosen(self.words.names(&self.state.language), messenger.threads.len());
        // All older than what the scenario says, so that its conversations stay on top.
        let times =
            messenger.threads.iter().flat_map(|thread| thread.messages.iter().map(|message| message.at));
        let oldest = times.min().map_or(self.state.now, |oldest| oldest.min(self.state.now));
        let messages = self.chosen(self.words.messages.clone(), MOST);
        if messages.is_empty() {
            return;
        }
        let text = |number: usize| messages[number % messages.len()].clone();
        let messenger = &mut self.state.apps.messenger;
        for (number, name) in (1..).zip(names) {
            let at = oldest.saturating_sub(i64::from(number).days().hours(2));
            let message = |place: u32, is_user: bool, text: String| Message {
                id: format!("{ID_PREFIX}message-{}", 2 * number + place),
                author: Author { is_user, name: if is_user { String::new() } else { name.clone() } },
                text,
                at: at.saturating_add(i64::from(place).minutes()),
                ..Message::default()
            };
            let index = number as usize;
            messenger.threads.push(Thread {
                id: format!("{ID_PREFIX}thread-{number}"),
                title: name.clone(),
                addressed_to: vec![name.clone()],
                messages: vec![message(0, false, text(index)), message(1, true, text(index + 5))],
                ..Thread::default()
            });
            messenger.contacts.push(Contact {
                id: format!("{ID_PREFIX}contact-{number}"),
                name,
                label: None,
                kind: ContactKind::Person,
                members: Vec::new(),
                external: false,
                details: Vec::new(),
            });
        }
    }

    fn events(&mut self) {
        let [first, second] = &self.words.events;
        let rows = pairs([first, second], &self.words.joint);
        let rows = self.chosen(rows, self.state.apps.calendar.events.len());
        let today = self.state.now.date();
        for (number, title) in (1_i8..).zip(rows) {
            // Two a day, before and after the usual hours, from the day after.
            let date = today.saturating_add(i64::from((number + 1) / 2).days());
            let hour = if number % 2 == 1 { 6 } else { 21 };
            self.state.apps.calendar.events.push(CalendarEvent {
                id: format!("{ID_PREFIX}event-{number}"),
                title,
                date,
                start: Some(jiff::civil::time(hour, 0, 0, 0)),
                end_date: date,
                end: Some(jiff::civil::time(hour, 30, 0, 0)),
                ..CalendarEvent::default()
            });
        }
    }

    fn tasks(&mut self) {
        let [first, second] = &self.words.tasks;
        let present = self.state.apps.todo.lists.iter().map(|list| list.items.len()).sum();
        let rows = self.chosen(pairs([first, second], &self.words.joint), present);
        let item = |(number, title): (usize, String)| TodoItem {
            id: format!("{ID_PREFIX}task-{number}"),
            title,
            done: number.is_multiple_of(4),
            ..TodoItem::default()
        };
        let Some(name) = self.words.lists.first().cloned() else { return };
        // A list of its own, the last one: the scenario's keep what they hold.
        self.state.apps.todo.lists.push(TodoList {
            id: format!("{ID_PREFIX}list-1"),
            name,
            items: (1..).zip(rows).map(item).collect(),
            ..TodoList::default()
        });
    }

    fn maps(&mut self) {
        let [first, second] = &self.words.places;
        // Compound words have no joint of their own.
        let joint = if second.iter().all(|half| half.starts_with('-')) { "" } else { &self.words.joint };
        let rows = pairs([first, second], joint);
        let maps = &self.state.apps.maps;
        let places = self.chosen(rows.clone(), maps.places.len());
        let searches = self.chosen(rows.into_iter().rev().collect(), maps.recent_searches.len());
        let streets = &self.words.streets;
        let maps = &mut self.state.apps.maps;
        for (number, name) in (1..).zip(places) {
            let space = if self.words.joint.is_empty() { "" } else { " " };
            let street = streets.get(number % streets.len().max(1));
            maps.places.push(Place {
                id: format!("{ID_PREFIX}place-{number}"),
                name,
                address: street.map(|street| format!("{street}{space}{number}")).unwrap_or_default(),
                ..Place::default()
            });
        }
        for (number, query) in (1..).zip(searches) {
            maps.recent_searches.push(Search { id: format!("{ID_PREFIX}search-{number}"), query });
        }
    }

    fn files(&mut self) {
        let [folders, names] = &self.words.files;
        let rows = pairs([folders, names], "/");
        let rows = self.chosen(rows, self.state.apps.code_editor.files.len());
        for (number, path) in (1..).zip(rows) {
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            self.state.apps.code_editor.files.push(SourceFile {
                id: format!("{ID_PREFIX}file-{number}"),
                path: format!("{path}.md"),
                content: self
                    .words
                    .file_text
                    .iter()
                    .fold(String::new(), |text, line| text + &line.replace("{name}", &name) + "\n"),
                ..SourceFile::default()
            });
        }
    }

    /// Things kept for later; never in the cart, which an order sends to others.
    fn shop(&mut self) {
        let shop = &self.state.apps.shop;
        let offered = catalogue(&self.state.language);
        let titles = offered.iter().map(|product| product.title.clone()).collect();
        let titles = self.chosen(titles, shop.saved_for_later.len());
        let line = |(number, title): (usize, String)| CartLine {
            id: format!("{ID_PREFIX}line-{number}"),
            price: offered
                .iter()
                .find(|product| product.title == title)
                .and_then(|found| found.price.clone()),
            title,
            ..CartLine::default()
        };
        let lines: Vec<CartLine> = (1..).zip(titles).map(line).collect();
        self.state.apps.shop.saved_for_later.extend(lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::samples;

    fn filled(language: &str) -> (WorkspaceState, WorkspaceState) {
        let mut plain = samples::state();
        language.clone_into(&mut plain.language);
        let mut dense = plain.clone();
        fill(&mut dense, "");
        (plain, dense)
    }

    #[test]
    fn every_list_grows_and_what_was_there_stays_first() {
        for language in strings::LANGUAGES {
            let (plain, dense) = filled(language);
            let (before, after) = (&plain.apps, &dense.apps);
            assert_eq!(plain.counters, dense.counters, "ids that commands give out stay the same");
            let wanted = |present: usize| (present * PER_ROW).clamp(FEWEST, 30);
            macro_rules! grew {
                ($($list:ident).+, $fewest:expr) => {
                    let (before, after) = (&before.$($list).+, &after.$($list).+);
                    assert_eq!(before[..], after[..before.len()], "{language}: {}", stringify!($($list).+));
                    assert!(after.len() >= before.len() + $fewest(before.len()), "{language}: {}", stringify!($($list).+));
                    assert!(after[before.len()..].iter().all(|row| row.id.starts_with(ID_PREFIX)));
                };
            }
            grew!(messenger.threads, wanted);
            // One for each conversation.
            grew!(messenger.contacts, |_: usize| FEWEST);
            grew!(calendar.events, wanted);
            grew!(maps.places, wanted);
            grew!(maps.recent_searches, wanted);
            grew!(code_editor.files, wanted);
            grew!(shop.saved_for_later, wanted);
            assert_eq!(before.todo.lists[..], after.todo.lists[..before.todo.lists.len()]);
            assert!(after.todo.lists.last().unwrap().items.len() >= FEWEST);
            assert_eq!(before.shop.cart, after.shop.cart, "an order sends what is in the cart");
            let (_, again) = filled(language);
            assert_eq!(dense, again);
        }
    }

    /// Every text that filling adds, by itself.
    fn added(state: &WorkspaceState, errand: &str) -> Vec<String> {
        let mut filled = state.clone();
        fill(&mut filled, errand);
        let mut left = texts(&state.apps);
        // What was there stays, once per text that was there.
        let is_new = |text: &String| match left.iter().position(|held| held == text) {
            Some(index) => {
                left.swap_remove(index);
                false
            }
            None => true,
        };
        // A day or an hour is no word.
        let is_word = |text: &String| text.chars().any(char::is_alphabetic);
        texts(&filled.apps).into_iter().filter(is_new).filter(is_word).collect()
    }

    fn assert_apart(rows: &[String], said: &[String], place: &str) {
        let said: BTreeSet<String> = said.iter().flat_map(|text| words_of(text)).collect();
        for row in rows {
            for word in words_of(row) {
                assert!(!said.contains(&word), "{place}: {word:?} of {row:?} is said by the scenario");
            }
        }
    }

    #[test]
    fn nothing_that_the_scenario_says_is_said_again() {
        let mut state = samples::state();
        let titles = ["Water the ferns for Greta Cooper", "Meet in Brook Row", "Everyday heading", "Enamel"];
        for (item, title) in titles.iter().enumerate() {
            let task =
                TodoItem { id: format!("task-9{item}"), title: (*title).to_owned(), ..TodoItem::default() };
            state.apps.todo.lists[0].items.push(task);
        }
        let rows = added(&state, "Ask about the bakery in summer.");
        assert!(rows.len() > 150, "{}", rows.len());
        let mut said = texts(&state.apps);
        said.push("Ask about the bakery in summer.".to_owned());
        assert_apart(&rows, &said, "sample");
        for word in ["ferns", "greta", "brook", "everyday", "heading", "bakery", "summer", "enamel"] {
            assert!(!rows.iter().any(|row| row.to_lowercase().contains(word)), "{word}");
        }
        let plain = added(&samples::state(), "");
        for word in ["ferns", "greta", "brook", "everyday", "heading", "bakery", "summer", "enamel"] {
            assert!(plain.iter().any(|row| row.to_lowercase().contains(word)), "{word} is one of the words");
        }
    }

    /// The promise, for every scenario of the project and for what its ground truth names.
    #[test]
    fn no_row_shares_a_word_with_any_scenario() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
        let mut counts = std::collections::BTreeMap::new();
        for file in crate::scenario::load_paths(&[folder]) {
            let loaded = file.result.unwrap();
            let state = WorkspaceState::from_scenario(&loaded.scenario);
            let rows = added(&state, &loaded.scenario.task_prompt);
            let mut said = texts(&state.apps);
            said.push(loaded.scenario.task_prompt.clone());
            assert_apart(&rows, &said, &loaded.scenario.scenario_id);
            let least = counts.entry(loaded.scenario.language.clone()).or_insert(usize::MAX);
            *least = rows.len().min(*least);
        }
        assert!(counts.len() == 3 && counts.values().all(|least| *least > 100), "{counts:?}");
    }

    #[test]
    fn words_tell_something_and_pairs_of_chinese_characters_do() {
        assert_eq!(words_of("The Ferns, for 3 of us"), ["ferns"]);
        assert_eq!(words_of("看牙医 Dr. Stein"), ["看牙", "牙医", "stein"]);
        assert_eq!(words_of("a1b2-c3"), ["a1b2"]);
        assert!(is_within("it", "do it now") && !is_within("it", "kitchen") && is_within("牙医", "看牙医生"));
    }
}
