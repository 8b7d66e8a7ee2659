//! Keys: pressing, holding, typing.

use futures_util::future::join_all;
use serde_json::{Value, json};

use chromiumoxide::cdp::browser_protocol::input::InsertTextParams;

use super::element::gave_up;
use super::executor::{INPUT_WITHIN, Target};
use super::failure::{Attempt, Failure};
use crate::action::keys::{self, Key};
use crate::action::quote;
use crate::action::types::Modifier;
use crate::error::Deadline;

/// The keys that are held down in a page.
#[derive(Debug, Default)]
pub(super) struct Keyboard {
    /// Codes of the keys that are down, modifiers included.
    down: Vec<String>,
    /// CDP's bits of the modifiers among them.
    pub(super) held: i64,
}

/// CDP's bit of Shift.
const SHIFT: i64 = 8;

/// CDP's bits of the modifiers with which a key commands: Alt, Control, Meta.
const COMMANDING: i64 = 0b111;

/// Where a key is, in `KeyboardEvent.location`'s numbers.
const NUMBER_PAD: i64 = 3;

impl Keyboard {
    /// The event of a key that goes down or up, and the keyboard after it.
    fn turn(&mut self, key: &Key, is_down: bool) -> Value {
        let repeats = self.down.contains(&key.code);
        if is_down {
            self.held |= key.modifier;
            if !repeats {
                self.down.push(key.code.clone());
            }
        } else {
            self.held &= !key.modifier;
            self.down.retain(|code| *code != key.code);
        }
        // With Control, Alt or Meta held a key commands and does not type.
        let types_text = is_down && !key.text.is_empty() && self.held & COMMANDING == 0;
        let kind = match (is_down, types_text) {
            (false, _) => "keyUp",
            (true, true) => "keyDown",
            (true, false) => "rawKeyDown",
        };
        let mut event = json!({
            "type": kind, "key": key.name, "code": key.code, "modifiers": self.held,
            "windowsVirtualKeyCode": key.virtual_code, "location": key.location,
            "isKeypad": key.location == NUMBER_PAD, "autoRepeat": is_down && repeats,
        });
        if types_text {
            event["text"] = key.text.as_str().into();
            event["unmodifiedText"] = key.text.as_str().into();
        }
        event
    }

    /// Whether Shift is held, so that a key by its code types its upper character.
    fn has_shift(&self) -> bool {
        self.held & SHIFT != 0
    }
}

impl Target<'_> {
    /// Focuses an element and presses a key or combination. A combination that does not exist is
    /// named after the focus has moved, as a timeout, which is how BrowserGym's users see it.
    pub(super) async fn press_in(&mut self, bid: &str, combination: &str) -> Attempt {
        self.focus(bid, true).await?;
        if keys::combination(combination).is_none() {
            return Err(gave_up("press", bid, &format!("unknown key {}", quote(combination))));
        }
        self.press(combination).await
    }

    /// Presses the keys of a combination in order and releases them in reverse.
    pub(super) async fn press(&mut self, combination: &str) -> Attempt {
        let names = keys::combination(combination).ok_or_else(|| unknown_key(combination))?;
        let mut events = Vec::new();
        let mut pressed = Vec::new();
        for name in &names {
            let shift = self.hands.keyboard.has_shift();
            let Some(key) = keys::named(name, shift) else { return Err(unknown_key(name)) };
            events.push(self.hands.keyboard.turn(&key, true));
            pressed.push(key);
        }
        for key in pressed.iter().rev() {
            events.push(self.hands.keyboard.turn(key, false));
        }
        self.keys(events).await
    }

    /// Holds a key down or lets go of it.
    pub(super) async fn key(&mut self, name: &str, is_down: bool) -> Attempt {
        let shift = self.hands.keyboard.has_shift();
        let key = keys::named(name, shift).ok_or_else(|| unknown_key(name))?;
        let event = self.hands.keyboard.turn(&key, is_down);
        self.keys(vec![event]).await
    }

    /// Types text key by key; what no key of the US layout types is inserted.
    pub(super) async fn type_text(&mut self, text: &str) -> Attempt {
        for character in text.chars() {
            let mut buffer = [0; 4];
            let name = &*character.encode_utf8(&mut buffer);
            match keys::named(name, false) {
                Some(key) => {
                    let events =
                        [true, false].map(|is_down| self.hands.keyboard.turn(&key, is_down)).to_vec();
                    self.keys(events).await?;
                }
                None => self.insert_text(name).await?,
            }
        }
        Ok(())
    }

    /// Puts text in at once, without key events.
    pub(super) async fn insert_text(&self, text: &str) -> Attempt {
        self.page.call(&InsertTextParams::new(text), Deadline::after(INPUT_WITHIN)).await?;
        Ok(())
    }

    /// Makes exactly these modifiers be held, with real key events; returns what was held before.
    pub(super) async fn hold_exactly(&mut self, wanted: i64) -> Attempt<i64> {
        let before = self.hands.keyboard.held;
        let mut events = Vec::new();
        for (name, bit) in [("Alt", 1), ("Control", 2), ("Meta", 4), ("Shift", SHIFT)] {
            let is_wanted = wanted & bit != 0;
            if is_wanted != (self.hands.keyboard.held & bit != 0)
                && let Some(key) = keys::named(name, false)
            {
                events.push(self.hands.keyboard.turn(&key, is_wanted));
            }
        }
        if !events.is_empty() {
            self.keys(events).await?;
        }
        Ok(before)
    }

    /// Sends key events without waiting between them.
    async fn keys(&self, events: Vec<Value>) -> Attempt {
        let deadline = Deadline::after(INPUT_WITHIN);
        let sent =
            events.into_iter().map(|event| self.page.call_raw("Input.dispatchKeyEvent", event, deadline));
        for reply in join_all(sent).await {
            reply?;
        }
        Ok(())
    }
}

fn unknown_key(name: &str) -> Failure {
    Failure::error(format!("Unknown key: {}", quote(name)))
}

/// CDP's bits of modifiers.
pub(super) fn bits(modifiers: &[Modifier]) -> i64 {
    modifiers.iter().fold(0, |bits, modifier| {
        bits | match modifier {
            Modifier::Alt => 1,
            Modifier::Control | Modifier::ControlOrMeta => 2,
            Modifier::Meta => 4,
            Modifier::Shift => SHIFT,
        }
    })
}
