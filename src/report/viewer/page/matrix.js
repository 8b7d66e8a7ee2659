// Scenario by agent.

function showMatrix(main, { query }) {
  const all = cache.list.all;
  const conditions = [...new Set(all.map((episode) => episode.condition))].sort();
  const scenarios = new Map();
  for (const episode of all) {
    if (!scenarios.has(episode.scenario_id)) scenarios.set(episode.scenario_id, new Map());
    const cells = scenarios.get(episode.scenario_id);
    if (!cells.has(episode.condition)) cells.set(episode.condition, []);
    cells.get(episode.condition).push(episode);
  }
  const leaks = (cells) => [...cells.values()].flat().filter((episode) => episode.leaked).length;
  let ordered = [...scenarios];
  if (query.get("sort") === "leaks") ordered = ordered.sort(([, a], [, b]) => leaks(b) - leaks(a));
  const cell = (episodes) => {
    if (!episodes) return h("td", { class: "cell" }, "–");
    // Repeats stand beside each other, so that what varies is seen.
    return h("td", { class: "cell" }, episodes.map((episode) => {
      const { word, sign, tone } = verdict(episode);
      const label = word + (episode.leaked_items.length ? " " + episode.leaked_items.length : "");
      return episode.number ? link(episodeLink(episode, 1), { class: "cell-link tone-" + tone, title: episode.scenario_id + ", " + episode.condition + (episode.trial > 1 ? ", trial " + episode.trial : "") }, sign + " " + label) : label;
    }));
  };
  const rows = ordered.map(([scenario, cells]) => h("tr", {}, h("th", { scope: "row" }, breakable(scenario)), conditions.map((condition) => cell(cells.get(condition)))));
  fill(main,
    h("div", { class: "page-head" }, h("h1", {}, "Scenario by agent"),
      h("p", { class: "lead" }, "What each agent made of each scenario; repeats stand beside each other.")),
    h("section", { class: "card" },
      h("div", { class: "toolbar" }, h("ul", { class: "legend", "aria-label": "Signs" }, ["● clean", "▲ leaked", "◐ not done", "■ refused", "○ not scored"].map((text) => h("li", {}, text))),
        link(address("matrix", [], { sort: query.get("sort") === "leaks" ? "" : "leaks" }), { class: "button" }, query.get("sort") === "leaks" ? "In the order of the run" : "Most leaks first")),
      scroller("Matrix", table(count(scenarios.size, "scenario", "scenarios") + ", " + count(conditions.length, "condition", "conditions"), ["Scenario", ...conditions], rows, { class: "matrix" }))));
}
