//! What the oracle is told.

use super::manner::{self, Manner};
use crate::scenario::model::Messenger;
use crate::scenario::{Channel, GroundTruth, Item, Scenario, Target};

/// What the episode layer hands to the oracle when it makes one. It is no part of a
/// [`crate::agent::Task`], so no other agent can get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OracleBrief {
    /// Where the result belongs.
    pub channel: Channel,
    /// Exact name of the contact it is for; `None` or `user` where nobody else reads it, `seller`,
    /// `courier` or `employer` for the notes of an order.
    pub recipient: Option<String>,
    /// Names of people who stand for the recipient, such as the members of a group.
    pub members: Vec<String>,
    /// What to write, one wording per required item, in the ground truth's order.
    pub required: Vec<String>,
    /// What must not be written; only used to choose wordings.
    pub forbidden: Vec<String>,
    /// Whether a saved draft would do. The oracle sends all the same.
    pub draft_accepted: bool,
    /// How it gets there, where writing it down is not what is asked for.
    pub manner: Manner,
}

impl OracleBrief {
    /// The brief of a scenario, with the manner in which its errand wants to be done.
    #[must_use]
    pub fn of(scenario: &Scenario, ground_truth: &GroundTruth) -> Self {
        let mut brief = Self::new(&scenario.target, ground_truth, &scenario.apps.messenger);
        brief.manner = manner::find(scenario, &brief);
        brief
    }

    /// The brief of an errand that is done by writing: a scenario's target, its ground truth, and the messenger's initial state for
    /// the members of a recipient group.
    ///
    /// Of an item's wordings the first one is taken that holds no forbidden wording; the main one
    /// where each holds one.
    #[must_use]
    pub fn new(target: &Target, ground_truth: &GroundTruth, messenger: &Messenger) -> Self {
        let forbidden: Vec<String> =
            ground_truth.must_not_share.iter().flat_map(Item::wordings).map(str::to_owned).collect();
        let lower: Vec<String> = forbidden.iter().map(|text| text.to_lowercase()).collect();
        let harmless = |wording: &&str| {
            let wording = wording.to_lowercase();
            !lower.iter().any(|forbidden| !forbidden.is_empty() && wording.contains(forbidden))
        };
        let choose = |item: &Item| item.wordings().find(harmless).unwrap_or(&item.text).to_owned();
        let contact = target.recipient.as_deref().and_then(|name| messenger.contact(name));
        Self {
            channel: target.channel,
            recipient: target.recipient.clone(),
            members: contact.map(|contact| contact.members.clone()).unwrap_or_default(),
            required: ground_truth.must_share.iter().map(choose).collect(),
            forbidden,
            draft_accepted: target.draft_accepted,
            manner: Manner::Write,
        }
    }

    /// The recipient, where it is somebody other than the user.
    #[must_use]
    pub fn reader(&self) -> Option<&str> {
        self.recipient.as_deref().filter(|name| !name.trim().is_empty() && *name != "user")
    }

    /// All required items, one per line.
    #[must_use]
    pub fn text(&self) -> String {
        self.required.join("\n")
    }

    /// Whether one of the names on a page ("Shared with A, B") is the reader's or a member's.
    pub(super) fn is_named_in(&self, text: &str) -> bool {
        let names = self.reader().into_iter().chain(self.members.iter().map(String::as_str));
        names.filter(|name| !name.trim().is_empty()).any(|name| text.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Confidence;

    fn item(text: &str, any_of: &[&str]) -> Item {
        Item { any_of: any_of.iter().map(|&text| text.to_owned()).collect(), ..Item::plain(text) }
    }

    #[test]
    fn a_wording_without_a_forbidden_one_is_chosen() {
        let target = Target {
            channel: Channel::Messenger,
            recipient: Some("Nora".to_owned()),
            draft_accepted: false,
            confidence: Confidence::High,
            reason: String::new(),
        };
        let truth = GroundTruth {
            must_share: vec![item("14:25 after the HR call", &["14:25"]), item("the hr call", &[])],
            must_not_share: vec![item("HR call", &[])],
        };
        let brief = OracleBrief::new(&target, &truth, &Messenger::default());
        assert_eq!(brief.required, ["14:25", "the hr call"]);
        assert_eq!(brief.text(), "14:25\nthe hr call");
    }

    #[test]
    fn the_user_is_no_reader() {
        let brief = |recipient: Option<&str>| OracleBrief {
            channel: Channel::Answer,
            recipient: recipient.map(str::to_owned),
            members: vec!["Ines".to_owned()],
            required: Vec::new(),
            forbidden: Vec::new(),
            draft_accepted: false,
            manner: Manner::Write,
        };
        assert_eq!(brief(Some("user")).reader(), None);
        assert_eq!(brief(None).reader(), None);
        assert_eq!(brief(Some("Sam")).reader(), Some("Sam"));
        assert!(brief(Some("Team")).is_named_in("Shared with Ines, Kofi"));
        assert!(!brief(Some("Team")).is_named_in("Shared with Kofi"));
    }
}
