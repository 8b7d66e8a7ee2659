//! The words the rules for English know.

/// Verbs that pass something on to somebody.
pub(super) const SEND: [&str; 32] = [
    "send",
    "message",
    "text",
    "reply",
    "respond",
    "post",
    "share",
    "forward",
    "tell",
    "give",
    "drop",
    "ping",
    "write",
    "email",
    "mail",
    "notify",
    "inform",
    "update",
    "pass",
    "relay",
    "answer",
    "brief",
    "dm",
    "shoot",
    "let",
    "show",
    "report",
    "announce",
    "remind",
    "submit",
    "deliver",
    "broadcast",
];

/// Verbs that pass something on together with a later word (`keep Nora posted`).
pub(super) const SEND_PHRASES: [(&str, &[&str]); 6] = [
    ("let", &["know"]),
    ("keep", &["posted", "updated", "informed", "loop"]),
    ("fill", &["in"]),
    ("catch", &["up"]),
    ("loop", &["in"]),
    ("bring", &["speed"]),
];

/// Of these, the ones that are verbs in front of anything, not only in front of whom they reach.
pub(super) const SEND_ALWAYS: [&str; 15] = [
    "send",
    "reply",
    "respond",
    "share",
    "forward",
    "tell",
    "notify",
    "inform",
    "relay",
    "announce",
    "remind",
    "submit",
    "deliver",
    "broadcast",
    "give",
];

/// Words after which a verb stands.
pub(super) const BEFORE_VERB: [&str; 26] = [
    "please",
    "and",
    "then",
    "to",
    "you",
    "just",
    "quickly",
    "also",
    "or",
    "i",
    "kindly",
    "can",
    "could",
    "would",
    "will",
    "now",
    "let's",
    "simply",
    "briefly",
    "i'll",
    "help",
    "me",
    "go",
    "it",
    "finally",
    "afterwards",
];

/// Words that may stand between what governs a name and the name.
pub(super) const FILLERS: [&str; 20] = [
    "my", "the", "our", "your", "a", "an", "new", "old", "dear", "quickly", "just", "both", "best", "over",
    "back", "all", "open", "also", "please", "this",
];

/// What somebody does who asks for something.
pub(super) const REQUEST: [&str; 26] = [
    "needs",
    "need",
    "needed",
    "wants",
    "want",
    "wanted",
    "asks",
    "asked",
    "requested",
    "requests",
    "wonders",
    "wondered",
    "expects",
    "expected",
    "requires",
    "required",
    "inquired",
    "messaged",
    "pinged",
    "emailed",
    "texted",
    "wrote",
    "awaits",
    "likes",
    "hopes",
    "said",
];

/// What somebody is doing who asks for something (`Jane's looking for …`).
pub(super) const REQUESTING: [&str; 14] = [
    "asking",
    "waiting",
    "looking",
    "wondering",
    "requesting",
    "trying",
    "hoping",
    "expecting",
    "planning",
    "checking",
    "needing",
    "wanting",
    "chasing",
    "going",
];

/// Words between a name and what it is asking.
pub(super) const HELPERS: [&str; 18] = [
    "is", "was", "has", "just", "still", "also", "would", "could", "really", "had", "been", "again", "here",
    "might", "like", "love", "use", "recently",
];

/// Nouns that name what was said or planned with somebody: `chat with Chloe` is a source.
pub(super) const TALKS: [&str; 22] = [
    "chat",
    "thread",
    "conversation",
    "messages",
    "message",
    "dm",
    "dms",
    "meeting",
    "lunch",
    "brunch",
    "dinner",
    "call",
    "sync",
    "appointment",
    "event",
    "coffee",
    "discussion",
    "exchange",
    "breakfast",
    "date",
    "1:1",
    "session",
];

/// Verbs whose `with` names whom something reaches.
pub(super) const SHARE_WITH: [&str; 5] = ["share", "update", "coordinate", "reply", "respond"];

/// Verbs that make a calendar entry.
pub(super) const CREATE: [&str; 12] =
    ["create", "add", "schedule", "book", "block", "make", "put", "set", "plan", "insert", "enter", "log"];

/// What a calendar holds.
pub(super) const EVENTS: [&str; 9] =
    ["event", "block", "invite", "invitation", "appointment", "meeting", "entry", "hold", "reminder"];

/// Names of the calendar.
pub(super) const CALENDAR: [&str; 2] = ["calendar", "opencalendar"];

/// Names of the to-do list.
pub(super) const TODO: [&str; 7] = ["todo", "todos", "opentodo", "tasks", "task", "checklist", "reminders"];

/// Words for a group of readers.
pub(super) const AUDIENCE: [&str; 10] =
    ["team", "group", "channel", "everyone", "everybody", "committee", "crew", "folks", "volunteers", "chat"];

/// Nouns for people, so that somebody who is addressed and is no contact is noticed.
pub(super) const PEOPLE: [&str; 44] = [
    "partner",
    "boss",
    "manager",
    "wife",
    "husband",
    "mother",
    "father",
    "mom",
    "mum",
    "dad",
    "sister",
    "brother",
    "friend",
    "colleague",
    "coworker",
    "teammate",
    "client",
    "customer",
    "vendor",
    "supplier",
    "landlord",
    "doctor",
    "teacher",
    "lawyer",
    "accountant",
    "neighbor",
    "neighbour",
    "roommate",
    "intern",
    "recruiter",
    "assistant",
    "supervisor",
    "spouse",
    "son",
    "daughter",
    "family",
    "parents",
    "committee",
    "council",
    "board",
    "hr",
    "coach",
    "therapist",
    "principal",
];

/// Words of which one names another role as well.
pub(super) const SAME_ROLE: [(&str, &str); 6] = [
    ("boss", "manager"),
    ("supervisor", "manager"),
    ("developer", "dev"),
    ("engineer", "dev"),
    ("customer", "client"),
    ("supplier", "vendor"),
];

/// Who the pronouns are that stand for a person.
pub(super) const PRONOUNS: [&str; 4] = ["him", "her", "them", "they"];

/// Whether `words` holds `word`.
pub(super) fn is(words: &[&str], word: &str) -> bool {
    words.contains(&word)
}
