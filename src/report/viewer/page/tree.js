// The accessibility tree as text: search, difference to the step before, items highlighted.

// Which lines of `now` are new against `before`, and which of `before` are gone.
function lineDifference(before, now) {
  let start = 0;
  while (start < before.length && start < now.length && before[start] === now[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < now.length - start && before[before.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const a = before.slice(start, before.length - end), b = now.slice(start, now.length - end);
  const out = now.slice(0, start).map((text) => ({ text, kind: "same" }));
  if (a.length * b.length > 4000000) {
    // Too much for an exact comparison: what is not there at all is new or gone.
    const old = new Set(a), fresh = new Set(b);
    for (const text of a) if (!fresh.has(text)) out.push({ text, kind: "gone" });
    for (const text of b) out.push({ text, kind: old.has(text) ? "same" : "new" });
  } else {
    // Longest common subsequence.
    const width = b.length + 1;
    const lengths = new Uint32Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let j = b.length - 1; j >= 0; j -= 1) {
        lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
      }
    }
    let i = 0, j = 0;
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) { out.push({ text: b[j], kind: "same" }); i += 1; j += 1; }
      else if (j < b.length && (i === a.length || lengths[i * width + j + 1] >= lengths[(i + 1) * width + j])) { out.push({ text: b[j], kind: "new" }); j += 1; }
      else { out.push({ text: a[i], kind: "gone" }); i += 1; }
    }
  }
  for (const text of now.slice(now.length - end)) out.push({ text, kind: "same" });
  return out;
}

// A text with what is searched for, and the items in it, marked.
function marked(text, needles) {
  const lower = text.toLowerCase();
  // Where lower case has another length, places would not fit: then nothing is marked.
  const places = [];
  if (lower.length === text.length) {
    for (const { needle, tone, title } of needles) {
      if (!needle) continue;
      for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length)) places.push([at, at + needle.length, tone, title]);
    }
  }
  places.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const parts = [];
  let done = 0;
  for (const [start, end, tone, title] of places) {
    if (start < done) continue;
    if (start > done) parts.push(text.slice(done, start));
    parts.push(h("mark", { class: "tone-" + tone, title }, text.slice(start, end)));
    done = end;
  }
  parts.push(text.slice(done));
  return parts;
}

function itemNeedles(view) {
  return view.lanes.map((lane) => ({
    needle: lane.item.toLowerCase(),
    tone: lane.kind === "forbidden" ? "danger" : "success",
    title: (lane.kind === "forbidden" ? "forbidden: " : "required: ") + lane.item,
  }));
}

const treeState = { query: "", only: "all" };

// The panel "what it saw": filled when the texts are there.
function treePanel(view, step, pointer) {
  const panel = h("div", { class: "stack" });
  const lines = h("div", { class: "tree", id: "tree-lines", tabindex: "0", role: "region", "aria-label": "Accessibility tree" });
  const told = h("p", { class: "note", role: "status" });
  const input = h("input", { type: "search", id: "tree-search", value: treeState.query, placeholder: "text, role or [id]" });
  const only = h("select", { id: "tree-only" },
    [["all", "everything"], ["marked", "with changes marked"], ["changed", "changed lines only"], ["found", "found lines only"]].map(([value, text]) => h("option", { value }, text)));
  only.value = treeState.only;
  fill(panel,
    h("div", { class: "filters" },
      h("div", { class: "field field-wide" }, h("label", { for: "tree-search" }, "Search in the tree"), input),
      h("div", { class: "field" }, h("label", { for: "tree-only" }, "Show"), only)),
    told, lines);
  const load = async () => {
    const trimmed = (text) => (text === null ? null : text.replace(/\n$/, ""));
    const [now, before] = [trimmed(await textOf(view, axtree(step))), trimmed(await textOf(view, axtree(step.before)))];
    await pointer.ready;
    let rows = [];
    const draw = () => {
      treeState.query = input.value;
      treeState.only = only.value;
      rows = drawTree(view, step, pointer, lines, told, now, before);
    };
    input.addEventListener("input", draw);
    only.addEventListener("change", draw);
    draw();
    if (pointer.order.length) pointableLines(lines, pointer, () => rows, () => { input.value = ""; only.value = "all"; draw(); });
    // What was chosen before comes first, then what was acted on.
    const first = rows.find((row) => pointer.chosen !== null && row.own === pointer.chosen) || rows.find((row) => row.isTarget);
    if (first && !treeState.query) reveal(lines, first.element);
  };
  load();
  return panel;
}

// Draws the lines; each comes with its element, its own id, and the id whose box it is found by.
function drawTree(view, step, pointer, lines, told, now, before) {
  if (now === null) {
    fill(told, axtree(step) ? "The tree is missing."
      : step.observation && step.observation.screenshot ? "The agent was given the picture only; no tree was recorded." : "No tree was recorded at this step.");
    lines.hidden = true;
    return [];
  }
  const query = treeState.query.toLowerCase();
  const target = step.results.length ? step.results[0].action.bid : null;
  const all = before === null ? now.split("\n").map((text) => ({ text, kind: "same" })) : lineDifference(before.split("\n"), now.split("\n"));
  const changed = all.filter((line) => line.kind !== "same").length;
  placeLines(all, pointer);
  const needles = [...(query ? [{ needle: query, tone: "found", title: "found" }] : []), ...itemNeedles(view)];
  const shown = all.filter((line) => {
    if (treeState.only === "all") return line.kind !== "gone";
    if (treeState.only === "changed") return line.kind !== "same";
    if (treeState.only === "found") return line.kind !== "gone" && query && line.text.toLowerCase().includes(query);
    return true;
  });
  const hits = query ? all.filter((line) => line.kind !== "gone" && line.text.toLowerCase().includes(query)).length : 0;
  fill(told, count(now.split("\n").length, "line", "lines"), before === null ? ", the first tree." : ", " + changed + " changed since the step before.",
    query ? " " + count(hits, "line holds", "lines hold") + " “" + treeState.query + "”." : "",
    " Red: forbidden items. Green: required ones.");
  const signs = { same: " ", new: "+", gone: "−" };
  const isList = pointer.order.length > 0;
  const rows = shown.map((line, index) => {
    const isTarget = Boolean(target) && line.kind !== "gone" && line.own === target;
    const sign = treeState.only === "all" ? "" : signs[line.kind] + " ";
    const element = h("div", { class: "line" + (treeState.only === "all" ? "" : " line-" + line.kind) + (isTarget ? " line-target" : ""), title: isTarget ? "the element acted on" : null,
      id: isList ? "line-" + index : null, role: isList ? "option" : null, "aria-selected": isList ? "false" : null },
      sign, isTarget ? "→ " : "", marked(line.text, needles));
    // Where a long line goes on, it stays to the right of where it starts.
    const indent = Math.min(40, 2 * /^\s*/.exec(line.text)[0].replaceAll("  ", "\t").length + 4);
    element.style.paddingLeft = indent + "ch";
    element.style.textIndent = -indent + "ch";
    return { element, own: line.own, place: line.place, isTarget };
  });
  fill(lines, rows.map((row) => row.element));
  lines.hidden = false;
  const first = rows.find((row) => row.isTarget);
  if (first && !query) reveal(lines, first.element);
  return rows;
}

// Gives each line its own id, and the id whose box shows it: its own, or where it has none (text), that of
// what it stands in. What has an id and no box is not in the picture.
function placeLines(all, pointer) {
  const around = [];
  for (const line of all) {
    line.own = null;
    line.place = null;
    if (line.kind === "gone") continue;
    const depth = /^\s*/.exec(line.text)[0].length;
    while (around.length && around[around.length - 1].depth >= depth) around.pop();
    line.own = bidOf(line.text);
    line.place = line.own === null ? (around.length ? around[around.length - 1].place : null) : pointer.boxes.has(line.own) ? line.own : null;
    around.push({ depth, place: line.place });
  }
}

// Lets the lines be pointed at with the mouse and the keys, and shows what is pointed at in the picture.
function pointableLines(lines, pointer, rowsNow, showAll) {
  // A line is chosen; several may stand for one element.
  let chosen = null;
  const rowOf = (event) => rowsNow().find((row) => row.element.contains(event.target)) || null;
  const own = (bid) => (bid === null ? null : rowsNow().find((row) => row.own === bid) || null);
  const draw = () => {
    const hovered = own(pointer.hovered);
    for (const row of rowsNow()) {
      row.element.classList.toggle("line-hover", row === hovered);
      row.element.setAttribute("aria-selected", String(row === chosen));
    }
    if (chosen && chosen.element.isConnected) lines.setAttribute("aria-activedescendant", chosen.element.id);
    else lines.removeAttribute("aria-activedescendant");
  };
  const choose = (row) => {
    chosen = row;
    reveal(lines, row.element);
    pointer.choose(row.place);
  };
  lines.setAttribute("role", "listbox");
  lines.setAttribute("aria-label", "Accessibility tree; the line that is chosen is shown in the picture");
  lines.addEventListener("mouseover", (event) => { const row = rowOf(event); pointer.hover(row ? row.place : null); });
  lines.addEventListener("mouseleave", () => pointer.hover(null));
  lines.addEventListener("click", (event) => {
    const row = rowOf(event);
    // Selecting text is no choice.
    if (row && String(getSelection()) === "") choose(row);
  });
  lines.addEventListener("keydown", (event) => {
    const rows = rowsNow();
    const now = rows.indexOf(chosen), last = rows.length - 1;
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    event.stopPropagation();
    choose(rows[Math.min(last, Math.max(0, to))]);
  });
  const follow = () => {
    // What the tree itself chose is its line already.
    if (chosen && chosen.place === pointer.chosen && chosen.element.isConnected) return;
    chosen = own(pointer.chosen);
    if (pointer.chosen !== null && !chosen) { showAll(); chosen = own(pointer.chosen); }
    if (chosen) reveal(lines, chosen.element);
  };
  pointer.listen((what) => {
    if (!lines.isConnected) return;
    if (what === "choose") follow();
    else if (what === "hover") { const row = own(pointer.hovered); if (row && !lines.matches(":hover")) reveal(lines, row.element); }
    draw();
  });
  chosen = own(pointer.chosen);
  draw();
}
