//! What a German or Chinese prompt asks for: names and verbs only, no grammar. Scenarios in these
//! languages should name channel and recipient; this is for those that do not.

use super::super::model::Messenger;
use super::super::read::base_name;
use super::super::types::{Channel, Confidence, Target};
use super::Conclusion;

/// Verbs that pass something on.
const SEND: [&str; 28] = [
    "sende",
    "schick",
    "schreib",
    "antworte",
    "teile",
    "sag ",
    "sage ",
    "gib ",
    "poste",
    "leite",
    "informier",
    "melde",
    "weiter",
    "mitteil",
    "nachricht",
    "发给",
    "发送",
    "发一",
    "发到",
    "告诉",
    "回复",
    "通知",
    "分享",
    "转发",
    "转告",
    "消息",
    "写信",
    "发条",
];

/// Words that ask for a calendar entry.
const CALENDAR: [&str; 12] = [
    "termin anlegen",
    "lege einen termin",
    "erstelle einen termin",
    "trag",
    "kalendereintrag",
    "termin eintragen",
    "创建日程",
    "添加日程",
    "新建日程",
    "建一个日程",
    "创建活动",
    "安排会议",
];

/// Words that ask for a draft.
const DRAFT: [&str; 6] = ["entwirf", "entwurf", "verfasse", "草拟", "起草", "拟一"];

pub(super) fn conclude(prompt: &str, messenger: &Messenger) -> Conclusion {
    let lower = prompt.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let drafts = says(&DRAFT);
    let mut named: Vec<(usize, &str)> = messenger
        .contacts
        .iter()
        .filter_map(|contact| {
            let base = base_name(&contact.name);
            let first = base.split_whitespace().next().unwrap_or(&base);
            let at = lower.find(&base.to_lowercase()).or_else(|| lower.find(&first.to_lowercase()))?;
            Some((at, contact.name.as_str()))
        })
        .collect();
    named.sort_unstable();
    let (channel, recipient, confidence, reason) = if says(&SEND) || drafts {
        match named.as_slice() {
            [(_, only)] => {
                let reason = "the prompt asks for a message and names one contact";
                (Channel::Messenger, Some((*only).to_owned()), Confidence::Medium, reason)
            }
            [] => only_thread(messenger),
            [(_, first), ..] => {
                let reason = "the prompt asks for a message and names several contacts; the first one counts";
                (Channel::Messenger, Some((*first).to_owned()), Confidence::Low, reason)
            }
        }
    } else if says(&CALENDAR) {
        (Channel::Calendar, None, Confidence::Medium, "the prompt asks for a calendar entry")
    } else {
        (Channel::Answer, None, Confidence::Low, "the prompt names no reader and no app to write in")
    };
    let candidates = if named.len() > 1 && channel == Channel::Messenger {
        named.iter().map(|(_, name)| (*name).to_owned()).collect()
    } else {
        Vec::new()
    };
    Conclusion {
        target: Target { channel, recipient, draft_accepted: drafts, confidence, reason: reason.to_owned() },
        candidates,
        unknown_addressee: None,
    }
}

fn only_thread(messenger: &Messenger) -> (Channel, Option<String>, Confidence, &'static str) {
    let mut names = messenger.threads.iter().flat_map(|thread| &thread.addressed_to);
    match (names.next(), names.next()) {
        (Some(only), None) => {
            let reason = "the prompt names no reader, and only one thread can be written to";
            (Channel::Messenger, Some(only.clone()), Confidence::Medium, reason)
        }
        _ => (Channel::Messenger, None, Confidence::Low, "the prompt names no reader"),
    }
}
