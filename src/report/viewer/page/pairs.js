// Two sides of the same scenarios: modes, agents, defenses, runs. Pairs that differ stand first.

const SIDES = ["mode", "run", "agent", "model", "defense", "observe", "variation"];
const SIDE_NAMES = { state: "state-grounded", e2e: "end-to-end" };

function sideValue(episode, name) {
  if (name === "run") return String(episode.run);
  const value = name === "variation" ? episode.variation_told : episode[name];
  return value === null || value === undefined || value === "" ? "none" : String(value);
}

function sideLabel(name, value) {
  if (name === "mode") return SIDE_NAMES[value] || value;
  if (name !== "run") return words(value);
  const runs = cache.list.runs, own = runs[Number(value)];
  if (!own) return "run " + value;
  return runs.filter((run) => run.name === own.name).length > 1 ? own.name + " (" + (Number(value) + 1) + ")" : own.name;
}

// What can be compared: fields with more than one value, with the values that most episodes have first.
function sidesToChoose() {
  const found = new Map();
  for (const name of SIDES) {
    const values = [...new Set(cache.list.all.map((episode) => sideValue(episode, name)))];
    if (values.length < 2) continue;
    const rank = (value) => (["state", "none"].includes(value) ? 0 : 1);
    found.set(name, values.sort((a, b) => rank(a) - rank(b) || (name === "run" ? Number(a) - Number(b) : a < b ? -1 : 1)));
  }
  return found;
}

// Episodes of both sides that share the scenario and every field of which both sides hold the same values.
function pairUp(by, left, right) {
  const of = (value) => cache.list.all.filter((episode) => sideValue(episode, by) === value);
  const sides = [of(left), of(right)];
  const values = (side, name) => JSON.stringify([...new Set(side.map((episode) => sideValue(episode, name)))].sort());
  const shared = SIDES.filter((name) => name !== by && name !== "run" && values(sides[0], name) === values(sides[1], name));
  // State mode is a way to observe of its own.
  const other = SIDES.filter((name) => name !== by && name !== "run" && !shared.includes(name) && !(by === "mode" && name === "observe"));
  const pairs = new Map();
  sides.forEach((side, index) => side.forEach((episode) => {
    const key = JSON.stringify([episode.scenario_id, episode.trial, ...shared.map((name) => sideValue(episode, name))]);
    if (!pairs.has(key)) pairs.set(key, [[], []]);
    pairs.get(key)[index].push(episode);
  }));
  const found = [];
  for (const [own, again] of pairs.values()) {
    for (let index = 0; index < Math.min(own.length, again.length); index += 1) found.push([own[index], again[index]]);
  }
  const alone = sides[0].length + sides[1].length - 2 * found.length;
  return { found, alone, other };
}

function showPairs(main, { query }) {
  const choices = sidesToChoose();
  if (!choices.size) {
    fill(main,
      h("div", { class: "page-head" }, h("h1", {}, "Side by side"),
        h("p", { class: "lead" }, "The same scenarios in two ways: state-grounded and end-to-end, with and without a defense, two agents, two runs.")),
      h("div", { class: "empty" }, h("p", { class: "empty-title" }, "All episodes here were run in one way."),
        h("p", {}, "Run the same scenarios in another way, such as “--mode state”, and open the folder that holds both runs.")));
    return;
  }
  const by = choices.has(query.get("by")) ? query.get("by") : [...choices.keys()][0];
  const values = choices.get(by);
  const left = values.includes(query.get("left")) ? query.get("left") : values[0];
  const right = values.includes(query.get("right")) && query.get("right") !== left ? query.get("right") : values.find((value) => value !== left);
  const [leftName, rightName] = [left, right].map((value) => sideLabel(by, value));
  const { found, alone, other } = pairUp(by, left, right);
  const kind = ([own, again]) => {
    if (!own.scored || !again.scored) return 3;
    if (own.leaked === again.leaked) return 2;
    return again.leaked ? 0 : 1;
  };
  const names = ["leaks " + rightName + " only", "leaks " + leftName + " only", "the same in both", "not scored in one"];
  found.sort((a, b) => kind(a) - kind(b) || (a[0].scenario_id < b[0].scenario_id ? -1 : 1));
  const counts = names.map((_, index) => found.filter((pair) => kind(pair) === index).length);
  const go = (changes) => { location.hash = address("pairs", [], { by, left, right, ...changes }); };
  const select = (id, label, options, chosen, change) => {
    const element = h("select", { id, onchange: (event) => change(event.target.value) }, options.map(([value, text]) => h("option", { value }, text)));
    element.value = chosen;
    return h("div", { class: "field" }, h("label", { for: id }, label), element);
  };
  const form = h("div", { class: "filters", role: "group", "aria-label": "What is compared" },
    select("pair-by", "Compare by", [...choices.keys()].map((name) => [name, words(name)]), by, (value) => go({ by: value, left: "", right: "" })),
    select("pair-left", "Left", values.map((value) => [value, sideLabel(by, value)]), left, (value) => go({ left: value, right: value === right ? left : right })),
    select("pair-right", "Right", values.map((value) => [value, sideLabel(by, value)]), right, (value) => go({ right: value, left: value === left ? right : left })),
    h("div", { class: "field" }, button("Swap", { id: "pair-swap", onclick: () => go({ left: right, right: left }) })));
  // What tells pairs of the same scenario apart.
  const alike = new Map();
  for (const [own] of found) alike.set(own.scenario_id, [...(alike.get(own.scenario_id) || []), own]);
  const often = new Set([...alike].filter(([, pairs]) => pairs.length > 1).map(([id]) => id));
  const telling = ["agent", "model", "mode", "defense", "variation"].filter((name) => name !== by && !other.includes(name)
    && [...alike.values()].some((pairs) => new Set(pairs.map((own) => sideValue(own, name))).size > 1));
  const about = ([own]) => !often.has(own.scenario_id) ? "" : [...telling.map((name) => sideLabel(name, sideValue(own, name))), own.trial > 1 ? "trial " + own.trial : ""].filter(Boolean).join(" · ");
  const cell = (episode) => h("td", {}, verdictChip(episode), h("span", { class: "under" }, episode.leaked_items.join("; ")));
  const rows = found.map((pair) => h("tr", { class: kind(pair) < 2 ? "discordant" : null },
    h("th", { scope: "row" }, pair.every((one) => one.number)
      ? link(address("compare", [pair[0].run, pair[0].number, pair[1].run, pair[1].number, 1]), {}, breakable(pair[0].scenario_id)) : breakable(pair[0].scenario_id),
      h("span", { class: "under" }, about(pair))),
    cell(pair[0]), cell(pair[1]), h("td", {}, (kind(pair) < 2 ? "≠ " : "= ") + names[kind(pair)])));
  fill(main,
    h("div", { class: "page-head" }, h("h1", {}, leftName[0].toUpperCase() + leftName.slice(1) + " against " + rightName),
      h("p", { class: "lead" }, found.length ? names.map((name, index) => counts[index] + " " + name).join(", ") + ". Pairs that differ stand first." : "No scenario is on both sides.",
        alone ? " " + count(alone, "episode has", "episodes have") + " no counterpart." : "",
        other.length ? " The sides differ in " + other.map(words).join(" and ") + " too." : "")),
    h("section", { class: "card", "aria-label": "Pairs" }, form,
      found.length ? [shiftTable(found, leftName, rightName),
        scroller("Pairs", table(count(found.length, "pair", "pairs"), ["Scenario", leftName, rightName, "Together"], rows, {}))] : null));
}

// How the figures move from one side to the other, over the pairs that are scored on both.
function shiftTable(found, leftName, rightName) {
  const scored = found.filter((pair) => pair.every((episode) => episode.scored));
  if (!scored.length) return null;
  const shareOf = (side, holds, among) => {
    const counted = scored.map((pair) => pair[side]).filter(among);
    return counted.length ? counted.filter(holds).length / counted.length : null;
  };
  const all = () => true;
  const figures = [
    ["U, errand done", (one) => one.utility === 1, all],
    ["L, leaked", (one) => one.leaked, all],
    ["R, refused", (one) => one.refused, all],
    ["L_eng, leaked of those not refused", (one) => one.leaked, (one) => !one.refused],
  ];
  const percent = (value) => (value === null ? "–" : (100 * value).toFixed(1).replace(/\.0$/, "") + " %");
  const rows = figures.map(([name, holds, among]) => {
    const [own, again] = [0, 1].map((side) => shareOf(side, holds, among));
    const points = own === null || again === null ? "–" : own === again ? "none" : (again >= own ? "+" : "−") + Math.abs(100 * (again - own)).toFixed(1).replace(/\.0$/, "") + " points";
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, percent(own)), h("td", { class: "number" }, percent(again)), h("td", { class: "number" }, points));
  });
  const head = ["Figure", leftName, rightName, "Shift"].map((text, index) => h("th", { scope: "col", class: index ? "number" : null }, text));
  return scroller("Shift", h("table", {},
    h("caption", {}, "Over " + count(scored.length, "pair", "pairs") + " scored on both sides; “discreet compare” gives intervals, tests, and L_exp"),
    h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
}
