//! Finding an element by its id, and checking it before acting on it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::executor::{INPUT_WITHIN, Target};
use super::failure::{Attempt, Failure};
use crate::action::quote;
use crate::browser::BrowserError;
use crate::error::Deadline;
use crate::observe::Element;

/// A function from `browser/page/` that needs `retarget.js` before it.
macro_rules! retargeting {
    ($file:literal) => {
        concat!(
            "function (...given) {\n",
            include_str!("../../browser/page/retarget.js"),
            "return (",
            include_str!($file),
            ").apply(this, given); }"
        )
    };
}
pub(super) use retargeting;

const CHECK: &str = concat!(
    "function (...given) {\n",
    include_str!("../../browser/page/retarget.js"),
    include_str!("../../browser/page/guard.js"),
    "return (",
    include_str!("../../browser/page/actionability.js"),
    ").apply(this, given); }"
);

/// Ends the guard that a check left for the click after it.
const GUARDED: &str = include_str!("../../browser/page/guarded.js");

/// Where the content of a frame element starts, and what lies over a point of it.
const FRAME: &str = include_str!("../../browser/page/frame.js");

/// How long a check before acting goes on, as in BrowserGym. What a loaded machine takes beyond what
/// was waited for is not charged, up to eight times as much, and at least three attempts are made: a
/// slow machine does not become an agent's failure.
pub(super) const CHECK_BUDGET_MS: u64 = 500;

/// Before looking again whether something still covers a frame.
const PAUSE: Duration = Duration::from_millis(100);

/// What has to hold before an action.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent check of the list")]
pub(super) struct Checks {
    pub(super) visible: bool,
    pub(super) stable: bool,
    pub(super) enabled: bool,
    pub(super) editable: bool,
    /// A point to click at, in the viewport, which belongs to the element.
    pub(super) point: bool,
    /// The click that follows is kept from any other element.
    pub(super) guard: bool,
    /// The element moved a moment ago, so it has to be seen standing still for longer.
    pub(super) moved: bool,
}

impl Checks {
    pub(super) const CLICK: Self = Self { enabled: true, guard: true, ..Self::HOVER };
    pub(super) const HOVER: Self = Self {
        visible: true,
        stable: true,
        enabled: false,
        editable: false,
        point: true,
        guard: false,
        moved: false,
    };
    pub(super) const FILL: Self =
        Self { stable: false, enabled: true, editable: true, point: false, ..Self::HOVER };
    pub(super) const SELECT: Self = Self { editable: false, ..Self::FILL };
}

impl Target<'_> {
    /// Checks an element as for hovering and returns the point.
    pub(super) async fn place(&mut self, action: &str, bid: &str) -> Attempt<(f64, f64)> {
        let element = self.element(bid)?;
        self.check(action, bid, &element, Checks::HOVER).await
    }

    /// The element that had this id when the page was observed. Whether it is still part of the
    /// document is for what is done with it to find out.
    pub(super) fn element(&self, bid: &str) -> Attempt<Element> {
        self.observer.element(self.page, bid).cloned().ok_or_else(|| Failure::not_found(bid))
    }

    /// Fails when no element has this id now.
    pub(super) async fn find(&self, bid: &str) -> Attempt {
        let element = self.element(bid)?;
        let is_there = "function () { return this.isConnected; }";
        match self.on_element(bid, &element, is_there, &[], Deadline::after(INPUT_WITHIN)).await?.as_bool() {
            Some(true) => Ok(()),
            _ => Err(Failure::not_found(bid)),
        }
    }

    /// Runs the checks; returns the point to act at.
    pub(super) async fn check(
        &mut self,
        action: &str,
        bid: &str,
        element: &Element,
        checks: Checks,
    ) -> Attempt<(f64, f64)> {
        if checks.point {
            self.reveal_frames(bid, element).await?;
        }
        let wanted = json!({
            "visible": checks.visible, "stable": checks.stable, "enabled": checks.enabled,
            "editable": checks.editable, "point": checks.point, "guard": checks.guard,
            "moved": checks.moved,
        });
        let arguments = [wanted, json!(CHECK_BUDGET_MS)];
        let started = Instant::now();
        let mut attempts = 0;
        loop {
            attempts += 1;
            let deadline = Deadline::after(INPUT_WITHIN);
            let result = self.on_element(bid, element, CHECK, &arguments, deadline).await?;
            if result.get("gone").is_some() {
                return Err(Failure::not_found(bid));
            }
            if result.get("ok").is_none() {
                let reason =
                    result.get("reason").and_then(Value::as_str).unwrap_or("the element is not ready");
                return Err(gave_up(action, bid, reason));
            }
            let number = |pointer: &str| result.pointer(pointer).and_then(Value::as_f64);
            let point = number("/x").zip(number("/y"));
            let around = self.frames_around(bid, element, point).await?;
            let (left, top) = around.origin;
            if let Some(cover) = around.cover {
                if attempts >= 3 && started.elapsed() >= Duration::from_millis(CHECK_BUDGET_MS) {
                    // No click follows, so nothing is to be kept from anything.
                    self.missed(element).await?;
                    return Err(gave_up(action, bid, &format!("{cover} intercepts pointer events")));
                }
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            let side = |index| number(&format!("/box/{index}")).unwrap_or(0.0);
            self.element_box = result.get("box").map(|_| [side(0) + left, side(1) + top, side(2), side(3)]);
            self.point = point.map(|(x, y)| (x + left, y + top));
            return Ok(self.point.unwrap_or_default());
        }
    }

    /// Ends the guard of a click; describes the element that would have got the click instead, if
    /// one would have.
    pub(super) async fn missed(&self, element: &Element) -> Attempt<Option<String>> {
        match self.page.run_in(&element.frame, GUARDED, &[], Deadline::after(INPUT_WITHIN)).await {
            Ok(missed) => Ok(missed.as_str().map(ToOwned::to_owned)),
            // The click did something: it opened a dialog, or led away.
            Err(BrowserError::DialogOpen(_)) => Ok(None),
            Err(error) if error.is_stale_document() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Scrolls the frames around an element into view: a frame that is out of sight paints nothing,
    /// and cannot say where its elements are.
    async fn reveal_frames(&self, bid: &str, element: &Element) -> Attempt {
        let reveal = "function () { this.scrollIntoViewIfNeeded(true); }";
        for (frame, node) in element.owners.iter().rev() {
            let owner = Element { frame: frame.clone(), node: *node, owners: Vec::new() };
            self.on_element(bid, &owner, reveal, &[], Deadline::after(INPUT_WITHIN)).await?;
        }
        Ok(())
    }

    /// Where the content of the element's frame starts in the viewport, and what lies over a point
    /// of it in the frames around.
    async fn frames_around(
        &self,
        bid: &str,
        element: &Element,
        point: Option<(f64, f64)>,
    ) -> Attempt<Around> {
        let mut around = Around { origin: (0.0, 0.0), cover: None };
        for (frame, node) in &element.owners {
            let owner = Element { frame: frame.clone(), node: *node, owners: Vec::new() };
            let (left, top) = around.origin;
            let point = point.map(|(x, y)| [x + left, y + top]);
            let seen =
                self.on_element(bid, &owner, FRAME, &[json!(point)], Deadline::after(INPUT_WITHIN)).await?;
            let number = |key: &str| seen.get(key).and_then(Value::as_f64).unwrap_or(0.0);
            around.origin = (left + number("left"), top + number("top"));
            if around.cover.is_none() {
                around.cover = seen.get("cover").and_then(Value::as_str).map(ToOwned::to_owned);
            }
        }
        Ok(around)
    }

    /// Runs a function of ours with `this` bound to the element.
    pub(super) async fn on_element(
        &self,
        bid: &str,
        element: &Element,
        function: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Attempt<Value> {
        match self.page.run_on_element(&element.frame, element.node, function, arguments, deadline).await {
            Err(BrowserError::Command { method, .. }) if method == "DOM.resolveNode" => {
                Err(Failure::not_found(bid))
            }
            other => Ok(other?),
        }
    }
}

/// What the frames around an element say.
struct Around {
    origin: (f64, f64),
    cover: Option<String>,
}

/// A check that did not come true in its time.
pub(super) fn gave_up(action: &str, bid: &str, reason: &str) -> Failure {
    Failure::timeout(format!("{action}({}): gave up after {CHECK_BUDGET_MS} ms: {reason}", quote(bid)))
}
