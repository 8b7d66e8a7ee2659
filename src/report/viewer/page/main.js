// Addresses, keys, theme.

const KEYS = [
  ["j, →", "next step"], ["k, ←", "step before"], ["]", "next episode"], ["[", "episode before"],
  ["n", "next step that leaked or wrote a forbidden item"], ["1 … 5", "what it did, saw, was sent, changed, raw events"],
  ["/", "search"], ["l", "list of episodes"], ["m", "scenario by agent"], ["p", "two sides of the same scenarios: modes, agents, defenses, runs"],
  ["t", "theme"], ["?", "this help"], ["Esc", "close, or leave a field"],
];
const VIEWS = [["list", "#/", "Episodes"], ["matrix", "#/matrix", "Scenario by agent"], ["pairs", "#/pairs", "Side by side"]];
const SEARCH_VIEWS = [["search", "#/search", "Search tree"]];
const PAGES = { search: showSearch, scenario: showScenario, list: showList, matrix: showMatrix, pairs: showPairs, episode: showEpisode, compare: showCompare };

const main = document.getElementById("main");
const help = document.getElementById("help");
let shownPage = null;

async function draw() {
  const now = route();
  // A generation has a tree and no episodes.
  const isSearch = Boolean(cache.list.search);
  const known = PAGES[now.name] && isSearch === ["search", "scenario"].includes(now.name);
  const name = known ? now.name : isSearch ? "search" : "list";
  const page = PAGES[name];
  fill(document.getElementById("views"), (isSearch ? SEARCH_VIEWS : VIEWS).map(([own, href, text]) => link(href, { class: "tab", "aria-current": own === name ? "page" : null }, text)));
  const key = name + "/" + (name === "episode" ? now.parts.slice(0, 2).join("/") : name === "compare" ? now.parts.slice(0, 4).join("/") : name === "scenario" ? now.parts[0] : "");
  const isSame = key === shownPage;
  const kept = isSame && document.activeElement && main.contains(document.activeElement) ? document.activeElement.id || document.activeElement.textContent : null;
  const scrolled = window.scrollY;
  shownPage = key;
  try {
    await page(main, now);
  } catch (error) {
    fill(main, h("div", { class: "empty", role: "alert" }, h("p", { class: "empty-title" }, "This page cannot be shown."), h("p", {}, String(error && error.message)), link("#/", { class: "button" }, "All episodes")));
  }
  const heading = main.querySelector("h1");
  document.title = (heading ? heading.textContent + " – " : "") + "discreet viewer";
  if (isSame) {
    window.scrollTo(0, scrolled);
    if (kept) {
      const again = document.getElementById(kept) || [...main.querySelectorAll("a, button")].find((element) => element.textContent === kept);
      if (again) again.focus({ preventScroll: true });
    }
  } else {
    window.scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
  if (main.dataset.shown !== (location.hash || "#/")) pause = LOOK_AGAIN_MS;
  main.dataset.shown = location.hash || "#/";
  lookAgain();
}

const LOOK_AGAIN_MS = 2000;
let waiting = 0;
let pause = LOOK_AGAIN_MS;

// What is still being written is looked at again, as long as the server is there, and drawn again when there
// is more; never under the hands of somebody who types or reads the help. What does not move (a killed run) is
// looked at ever less often.
function lookAgain() {
  clearTimeout(waiting);
  if (embedded) return;
  const now = route();
  const view = now.name === "episode" ? cache.shown : null;
  const isOpen = view ? view.status !== "complete" : ["list", "matrix"].includes(now.name) && cache.list.all.some((episode) => episode.outcome === "unfinished");
  if (!isOpen) return;
  waiting = setTimeout(async () => {
    const typing = document.activeElement && document.activeElement.matches("input, select") || help.open;
    const before = view ? newest(view) : JSON.stringify(cache.list.all);
    try {
      if (view) {
        const again = await loadEpisode(String(view.run), String(view.number));
        if (!typing && newest(again) !== before && location.hash === main.dataset.shown) { pause = LOOK_AGAIN_MS; await loadList(); await draw(); return; }
      } else {
        await loadList();
        if (!typing && JSON.stringify(cache.list.all) !== before) { pause = LOOK_AGAIN_MS; await draw(); return; }
      }
    } catch (error) {
      say("The server is gone: " + error.message);
      return;
    }
    pause = Math.min(60000, 2 * pause);
    lookAgain();
  }, pause);
}

// How far a trace goes.
function newest(view) {
  return view.status + " " + view.problems.length + " " + [...view.steps.flatMap((step) => step.events), ...view.rest].reduce((most, event) => Math.max(most, event.seq), 0);
}

function clickIf(selector) {
  const element = document.querySelector(selector);
  if (element) element.click();
  return Boolean(element);
}

// The next step on which something leaked or a forbidden item was written; then the first again.
async function nextLeak() {
  const now = route();
  if (now.name !== "episode") return;
  const view = await loadEpisode(now.parts[0], now.parts[1]);
  const steps = new Set(view.leakSteps);
  for (const lane of view.lanes) {
    if (lane.kind === "forbidden") for (const mark of lane.marks) if (mark.what === "persisted") steps.add(mark.step);
  }
  const ordered = [...steps].sort((a, b) => a - b);
  if (!ordered.length) { say("Nothing leaked in this episode"); return; }
  const at = Number(now.parts[2] || 1);
  location.hash = stepLink(view, ordered.find((step) => step > at) || ordered[0], { tab: "changed" });
}

function onKey(event) {
  const typing = event.target.closest && event.target.closest("input, textarea, select");
  if (event.key === "Escape" && typing) { event.target.blur(); return; }
  if (typing || help.open || event.ctrlKey || event.metaKey || event.altKey) return;
  const inTabs = event.target.closest && event.target.closest("[role=tablist]");
  const keys = {
    j: () => clickIf('main [aria-keyshortcuts="j"]'), k: () => clickIf('main [aria-keyshortcuts="k"]'),
    "]": () => clickIf('main [aria-keyshortcuts="]"]'), "[": () => clickIf('main [aria-keyshortcuts="["]'),
    n: () => nextLeak(), l: () => { location.hash = "#/"; }, m: () => { location.hash = "#/matrix"; }, p: () => { location.hash = "#/pairs"; },
    t: () => document.getElementById("theme").click(), "?": () => document.getElementById("show-help").click(),
    "/": () => {
      const field = document.getElementById("search") || document.getElementById("tree-search");
      if (field) { field.focus(); field.select(); return; }
      if (clickIf("#tab-saw")) setTimeout(() => { const tree = document.getElementById("tree-search"); if (tree) tree.focus(); }, 0);
    },
  };
  if (!inTabs) { keys.ArrowRight = keys.j; keys.ArrowLeft = keys.k; }
  for (let index = 1; index <= TABS.length; index += 1) keys[String(index)] = () => clickIf('[role=tab][aria-keyshortcuts="' + index + '"]');
  const scrolling = event.target.closest && event.target.closest(".scroll, .tree, pre, .stage");
  if (scrolling && event.key.startsWith("Arrow")) return;
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

function nextTheme() {
  const root = document.documentElement;
  const order = ["auto", "light", "dark"];
  const next = order[(order.indexOf(root.dataset.theme || "auto") + 1) % order.length];
  if (next === "auto") delete root.dataset.theme; else root.dataset.theme = next;
  document.getElementById("theme").textContent = "Theme: " + next;
  // A page opened from disk may not be let near storage.
  try { localStorage.setItem("discreet-theme", next); } catch (error) { /* it is remembered as long as the page is open */ }
}

function restoreTheme() {
  let kept = null;
  try { kept = localStorage.getItem("discreet-theme"); } catch (error) { kept = null; }
  if (kept === "light" || kept === "dark") {
    document.documentElement.dataset.theme = kept;
    document.getElementById("theme").textContent = "Theme: " + kept;
  }
}

async function start() {
  restoreTheme();
  fill(document.getElementById("help-keys"), KEYS.map(([key, text]) => field(key, text)));
  document.getElementById("skip").addEventListener("click", () => main.focus());
  document.getElementById("theme").addEventListener("click", nextTheme);
  document.getElementById("show-help").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", onKey);
  try {
    await loadList();
  } catch (error) {
    fill(main, h("div", { class: "empty", role: "alert" }, h("p", { class: "empty-title" }, "The list cannot be loaded: " + error.message)));
    return;
  }
  if (cache.list.single && !location.hash) history.replaceState(null, "", "#/episode/0/1/1");
  window.addEventListener("hashchange", draw);
  await draw();
}

start();
