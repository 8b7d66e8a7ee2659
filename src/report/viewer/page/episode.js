// One episode: filmstrip, picture, panels, items, score.

const TABS = [["did", "Did"], ["saw", "Saw"], ["prompt", "Prompt"], ["changed", "Changed"], ["raw", "Raw"]];
const episodeState = { tab: "did" };

async function showEpisode(main, { parts, query }) {
  const [run, number, wanted] = parts;
  if (query.get("tab")) episodeState.tab = query.get("tab");
  let view;
  try {
    view = await loadEpisode(run, number);
  } catch (error) {
    fill(main, h("div", { class: "empty" }, h("p", { class: "empty-title" }, "This episode cannot be shown: " + error.message + "."), link("#/", { class: "button" }, "All episodes")));
    return;
  }
  if (route().parts.join("/") !== parts.join("/")) return;
  cache.shown = view;
  const step = view.steps.find((one) => String(one.step) === wanted) || view.steps[0] || null;
  const item = query.get("item");
  fill(main,
    head(view),
    redacted(view),
    damage(view),
    view.steps.length ? filmstrip(view, step) : h("div", { class: "empty" }, h("p", { class: "empty-title" }, "No step was recorded.")),
    step ? both(view, step, query.get("bid")) : null,
    lanesSection(view, step, item),
    scoreSection(view),
    nearSection(view),
    timeSection(view),
    aboutSection(view));
  const current = main.querySelector(".film [aria-current]");
  if (current) {
    const film = main.querySelector(".film-frame");
    film.scrollLeft = current.offsetLeft - film.offsetLeft - (film.clientWidth - current.offsetWidth) / 2;
  }
  // Long texts are opened where something forbidden stands in them, else something required.
  for (const text of main.querySelectorAll("pre.text, .piece .tree")) {
    const mark = text.querySelector("mark.tone-danger") || text.querySelector("mark");
    if (mark) text.scrollTop = mark.getBoundingClientRect().top - text.getBoundingClientRect().top - 60;
  }
}

// The picture and the panels of a step, which point at each other.
function both(view, step, bid) {
  const pointer = makePointer(view, step, bid);
  return h("div", { class: "two" }, picture(view, step, pointer), panels(view, step, pointer));
}

function stepLink(view, step, extra) {
  return address("episode", [view.run, view.number, step], extra);
}

function head(view) {
  const started = view.started || {};
  const listed = find(view.id);
  const at = cache.list.all.findIndex((episode) => episode.id === view.id);
  const neighbour = (offset) => {
    for (let index = at + offset; index >= 0 && index < cache.list.all.length; index += offset) {
      if (cache.list.all[index].number) return cache.list.all[index];
    }
    return null;
  };
  const [before, after] = at >= 0 ? [neighbour(-1), neighbour(1)] : [null, null];
  const finished = view.finished;
  const chips = [];
  if (listed) chips.push(verdictChip(listed));
  if (finished) chips.push(chip(words(finished.outcome), null, "how the episode ended"));
  if (finished && finished.score) {
    const score = finished.score;
    if (score.utility !== null) chips.push(chip(score.utility === 1 ? "errand done" : "errand not done", score.utility === 1 ? "success" : "warning"));
    if (score.severity !== null) chips.push(chip("severity " + score.severity + " of 5"));
    if (score.misdirected.length) chips.push(chip("misdirected " + score.misdirected.length, "warning"));
  }
  chips.push(view.verified.ok
    ? chip("✓ verified", "success", "every byte is what was recorded; root " + view.verified.root)
    : chip("✕ not verified", "danger", view.verified.text));
  return h("div", { class: "page-head" },
    h("div", { class: "toolbar" },
      h("h1", {}, started.scenario_id || (listed && listed.scenario_id) || "Trace"),
      h("div", { class: "toolbar-end" },
        before ? link(episodeLink(before, 1), { class: "button", "aria-keyshortcuts": "[" }, "← Episode before") : null,
        after ? link(episodeLink(after, 1), { class: "button", "aria-keyshortcuts": "]" }, "Next episode →") : null)),
    h("p", { class: "lead" }, [started.agent, started.model, started.mode === "state" ? "state-grounded" : started.mode === "e2e" ? "end-to-end" : started.mode, started.mode === "state" ? null : started.observe,
      started.defense && started.defense !== "none" ? "defense " + started.defense : null, started.trial > 1 ? "trial " + started.trial : null].filter(Boolean).join(" · ")),
    h("div", { class: "chips" }, chips),
    started.scenario && started.scenario.task_prompt ? h("p", { class: "errand" }, started.scenario.task_prompt) : null);
}

// A copy that was made to be shared says what it is.
function redacted(view) {
  const note = view.rest.find((event) => event.type === "note" && event.what.topic === "redacted");
  return note ? h("p", { class: "banner", role: "note" }, note.what.text) : null;
}

function damage(view) {
  const told = [];
  if (view.status === "torn") told.push("The trace ends in the middle of a line: the program was killed, or is still writing.");
  if (view.status === "unfinished") told.push("The trace has no last event: the episode was broken off, or is still running. There is no score.");
  if (!view.verified.ok && view.verified.kind !== "incomplete") told.push("It is not what was recorded: " + view.verified.text + ".");
  for (const problem of view.problems) told.push(problem.text);
  if (view.finished && view.finished.error) told.push("The episode ended with an error: " + view.finished.error);
  return told.length ? h("div", { class: "banner", role: "alert" }, h("ul", {}, [...new Set(told)].map((text) => h("li", {}, text)))) : null;
}

function filmstrip(view, current) {
  return h("nav", { class: "film-frame", "aria-label": "Steps" },
    h("ol", { class: "film" }, view.steps.map((step) => {
      const image = imageOf(view, step.observation && step.observation.screenshot);
      const { word, sign, tone } = step.mark;
      return h("li", {},
        link(stepLink(view, step.step), { class: "frame tone-" + tone, "aria-current": step === current ? "step" : null, "aria-label": "Step " + step.step + ", " + word },
          image ? h("img", { src: image, alt: "", loading: "lazy" }) : h("span", { class: "no-image" }, step.observation && step.observation.state ? "state" : "no picture"),
          h("span", { class: "frame-label" }, h("strong", {}, step.step), " ", sign + " " + word)));
    })));
}

// The box of what was acted on in the picture before, and whether the recorded point lies in it there. Point and
// box were taken when it acted; older traces do not say where the element was before.
function placeOf(target, pointer) {
  const bid = target.action.bid;
  if (!target.element_box || !bid || !pointer.boxes.size) return [target.element_box, true];
  const before = pointer.boxes.get(bid);
  if (!before) return [null, false];
  const [left, top, width, height] = before;
  const isInside = !target.point || (target.point[0] >= left && target.point[1] >= top && target.point[0] <= left + width && target.point[1] <= top + height);
  return [before, isInside];
}

// The picture before the action, with the element's box and the point of the click.
function picture(view, step, pointer) {
  const image = imageOf(view, step.observation && step.observation.screenshot);
  const target = step.results.find((result) => result.point || result.element_box);
  const about = target ? h("p", { class: "note" }) : null;
  const tellAbout = (more) => fill(about, [target.point ? "○ point (" + target.point.map((value) => Math.round(value)).join(", ") + ")" : null,
    target.element_box ? "▭ element " + Math.round(target.element_box[2]) + " × " + Math.round(target.element_box[3]) : null].filter(Boolean).join("  "), more);
  if (target) tellAbout(".");
  const caption = h("p", { class: "did" }, h("strong", {}, "Step " + step.step + ": "), actionText(step, null));
  textOf(view, axtree(step)).then((tree) => fill(caption, h("strong", {}, "Step " + step.step + ": "), actionText(step, tree)));
  const failure = failureOf(step);
  const stage = h("div", { class: "stage" });
  let pointed = null;
  if (image) {
    const shown = h("img", { src: image, alt: "What the agent saw at step " + step.step + ", before it acted" });
    stage.append(shown);
    const overlay = () => {
      const [width, height] = [shown.naturalWidth || 1280, shown.naturalHeight || 720];
      const place = (element, left, top, w, hgt) => {
        element.style.left = (100 * left) / width + "%";
        element.style.top = (100 * top) / height + "%";
        if (w !== undefined) { element.style.width = (100 * w) / width + "%"; element.style.height = (100 * hgt) / height + "%"; }
        stage.append(element);
      };
      if (!target) return;
      const [area, inPicture] = placeOf(target, pointer);
      if (area) place(h("div", { class: "box", title: "the element acted on" }), ...area);
      if (target.point && inPicture) place(h("div", { class: "point", title: "point of the click" }), ...target.point);
      tellAbout(inPicture ? "." : area ? ". The page was scrolled before it acted: the point lies elsewhere in this picture." : ". The page was scrolled to the element first: it is not in this picture.");
    };
    // Where the elements are in this picture tells whether the page was scrolled before it acted.
    pointer.ready.then(() => { if (shown.complete) overlay(); else shown.addEventListener("load", overlay); });
    pointed = pointable(stage, shown, pointer);
    shown.addEventListener("error", () => { shown.remove(); stage.append(h("p", { class: "no-picture" }, "The picture is missing or damaged.")); });
  } else {
    stage.append(h("p", { class: "no-picture" }, step.observation && step.observation.state ? "The agent was given text and no picture."
      : !(step.observation && step.observation.screenshot) ? "No picture was recorded at this step."
      : cache.list.without_pictures ? "Pictures were left out of this file." : "The picture is missing."));
  }
  const at = view.steps.indexOf(step);
  const move = (offset, text, keys) => {
    const other = view.steps[at + offset];
    return other ? link(stepLink(view, other.step), { class: "button", "aria-keyshortcuts": keys }, text) : h("span", { class: "button button-off", "aria-disabled": "true" }, text);
  };
  const observation = step.observation;
  return h("section", { class: "card picture", "aria-label": "Step " + step.step },
    h("div", { class: "toolbar" }, h("p", { class: "url mono" }, observation ? observation.url || "state" : ""),
      h("div", { class: "toolbar-end" }, move(-1, "← Step", "k"), move(1, "Step →", "j"))),
    stage, pointed, caption,
    about,
    failure ? h("p", { class: "failure" }, "✕ " + failure) : null,
    step.changes.length ? h("p", {}, "✎ ", step.changes.map((change) => words(change.kind)).join(", ")) : null,
    step.notes.map((note) => h("p", { class: "note" }, words(note.topic) + ": " + note.text)),
    step.blocked.map((blocked) => h("p", { class: "failure" }, "⊘ refused by the " + words(blocked.how) + ": " + blocked.target)),
    observation ? observation.dialogs.map((dialog) => h("p", { class: "note" }, dialog.kind + " dialog, " + (dialog.accepted ? "accepted" : "dismissed") + ": " + dialog.message)) : null);
}

function panels(view, step, pointer) {
  const body = h("div", { class: "tab-body", role: "tabpanel", id: "panel", tabindex: "0" });
  const tabs = TABS.map(([name, label], index) => h("button", { type: "button", role: "tab", id: "tab-" + name, "aria-controls": "panel", "aria-keyshortcuts": String(index + 1), onclick: () => choose(name, true) }, label));
  const choose = (name, focus) => {
    episodeState.tab = TABS.some(([known]) => known === name) ? name : "did";
    TABS.forEach(([own], index) => {
      const is = own === episodeState.tab;
      tabs[index].setAttribute("aria-selected", String(is));
      tabs[index].tabIndex = is ? 0 : -1;
      if (is && focus) tabs[index].focus();
    });
    body.setAttribute("aria-labelledby", "tab-" + episodeState.tab);
    fill(body, panelOf(view, step, pointer, episodeState.tab));
  };
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": "About this step", onkeydown: (event) => {
    const at = TABS.findIndex(([name]) => name === episodeState.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose(TABS[(to + TABS.length) % TABS.length][0], true);
  } }, tabs);
  choose(episodeState.tab, false);
  pointer.openTree = (focus) => {
    if (episodeState.tab !== "saw") choose("saw", false);
    if (focus) pointer.ready.then(() => { const lines = document.getElementById("tree-lines"); if (lines) lines.focus({ preventScroll: true }); });
  };
  return h("section", { class: "card panels", "aria-label": "About this step" }, list, body);
}

function panelOf(view, step, pointer, name) {
  if (name === "saw") return treePanel(view, step, pointer);
  if (name === "prompt") return promptPanel(view, step);
  if (name === "changed") return changedPanel(view, step);
  if (name === "raw") return rawPanel(view, step);
  return didPanel(view, step);
}

