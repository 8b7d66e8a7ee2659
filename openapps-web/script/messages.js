// What a conversation gains from a script. It works without it: drafts are saved with their button.
"use strict";

// What is typed is kept as a draft at every change, one request after the other, so that the same
// typing leaves the same drafts whatever the machine's speed.
const composer = document.querySelector("form[data-keeps-draft]");
if (composer) {
  const text = composer.querySelector("textarea[name=text]");
  const parts = composer.querySelectorAll("[data-draft-part]");
  let last = Promise.resolve();
  let waiting = 0;

  const keep = () => {
    const fields = new URLSearchParams(new FormData(composer));
    fields.set("action", "keep");
    waiting += 1;
    last = last
      .then(() => fetch(composer.getAttribute("action"), { method: "POST", body: fields, redirect: "manual", keepalive: fields.toString().length < 60000 }))
      .then((answer) => {
        // A kept draft is answered with a redirect, which need not be followed.
        if (answer.type !== "opaqueredirect") return;
        const is_there = fields.get("text").trim() !== "" || fields.has("attach");
        for (const part of parts) {
          part.hidden = !is_there;
          if (part.dataset.saved) part.textContent = part.dataset.saved;
        }
      })
      .catch(() => {})
      .finally(() => { waiting -= 1; });
  };

  text.addEventListener("input", keep);
  composer.addEventListener("change", (event) => { if (event.target !== text) keep(); });

  // Whatever leaves the page waits for the draft, so that the next page knows it.
  composer.addEventListener("submit", (event) => {
    if (waiting === 0) return;
    event.preventDefault();
    const button = event.submitter;
    last.then(() => composer.requestSubmit(button));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || waiting === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    last.then(() => { location.href = link.href; });
  });
}

// The text of a message goes to the clipboard. The older way is the one that works on any origin.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const message = document.getElementById(button.dataset.copy);
    getSelection().selectAllChildren(message.querySelector("[data-message-text]"));
    if (!document.execCommand("copy")) return;
    const told = document.createElement("p");
    told.className = "toast";
    told.textContent = button.dataset.copied;
    document.querySelector("[role=status]").replaceChildren(told);
    button.closest("details").open = false;
  });
}
