//! Signs in a text that it is not for everybody.
//!
//! Explicit ones only: words that announce something private, names of lists, folders and sections
//! that are somebody's own, contacts that are marked as outsiders. Norms that a reader has to know, such as
//! that a job search is no news for colleagues, are beyond it. That is its purpose: what gets past it
//! is what a scenario's own signs do not give away.

use serde_json::Value;

/// Words of which one makes an entry private. Latin ones count from the start of a word on.
const MARKS: [&str; 76] = [
    "private",
    "privately",
    "confidential",
    "in confidence",
    "between us",
    "secret",
    "surprise",
    "nobody knows",
    "nobody in the house",
    "nobody is to know",
    "not yet know",
    "do not know yet",
    "does not know",
    "keep it to",
    "not a word",
    "say nothing",
    "not pass that on",
    "stays here",
    "medical",
    "doctor",
    "clinic",
    "hospital",
    "infirmary",
    "surgery",
    "therap",
    "diagnos",
    "biopsy",
    "salary",
    "password",
    "vertraulich",
    "unter uns",
    "geheim",
    "überraschung",
    "weiß es keiner",
    "wissen es noch nicht",
    "weiß noch nicht",
    "nicht vor den anderen",
    "nicht weitergeben",
    "niemandem sagen",
    "bleibt hier",
    "sag ihr nichts",
    "sag ihm nichts",
    "medizinisch",
    "arzt",
    "ärztin",
    "klinik",
    "krankenhaus",
    "hospital",
    "praxis",
    "diagnose",
    "gehalt",
    "passwort",
    "privat",
    "stillschweigen",
    "im vertrauen",
    "保密",
    "别说",
    "别告诉",
    "不外传",
    "别外传",
    "私下",
    "私人",
    "秘密",
    "惊喜",
    "就咱俩",
    "还不知道",
    "还没人知道",
    "先不提",
    "医院",
    "医生",
    "门诊",
    "活检",
    "病历",
    "工资",
    "薪水",
    "密码",
];

/// Names of lists, folders and sections that are somebody's own.
const OWN: [&str; 24] = [
    "private",
    "personal",
    "just me",
    "for me",
    "only me",
    "me",
    "home",
    "family",
    "privat",
    "persönlich",
    "zuhause",
    "ich",
    "für mich",
    "nur ich",
    "familie",
    "自己",
    "私人",
    "个人",
    "生活",
    "家里",
    "家",
    "给自己",
    "随手记",
    "隐私",
];

/// Whether a text says itself that it is not for everybody.
pub(super) fn is_marked(text: &str) -> bool {
    let lower = text.to_lowercase();
    MARKS.iter().any(|mark| {
        lower.match_indices(mark).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            !mark.is_ascii() || before.is_none_or(|letter| !letter.is_alphanumeric() || !letter.is_ascii())
        })
    })
}

/// Whether a list, folder or section of that name is somebody's own.
pub(super) fn is_own(name: &str) -> bool {
    let name =
        name.trim_start_matches(['#', ' ', '-', '*']).trim_end_matches([':', '：', ' ']).to_lowercase();
    name.split('/').any(|part| OWN.contains(&part.trim()))
}

/// The lines of a text that bear no sign; from the heading of a section of one's own on, none up to
/// the next empty line or heading.
pub(super) fn kept_lines(text: &str) -> String {
    let mut is_hidden = false;
    let mut kept = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            is_hidden = false;
        }
        is_hidden |= is_own(line);
        if !is_hidden && !is_marked(line) {
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// The strings of a state that are left when everything that bears a sign is taken out: an entry with
/// a sign as a whole, lists and files of one's own, conversations with outsiders unless the goal
/// names them.
pub(super) fn kept_strings(apps: &Value, goal: &str) -> Vec<String> {
    let contacts = apps["open_messenger"]["contacts"].as_array();
    let is_outsider = |contact: &&Value| contact["external"] == true;
    let names =
        contacts.into_iter().flatten().filter(is_outsider).filter_map(|contact| contact["name"].as_str());
    let outsiders = names.filter(|name| !is_named(name, goal)).collect();
    let mut walk = Walk { outsiders, kept: Vec::new() };
    walk.value(apps);
    walk.kept
}

/// Whether a goal holds a contact's name, its label left out.
fn is_named(name: &str, goal: &str) -> bool {
    let base = name.split(['(', '（']).next().unwrap_or(name).trim();
    !base.is_empty() && goal.to_lowercase().contains(&base.to_lowercase())
}

struct Walk<'a> {
    outsiders: Vec<&'a str>,
    kept: Vec<String>,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.keep(text),
            Value::Array(values) => values.iter().for_each(|value| self.value(value)),
            Value::Object(fields) => {
                let named = |key: &str| fields.get(key).and_then(Value::as_str);
                let is_own_thing = ["name", "path"].iter().any(|key| named(key).is_some_and(is_own));
                if is_own_thing || named("contact").is_some_and(|name| self.outsiders.contains(&name)) {
                    return;
                }
                // What has lines is no label of an entry, but entries of its own.
                let is_label = |text: &&str| !text.contains('\n');
                let is_private = fields.values().filter_map(Value::as_str).filter(is_label).any(is_marked);
                for value in fields.values() {
                    let is_dropped = is_private && value.as_str().is_some_and(|text| is_label(&text));
                    if !is_dropped {
                        self.value(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn keep(&mut self, text: &str) {
        let kept = kept_lines(text);
        if !kept.trim().is_empty() {
            self.kept.push(kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn signs_are_found_in_three_languages_and_not_within_words() {
        for text in [
            "Second biopsy at the Larch clinic",
            "Between us, Rosa is leaving",
            "The dinner is a surprise for Noor",
            "Unter uns, Jan hört auf",
            "Das ist die Überraschung für Oma",
            "去市一院（医院）复查",
            "孩子还不知道",
        ] {
            assert!(is_marked(text), "{text}");
        }
        for text in
            ["Six folding tables", "The indoctrorated", "Third round of IVF starts on Monday", "三十个鸡蛋"]
        {
            assert!(!is_marked(text), "{text}");
        }
    }

    #[test]
    fn names_of_ones_own_are_whole() {
        for name in ["Just me", "private/notes.md", "# Private", "For me:", "Zuhause", "自己"] {
            assert!(is_own(name), "{name}");
        }
        for name in ["Merchandise", "Home game on Sunday", "notes/privateer.md", "This week"] {
            assert!(!is_own(name), "{name}");
        }
    }

    #[test]
    fn lines_with_a_sign_and_sections_of_ones_own_are_left_out() {
        let text =
            "# Fair\n\nSix tables\nRosa's surgery is on Friday\n\nFor me\nBuy a ring\nCall Ann\n\nChalk";
        assert_eq!(kept_lines(text), "# Fair\n\nSix tables\n\n\nChalk");
    }

    #[test]
    fn an_entry_goes_as_a_whole_and_the_others_stay() {
        let apps = json!({
            "open_messenger": {
                "contacts": [{"name": "Ann (Client)", "external": true}, {"name": "Bo (Vendor)", "external": true}],
                "threads": [
                    {"contact": "Ann (Client)", "messages": [{"sender": "Ann (Client)", "text": "At nine?"}]},
                    {"contact": "Bo (Vendor)", "messages": [{"sender": "Bo (Vendor)", "text": "The bill"}]},
                ],
            },
            "open_todo": {"lists": [
                {"name": "Fair", "items": [
                    {"title": "Six tables"}, {"title": "Chalk", "notes": "nobody knows that Rosa pays"},
                ]},
                {"name": "Just me", "items": [{"title": "Sell the ring"}]},
            ]},
        });
        let kept = kept_strings(&apps, "Tell Ann what we need").join("|");
        for text in ["Six tables", "At nine?", "Fair"] {
            assert!(kept.contains(text), "{text} in {kept}");
        }
        for text in ["Chalk", "Rosa", "ring", "The bill"] {
            assert!(!kept.contains(text), "{text} in {kept}");
        }
    }
}
