//! Executes actions over CDP: checks before acting, real input events, and a named reason when it
//! does not work.
//!
//! What goes wrong with an action is the agent's business and becomes text for it
//! ([`Performed::error`], `ClassName: message`); only a browser or page that is gone is an error.

use std::time::{Duration, Instant};

use chromiumoxide::cdp::browser_protocol::input::{
    DispatchMouseEventParams, DispatchMouseEventType, InsertTextParams, MouseButton,
};
use serde_json::{Value, json};

use super::keys::{self, Key};
use super::{Action, Button, Modifier};
use crate::browser::{BrowserError, Context, Page, Settled};
use crate::error::Deadline;
use crate::observe::{Element, Observer};

const CHECK: &str = include_str!("../browser/page/actionability.js");
const EDIT: &str = include_str!("../browser/page/edit.js");
const SELECT: &str = include_str!("../browser/page/select.js");

/// How long a check before acting goes on, as in BrowserGym. At least three attempts are made
/// whatever the machine's load, so a slow machine does not become an agent's failure.
const CHECK_BUDGET_MS: u64 = 500;

/// How long what an action caused may go on before the next observation is taken all the same.
const SETTLE_WITHIN: Duration = Duration::from_secs(5);

/// How long input events may wait for the page to take them.
const INPUT_WITHIN: Duration = Duration::from_secs(5);

/// How long opening an address may take, as in BrowserGym.
const NAVIGATE_WITHIN: Duration = Duration::from_secs(5);

/// The longest wait that `noop` may ask for.
const LONGEST_NOOP_MS: f64 = 10_000.0;

/// How an action went.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Performed {
    /// Why it failed, `ClassName: message`; empty when it did not.
    pub error: String,
    /// An address outside the workspace that the agent tried to open.
    pub refused: Option<String>,
    /// Point of the click or hover, CSS pixels of the viewport.
    pub point: Option<(f64, f64)>,
    /// Box of the element acted on, `[x, y, width, height]` in CSS pixels of the viewport.
    pub element_box: Option<[f64; 4]>,
    /// How long settling took.
    pub settled_after: Duration,
    /// What was still going on when waiting was given up.
    pub still_busy: Option<&'static str>,
}

/// Executes actions in one context; remembers where the pointer is.
#[derive(Debug, Default)]
pub struct Executor {
    pointer: (f64, f64),
}

/// Why an action did not do what it was meant to.
enum Failure {
    /// The agent's business: error class and message.
    Action(&'static str, String),
    /// Ours.
    Browser(BrowserError),
}

impl From<BrowserError> for Failure {
    fn from(error: BrowserError) -> Self {
        Self::Browser(error)
    }
}

type Attempt<T = ()> = Result<T, Failure>;

impl Executor {
    /// Performs one action and waits for what it caused. Actions that only the episode understands
    /// (`finish`, `send_msg_to_user`, `report_infeasible`) do nothing here.
    ///
    /// # Errors
    /// [`BrowserError`] when the page crashed or hangs, or the browser is lost.
    pub async fn perform(
        &mut self,
        context: &Context,
        observer: &Observer,
        action: &Action,
    ) -> Result<Performed, BrowserError> {
        let mut performed = Performed::default();
        if let Action::Goto { url } = action
            && !context.wall().allows_navigation(url)
        {
            performed.error =
                format!("Error: goto({}) was refused: only the workspace can be opened", super::quote(url));
            performed.refused = Some(url.chars().take(500).collect());
            return Ok(performed);
        }
        let page = context.active_page()?;
        let mut target = Target {
            context,
            page: &page,
            observer,
            pointer: &mut self.pointer,
            point: None,
            element_box: None,
        };
        let attempt = target.attempt(action).await;
        (performed.point, performed.element_box) = (target.point, target.element_box);
        match attempt {
            Ok(()) => {}
            Err(Failure::Action(class, message)) => performed.error = format!("{class}: {message}"),
            Err(Failure::Browser(error)) => match error {
                BrowserError::Expired(expired) => {
                    page.free().await?;
                    performed.error = format!(
                        "TimeoutError: the page did not react ({expired}); its script was terminated"
                    );
                }
                // The action itself may have closed the page or replaced the document.
                error if error.is_stale_document() => {}
                BrowserError::Command { message, .. } => performed.error = format!("Error: {message}"),
                error => return Err(error),
            },
        }
        let acted = Instant::now();
        performed.still_busy = settle(context).await?;
        performed.settled_after = acted.elapsed();
        Ok(performed)
    }
}

/// Settles the page that is active after the action, which may be a new one.
async fn settle(context: &Context) -> Result<Option<&'static str>, BrowserError> {
    let deadline = Deadline::after(SETTLE_WITHIN);
    loop {
        let page = match context.active_page() {
            // The action closed the last page: there is always one to look at.
            Err(BrowserError::PageGone(_)) => context.new_page(deadline).await?,
            other => other?,
        };
        match page.settle(deadline).await {
            Ok(Settled::Quiet) => return Ok(None),
            Ok(Settled::StillBusy(what)) => return Ok(Some(what)),
            Err(BrowserError::PageGone(_)) if !deadline.has_passed() => {}
            Err(error) => return Err(error),
        }
    }
}

struct Target<'a> {
    context: &'a Context,
    page: &'a Page,
    observer: &'a Observer,
    pointer: &'a mut (f64, f64),
    point: Option<(f64, f64)>,
    element_box: Option<[f64; 4]>,
}

/// What has to hold before an action.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent check of the list")]
struct Checks {
    visible: bool,
    stable: bool,
    enabled: bool,
    editable: bool,
    /// A point to click at, in the viewport.
    point: bool,
    /// The point belongs to the element.
    hit: bool,
}

impl Checks {
    const CLICK: Self =
        Self { visible: true, stable: true, enabled: true, editable: false, point: true, hit: true };
    const HOVER: Self = Self { enabled: false, ..Self::CLICK };
    const FILL: Self =
        Self { visible: true, stable: false, enabled: true, editable: true, point: false, hit: false };
    const SELECT: Self = Self { editable: false, ..Self::FILL };
    const NONE: Self =
        Self { visible: false, stable: false, enabled: false, editable: false, point: false, hit: false };
}

impl Target<'_> {
    async fn attempt(&mut self, action: &Action) -> Attempt {
        match action {
            Action::Noop { wait_ms } => {
                let wait = wait_ms.clamp(0.0, LONGEST_NOOP_MS);
                tokio::time::sleep(Duration::from_secs_f64(wait / 1_000.0)).await;
                Ok(())
            }
            Action::SendMsgToUser { .. } | Action::ReportInfeasible { .. } | Action::Finish { .. } => Ok(()),
            Action::Click { bid, button, modifiers } => self.click(bid, *button, modifiers, 1).await,
            Action::Dblclick { bid, button, modifiers } => self.click(bid, *button, modifiers, 2).await,
            Action::Hover { bid } => {
                let at = self.place("hover", bid).await?;
                self.move_to(at).await
            }
            Action::Fill { bid, value, enable_autocomplete_menu } => {
                self.fill("fill", bid, value, *enable_autocomplete_menu).await
            }
            Action::Clear { bid } => self.fill("clear", bid, "", false).await,
            Action::Check { bid } => self.set_checked("check", bid, true).await,
            Action::Uncheck { bid } => self.set_checked("uncheck", bid, false).await,
            Action::DragAndDrop { from_bid, to_bid } => {
                let from = self.place("drag_and_drop", from_bid).await?;
                let to = self.place("drag_and_drop", to_bid).await?;
                self.drag(from, to).await
            }
            Action::SelectOption { bid, options } => self.select(bid, options).await,
            Action::Focus { bid } => self.focus(bid).await,
            Action::Press { bid, key_comb } => {
                let keys = combination(key_comb)?;
                self.focus(bid).await?;
                self.press(&keys).await
            }
            Action::Scroll { delta_x, delta_y } => self.wheel((*delta_x, *delta_y)).await,
            Action::ScrollAt { x, y, delta_x, delta_y } => {
                self.move_to((*x, *y)).await?;
                self.wheel((*delta_x, *delta_y)).await
            }
            Action::MouseMove { x, y } => self.move_to((*x, *y)).await,
            Action::MouseDown { x, y, button } => self.buttons((*x, *y), *button, 0, &[(true, 1)]).await,
            Action::MouseUp { x, y, button } => self.buttons((*x, *y), *button, 0, &[(false, 1)]).await,
            Action::MouseClick { x, y, button } => self.buttons((*x, *y), *button, 0, CLICK).await,
            Action::MouseDblclick { x, y, button } => self.buttons((*x, *y), *button, 0, DOUBLE_CLICK).await,
            Action::MouseDragAndDrop { from_x, from_y, to_x, to_y } => {
                self.drag((*from_x, *from_y), (*to_x, *to_y)).await
            }
            Action::KeyboardPress { key } => self.press(&combination(key)?).await,
            Action::KeyboardDown { key } => self.key(key, true).await,
            Action::KeyboardUp { key } => self.key(key, false).await,
            Action::KeyboardType { text } => self.type_text(text).await,
            Action::KeyboardInsertText { text } => {
                self.page.call(&InsertTextParams::new(text), Deadline::after(INPUT_WITHIN)).await?;
                Ok(())
            }
            Action::Goto { url } => {
                self.page.navigate(url, Deadline::after(NAVIGATE_WITHIN)).await?;
                Ok(())
            }
            Action::GoBack {} => {
                self.page.go_in_history(-1, Deadline::after(NAVIGATE_WITHIN)).await?;
                Ok(())
            }
            Action::GoForward {} => {
                self.page.go_in_history(1, Deadline::after(NAVIGATE_WITHIN)).await?;
                Ok(())
            }
            Action::NewTab {} => {
                self.context.new_page(Deadline::after(NAVIGATE_WITHIN)).await?;
                Ok(())
            }
            Action::TabClose {} => {
                self.page.close(Deadline::after(NAVIGATE_WITHIN)).await?;
                Ok(())
            }
            Action::TabFocus { index } => {
                if self.context.activate(*index) {
                    Ok(())
                } else {
                    Err(Failure::Action("IndexError", format!("there is no tab {index}")))
                }
            }
            Action::DialogAccept { .. } | Action::DialogDismiss {} => {
                // Dialogs are answered by policy the moment they open.
                Err(Failure::Action("Error", "no dialog is open".to_owned()))
            }
            Action::UploadFile { .. } | Action::MouseUploadFile { .. } => {
                Err(Failure::Action("PermissionError", "files of this machine cannot be uploaded".to_owned()))
            }
        }
    }

    /// Checks an element as for hovering and returns the point.
    async fn place(&mut self, action: &str, bid: &str) -> Attempt<(f64, f64)> {
        let element = self.element(bid)?;
        self.check(action, bid, &element, Checks::HOVER).await
    }

    fn element(&self, bid: &str) -> Attempt<Element> {
        self.observer.element(self.page, bid).cloned().ok_or_else(|| not_found(bid))
    }

    /// Runs the checks; returns the point to act at.
    async fn check(
        &mut self,
        action: &str,
        bid: &str,
        element: &Element,
        checks: Checks,
    ) -> Attempt<(f64, f64)> {
        let wanted = json!({
            "visible": checks.visible, "stable": checks.stable, "enabled": checks.enabled,
            "editable": checks.editable, "point": checks.point, "hit": checks.hit,
        });
        let deadline = Deadline::after(INPUT_WITHIN);
        let result =
            self.on_element(bid, element, CHECK, &[wanted, json!(CHECK_BUDGET_MS)], deadline).await?;
        if result.get("ok").and_then(Value::as_bool) == Some(true) {
            let (left, top) = self.frame_origin(bid, element).await?;
            let number = |pointer: &str| result.pointer(pointer).and_then(Value::as_f64);
            let side = |index| number(&format!("/box/{index}")).unwrap_or(0.0);
            self.element_box = result.get("box").map(|_| [side(0) + left, side(1) + top, side(2), side(3)]);
            self.point = number("/x").zip(number("/y")).map(|(x, y)| (x + left, y + top));
            return Ok(self.point.unwrap_or_default());
        }
        let reason = result.get("reason").and_then(Value::as_str).unwrap_or("the element is not ready");
        Err(Failure::Action(
            "TimeoutError",
            format!("{action}({}): gave up after {CHECK_BUDGET_MS} ms: {reason}", super::quote(bid)),
        ))
    }

    /// Where the content of the element's frame starts in the viewport.
    async fn frame_origin(&self, bid: &str, element: &Element) -> Attempt<(f64, f64)> {
        let corner = "function () { const box = this.getBoundingClientRect(); \
                      return [box.left + this.clientLeft, box.top + this.clientTop]; }";
        let (mut left, mut top) = (0.0, 0.0);
        for (frame, node) in &element.owners {
            let owner = Element { frame: frame.clone(), node: *node, owners: Vec::new() };
            let corner = self.on_element(bid, &owner, corner, &[], Deadline::after(INPUT_WITHIN)).await?;
            left += corner.get(0).and_then(Value::as_f64).unwrap_or(0.0);
            top += corner.get(1).and_then(Value::as_f64).unwrap_or(0.0);
        }
        Ok((left, top))
    }

    async fn on_element(
        &self,
        bid: &str,
        element: &Element,
        function: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Attempt<Value> {
        match self.page.run_on_element(&element.frame, element.node, function, arguments, deadline).await {
            Err(BrowserError::Command { method, .. }) if method == "DOM.resolveNode" => Err(not_found(bid)),
            other => Ok(other?),
        }
    }

    async fn click(&mut self, bid: &str, button: Button, modifiers: &[Modifier], times: i64) -> Attempt {
        let action = if times == 2 { "dblclick" } else { "click" };
        let element = self.element(bid)?;
        let at = self.check(action, bid, &element, Checks::CLICK).await?;
        let held = modifiers.iter().fold(0, |bits, modifier| bits | bit(*modifier));
        self.buttons(at, button, held, if times == 2 { DOUBLE_CLICK } else { CLICK }).await
    }

    /// Moves the pointer and presses or releases a button: `(down, click count)`.
    async fn buttons(
        &mut self,
        at: (f64, f64),
        button: Button,
        held: i64,
        changes: &[(bool, i64)],
    ) -> Attempt {
        let mut events = vec![mouse(DispatchMouseEventType::MouseMoved, at, None, held, 0)];
        for (down, count) in changes {
            let kind = if *down {
                DispatchMouseEventType::MousePressed
            } else {
                DispatchMouseEventType::MouseReleased
            };
            events.push(mouse(kind, at, Some(button), held, *count));
        }
        *self.pointer = at;
        self.point = Some(at);
        self.mouse(&events).await
    }

    async fn move_to(&mut self, at: (f64, f64)) -> Attempt {
        *self.pointer = at;
        self.mouse(&[mouse(DispatchMouseEventType::MouseMoved, at, None, 0, 0)]).await
    }

    async fn wheel(&mut self, (delta_x, delta_y): (f64, f64)) -> Attempt {
        let mut event = mouse(DispatchMouseEventType::MouseWheel, *self.pointer, None, 0, 0);
        event.delta_x = Some(delta_x);
        event.delta_y = Some(delta_y);
        self.mouse(&[event]).await
    }

    /// Drags from one point to another; the button is released in any case.
    async fn drag(&mut self, from: (f64, f64), to: (f64, f64)) -> Attempt {
        self.buttons(from, Button::Left, 0, &[(true, 1)]).await?;
        let mut over = mouse(DispatchMouseEventType::MouseMoved, to, Some(Button::Left), 0, 0);
        over.buttons = Some(1);
        let moved = self.mouse(&[over]).await;
        *self.pointer = to;
        self.mouse(&[mouse(DispatchMouseEventType::MouseReleased, to, Some(Button::Left), 0, 1)]).await?;
        moved
    }

    async fn set_checked(&mut self, action: &'static str, bid: &str, wanted: bool) -> Attempt {
        let element = self.element(bid)?;
        let state = "function () { return this.matches('input[type=checkbox], input[type=radio]') ? this.checked : \
                     ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(this.getAttribute('role')) ? \
                     this.getAttribute('aria-checked') === 'true' : null; }";
        let deadline = Deadline::after(INPUT_WITHIN);
        match self.on_element(bid, &element, state, &[], deadline).await?.as_bool() {
            None => {
                return Err(Failure::Action(
                    "Error",
                    format!("{action}({}): Not a checkbox or radio button", super::quote(bid)),
                ));
            }
            Some(now) if now == wanted => return Ok(()),
            Some(_) => {}
        }
        let at = self.check(action, bid, &element, Checks::CLICK).await?;
        self.buttons(at, Button::Left, 0, CLICK).await?;
        match self.on_element(bid, &element, state, &[], deadline).await?.as_bool() {
            Some(now) if now == wanted => Ok(()),
            _ => Err(Failure::Action(
                "Error",
                format!("{action}({}): Clicking the checkbox did not change its state", super::quote(bid)),
            )),
        }
    }

    /// Types text key by key; what no key of the US layout types is inserted.
    async fn type_text(&mut self, text: &str) -> Attempt {
        for character in text.chars() {
            let mut buffer = [0; 4];
            match keys::named(character.encode_utf8(&mut buffer), false) {
                Some(key) => self.press(&[key]).await?,
                None => {
                    self.page.call(&InsertTextParams::new(character), Deadline::after(INPUT_WITHIN)).await?;
                }
            }
        }
        Ok(())
    }

    async fn key(&mut self, name: &str, down: bool) -> Attempt {
        let key = keys::named(name, false).ok_or_else(|| unknown_key(name))?;
        let event = key_event(&key, key.modifier, down);
        self.page.call_raw("Input.dispatchKeyEvent", event, Deadline::after(INPUT_WITHIN)).await?;
        Ok(())
    }

    /// Sends mouse events without waiting between them: awaiting each costs a frame.
    async fn mouse(&self, events: &[DispatchMouseEventParams]) -> Attempt {
        let deadline = Deadline::after(INPUT_WITHIN);
        let sent = events.iter().map(|event| self.page.call(event, deadline));
        for reply in futures_util::future::join_all(sent).await {
            reply?;
        }
        Ok(())
    }

    /// Replaces a field's content. With `by_keys` the last character is typed with key events, so that
    /// a page's menu of suggestions opens.
    async fn fill(&mut self, action: &str, bid: &str, value: &str, by_keys: bool) -> Attempt {
        let element = self.element(bid)?;
        self.check(action, bid, &element, Checks::FILL).await?;
        let deadline = Deadline::after(INPUT_WITHIN);
        let result = self.on_element(bid, &element, EDIT, &[json!(value)], deadline).await?;
        if let Some(error) = result.get("error").and_then(Value::as_str) {
            return Err(Failure::Action("Error", format!("{action}({}): {error}", super::quote(bid))));
        }
        if result.get("typed").is_none() {
            return Ok(());
        }
        if value.is_empty() {
            let delete = keys::named("Delete", false).into_iter().collect::<Vec<_>>();
            return self.press(&delete).await;
        }
        let typed = value.char_indices().last().filter(|_| by_keys).map_or("", |(start, _)| &value[start..]);
        self.page.call(&InsertTextParams::new(value.strip_suffix(typed).unwrap_or(value)), deadline).await?;
        self.type_text(typed).await
    }

    async fn select(&mut self, bid: &str, options: &[String]) -> Attempt {
        let element = self.element(bid)?;
        self.check("select_option", bid, &element, Checks::SELECT).await?;
        let result =
            self.on_element(bid, &element, SELECT, &[json!(options)], Deadline::after(INPUT_WITHIN)).await?;
        if let Some(error) = result.get("error").and_then(Value::as_str) {
            return Err(Failure::Action("Error", format!("select_option({}): {error}", super::quote(bid))));
        }
        if let Some(missing) = result.get("missing") {
            return Err(Failure::Action(
                "TimeoutError",
                format!("select_option({}): did not find some options: {missing}", super::quote(bid)),
            ));
        }
        Ok(())
    }

    async fn focus(&mut self, bid: &str) -> Attempt {
        let element = self.element(bid)?;
        self.check("focus", bid, &element, Checks::NONE).await?;
        let focus = "function () { this.focus(); }";
        self.on_element(bid, &element, focus, &[], Deadline::after(INPUT_WITHIN)).await?;
        Ok(())
    }

    /// Presses the keys in order and releases them in reverse, as one held combination.
    async fn press(&self, combination: &[Key]) -> Attempt {
        let deadline = Deadline::after(INPUT_WITHIN);
        let mut events = Vec::new();
        let mut held = 0;
        for key in combination {
            held |= key.modifier;
            events.push(key_event(key, held, true));
        }
        for key in combination.iter().rev() {
            held &= !key.modifier;
            events.push(key_event(key, held, false));
        }
        let sent =
            events.into_iter().map(|event| self.page.call_raw("Input.dispatchKeyEvent", event, deadline));
        for reply in futures_util::future::join_all(sent).await {
            reply?;
        }
        Ok(())
    }
}

/// The changes of a button that make a click, and a double click.
const CLICK: &[(bool, i64)] = &[(true, 1), (false, 1)];
const DOUBLE_CLICK: &[(bool, i64)] = &[(true, 1), (false, 1), (true, 2), (false, 2)];

fn combination(text: &str) -> Attempt<Vec<Key>> {
    keys::combination(text).ok_or_else(|| unknown_key(text))
}

fn unknown_key(name: &str) -> Failure {
    Failure::Action("Error", format!("Unknown key: {}", super::quote(name)))
}

fn not_found(bid: &str) -> Failure {
    Failure::Action("ValueError", format!("Could not find element with bid \"{bid}\""))
}

/// CDP's bits of the modifiers with which a key commands: Alt, Control, Meta.
const COMMANDING: i64 = 0b111;

fn key_event(key: &Key, held: i64, down: bool) -> Value {
    // With Control, Alt or Meta held a key commands and does not type.
    let types_text = down && !key.text.is_empty() && held & COMMANDING == 0;
    let mut event = json!({
        "type": match (down, types_text) { (false, _) => "keyUp", (true, true) => "keyDown", (true, false) => "rawKeyDown" },
        "key": key.name, "code": key.code, "modifiers": held, "windowsVirtualKeyCode": key.virtual_code,
    });
    if types_text {
        event["text"] = key.text.as_str().into();
    }
    event
}

fn mouse(
    kind: DispatchMouseEventType,
    at: (f64, f64),
    button: Option<Button>,
    modifiers: i64,
    count: i64,
) -> DispatchMouseEventParams {
    let mut event = DispatchMouseEventParams::new(kind, at.0, at.1);
    event.modifiers = Some(modifiers);
    if let Some(button) = button {
        event.click_count = Some(count);
        event.button = Some(match button {
            Button::Left => MouseButton::Left,
            Button::Middle => MouseButton::Middle,
            Button::Right => MouseButton::Right,
        });
    }
    event
}

/// CDP's bit of a modifier.
const fn bit(modifier: Modifier) -> i64 {
    match modifier {
        Modifier::Alt => 1,
        Modifier::Control | Modifier::ControlOrMeta => 2,
        Modifier::Meta => 4,
        Modifier::Shift => 8,
    }
}
