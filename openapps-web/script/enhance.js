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
