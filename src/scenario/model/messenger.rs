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
    /// Messages as they were before their last change, for undoing it; one per message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierMessage>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// A message as it was before it was edited or deleted. Nobody reads it; undoing brings it back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EarlierMessage {
    /// Id of the thread it was in.
    pub thread: String,
    /// Its place in the thread.
    pub position: usize,
    /// The message.
    pub message: Message,
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// The draft that was discarded last, for undoing it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarded: Option<Draft>,
    /// How many of the last messages the user has not seen.
    #[serde(default)]
    pub unread: usize,
    /// Id of the first message that was new when the thread was last opened, until the user answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_from: Option<String>,
    /// Whether it stands above the others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// Whether its unread messages are not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
    /// Whether it was put away; it lies in the archive then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// Who wrote a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// Whether it was the account's owner.
    pub is_user: bool,
    /// Exactly as the scenario writes it (`"me"`, `"You (draft)"`, `"Nora (Manager)"`).
    pub name: String,
}

/// One message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// Id of the message of the same thread that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// What was passed on with it; its readers read that as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forwarded: Option<Forwarded>,
    /// What was attached, as it was at that time; its readers read all of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// A message that was passed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forwarded {
    /// Who wrote it.
    pub author: Author,
    /// Its text at that time.
    pub text: String,
}

/// Which app an attachment comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttachmentKind {
    /// A file of the code editor.
    File,
    /// An event of the calendar.
    Event,
    /// A saved place.
    Place,
    /// A to-do list.
    List,
    /// A product of the shop.
    Product,
    /// A route of the maps app.
    Route,
}

impl AttachmentKind {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 6] = [Self::Event, Self::Place, Self::Route, Self::List, Self::File, Self::Product];

    /// The name used in files, forms and keys of texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Event => "event",
            Self::Place => "place",
            Self::List => "list",
            Self::Product => "product",
            Self::Route => "route",
        }
    }
}

/// Something of another app in a message: a copy, as it was when it was attached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// What it is.
    pub kind: AttachmentKind,
    /// Id of what it was made from; empty for one that the scenario describes.
    pub source: String,
    /// Title, name or path.
    pub title: String,
    /// Everything else a reader sees, one fact per line.
    pub text: String,
}

/// Text that was saved and not sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// What is to be attached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Id of the message that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// When it was saved.
    pub at: DateTime,
}

impl Thread {
    /// Id of the first message that is new to the user, or was so when the thread was opened.
    #[must_use]
    pub fn first_new(&self) -> Option<&str> {
        let position = self.messages.len().checked_sub(self.unread).filter(|_| self.unread > 0);
        let unread = position.and_then(|position| self.messages.get(position));
        unread.map(|message| message.id.as_str()).or(self.new_from.as_deref())
    }
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
