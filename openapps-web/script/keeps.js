// A form that keeps what is typed into it: a conversation's draft at every change, a task when a field is
// left. Pages work without it: there the button saves. One request is under way at a time, and the next
// one holds what is there then: an action that types a long text makes hundreds of changes.
"use strict";

const kept = document.querySelector("form[data-keeps]");
if (kept) {
  const parts = kept.querySelectorAll("[data-draft-part]");
  const told = kept.querySelector("[data-kept]");
  let saving = null;
  let hasChanged = false;

  const save = async () => {
    const fields = new URLSearchParams(new FormData(kept));
    fields.set("action", "keep");
    const answer = await fetch(kept.getAttribute("action"), {
      method: "POST", body: fields, redirect: "manual", keepalive: fields.toString().length < 60000,
    });
    // What is kept is answered with a redirect, which need not be followed.
    const isKept = answer.type === "opaqueredirect";
    if (told) told.textContent = isKept ? told.dataset.kept : told.dataset.notKept;
    if (!isKept) return;
    const isThere = fields.has("attach") || (fields.get("text") ?? "").trim() !== "";
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

  const isTyping = (field) => field.matches("textarea, input:not([type=checkbox], [type=radio])");
  if (kept.dataset.keeps === "typing") {
    kept.addEventListener("input", (event) => { if (isTyping(event.target)) keep(); });
    kept.addEventListener("change", (event) => { if (!isTyping(event.target)) keep(); });
  } else {
    kept.addEventListener("change", keep);
  }

  // Whatever leaves the page waits for what is kept, so that the next page knows it.
  document.addEventListener("submit", (event) => {
    if (!saving) return;
    event.preventDefault();
    const { target, submitter } = event;
    saving.then(() => target.requestSubmit(submitter));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || !saving || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    saving.then(() => { location.href = link.href; });
  });
}
