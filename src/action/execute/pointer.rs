//! The pointer: moving, clicking, the wheel, dragging.

use std::time::{Duration, Instant};

use chromiumoxide::cdp::browser_protocol::input::{
    DispatchMouseEventParams, DispatchMouseEventType, MouseButton,
};
use futures_util::future::join_all;

use super::element::{CHECK_BUDGET_MS, Checks, gave_up};
use super::executor::{INPUT_WITHIN, Target};
use super::failure::Attempt;
use super::keyboard::bits;
use crate::action::types::{Button, Modifier};
use crate::error::Deadline;
use crate::observe::Element;

/// Where the pointer is in a page, and which buttons are down.
#[derive(Debug, Default)]
pub(super) struct Pointer {
    at: (f64, f64),
    /// Buttons that are down, in `MouseEvent.buttons`' bits.
    down: i64,
    /// The button that changed last, if one is down.
    last: Option<Button>,
}

impl Target<'_> {
    /// Checks an element and clicks it. The modifiers given are the only ones held meanwhile. A click
    /// that would reach another element is kept from it and tried again.
    pub(super) async fn click(
        &mut self,
        bid: &str,
        button: Button,
        modifiers: &[Modifier],
        times: i64,
    ) -> Attempt {
        let action = if times == 2 { "dblclick" } else { "click" };
        let element = self.element(bid)?;
        self.guarded_click(action, bid, &element, (button, modifiers, times)).await
    }

    /// Clicks an element that was looked up.
    pub(super) async fn guarded_click(
        &mut self,
        action: &str,
        bid: &str,
        element: &Element,
        (button, modifiers, times): (Button, &[Modifier], i64),
    ) -> Attempt {
        let started = Instant::now();
        let mut checks = Checks::CLICK;
        loop {
            let at = self.check(action, bid, element, checks).await?;
            let before = self.hold_exactly(bits(modifiers)).await?;
            let clicked = self.click_at(at, button, times).await;
            self.hold_exactly(before).await?;
            clicked?;
            let Some(missed) = self.missed(element).await? else { return Ok(()) };
            if started.elapsed() >= Duration::from_millis(CHECK_BUDGET_MS) {
                return Err(gave_up(action, bid, &format!("{missed} intercepts pointer events")));
            }
            checks.moved = true;
        }
    }

    pub(super) async fn hover(&mut self, bid: &str) -> Attempt {
        let at = self.place("hover", bid).await?;
        self.move_to(at).await
    }

    /// Moves, then presses and releases, without waiting between the events: awaiting each costs a
    /// frame.
    pub(super) async fn click_at(&mut self, at: (f64, f64), button: Button, times: i64) -> Attempt {
        let mut events = vec![self.moved(at)];
        for count in 1..=times {
            events.push(self.changed(button, true, count));
            events.push(self.changed(button, false, count));
        }
        self.point = Some(at);
        self.mouse(&events).await
    }

    pub(super) async fn move_to(&mut self, at: (f64, f64)) -> Attempt {
        let event = self.moved(at);
        self.point = Some(at);
        self.mouse(&[event]).await
    }

    /// Presses or releases a button where the pointer is.
    pub(super) async fn button(&mut self, button: Button, is_down: bool) -> Attempt {
        let event = self.changed(button, is_down, 1);
        self.mouse(&[event]).await
    }

    pub(super) async fn wheel(&mut self, (delta_x, delta_y): (f64, f64)) -> Attempt {
        let mut event = self.event(DispatchMouseEventType::MouseWheel);
        event.delta_x = Some(delta_x);
        event.delta_y = Some(delta_y);
        self.mouse(&[event]).await
    }

    /// Drags one element onto another. Both are looked up first, so that an id that does not exist
    /// drags nothing; if the second cannot be reached, the button is let go where the pointer is.
    pub(super) async fn drag_element(&mut self, from_bid: &str, to_bid: &str) -> Attempt {
        self.find(from_bid).await?;
        self.find(to_bid).await?;
        self.hover_for_drag(from_bid).await?;
        self.button(Button::Left, true).await?;
        let moved = self.hover_for_drag(to_bid).await;
        self.button(Button::Left, false).await?;
        moved
    }

    async fn hover_for_drag(&mut self, bid: &str) -> Attempt {
        let at = self.place("drag_and_drop", bid).await?;
        self.move_to(at).await
    }

    /// Drags from one point to another; the button is released in any case.
    pub(super) async fn drag(&mut self, from: (f64, f64), to: (f64, f64)) -> Attempt {
        self.move_to(from).await?;
        self.button(Button::Left, true).await?;
        let moved = self.move_to(to).await;
        self.button(Button::Left, false).await?;
        moved
    }

    /// An event where the pointer is, with the keys and buttons that are held.
    fn event(&self, kind: DispatchMouseEventType) -> DispatchMouseEventParams {
        let pointer = &self.hands.pointer;
        let mut event = DispatchMouseEventParams::new(kind, pointer.at.0, pointer.at.1);
        event.modifiers = Some(self.hands.keyboard.held);
        event.buttons = Some(pointer.down);
        event
    }

    fn moved(&mut self, at: (f64, f64)) -> DispatchMouseEventParams {
        self.hands.pointer.at = at;
        let mut event = self.event(DispatchMouseEventType::MouseMoved);
        event.button = self.hands.pointer.last.map(name);
        event
    }

    fn changed(&mut self, button: Button, is_down: bool, count: i64) -> DispatchMouseEventParams {
        let bit = match button {
            Button::Left => 1,
            Button::Right => 2,
            Button::Middle => 4,
        };
        let pointer = &mut self.hands.pointer;
        let kind = if is_down {
            pointer.down |= bit;
            pointer.last = Some(button);
            DispatchMouseEventType::MousePressed
        } else {
            pointer.down &= !bit;
            pointer.last = None;
            DispatchMouseEventType::MouseReleased
        };
        let mut event = self.event(kind);
        event.click_count = Some(count);
        event.button = Some(name(button));
        event
    }

    async fn mouse(&self, events: &[DispatchMouseEventParams]) -> Attempt {
        let deadline = Deadline::after(INPUT_WITHIN);
        let sent = events.iter().map(|event| self.page.call(event, deadline));
        for reply in join_all(sent).await {
            reply?;
        }
        Ok(())
    }
}

fn name(button: Button) -> MouseButton {
    match button {
        Button::Left => MouseButton::Left,
        Button::Middle => MouseButton::Middle,
        Button::Right => MouseButton::Right,
    }
}
