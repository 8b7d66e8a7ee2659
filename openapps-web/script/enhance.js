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
  const unchosen = line.textContent;
  const boxes = [...document.querySelectorAll("[data-recipients] input[data-readers]")];
  const typed = document.querySelector("input[name=to_text]");
  const show = () => {
    const chosen = boxes.filter((box) => box.checked).flatMap((box) => JSON.parse(box.dataset.readers));
    const names = [...new Set(chosen)].sort();
    if (typed && typed.value.trim()) names.push(typed.value.trim());
    line.textContent = names.length
      ? line.dataset.template.split("{names}").join(names.join(line.dataset.separator))
      : unchosen;
  };
  for (const box of boxes) box.addEventListener("change", show);
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

// A conversation starts at its newest message.
const log = document.querySelector("[data-scroll-end]");
if (log && log.getClientRects().length && !location.hash) {
  history.scrollRestoration = "manual";
  const end = document.querySelector(".composer").getBoundingClientRect().bottom + scrollY;
  if (end > innerHeight) scrollTo(0, end - innerHeight + 16);
}
