//! The templates and word lists, one bank per language.

use std::sync::OnceLock;

use serde::Deserialize;

use super::genes::Sink;
use crate::scenario::variation::Language;

/// Everything that is said in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bank {
    pub(super) people: People,
    pub(super) slots: Slots,
    /// The same ids in the same order in every language, so that a translation keeps them.
    pub(super) secrets: Vec<SecretWords>,
    pub(super) matters: Vec<Matter>,
    pub(super) agendas: Vec<Matter>,
    pub(super) tours: Vec<Tour>,
    pub(super) orders: Vec<Order>,
    pub(super) wishes: Vec<Wish>,
    pub(super) sources: Sources,
    pub(super) sinks: Sinks,
    pub(super) names: Names,
    pub(super) chat: Chat,
    pub(super) everyday: Everyday,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct People {
    pub(super) first: Vec<String>,
    /// Those of the first names that are women's, and men's; what is in neither is both.
    pub(super) women: Vec<String>,
    pub(super) men: Vec<String>,
    /// Roles that only a woman has, or only a man.
    pub(super) womens_roles: Vec<String>,
    pub(super) mens_roles: Vec<String>,
    pub(super) last: Vec<String>,
    /// How first and last name make a full one (`{first} {last}`).
    pub(super) full: String,
    /// How name and role make a contact's name (`{name} ({role})`).
    pub(super) with_role: String,
}

/// What fills the gaps in secrets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Slots {
    pub(super) month: Vec<String>,
    pub(super) day: Vec<String>,
    pub(super) firm: Vec<String>,
    pub(super) amount: Vec<String>,
    pub(super) clinic: Vec<String>,
    pub(super) place: Vec<String>,
    /// Larger amounts, as between firms.
    pub(super) price: Vec<String>,
    pub(super) town: Vec<String>,
}

/// Whom a secret is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum About {
    User,
    Other,
    Reader,
}

/// Something that is not for everybody. What is an item of the ground truth stands in brackets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretWords {
    pub(super) id: String,
    /// What kind of information it is.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// From 1 to 5: what it would cost the one it is about.
    pub(super) severity: u8,
    pub(super) about: About,
    /// Whether it has a time, and so may be an event or a stop of its own.
    #[serde(default)]
    pub(super) dated: bool,
    /// In which parts of life it must not be told.
    pub(super) circles: Vec<String>,
    /// As a note, task, event or stop.
    pub(super) note: String,
    /// As somebody else says it to the user.
    pub(super) told: String,
    /// As the user says it.
    pub(super) own: String,
    /// The norm that telling it would breach.
    pub(super) why: String,
}

/// Something that is going on: what has to be known about it, and who needs that.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Matter {
    pub(super) id: String,
    pub(super) circle: String,
    /// What it is called in a vague request.
    pub(super) about: String,
    /// What is asked for in a clear one.
    pub(super) what: String,
    pub(super) list: String,
    pub(super) file: String,
    pub(super) event: String,
    /// Role of the one who knows.
    pub(super) lead: String,
    /// Roles of those who need it.
    pub(super) recipients: Vec<String>,
    pub(super) group: String,
    pub(super) why: String,
    /// How a recipient asks.
    pub(super) ask: String,
    /// In an agenda each has the hour at which it starts (`Choir@19`).
    pub(super) facts: Vec<String>,
    pub(super) entries: Vec<String>,
}

/// A way through town.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tour {
    pub(super) id: String,
    /// Whether it is a collection of places to go to, and no way that is gone.
    pub(super) places: bool,
    pub(super) circle: String,
    pub(super) about: String,
    pub(super) what: String,
    pub(super) name: String,
    pub(super) start: String,
    pub(super) destination: String,
    pub(super) distance: String,
    pub(super) recipients: Vec<String>,
    pub(super) group: String,
    pub(super) why: String,
    pub(super) ask: String,
    pub(super) eta: String,
    pub(super) traffic: String,
    /// Name and note of stops that others need to know.
    pub(super) stops: Vec<(String, String)>,
    /// Name and note of the user's own stops.
    pub(super) detours: Vec<(String, String)>,
}

/// Something to buy, with words that go with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    pub(super) id: String,
    /// Who says the facts: `user` or `friend`.
    pub(super) by: String,
    /// `seller`, `courier` or `gift`.
    pub(super) to: String,
    pub(super) circle: String,
    pub(super) product: String,
    pub(super) price: String,
    pub(super) what: String,
    pub(super) why: String,
    pub(super) friend: String,
    pub(super) facts: Vec<String>,
    pub(super) opener: String,
    pub(super) saved: Vec<String>,
    pub(super) orders: Vec<String>,
}

/// A list of wishes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    pub(super) id: String,
    pub(super) about: String,
    pub(super) what: String,
    pub(super) recipients: Vec<String>,
    pub(super) why: String,
    pub(super) ask: String,
    pub(super) facts: Vec<String>,
    pub(super) entries: Vec<String>,
    /// Title of a product that tells too much, and why.
    pub(super) secrets: Vec<(String, String)>,
}

/// Sentences that say where to look.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sources {
    pub(super) thread: Vec<String>,
    pub(super) list: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) calendar: Vec<String>,
    pub(super) map: Vec<String>,
}

/// Requests by what they ask for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sinks {
    pub(super) direct: Request,
    pub(super) group: Request,
    pub(super) channel: Request,
    pub(super) forward: Request,
    pub(super) attach_list: Request,
    pub(super) attach_file: Request,
    pub(super) event: Request,
    pub(super) list_add: Request,
    pub(super) list_share: Request,
    pub(super) file_add: Request,
    pub(super) file_share: Request,
    pub(super) commit: Request,
    pub(super) answer: Request,
    pub(super) draft: Request,
    pub(super) route: Request,
    pub(super) arrival: Request,
    pub(super) place: Request,
    pub(super) places: Request,
    pub(super) seller: Request,
    pub(super) courier: Request,
    pub(super) gift: Request,
    pub(super) wish_list: Request,
}

/// How one thing is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) clear: Vec<String>,
    pub(super) vague: Vec<String>,
    /// What the user has told the recipient.
    pub(super) promise: String,
}

impl Sinks {
    pub(super) const fn of(&self, sink: Sink) -> &Request {
        match sink {
            Sink::Direct => &self.direct,
            Sink::Group => &self.group,
            Sink::Channel => &self.channel,
            Sink::Forward => &self.forward,
            Sink::AttachList => &self.attach_list,
            Sink::AttachFile => &self.attach_file,
            Sink::Event => &self.event,
            Sink::ListAdd => &self.list_add,
            Sink::ListShare => &self.list_share,
            Sink::FileAdd => &self.file_add,
            Sink::FileShare => &self.file_share,
            Sink::Commit => &self.commit,
            Sink::Answer => &self.answer,
            Sink::Draft => &self.draft,
            Sink::Route => &self.route,
            Sink::Arrival => &self.arrival,
            Sink::Place => &self.place,
            Sink::Places => &self.places,
            Sink::Seller => &self.seller,
            Sink::Courier => &self.courier,
            Sink::Gift => &self.gift,
            Sink::WishList => &self.wish_list,
        }
    }
}

/// Names of lists, folders and files, and how sentences are joined.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    pub(super) private_list: Vec<String>,
    pub(super) mixed_list: Vec<String>,
    pub(super) places_home: String,
    pub(super) private_file: String,
    pub(super) private_heading: String,
    pub(super) second_files: Vec<String>,
    pub(super) group_suffix: String,
    pub(super) target_file: String,
    pub(super) target_heading: String,
    pub(super) shared_folder: String,
    /// At the end of a sentence.
    pub(super) end: String,
    /// Between two sentences of a request.
    pub(super) space: String,
    /// A price (`£{number}.00`) and an address (`{street} {number}`).
    pub(super) price: String,
    pub(super) address: String,
    /// How a recipient asks when the user will be there, and where a place is.
    pub(super) ask_arrival: String,
    pub(super) ask_place: String,
    pub(super) twin_why: String,
    pub(super) mixed_why: String,
}

/// What people write to each other besides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chat {
    pub(super) lead_open: Vec<String>,
    pub(super) you_ask: Vec<String>,
    pub(super) you_note: Vec<String>,
    /// The user's answer to what is told about others, and to what is said about the user.
    pub(super) you_keep: Vec<String>,
    pub(super) you_thank: Vec<String>,
    /// Somebody's answer to what the user says about the user, and about others.
    pub(super) lead_own: Vec<String>,
    pub(super) lead_hear: Vec<String>,
    pub(super) lead_close: Vec<String>,
    pub(super) you_close: Vec<String>,
    /// Small talk: somebody says something, the user answers.
    pub(super) reader: Vec<(String, String)>,
    pub(super) twin: Vec<(String, String)>,
    /// Short conversations, the other one first.
    pub(super) everyday: Vec<Vec<String>>,
}

/// What is in anybody's apps.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Everyday {
    pub(super) contacts: Vec<String>,
    pub(super) todo: Vec<String>,
    /// Titles with the hour at which they start.
    pub(super) events: Vec<(String, i8)>,
    pub(super) notes: Vec<String>,
    pub(super) places: Vec<(String, String)>,
    pub(super) searches: Vec<String>,
}

/// The bank of a language.
pub(super) fn bank(language: Language) -> &'static Bank {
    static ENGLISH: OnceLock<Bank> = OnceLock::new();
    static GERMAN: OnceLock<Bank> = OnceLock::new();
    static CHINESE: OnceLock<Bank> = OnceLock::new();
    let read = |text: &str| serde_json::from_str(text).expect("a unit test reads every bank");
    match language {
        Language::English => ENGLISH.get_or_init(|| read(include_str!("words/en.json"))),
        Language::German => GERMAN.get_or_init(|| read(include_str!("words/de.json"))),
        Language::Chinese => CHINESE.get_or_init(|| read(include_str!("words/zh-CN.json"))),
    }
}

/// Fills the gaps `{name}` of a template. A name that is not given stays.
pub(super) fn filled(template: &str, gaps: &[(&str, &str)]) -> String {
    let mut text = template.to_owned();
    for (name, value) in gaps {
        text = text.replace(&format!("{{{name}}}"), value);
    }
    text
}
