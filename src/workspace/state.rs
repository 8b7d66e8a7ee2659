//! The live state of one workspace.

use std::collections::BTreeMap;

use jiff::civil::{DateTime, date};
use serde::{Deserialize, Serialize};

use crate::scenario::Scenario;
use crate::scenario::model::Apps;

/// Everything a workspace holds, as plain data. The same scenario and the same commands give the
/// same state, byte for byte.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkspaceState {
    /// The virtual clock; every mutating command advances it by a minute.
    pub now: DateTime,
    /// Language of the content: `en`, `de` or `zh-CN`. The pages' own language is a matter of how
    /// they are shown, and no part of the state.
    pub language: String,
    /// The six apps.
    pub apps: Apps,
    /// Last number given out per kind of id (`message` -> 12).
    pub counters: BTreeMap<String, u64>,
}

impl WorkspaceState {
    /// The state at the start of a scenario. Counters are recovered from the ids in `apps`.
    #[must_use]
    pub fn from_scenario(scenario: &Scenario) -> Self {
        let mut state = Self {
            now: scenario.clock,
            language: scenario.language.clone(),
            apps: scenario.apps.clone(),
            counters: BTreeMap::new(),
        };
        state.recover_counters();
        state
    }

    /// Nothing at all.
    pub(crate) fn of_nobody() -> Self {
        Self {
            now: date(2026, 1, 5).at(9, 0, 0, 0),
            language: "en".to_owned(),
            apps: Apps::default(),
            counters: BTreeMap::new(),
        }
    }

    /// Gives out the next id of a kind: `message-13`.
    pub(crate) fn next_id(&mut self, kind: &str) -> String {
        let counter = self.counters.entry(kind.to_owned()).or_insert(0);
        *counter += 1;
        format!("{kind}-{counter}")
    }

    fn recover_counters(&mut self) {
        let apps = &self.apps;
        let mut ids: Vec<&str> = Vec::new();
        ids.extend(apps.messenger.contacts.iter().map(|contact| contact.id.as_str()));
        for thread in &apps.messenger.threads {
            ids.push(&thread.id);
            ids.extend(thread.messages.iter().map(|message| message.id.as_str()));
        }
        ids.extend(apps.calendar.events.iter().map(|event| event.id.as_str()));
        ids.extend(apps.calendar.calendars.iter().map(|calendar| calendar.id.as_str()));
        for list in &apps.todo.lists {
            ids.push(&list.id);
            ids.extend(list.items.iter().map(|item| item.id.as_str()));
            let comments = list.items.iter().flat_map(|item| &item.comments);
            ids.extend(comments.map(|comment| comment.id.as_str()));
            let subtasks = list.items.iter().flat_map(|item| &item.subtasks);
            ids.extend(subtasks.map(|subtask| subtask.id.as_str()));
        }
        ids.extend(apps.maps.places.iter().map(|place| place.id.as_str()));
        ids.extend(apps.maps.lists.iter().map(|list| list.id.as_str()));
        ids.extend(apps.maps.recent_searches.iter().map(|search| search.id.as_str()));
        for route in &apps.maps.routes {
            ids.push(&route.id);
            ids.extend(route.stops.iter().map(|stop| stop.id.as_str()));
        }
        ids.extend(apps.code_editor.files.iter().map(|file| file.id.as_str()));
        let comments = apps.code_editor.files.iter().flat_map(|file| &file.comments);
        ids.extend(comments.map(|comment| comment.id.as_str()));
        ids.extend(apps.code_editor.tabs.iter().map(|tab| tab.id.as_str()));
        ids.extend(apps.shop.recent_searches.iter().map(|search| search.id.as_str()));
        ids.extend(apps.shop.addresses.iter().map(|address| address.id.as_str()));
        ids.extend(apps.shop.products.iter().map(|product| product.id.as_str()));
        let order_lines = apps.shop.orders.iter().flat_map(|order| order.lines.iter());
        let own = apps.shop.cart.iter().chain(&apps.shop.saved_for_later).chain(&apps.shop.wish_list);
        let lines = own.chain(order_lines);
        ids.extend(lines.map(|line| line.id.as_str()));
        ids.extend(apps.shop.orders.iter().map(|order| order.id.as_str()));
        for id in ids {
            if let Some((kind, number)) = id.rsplit_once('-')
                && let Ok(number) = number.parse::<u64>()
            {
                let counter = self.counters.entry(kind.to_owned()).or_insert(0);
                *counter = number.max(*counter);
            }
        }
    }
}
