//! What a name says about who stands behind it.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::model::ContactKind;

/// Words that make a name the name of a group, compared whole and without case.
const GROUP_WORDS: [&str; 26] = [
    "group",
    "chat",
    "channel",
    "team",
    "teams",
    "leads",
    "committee",
    "drivers",
    "volunteers",
    "parents",
    "crew",
    "club",
    "board",
    "everyone",
    "staff",
    "neighbors",
    "neighbours",
    "squad",
    "class",
    "gruppe",
    "kanal",
    "verein",
    "群",
    "群聊",
    "频道",
    "小组",
];

/// Words of a label in parentheses that make the name a group's.
const GROUP_LABELS: [&str; 8] =
    ["group", "group chat", "channel", "team chat", "chat", "gruppe", "gruppenchat", "群聊"];

/// Words of a label that put somebody outside the user's organisation.
const EXTERNAL_WORDS: [&str; 15] = [
    "external",
    "client",
    "vendor",
    "customer",
    "supplier",
    "contractor",
    "partner",
    "recruiter",
    "extern",
    "kunde",
    "kundin",
    "lieferant",
    "客户",
    "外部",
    "供应商",
];

/// Titles of conversations that only the user reads.
const OWN_TITLES: [&str; 12] = [
    "drafts",
    "draft",
    "my drafts",
    "saved drafts",
    "note to self",
    "notes to self",
    "saved messages",
    "entwürfe",
    "notizen",
    "草稿",
    "草稿箱",
    "备忘",
];

/// Whether a sender is the account's owner, and whether the name marks the message as a draft
/// (`"You (draft)"`).
pub(super) fn is_user(name: &str) -> bool {
    const OWNER: [&str; 13] =
        ["you", "me", "user", "self", "myself", "i", "the user", "owner", "ich", "du", "我", "你", "自己"];
    let base = base_name(name).to_lowercase();
    OWNER.contains(&base.as_str())
}

/// Whether a sender's name marks the message as a draft.
pub(super) fn is_marked_draft(name: &str) -> bool {
    label(name).is_some_and(|label| matches!(label.to_lowercase().as_str(), "draft" | "entwurf" | "草稿"))
}

/// Whether a conversation of that title is the user's own.
pub(super) fn is_own_title(title: &str) -> bool {
    OWN_TITLES.contains(&title.trim().to_lowercase().as_str())
}

/// The text in the last pair of parentheses of a name.
pub(super) fn label(name: &str) -> Option<String> {
    let (_, inner) = last_parentheses(name)?;
    let label = name[inner].trim();
    (!label.is_empty()).then(|| label.to_owned())
}

/// The name without text in parentheses, without `#`, and without what follows a dash
/// (`"Priya (VP Eng) - Leadership DM"` is `Priya`).
pub(crate) fn base_name(name: &str) -> String {
    let mut base = name.trim().trim_start_matches('#').to_owned();
    for dash in [" - ", " – ", " — "] {
        if let Some((front, _)) = base.split_once(dash)
            && !front.trim().is_empty()
        {
            base = front.to_owned();
        }
    }
    while let Some((outer, _)) = last_parentheses(&base) {
        let rest = format!("{}{}", &base[..outer.start], &base[outer.end..]);
        if rest.trim().is_empty() {
            break;
        }
        base = rest;
    }
    base.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The last pair of parentheses, half or full width: with them, and what is between.
fn last_parentheses(name: &str) -> Option<(Range<usize>, Range<usize>)> {
    let (open, opening) = name.char_indices().rfind(|(_, character)| matches!(character, '(' | '（'))?;
    let inner = open + opening.len_utf8();
    let close = inner + name[inner..].find([')', '）'])?;
    let end = close + name[close..].chars().next().map_or(1, char::len_utf8);
    Some((open..end, inner..close))
}

/// Person, group or channel, from the name alone.
pub(super) fn kind(name: &str) -> ContactKind {
    if name.trim_start().starts_with('#') {
        return ContactKind::Channel;
    }
    if label(name).is_some_and(|label| GROUP_LABELS.contains(&label.to_lowercase().as_str())) {
        return ContactKind::Group;
    }
    let base = base_name(name).to_lowercase();
    // A possessive (`Maya's Dad`) or a title keeps a person a person; only whole words count. Chinese
    // is segmented by character, so its words are looked for as text.
    let words: Vec<&str> = base.unicode_words().collect();
    let group = GROUP_WORDS
        .iter()
        .any(|word| if word.is_ascii() { words.contains(word) } else { base.ends_with(word) });
    if group { ContactKind::Group } else { ContactKind::Person }
}

/// Whether the label puts somebody outside the user's organisation.
pub(super) fn is_external(label: Option<&str>) -> bool {
    label.is_some_and(|label| {
        let lower = label.to_lowercase();
        let words: Vec<&str> = lower.unicode_words().collect();
        EXTERNAL_WORDS.iter().any(
            |word| {
                if word.is_ascii() { words.contains(word) } else { lower.contains(word) }
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        assert_eq!(label("Nora (Manager)").as_deref(), Some("Manager"));
        assert_eq!(base_name("Nora (Manager)"), "Nora");
        assert_eq!(label("Priya (VP Eng) - Leadership DM").as_deref(), Some("VP Eng"));
        assert_eq!(base_name("Priya (VP Eng) - Leadership DM"), "Priya");
        assert_eq!(base_name("#v2-launch-team"), "v2-launch-team");
        assert_eq!(base_name("(Manager)"), "(Manager)");
        assert_eq!(label("李娜（经理）").as_deref(), Some("经理"));
        assert_eq!(base_name("李娜（经理）"), "李娜");
        assert_eq!(label("odd ) name ("), None);
    }

    #[test]
    fn kinds_follow_whole_words_of_the_name_and_not_of_the_label() {
        for group in ["Design Team (Group Chat)", "Food Pantry Volunteer Leads", "Team Updates", "项目群"]
        {
            assert_eq!(kind(group), ContactKind::Group, "{group}");
        }
        for person in
            ["Sam (Team Lead)", "Priya (Backend Lead)", "Dr. Patel Office", "Chatterjee", "Maya's Dad"]
        {
            assert_eq!(kind(person), ContactKind::Person, "{person}");
        }
        assert_eq!(kind("#engineering-general"), ContactKind::Channel);
    }

    #[test]
    fn the_owner_has_many_names() {
        for name in ["You", "me", "User", "You (draft)", "我", "Ich"] {
            assert!(is_user(name), "{name}");
        }
        assert!(is_marked_draft("You (draft)") && !is_marked_draft("You"));
        for name in ["Ian", "Mia", "Youssef", "User Research"] {
            assert!(!is_user(name), "{name}");
        }
    }
}
