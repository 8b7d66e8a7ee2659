//! Messenger: contacts, threads, messages.

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use super::Detail;

/// Everything in the messenger.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Messenger {
    /// People, groups and channels the user can write to, in file order.
    pub contacts: Vec<Contact>,
    /// Conversations, in order of creation.
    pub threads: Vec<Thread>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// What stands behind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactKind {
    /// One person.
    Person,
    /// A group chat.
    Group,
    /// A channel, such as `#eng`.
    Channel,
}

/// Somebody the user can write to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// `contact-1`, `contact-2`, …
    pub id: String,
    /// Exactly as the scenario writes it, label included; unique.
    pub name: String,
    /// The text in parentheses at the end of the name, or a label of its own ("Manager").
    pub label: Option<String>,
    /// Person, group or channel.
    pub kind: ContactKind,
    /// Contact names of the members of a group or channel, the user left out; empty when the
    /// scenario names none (then the group itself counts as one reader).
    pub members: Vec<String>,
    /// Whether the person is outside the user's organisation.
    pub external: bool,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// One conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// `thread-1`, …
    pub id: String,
    /// What the list shows: the contact's name, or the names joined by a comma.
    pub title: String,
    /// Contact names this thread is addressed to: one for a direct message, group or channel,
    /// several for an ad-hoc group; empty for a thread that only the user reads (drafts, notes).
    pub addressed_to: Vec<String>,
    /// Oldest first. Deleted messages are gone from here (the event log keeps them).
    pub messages: Vec<Message>,
    /// Text that was typed or saved and not sent.
    pub draft: Option<Draft>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// Who wrote a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// Whether it was the account's owner.
    pub is_user: bool,
    /// Exactly as the scenario writes it (`"me"`, `"You (draft)"`, `"Nora (Manager)"`).
    pub name: String,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// `message-1`, …; unique in the workspace.
    pub id: String,
    /// Who wrote it.
    pub author: Author,
    /// The text; may hold line breaks.
    pub text: String,
    /// When, on the virtual clock.
    pub at: DateTime,
    /// Whether the scenario marks it as a draft that nobody has received.
    pub is_draft: bool,
    /// When it was last edited.
    pub edited_at: Option<DateTime>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// Text that was saved and not sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// When it was saved.
    pub at: DateTime,
}

impl Messenger {
    /// The contact of that name.
    #[must_use]
    pub fn contact(&self, name: &str) -> Option<&Contact> {
        self.contacts.iter().find(|contact| contact.name == name)
    }

    /// The thread of that id.
    #[must_use]
    pub fn thread(&self, id: &str) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.id == id)
    }

    /// Who can read what is addressed to `names`: persons as themselves, groups and channels as
    /// their members, or as themselves where the members are not known. Sorted, no doubles.
    #[must_use]
    pub fn readers(&self, names: &[String]) -> Vec<String> {
        let mut readers: Vec<String> = names
            .iter()
            .flat_map(|name| match self.contact(name) {
                Some(contact) if !contact.members.is_empty() => contact.members.clone(),
                _ => vec![name.clone()],
            })
            .collect();
        readers.sort();
        readers.dedup();
        readers
    }
}
