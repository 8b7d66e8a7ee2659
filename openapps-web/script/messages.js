// What a conversation gains from a script. It works without it: drafts are saved with their button.
"use strict";

// What is typed is kept as a draft at every change. One request is under way at a time, and the next
// one holds what is there then: an action that types a long text makes hundreds of changes.
const composer = document.querySelector("form[data-keeps-draft]");
if (composer) {
  const text = composer.querySelector("textarea[name=text]");
  const parts = composer.querySelectorAll("[data-draft-part]");
  let saving = null;
  let hasChanged = false;

  const save = async () => {
    const fields = new URLSearchParams(new FormData(composer));
    fields.set("action", "keep");
    const answer = await fetch(composer.getAttribute("action"), {
      method: "POST", body: fields, redirect: "manual", keepalive: fields.toString().length < 60000,
    });
    // A kept draft is answered with a redirect, which need not be followed.
    if (answer.type !== "opaqueredirect") return;
    const isThere = fields.get("text").trim() !== "" || fields.has("attach");
    for (const part of parts) {
      part.hidden = !isThere;
      if (part.dataset.saved) part.textContent = part.dataset.saved;
    }
  };

  const saveAll = async () => {
    // All changes of one action come before this.
    await new Promise((done) => setTimeout(done));
    while (hasChanged) {
      hasChanged = false;
      await save().catch(() => {});
    }
    saving = null;
  };

  const keep = () => {
    hasChanged = true;
    saving ??= saveAll();
  };

  text.addEventListener("input", keep);
  composer.addEventListener("change", (event) => { if (event.target !== text) keep(); });

  // Whatever leaves the page waits for the draft, so that the next page knows it.
  composer.addEventListener("submit", (event) => {
    if (!saving) return;
    event.preventDefault();
    const button = event.submitter;
    saving.then(() => composer.requestSubmit(button));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || !saving || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    saving.then(() => { location.href = link.href; });
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
