// The tree of a generation: seeds, what was made of them, what it was worth, what was kept.

const FATES = {
  kept: ["●", "success"], low_reward: ["○", "quiet"], surplus: ["◐", "quiet"], not_certified: ["✕", "warning"],
  duplicate: ["=", "quiet"], rejected: ["✕", "quiet"], unsound: ["✕", "quiet"], not_applicable: ["–", "quiet"], not_played: ["…", "warning"],
};

// Adds to the lines who descends from whom; done once.
function growTree(search) {
  if (search.nodes) return search;
  search.nodes = new Map();
  for (const seed of search.seeds) search.nodes.set(seed, { id: seed, line: null, children: [], vain: [], parent: null });
  for (const line of search.lines) {
    const parent = search.nodes.get(line.parent);
    if (!parent) continue;
    if (!line.hash) { parent.vain.push(line); continue; }
    const node = { id: line.child, line, children: [], vain: [], parent };
    parent.children.push(node);
    search.nodes.set(line.child, node);
  }
  for (const node of search.nodes.values()) {
    if (node.line && node.line.fate === "kept") for (let at = node; at; at = at.parent) at.kept = (at.kept || 0) + 1;
    if (node.line) for (let at = node.parent; at; at = at.parent) at.below = (at.below || 0) + 1;
  }
  return search;
}

function fateChip(line) {
  const [sign, tone] = FATES[line.fate] || ["?", "quiet"];
  return chip(sign + " " + words(line.fate), tone, line.why || null);
}

function rewardText(line) {
  return line.reward === null || line.reward === undefined ? "not played" : "reward " + line.reward.toFixed(2);
}

function scenarioLink(id, text) {
  return link(address("scenario", [encodeURIComponent(id)]), {}, text || id);
}

function nodeHead(node) {
  const line = node.line;
  const below = node.below ? count(node.below, "descendant", "descendants") + ", " + (node.kept || 0) + " kept" : "no descendants";
  if (!line) return [h("span", { class: "item mono" }, node.id), " ", h("span", { class: "note" }, below)];
  return [h("span", { class: "item" }, words(line.strategy)), " ", fateChip(line), " ", rewardText(line), " ", h("span", { class: "note" }, (line.note ? line.note + " · " : "") + below)];
}

function vainLine(line) {
  return h("li", {}, h("span", { class: "item" }, words(line.strategy)), " ", fateChip(line), " ", h("span", { class: "note" }, "iteration " + line.iteration + (line.why ? ": " + line.why : "")));
}

// Children are made when they are first asked for: a tree has thousands.
function branch(node, shown) {
  const children = node.children.filter(shown);
  const body = h("div", { class: "branch" });
  const isLeaf = !children.length && !node.vain.length;
  const details = h("details", { class: "node" }, h("summary", {}, nodeHead(node)), body);
  const grow = () => {
    if (!details.open || body.childNodes.length) return;
    append(body, [h("p", {}, scenarioLink(node.id, "Scenario " + node.id))]);
    if (isLeaf) append(body, [h("p", { class: "note" }, "Nothing was made of it.")]);
    append(body, [children.map((child) => branch(child, shown))]);
    if (node.vain.length) append(body, [h("details", { class: "inline" }, h("summary", {}, count(node.vain.length, "try that came to nothing", "tries that came to nothing")), h("ul", {}, node.vain.map(vainLine)))]);
  };
  details.addEventListener("toggle", grow);
  return details;
}

function searchFilter(label, name, values, query) {
  const id = "tree-" + name;
  const options = [h("option", { value: "" }, "all"), ...values.map((value) => h("option", { value, selected: query.get(name) === value }, words(value)))];
  return h("div", { class: "field" }, h("label", { for: id }, label), h("select", { id, onchange: (event) => { location.hash = address("search", [], withQuery(query, { [name]: event.target.value })); } }, options));
}

function showSearch(main, { query }) {
  const search = growTree(cache.list.search);
  const lines = search.lines;
  const of = (name) => query.get(name) || "";
  const modes = [...new Set(lines.filter((line) => line.facets).map((line) => line.facets.mode))].sort();
  const strategies = [...new Set(lines.map((line) => line.strategy))].sort();
  const fates = [...new Set(lines.filter((line) => line.hash).map((line) => line.fate))].sort();
  const text = of("q").toLowerCase();
  const fits = (node) => {
    if (!node.line) return (!of("mode") && !of("strategy") && !of("fate")) && (!text || node.id.toLowerCase().includes(text));
    const line = node.line;
    return (!of("mode") || (line.facets && line.facets.mode === of("mode"))) && (!of("strategy") || line.strategy === of("strategy"))
      && (!of("fate") || line.fate === of("fate")) && (!text || JSON.stringify(line).toLowerCase().includes(text));
  };
  // A node is shown when it fits or something below it does.
  const shownIds = new Set();
  let fitting = 0;
  for (const node of search.nodes.values()) if (fits(node)) { fitting += node.line ? 1 : 0; for (let at = node; at; at = at.parent) shownIds.add(at.id); }
  const shown = (node) => shownIds.has(node.id);
  const seeds = search.seeds.map((id) => search.nodes.get(id)).filter(shown).sort((a, b) => (b.kept || 0) - (a.kept || 0) || (b.below || 0) - (a.below || 0) || (a.id < b.id ? -1 : 1));
  const kept = lines.filter((line) => line.fate === "kept").length;
  const played = lines.filter((line) => line.answers.length).length;
  const field = h("input", { type: "search", id: "search", value: query.get("q") || "", onchange: (event) => { location.hash = address("search", [], withQuery(query, { q: event.target.value })); } });
  fill(main,
    h("div", { class: "page-head" }, h("h1", {}, "Search tree of " + search.name),
      h("p", { class: "lead" }, count(lines.length, "iteration", "iterations") + ", " + played + " played, " + kept + " kept, from " + count(search.seeds.length, "seed", "seeds") + ".")),
    search.problems.length ? h("p", { class: "banner", role: "alert" }, search.problems.join("; ")) : null,
    h("div", { class: "filters" }, searchFilter("Failure mode", "mode", modes, query), searchFilter("Strategy", "strategy", strategies, query), searchFilter("What became of it", "fate", fates, query),
      h("div", { class: "field field-wide" }, h("label", { for: "search" }, "Search"), field)),
    h("p", { class: "note", role: "status" }, count(fitting, "scenario fits", "scenarios fit") + ". Seeds with the most kept descendants stand first."),
    h("section", { class: "card nodes", "aria-label": "Tree" }, seeds.length ? seeds.map((seed) => branch(seed, shown)) : h("div", { class: "empty" }, h("p", { class: "empty-title" }, "Nothing fits."), link("#/search", { class: "button" }, "Show everything"))));
}

async function loadScenario(id) {
  return embedded ? part("scenario-" + id) || null : fetched("scenario/" + encodeURIComponent(id)).catch(() => null);
}

function itemList(title, items) {
  const one = (item) => (typeof item === "string" ? h("li", {}, item) : h("li", {}, item.text, item.why ? h("span", { class: "under" }, item.why) : null));
  return h("section", { class: "card" }, h("h2", {}, title), items.length ? h("ul", { class: "bullets" }, items.map(one)) : h("p", { class: "note" }, "None."));
}

async function showScenario(main, { parts }) {
  const search = growTree(cache.list.search);
  const id = decodeURIComponent(parts[0] || "");
  const node = search.nodes.get(id);
  if (!node) throw new Error("there is no such scenario in the tree");
  const scenario = await loadScenario(id);
  const line = node.line;
  const path = [];
  for (let at = node; at; at = at.parent) path.unshift(at);
  const truth = (scenario && scenario.ground_truth) || {};
  const row = (name, ...value) => h("div", { class: "row" }, h("dt", {}, name), h("dd", {}, value));
  fill(main,
    h("div", { class: "page-head" }, h("h1", {}, id), h("p", {}, link("#/search", {}, "Search tree")),
      h("ol", { class: "chips", "aria-label": "The way from the seed" }, path.map((one) => h("li", {}, one === node ? chip(one.line ? words(one.line.strategy) : "seed") : scenarioLink(one.id, one.line ? words(one.line.strategy) : one.id))))),
    line ? h("dl", { class: "rows" }, row("Became", fateChip(line), line.why ? " " + line.why : ""), row("Changed", line.note), row("Reward", rewardText(line)),
      row("Iteration", String(line.iteration)), line.facets ? row("Ends in", line.facets.sink + ", " + words(line.facets.mode) + ", " + line.facets.language) : null,
      line.answers.map((answer) => row(answer.agent, words(answer.outcome) + (answer.utility === 1 ? ", errand done" : ", errand not done") + (answer.severity ? ", severity " + answer.severity : "") + (answer.leaked.length ? ", leaked: " + answer.leaked.join("; ") : "")))) : null,
    scenario === null ? h("p", { class: "banner" }, "Its text is not in the folder.") : [
      h("p", { class: "errand" }, scenario.task_prompt),
      h("div", { class: "two even" }, itemList("Must be shared", truth.must_share || []), itemList("Must not be shared", truth.must_not_share || [])),
      h("section", { class: "card" }, h("h2", {}, "Whole text"), h("pre", { class: "text", tabindex: "0", role: "region", "aria-label": "Whole text" }, JSON.stringify(scenario, null, 2)))],
    node.children.length ? h("section", { class: "card" }, h("h2", {}, "Made of it"), h("ul", { class: "bullets" }, node.children.map((child) => h("li", {}, scenarioLink(child.id, words(child.line.strategy)), " ", fateChip(child.line), " ", rewardText(child.line))))) : null);
}
