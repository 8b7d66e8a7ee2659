// From the tree to the picture and back: where the elements of a step are, which one is pointed at, and
// which one is chosen.

// What the picture and the tree of a step share.
function makePointer(view, step, chosen) {
  const listeners = [];
  const tell = (what) => { for (const listener of listeners) listener(what); };
  const pointer = {
    boxes: new Map(), // by id
    order: [], // ids with a box, in the tree's order
    names: new Map(), // their lines
    hovered: null, chosen: chosen || null,
    openTree: null,
    listen: (listener) => { listeners.push(listener); },
    hover: (bid) => { if (pointer.hovered !== bid) { pointer.hovered = bid; tell("hover"); } },
    choose: (bid) => { pointer.chosen = bid; keepInAddress(view, step, bid); tell("choose"); },
  };
  pointer.ready = (async () => {
    const observation = step.observation;
    const [boxes, tree] = [await textOf(view, observation && observation.boxes), await textOf(view, axtree(step))];
    pointer.boxes = readBoxes(boxes);
    for (const line of (tree || "").split("\n")) {
      const bid = bidOf(line);
      if (bid !== null && pointer.boxes.has(bid) && !pointer.names.has(bid)) {
        pointer.order.push(bid);
        const name = line.trim().replace(/, url='.*$/, "");
        pointer.names.set(bid, name.length > 120 ? name.slice(0, 120) + "…" : name);
      }
    }
    tell("ready");
  })();
  return pointer;
}

// Traces of the first format hold no boxes, and a broken one may hold anything.
function readBoxes(text) {
  const found = new Map();
  let parsed = null;
  try { parsed = JSON.parse(text); } catch (error) { return found; }
  if (parsed === null || typeof parsed !== "object") return found;
  for (const [bid, box] of Object.entries(parsed)) {
    if (Array.isArray(box) && box.length === 4 && box.every((side) => Number.isFinite(side)) && box[2] > 0 && box[3] > 0) found.set(bid, box);
  }
  return found;
}

function bidOf(line) {
  const found = /^\s*\[([^\]\s]+)\] /.exec(line);
  return found ? found[1] : null;
}

// The innermost element at a point of the picture: the smallest, and of equal ones the one that stands
// further down in the tree.
function elementAt(pointer, x, y) {
  let best = null;
  let least = Infinity;
  for (const bid of pointer.order) {
    const [left, top, width, height] = pointer.boxes.get(bid);
    if (x < left || y < top || x >= left + width || y >= top + height || width * height > least) continue;
    best = bid;
    least = width * height;
  }
  return best;
}

// The chosen element is part of the address, without the page being drawn again.
function keepInAddress(view, step, bid) {
  if (route().name !== "episode") return;
  const query = Object.fromEntries(route().query);
  history.replaceState(null, "", stepLink(view, step.step, { ...query, tab: episodeState.tab, bid: bid || "" }));
  main.dataset.shown = location.hash;
}

// Lets a picture show what is pointed at, and be pointed at with the mouse and the keys.
function pointable(stage, shown, pointer) {
  const layer = h("div", { class: "layer", "aria-hidden": "true" });
  const told = h("p", { class: "note pointed", role: "status" });
  const spots = { hover: h("div", { class: "spot spot-hover" }), choose: h("div", { class: "spot spot-chosen" }) };
  const place = (spot, bid) => {
    const box = pointer.boxes.get(bid);
    if (!box || !shown.naturalWidth) { spot.remove(); return; }
    const [width, height] = [shown.naturalWidth, shown.naturalHeight];
    // What reaches beyond the picture ends at its edge, so that its outline is seen.
    const [left, top] = [Math.max(0, box[0]), Math.max(0, box[1])];
    const [right, bottom] = [Math.min(width, box[0] + box[2]), Math.min(height, box[1] + box[3])];
    spot.style.left = (100 * left) / width + "%";
    spot.style.top = (100 * top) / height + "%";
    spot.style.width = (100 * (right - left)) / width + "%";
    spot.style.height = (100 * (bottom - top)) / height + "%";
    spot.dataset.bid = bid;
    layer.append(spot);
  };
  const draw = () => {
    if (!pointer.order.length) { told.hidden = true; return; }
    told.hidden = false;
    place(spots.choose, pointer.chosen);
    place(spots.hover, pointer.hovered === pointer.chosen ? null : pointer.hovered);
    const bid = pointer.hovered !== null ? pointer.hovered : pointer.chosen;
    const box = pointer.boxes.get(bid);
    fill(told, box ? ["▭ ", h("code", {}, pointer.names.get(bid)), ", " + box[2] + " × " + box[3] + " at (" + box[0] + ", " + box[1] + ")"]
      : bid !== null ? ["[" + bid + "] is not in the picture."]
        : pointer.openTree ? "Point at the picture, or at a line under “Saw”, to find one in the other." : "Point at the picture to see what stands there.");
  };
  const at = (event) => {
    const area = shown.getBoundingClientRect();
    return elementAt(pointer, ((event.clientX - area.left) * shown.naturalWidth) / area.width, ((event.clientY - area.top) * shown.naturalHeight) / area.height);
  };
  stage.addEventListener("mousemove", (event) => pointer.hover(at(event)));
  stage.addEventListener("mouseleave", () => pointer.hover(null));
  stage.addEventListener("click", (event) => {
    const bid = at(event);
    if (bid === null) return;
    if (pointer.openTree) pointer.openTree();
    pointer.choose(bid);
  });
  stage.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && pointer.chosen !== null && pointer.openTree) {
      event.preventDefault();
      pointer.openTree(true);
      return;
    }
    const now = pointer.order.indexOf(pointer.chosen), last = pointer.order.length - 1;
    const to = { ArrowDown: now + 1, ArrowRight: now + 1, ArrowUp: now - 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    event.stopPropagation();
    pointer.choose(pointer.order[Math.min(last, Math.max(0, to))]);
  });
  const readied = () => {
    if (pointer.order.length) {
      stage.tabIndex = 0;
      stage.setAttribute("role", "group");
      stage.setAttribute("aria-label", "Picture with " + count(pointer.order.length, "element", "elements") + "; the arrow keys choose one, Enter shows it in the tree");
      stage.classList.add("stage-pointable");
    }
    draw();
  };
  stage.append(layer);
  told.hidden = true;
  pointer.listen((what) => (what === "ready" ? readied() : draw()));
  if (!shown.complete) shown.addEventListener("load", draw);
  return told;
}

// Scrolls a line of a list into view, and nothing else.
function reveal(list, line) {
  const top = line.offsetTop, bottom = top + line.offsetHeight;
  if (top >= list.scrollTop && bottom <= list.scrollTop + list.clientHeight) return;
  list.scrollTop = Math.max(0, top - list.clientHeight / 3);
}
