// What the file tree gains from a script: what is announced follows what is shown, and arrow keys.
"use strict";

const tree = document.querySelector("[role=tree]");
if (tree) {
  for (const folder of tree.querySelectorAll("details")) {
    folder.addEventListener("toggle", () => {
      folder.closest("[role=treeitem]").setAttribute("aria-expanded", String(folder.open));
    });
  }
  const stops = () => [...tree.querySelectorAll("a.file-link, summary")].filter((one) => one.checkVisibility());
  tree.addEventListener("keydown", (event) => {
    const all = stops();
    const here = all.indexOf(document.activeElement);
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const folder = all[here].matches("summary") ? all[here].parentElement : null;
    let next = null;
    if (event.key === "ArrowDown") next = all[here + 1];
    else if (event.key === "ArrowUp") next = all[here - 1];
    else if (event.key === "Home") next = all[0];
    else if (event.key === "End") next = all[all.length - 1];
    else if (event.key === "ArrowRight" && folder) folder.open = true;
    else if (event.key === "ArrowLeft" && folder) folder.open = false;
    else return;
    event.preventDefault();
    if (next) next.focus();
  });
}
