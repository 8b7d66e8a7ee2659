//! The people of a scenario.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::draw::Draw;
use super::words::{Bank, filled};

/// Somebody with a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Person {
    /// The contact's name, role included.
    pub(super) contact: String,
    /// What a request calls them.
    pub(super) called: String,
    /// First name.
    pub(super) first: String,
    /// Members, where it is a group or channel.
    pub(super) members: Vec<String>,
    /// `person`, `group` or `channel`.
    pub(super) kind: &'static str,
    /// Whether they are on the other side of a deal.
    pub(super) external: bool,
}

impl Person {
    pub(super) fn json(&self) -> Value {
        let mut contact = json!({ "name": self.contact, "kind": self.kind });
        if !self.members.is_empty() {
            contact["members"] = json!(self.members);
        }
        if self.external {
            contact["external"] = true.into();
        }
        contact
    }
}

/// Hands out people, nobody twice.
#[derive(Debug)]
pub(super) struct Casting<'a> {
    bank: &'a Bank,
    /// First names that are taken, in lower case.
    taken: BTreeSet<String>,
}

impl<'a> Casting<'a> {
    /// `taken` are names that others in the scenario bear already.
    pub(super) fn new(bank: &'a Bank, taken: &[String]) -> Self {
        let words = taken
            .iter()
            .flat_map(|name| name.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase));
        let mut taken: BTreeSet<String> = words.collect();
        // Names of people in the templates themselves.
        taken.insert("edie".to_owned());
        Self { bank, taken }
    }

    /// A first name that nobody has.
    pub(super) fn first(&mut self, draw: &mut Draw) -> String {
        self.first_but(draw, &[])
    }

    /// A first name that nobody has, and that is none of these.
    fn first_but(&mut self, draw: &mut Draw, unfit: &[String]) -> String {
        let is_free = |name: &&String| !self.taken.contains(&name.to_lowercase()) && !unfit.contains(name);
        let free: Vec<&String> = self.bank.people.first.iter().filter(is_free).collect();
        let name = draw.pick(&free).map_or_else(String::new, |name| (*name).clone());
        self.taken.insert(name.to_lowercase());
        name
    }

    /// Somebody with a role, called by the whole name or the first one.
    pub(super) fn person(&mut self, draw: &mut Draw, role: &str, whole_name: bool) -> Person {
        let people = &self.bank.people;
        let unfit: &[String] = if people.womens_roles.iter().any(|one| one == role) {
            &people.men
        } else if people.mens_roles.iter().any(|one| one == role) {
            &people.women
        } else {
            &[]
        };
        let first = self.first_but(draw, unfit);
        self.named(draw, &first, role, whole_name)
    }

    /// Somebody of a given first name.
    pub(super) fn named(&mut self, draw: &mut Draw, first: &str, role: &str, whole_name: bool) -> Person {
        let people = &self.bank.people;
        let called = if whole_name {
            let free: Vec<&String> =
                people.last.iter().filter(|name| !self.taken.contains(&name.to_lowercase())).collect();
            let last = draw.pick(&free).map_or_else(String::new, |name| (*name).clone());
            self.taken.insert(last.to_lowercase());
            filled(&people.full, &[("first", first), ("last", &last)])
        } else {
            first.to_owned()
        };
        let contact = if role.is_empty() {
            called.clone()
        } else {
            filled(&people.with_role, &[("name", &called), ("role", role)])
        };
        Person {
            contact,
            called,
            first: first.to_owned(),
            members: Vec::new(),
            kind: "person",
            external: false,
        }
    }

    /// A group of three, or a channel of that name.
    pub(super) fn group(&mut self, draw: &mut Draw, name: &str, is_channel: bool) -> Person {
        let members = (0..3).map(|_| self.first(draw)).collect();
        let slug: Vec<String> = name
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let (contact, called, kind) = if is_channel {
            let channel = format!("#{}", slug.join("-"));
            (channel.clone(), channel, "channel")
        } else {
            (format!("{name}{}", self.bank.names.group_suffix), name.to_owned(), "group")
        };
        Person { contact, called, first: String::new(), members, kind, external: false }
    }
}
