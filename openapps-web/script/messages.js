// What a conversation gains from a script.
"use strict";

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
