// What pages gain from a script. Each of them works without it.
"use strict";

// A long text field grows with its text, where the browser does not do that by itself.
function grow(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}

for (const area of document.querySelectorAll("textarea[data-grows]")) {
  grow(area);
  area.addEventListener("input", () => grow(area));
}

// Ctrl+Enter sends a form through its first button.
for (const form of document.querySelectorAll("form[data-confirm-keys]")) {
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("button"));
  });
}

// The readers' line of a new message names those who are chosen.
const line = document.querySelector("[data-readers-line]");
if (line) {
  const unchosen = line.dataset.none ?? line.textContent;
  const boxes = [...document.querySelectorAll("[data-recipients] input[data-readers]")];
  const typed = document.querySelector("input[name=to_text], input[name=other_invitees]");
  const show = () => {
    const options = [...document.querySelectorAll("select[data-readers-of] option:checked")];
    const chosen = [...boxes.filter((box) => box.checked), ...options].flatMap((one) => JSON.parse(one.dataset.readers));
    const names = [...new Set(chosen)].sort();
    if (typed && typed.value.trim()) names.push(typed.value.trim());
    line.textContent = names.length
      ? line.dataset.template.split("{names}").join(names.join(line.dataset.separator))
      : unchosen;
  };
  for (const box of [...boxes, ...document.querySelectorAll("select[data-readers-of]")]) box.addEventListener("change", show);
  if (typed) typed.addEventListener("input", show);
  show();
}

// Ctrl+S saves the file in the editor.
const editor = document.querySelector(".editor-form");
if (editor) {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    editor.requestSubmit(editor.querySelector("button"));
  });
}

// The preview of what is shared follows the boxes.
for (const form of document.querySelectorAll("form[data-switches]")) {
  const off = () => new Set([...form.querySelectorAll("input[data-switch]:not(:checked)")].map((box) => box.dataset.switch));
  const show = () => {
    const hidden = off();
    for (const line of document.querySelectorAll("[data-shown-by]")) {
      line.hidden = line.dataset.shownBy.split(" ").some((name) => hidden.has(name));
    }
  };
  form.addEventListener("change", show);
  show();
}

// A picked day or time goes into its field without asking the server.
for (const button of document.querySelectorAll("button[data-pick]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    const field = document.getElementById(button.dataset.pick);
    field.value = button.value.slice(button.value.indexOf(":") + 1);
    const picker = button.closest("details");
    for (const other of picker.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    picker.open = false;
    field.focus();
  });
}

// A conversation starts at its first new message, else at its newest one.
const log = document.querySelector("[data-scroll-end]");
if (log && log.getClientRects().length && !location.hash) {
  history.scrollRestoration = "manual";
  const fresh = document.getElementById("new");
  const composer = document.querySelector(".composer").getBoundingClientRect().bottom + scrollY;
  const end = Math.max(0, composer - innerHeight + 16);
  const start = fresh ? fresh.getBoundingClientRect().top + scrollY - 16 : end;
  scrollTo(0, Math.min(start, end));
}

// How many messages lie above what is in view.
const above = document.querySelector("[data-above]");
if (above && log) {
  const hidden = [...log.querySelectorAll("article")].filter((one) => one.getBoundingClientRect().bottom < 0);
  const count = hidden.length;
  above.hidden = count === 0;
  above.textContent = (count === 1 ? above.dataset.one : above.dataset.other).split("{count}").join(count);
}

// Keyboard shortcuts. They rest while a field is typed into, and while something stands in front of the page.
const typing = (element) =>
  element.isContentEditable
  || element.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])");

const APPS = { h: "/", m: "/messages", c: "/calendar", p: "/maps", t: "/todo", e: "/code", s: "/shop" };
const NEW = "a[href='/messages/new'], a[href^='/calendar/new']:not([href*='kind=']), a[href='/code/new'], "
  + ".todo-list input[name=title], #place-name";
const popup = document.querySelector("[data-popup]");
const shortcuts = document.getElementById("shortcuts");
let leading = false;

const SHORTCUTS = {
  "/": () => document.querySelector("main input[type=search], header input[type=search]"),
  "n": () => document.querySelector(NEW),
};

function shortcut(event) {
  const key = event.key;
  if (leading && Object.hasOwn(APPS, key)) {
    location.assign(APPS[key]);
  } else if (key === "g") {
    leading = true;
    return;
  } else if (key === "?") {
    shortcuts.showModal();
  } else {
    const target = Object.hasOwn(SHORTCUTS, key) ? SHORTCUTS[key]() : null;
    if (!target) return;
    if (target.href) location.assign(target.href);
    else target.focus();
    event.preventDefault();
  }
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.key === "Shift") return;
  if (event.key === "Escape") {
    escape(event);
  } else if (!popup && !shortcuts.open && !typing(event.target)) {
    const led = leading;
    if (event.key.startsWith("Arrow")) arrow(event);
    else shortcut(event);
    if (led) leading = false;
  }
});

// Escape closes what is open: a pop-up, else the menu around the focus, else any other menu. The
// browser itself closes a dialog and gives the focus back.
function escape(event) {
  if (shortcuts.open) return;
  if (popup) {
    event.preventDefault();
    popup.querySelector("form").requestSubmit(popup.querySelector("[data-popup-close]"));
    return;
  }
  const menu = event.target.closest("details[open]") ?? document.querySelector("details.menu[open], details.picker[open]");
  if (!menu) return;
  const held = menu.contains(document.activeElement);
  menu.open = false;
  if (held) menu.querySelector("summary").focus();
}

// Arrow keys lead to the control that lies in their direction, within the list, grid or tree that has the focus.
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const GROUPS = ".rail-nav, .tiles, .list, .tasks, .products, .month, .picker-month, .picker-times, .tabs, .editor-tabs, .menu-items";
const ROWS = ".menu-items, .tabs, .editor-tabs";

function arrow(event) {
  const group = event.target.closest(GROUPS);
  if (!group) return;
  const place = (element) => {
    const box = element.getBoundingClientRect();
    return { x: box.left + Math.min(box.width / 2, 12), y: box.top + box.height / 2, shown: box.width > 0 };
  };
  const [right, down] = ARROWS[event.key];
  const from = place(event.target);
  const controls = [...group.querySelectorAll("a[href], button, summary, input[type=checkbox]")];
  let best = null;
  for (const control of controls) {
    const to = place(control);
    const along = (to.x - from.x) * right + (to.y - from.y) * down;
    const aside = Math.abs((to.x - from.x) * down) + Math.abs((to.y - from.y) * right);
    const distance = along + 3 * aside;
    if (to.shown && along > 4 && (!best || distance < best.distance)) best = { control, distance };
  }
  // A row has nothing above or below: there, down and right both lead on.
  const control = best?.control
    ?? (group.matches(ROWS) ? controls[controls.indexOf(event.target) + right + down] : null);
  if (!control) return;
  event.preventDefault();
  control.focus();
}
