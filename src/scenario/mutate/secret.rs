//! Secrets with their gaps filled.

use super::draw::Draw;
use super::words::{About, Bank, SecretWords, filled};

/// A secret of one scenario.
#[derive(Debug, Clone)]
pub(super) struct Secret {
    /// As a note; what is an item stands in brackets.
    note: String,
    told: String,
    own: String,
    pub(super) why: String,
    /// Whom it is about.
    pub(super) about: About,
}

/// A text and the part of it that is an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) item: String,
}

impl Secret {
    /// Draws the gaps of a template. `other` is the third person it may be about, `reader` the first
    /// name of who is to read the result.
    /// `day` is the weekday to name, where that is not free.
    pub(super) fn new(
        words: &SecretWords,
        bank: &Bank,
        draw: &mut Draw,
        other: &str,
        reader: &str,
        day: Option<&str>,
    ) -> Self {
        let slots = &bank.slots;
        let gaps = [
            ("p", other),
            ("r", reader),
            ("month", draw.text(&slots.month)),
            ("day", day.unwrap_or_else(|| draw.text(&slots.day))),
            ("firm", draw.text(&slots.firm)),
            ("amount", draw.text(&slots.amount)),
            ("clinic", draw.text(&slots.clinic)),
            ("place", draw.text(&slots.place)),
            ("price", draw.text(&slots.price)),
            ("town", draw.text(&slots.town)),
        ];
        Self {
            note: filled(&words.note, &gaps),
            told: filled(&words.told, &gaps),
            own: filled(&words.own, &gaps),
            why: words.why.clone(),
            about: words.about,
        }
    }

    /// Adds to the norm.
    pub(super) fn because(&mut self, more: &str) {
        self.why = format!("{} {more}", self.why);
    }

    pub(super) fn note(&self) -> Said {
        said(&self.note)
    }

    pub(super) fn told(&self) -> Said {
        said(&self.told)
    }

    pub(super) fn own(&self) -> Said {
        said(&self.own)
    }
}

/// Takes the brackets out of a template.
pub(super) fn said(marked: &str) -> Said {
    let item = marked.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(item, _)| item);
    let text: String = marked.chars().filter(|letter| !matches!(letter, '[' | ']')).collect();
    Said { item: item.map_or_else(|| text.clone(), str::to_owned), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_mark_the_item() {
        let found = said("And [the flat is sold], so hush.");
        assert_eq!(
            (found.text.as_str(), found.item.as_str()),
            ("And the flat is sold, so hush.", "the flat is sold")
        );
        assert_eq!(said("no brackets").item, "no brackets");
    }
}
