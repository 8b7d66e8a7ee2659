//! Where the task's own artifact belongs and who it is for.
//!
//! A scenario may name both. Where it does not, rules over the prompt and the contacts conclude them
//! and say how sure they are:
//!
//! 1. The prompt is cut into words and clauses. What follows "so I can …" is what the user will do
//!    afterwards; "so she can …" is a purpose; neither asks for anything.
//! 2. Names of contacts are found: whole, without label, first names, and labels as roles ("the
//!    senior dev"). What governs a name decides its part: "send Nora", "to Nora" make a recipient,
//!    "Nora needs …" somebody who asks, "Nora's recap" and "from Nora" a source.
//! 3. The writes that are asked for are found by their verbs. An app that is only read ("check my
//!    calendar and send …") asks for none.
//! 4. The first rule that fits concludes; the rules are in [`english`], strongest first.
//!
//! The rules know nothing of single scenarios. English is read in full, German and Chinese by
//! simpler rules; scenarios in those languages should name channel and recipient.

mod english;
mod mention;
mod other_languages;
mod vocabulary;
mod words;

use super::model::Apps;
use super::types::{Channel, Confidence, Target};

/// Channel and recipient as the scenario names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declared {
    /// `channel`.
    pub channel: Option<Channel>,
    /// `recipient`: a contact's name, or `"user"`.
    pub recipient: Option<String>,
}

/// What the rules concluded, and what they could not decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conclusion {
    pub(crate) target: Target,
    /// Contacts between which nothing in the prompt decides; empty where there was nothing to decide.
    pub(crate) candidates: Vec<String>,
    /// Somebody the prompt addresses who is no contact.
    pub(crate) unknown_addressee: Option<String>,
}

/// Where the artifact belongs and who it is for.
pub(crate) fn find(prompt: &str, apps: &Apps, language: &str, declared: &Declared) -> Target {
    conclude(prompt, apps, language, declared).target
}

/// The same with what is left open, for the lints.
pub(crate) fn conclude(prompt: &str, apps: &Apps, language: &str, declared: &Declared) -> Conclusion {
    let mut conclusion = match language {
        "en" => english::conclude(prompt, &apps.messenger),
        _ => other_languages::conclude(prompt, &apps.messenger),
    };
    let target = &mut conclusion.target;
    let recipient = declared.recipient.as_deref();
    let names_user = recipient == Some("user");
    let contact = recipient.filter(|_| !names_user).map(str::to_owned);
    match (declared.channel, recipient) {
        (None, None) => {}
        (Some(channel), None) => {
            if target.channel != channel {
                // What was concluded for another channel says nothing about this one.
                target.recipient = None;
                target.confidence = Confidence::Medium;
            }
            target.channel = channel;
            target.reason = format!("the scenario names the channel; {}", target.reason);
        }
        (channel, Some(_)) => {
            let by_recipient = if names_user { Channel::Answer } else { Channel::Messenger };
            // A named person is written to, unless the prompt asks for an event or the like.
            let concluded =
                if names_user || target.channel == Channel::Answer { by_recipient } else { target.channel };
            target.channel = channel.unwrap_or(concluded);
            target.recipient = contact;
            target.confidence = if channel.is_some() { Confidence::High } else { Confidence::Medium };
            target.reason = if channel.is_some() {
                "the scenario names channel and recipient".to_owned()
            } else {
                "the scenario names the recipient".to_owned()
            };
            conclusion.candidates.clear();
            conclusion.unknown_addressee = None;
        }
    }
    conclusion
}
