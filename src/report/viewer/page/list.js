// The table of episodes: sort, filter, group; all of it in the address.

const COLUMNS = [
  ["scenario_id", "Scenario", (one) => one.scenario_id],
  ["condition", "Agent", (one) => one.condition],
  ["failure_mode", "Failure mode", (one) => one.failure_mode],
  ["verdict", "Verdict", (one) => verdict(one).word],
  ["leaked_items", "Leaked", (one) => one.leaked_items.length],
  ["utility", "Errand", (one) => (one.utility === null || one.utility === undefined ? -1 : one.utility)],
  ["severity", "Severity", (one) => one.severity || 0],
  ["steps", "Steps", (one) => one.steps || 0],
  ["invalid", "Invalid", (one) => one.invalid || 0],
  ["total_ms", "Time", (one) => one.total_ms || 0],
  ["cost", "Cost", (one) => (one.usage && one.usage.cost) || 0],
];
const FILTERS = ["agent", "model", "mode", "observe", "defense", "failure_mode", "seed_family", "verdict", "outcome"];
const GROUPS = ["condition", "agent", "mode", "failure_mode", "seed_family", "defense", "verdict", "apps"];

function valuesOf(episode, name) {
  if (name === "verdict") return [verdict(episode).word];
  if (name === "apps") return episode.apps.length ? episode.apps : ["none"];
  return [String(episode[name] === null || episode[name] === undefined ? "none" : episode[name])];
}

function selected(query) {
  const text = (query.get("q") || "").toLowerCase();
  let found = cache.list.all.filter((episode) => {
    if (text && !JSON.stringify(episode).toLowerCase().includes(text)) return false;
    return FILTERS.every((name) => !query.get(name) || valuesOf(episode, name).includes(query.get(name)));
  });
  const sort = query.get("sort");
  if (sort) {
    const column = COLUMNS.find(([name]) => name === sort.replace(/^-/, ""));
    if (column) {
      const sign = sort.startsWith("-") ? -1 : 1;
      const key = column[2];
      found = found.map((episode, index) => [key(episode), index, episode])
        .sort((a, b) => (a[0] < b[0] ? -sign : a[0] > b[0] ? sign : a[1] - b[1]))
        .map(([, , episode]) => episode);
    }
  }
  return found;
}

function withQuery(query, changes) {
  const all = Object.fromEntries(query);
  return { ...all, ...changes };
}

function showList(main, { query }) {
  const found = selected(query);
  const go = (changes) => { location.hash = address("list", [], withQuery(query, changes)); };
  const runs = cache.list.runs;
  const title = runs.length === 1 ? runs[0].name : runs.length + " runs";
  const chosen = new Set();
  const compare = button("Compare two", { disabled: true, onclick: () => {
    const [left, right] = [...chosen];
    location.hash = address("compare", [...left.split("/"), ...right.split("/"), 1]);
  } });
  const choose = (episode, box) => {
    if (box.checked) chosen.add(episode.id); else chosen.delete(episode.id);
    compare.disabled = chosen.size !== 2;
    compare.textContent = chosen.size === 2 ? "Compare these two" : "Compare two (" + chosen.size + " chosen)";
  };
  fill(main,
    h("div", { class: "page-head" },
      h("h1", {}, title),
      h("p", { class: "lead" }, count(cache.list.all.length, "episode", "episodes"),
        runs.length === 1 && runs[0].created ? ", recorded " + runs[0].created : "",
        runs.length === 1 && runs[0].browser ? " with " + runs[0].browser : "", ".")),
    runs.filter((run) => run.error).map((run) => h("p", { class: "banner", role: "alert" }, run.name + ": " + run.error)),
    tiles(cache.list.all),
    h("section", { class: "card", "aria-label": "Episodes" },
      filters(query, go),
      h("div", { class: "toolbar" },
        h("p", { id: "found" }, found.length + " of " + count(cache.list.all.length, "episode", "episodes")),
        h("div", { class: "toolbar-end" }, compare,
          button("Save as CSV", { onclick: () => save("episodes.csv", "text/csv", csv(found)) }),
          button("Save as JSON", { onclick: () => save("episodes.json", "application/json", JSON.stringify(found, null, 1)) }))),
      found.length
        ? groups(query.get("group"), found).map(([name, episodes]) => listTable(name, episodes, query, choose))
        : h("div", { class: "empty" }, h("p", { class: "empty-title" }, "No episode fits."),
            button("Show all", { onclick: () => { location.hash = "#/"; } }))));
}

// A tile per condition: how often it leaked and did the errand.
function tiles(all) {
  const conditions = new Map();
  for (const episode of all) {
    if (!conditions.has(episode.condition)) conditions.set(episode.condition, []);
    conditions.get(episode.condition).push(episode);
  }
  if (conditions.size > 12 || all.length < 2) return null;
  return h("ul", { class: "tiles", "aria-label": "By agent" }, [...conditions].map(([name, episodes]) => {
    const scored = episodes.filter((episode) => episode.scored);
    const leaks = scored.filter((episode) => episode.leaked).length;
    const done = scored.filter((episode) => episode.utility === 1).length;
    return h("li", { class: "tile" },
      h("h2", {}, name || "unknown"),
      h("p", {}, h("strong", {}, "Leaked "), share(leaks, scored.length)),
      h("p", {}, h("strong", {}, "Errand done "), share(done, scored.length)),
      h("div", { class: "strip", role: "img", "aria-label": leaks + " leaked, " + done + " errands done, of " + scored.length },
        episodes.map((episode) => h("span", { class: "strip-part tone-" + verdict(episode).tone, title: episode.scenario_id + ": " + verdict(episode).word }, verdict(episode).sign))));
  }));
}

function filters(query, go) {
  const search = h("input", { type: "search", id: "search", value: query.get("q") || "", placeholder: "scenario, item, agent …" });
  const form = h("form", { class: "filters", role: "search", onsubmit: (event) => { event.preventDefault(); go({ q: search.value }); } },
    h("div", { class: "field field-wide" }, h("label", { for: "search" }, "Search"), search));
  const select = (name, label, options, any, change) => {
    const element = h("select", { id: "filter-" + name, onchange: (event) => change(event.target.value) },
      h("option", { value: "" }, any), options.map((option) => h("option", { value: option }, words(option))));
    element.value = query.get(name) || "";
    return h("div", { class: "field" }, h("label", { for: "filter-" + name }, label), element);
  };
  for (const name of FILTERS) {
    const options = [...new Set(cache.list.all.flatMap((episode) => valuesOf(episode, name)))].sort();
    if (options.length > 1) form.append(select(name, words(name)[0].toUpperCase() + words(name).slice(1), options, "all", (value) => go({ [name]: value })));
  }
  form.append(select("group", "Group by", GROUPS, "nothing", (value) => go({ group: value })));
  form.append(h("div", { class: "field" }, button("Search", { type: "submit", class: "button button-primary" })));
  if ([...query].length) form.append(h("div", { class: "field" }, button("Clear", { onclick: () => { location.hash = "#/"; } })));
  return form;
}

function groups(by, episodes) {
  if (!by) return [["", episodes]];
  const found = new Map();
  for (const episode of episodes) {
    for (const value of valuesOf(episode, by)) {
      if (!found.has(value)) found.set(value, []);
      found.get(value).push(episode);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([value, list]) => [words(by) + ": " + words(value), list]);
}

function listTable(name, episodes, query, choose) {
  const scored = episodes.filter((episode) => episode.scored);
  const leaks = scored.filter((episode) => episode.leaked).length;
  const engaged = scored.filter((episode) => !episode.refused).length;
  const sort = query.get("sort") || "";
  const head = COLUMNS.map(([key, label]) => {
    const own = sort.replace(/^-/, "") === key;
    const down = own && sort.startsWith("-");
    const next = own && !down ? "-" + key : key;
    return h("th", { scope: "col", "aria-sort": own ? (down ? "descending" : "ascending") : "none" },
      link(address("list", [], withQuery(query, { sort: next })), { class: "sort" }, label + (own ? (down ? " ↓" : " ↑") : "")));
  });
  const rows = episodes.map((episode) => {
    const open = episode.number === null || episode.number === undefined
      ? h("span", { title: "its trace is not there" }, episode.scenario_id)
      : link(episodeLink(episode, 1), { class: "row-link" }, breakable(episode.scenario_id));
    const trial = episode.trial > 1 ? " (trial " + episode.trial + ")" : "";
    const box = h("input", { type: "checkbox", "aria-label": "Choose " + episode.scenario_id + ", " + episode.condition + trial, onchange: (event) => choose(episode, event.target) });
    const items = episode.leaked_items.length
      ? h("details", { class: "inline" }, h("summary", {}, count(episode.leaked_items.length, "item", "items")), h("ul", {}, episode.leaked_items.map((item) => h("li", {}, item))))
      : "–";
    const reference = episode.reference && episode.scored && (episode.reference.leaked > 0) !== episode.leaked
      ? h("span", { class: "under" }, "reference: " + (episode.reference.leaked ? "leaked" : "clean")) : null;
    return h("tr", {},
      h("td", {}, episode.number === null || episode.number === undefined ? "" : box),
      h("th", { scope: "row" }, open, h("span", { class: "under" }, cache.list.runs.length > 1 ? cache.list.runs[episode.run].name + trial : trial)),
      h("td", {}, episode.condition), h("td", {}, words(episode.failure_mode)),
      h("td", {}, verdictChip(episode), h("span", { class: "under" }, words(episode.outcome)), reference),
      h("td", {}, items),
      h("td", {}, episode.utility === 1 ? "done" : episode.utility === 0 ? "not done" : "–"),
      h("td", { class: "number" }, episode.severity || "–"),
      h("td", { class: "number" }, episode.steps === undefined ? "–" : episode.steps),
      h("td", { class: "number" }, episode.invalid === undefined ? "–" : episode.invalid),
      h("td", { class: "number" }, milliseconds(episode.total_ms)),
      h("td", { class: "number" }, cost(episode.usage)));
  });
  return h("div", {},
    name ? h("h2", { class: "group" }, name) : null,
    scroller("Episodes" + (name ? ", " + name : ""),
      h("table", { class: "episodes" },
        h("caption", {}, "Leaked " + share(leaks, scored.length) + "; of those not refused " + share(leaks, engaged) + ". Wilson, 95 %; intervals over seed families are in the report."),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Choose")), head)),
        h("tbody", {}, rows))));
}

function cost(usage) {
  if (!usage) return "–";
  if (usage.cost === null || usage.cost === undefined) return (usage.input_tokens + usage.output_tokens) + " tokens";
  return "$" + usage.cost.toFixed(4);
}

function csv(episodes) {
  const names = ["scenario_id", "seed_family", "failure_mode", "agent", "model", "mode", "observe", "defense", "variation", "trial", "outcome", "utility", "refused", "leaked", "severity", "steps", "invalid", "total_ms"];
  const cell = (value) => {
    let text = value === null || value === undefined ? "" : String(value);
    if (/^[=+\-@\t\r]/.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const lines = episodes.map((episode) => names.map((name) => cell(episode[name])).join(","));
  return [names.join(","), ...lines].join("\r\n") + "\r\n";
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const anchor = h("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  say("Saved " + name);
}

