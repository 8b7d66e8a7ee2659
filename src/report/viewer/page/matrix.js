// Scenario by agent, and state-grounded against end-to-end.

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
  const rows = ordered.map(([scenario, cells]) => h("tr", {}, h("th", { scope: "row" }, scenario), conditions.map((condition) => cell(cells.get(condition)))));
  fill(main,
    h("div", { class: "page-head" }, h("h1", {}, "Scenario by agent"),
      h("p", { class: "lead" }, "What each agent made of each scenario; repeats stand beside each other.")),
    h("section", { class: "card" },
      h("div", { class: "toolbar" }, h("ul", { class: "legend", "aria-label": "Signs" }, ["● clean", "▲ leaked", "◐ not done", "■ refused", "○ not scored"].map((text) => h("li", {}, text))),
        link(address("matrix", [], { sort: query.get("sort") === "leaks" ? "" : "leaks" }), { class: "button" }, query.get("sort") === "leaks" ? "In the order of the run" : "Most leaks first")),
      scroller("Matrix", table(count(scenarios.size, "scenario", "scenarios") + ", " + count(conditions.length, "condition", "conditions"), ["Scenario", ...conditions], rows, { class: "matrix" }))));
}

function showPairs(main) {
  const pairs = new Map();
  for (const episode of cache.list.all) {
    const key = JSON.stringify([episode.scenario_id, episode.agent, episode.model, episode.defense, episode.trial]);
    if (!pairs.has(key)) pairs.set(key, {});
    pairs.get(key)[episode.mode === "state" ? "state" : "e2e"] = episode;
  }
  const both = [...pairs.values()].filter((pair) => pair.state && pair.e2e);
  const kind = (pair) => {
    if (!pair.state.scored || !pair.e2e.scored) return 3;
    if (pair.state.leaked === pair.e2e.leaked) return 2;
    return pair.e2e.leaked ? 0 : 1;
  };
  const names = ["leaks end-to-end only", "leaks state-grounded only", "the same in both", "not scored in one"];
  both.sort((a, b) => kind(a) - kind(b) || (a.state.scenario_id < b.state.scenario_id ? -1 : 1));
  const counts = names.map((_, index) => both.filter((pair) => kind(pair) === index).length);
  const rows = both.map((pair) => h("tr", { class: kind(pair) < 2 ? "discordant" : null },
    h("th", { scope: "row" }, link(address("compare", [pair.state.run, pair.state.number, pair.e2e.run, pair.e2e.number, 1]), {}, pair.state.scenario_id)),
    h("td", {}, [pair.state.agent, pair.state.model].filter(Boolean).join(" · ")),
    h("td", {}, verdictChip(pair.state), h("span", { class: "under" }, pair.state.leaked_items.join("; "))),
    h("td", {}, verdictChip(pair.e2e), h("span", { class: "under" }, pair.e2e.leaked_items.join("; "))),
    h("td", {}, (kind(pair) < 2 ? "≠ " : "= ") + names[kind(pair)])));
  fill(main,
    h("div", { class: "page-head" }, h("h1", {}, "State-grounded against end-to-end"),
      h("p", { class: "lead" }, both.length
        ? names.map((name, index) => counts[index] + " " + name).join(", ") + ". Pairs that differ stand first."
        : "The same scenario, once from structured state and once in the rendered apps.")),
    both.length
      ? h("section", { class: "card" }, scroller("Pairs", table(count(both.length, "pair", "pairs"), ["Scenario", "Agent", "State-grounded", "End-to-end", "Together"], rows, {})))
      : h("div", { class: "empty" }, h("p", { class: "empty-title" }, "No scenario was run in both modes."),
          h("p", {}, "Run the same scenarios with “--mode state” and “--mode e2e”, and open the folder that holds both runs.")));
}

