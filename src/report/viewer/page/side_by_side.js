// Two episodes beside each other, step by step.

async function showCompare(main, { parts }) {
  const [leftRun, leftNumber, rightRun, rightNumber, wanted] = parts;
  const sides = [];
  for (const [run, number] of [[leftRun, leftNumber], [rightRun, rightNumber]]) {
    try {
      sides.push(await loadEpisode(run, number));
    } catch (error) {
      fill(main, h("div", { class: "empty" }, h("p", { class: "empty-title" }, "Episode " + run + "/" + number + " cannot be shown: " + error.message + "."), link("#/", { class: "button" }, "All episodes")));
      return;
    }
  }
  if (route().parts.join("/") !== parts.join("/")) return;
  const last = Math.max(1, ...sides.map((view) => view.steps.length));
  const at = Math.min(last, Math.max(1, Number(wanted) || 1));
  const to = (step) => address("compare", [leftRun, leftNumber, rightRun, rightNumber, step]);
  const name = (view) => {
    const started = view.started || {};
    return [started.agent, started.model, started.mode, started.defense !== "none" ? started.defense : null].filter(Boolean).join(" · ") || "episode " + view.id;
  };
  const items = new Map();
  sides.forEach((view, side) => view.lanes.forEach((lane) => {
    const key = lane.kind + "\n" + lane.item;
    if (!items.has(key)) items.set(key, { lane, verdicts: [null, null] });
    items.get(key).verdicts[side] = lane.verdict;
  }));
  const rows = [...items.values()].sort((a, b) => (a.verdicts[0] === a.verdicts[1]) - (b.verdicts[0] === b.verdicts[1])).map(({ lane, verdicts }) =>
    h("tr", { class: verdicts[0] === verdicts[1] ? null : "discordant" }, h("th", { scope: "row" }, lane.item, h("span", { class: "under" }, lane.kind)), verdicts.map((one) => h("td", {}, words(one || "–"))), h("td", {}, verdicts[0] === verdicts[1] ? "= the same" : "≠ differs")));
  fill(main,
    h("div", { class: "page-head" }, h("h1", {}, "Side by side"),
      h("p", { class: "lead" }, [...new Set(sides.map((view) => (view.started ? view.started.scenario_id : view.id)))].join(" and "))),
    h("div", { class: "toolbar" },
      h("p", {}, "Step " + at + " of " + last),
      h("div", { class: "toolbar-end" },
        at > 1 ? link(to(at - 1), { class: "button", "aria-keyshortcuts": "k", id: "step-back" }, "← Step") : null,
        at < last ? link(to(at + 1), { class: "button", "aria-keyshortcuts": "j", id: "step-on" }, "Step →") : null)),
    h("div", { class: "two even" }, sides.map((view) => {
      const step = view.steps[at - 1];
      const listed = find(view.id);
      return h("div", { class: "side" }, h("h2", {}, link(stepLink(view, step ? step.step : 1), {}, name(view)), " ", listed ? verdictChip(listed) : null),
        step ? [picture(view, step, makePointer(view, step)), step.changes.length ? h("section", { class: "card" }, changedPanel(view, step)) : null]
          : h("div", { class: "empty" }, h("p", { class: "empty-title" }, "It ended after " + count(view.steps.length, "step", "steps") + ".")));
    })),
    h("section", { class: "card" }, h("h2", {}, "Items"), scroller("Items on both sides", table("Verdicts; what differs stands first", ["Item", name(sides[0]), name(sides[1]), ""], rows, {}))));
  // The picture's own buttons lead away from here; both sides move together instead.
  for (const bar of main.querySelectorAll(".side .picture .toolbar-end")) bar.remove();
}

