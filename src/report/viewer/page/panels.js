// The panels of a step, and the sections of an episode.

function field(label, ...value) {
  return h("div", { class: "row" }, h("dt", {}, label), h("dd", {}, ...value));
}

function long(text, needles) {
  return h("pre", { class: "text", tabindex: "0" }, needles ? marked(text, needles) : text);
}

// What may be short or very long: in a line, or in a box that scrolls.
function shortOrLong(text, needles) {
  return text.length > 240 ? long(text, needles) : h("code", {}, marked(text, needles));
}

function didPanel(view, step) {
  const reply = step.reply;
  if (!reply) return h("p", {}, "No reply was recorded: the episode ended before the agent answered.");
  const needles = itemNeedles(view);
  return h("dl", { class: "rows" },
    reply.thought ? field("Thought", long(reply.thought, needles)) : null,
    field("Reply", reply.action.trim() ? long(reply.action, needles) : "nothing"),
    reply.parse_error ? field("Not understood", h("span", { class: "failure" }, reply.parse_error)) : null,
    step.results.map((result) => [
      field("Action", shortOrLong(JSON.stringify(result.action), needles)),
      field("Result", result.error ? h("span", { class: "failure" }, "✕ " + result.error) : "done",
        ", after " + milliseconds(result.duration_ms),
        result.settle ? (result.settle.settled ? "" : "; not at rest, waited for " + result.settle.waited_for) : "")]),
    step.observation && step.observation.last_action_error ? field("Told before", step.observation.last_action_error) : null,
    field("Latency", milliseconds(reply.latency_ms)),
    reply.attempts && reply.attempts.length ? field("Asked", reply.attempts.length + 1 + " times; “Prompt” shows each") : null,
    reply.usage ? field("Tokens", reply.usage.input_tokens + " in, " + reply.usage.output_tokens + " out", reply.usage.cost === null ? "" : ", $" + reply.usage.cost) : null);
}

function promptPanel(view, step) {
  const box = h("div", { class: "stack" }, h("p", {}, "Loading …"));
  const reply = step.reply;
  (async () => {
    const prompt = reply && await textOf(view, reply.prompt);
    const response = reply && await textOf(view, reply.response);
    const pretty = (text) => { try { return JSON.stringify(JSON.parse(text), null, 2); } catch (error) { return text; } };
    const needles = itemNeedles(view);
    const earlier = [];
    for (const attempt of (reply && reply.attempts) || []) {
      earlier.push({ attempt, prompt: await textOf(view, attempt.prompt), response: await textOf(view, attempt.response) });
    }
    const text = (title, value) => (value === null ? null : [h("h3", {}, title), long(pretty(value), needles), copy(value)]);
    fill(box,
      earlier.length ? h("p", {}, "Asked " + (earlier.length + 1) + " times; the last time stands first.") : null,
      prompt ? text("Sent to the model", prompt)
        : h("p", {}, "No prompt was recorded: this agent is no model. It was given what “Saw” shows."),
      response ? text("Answered", response) : null,
      earlier.map(({ attempt, prompt: sent, response: answered }, index) => h("details", { class: "raw" },
        h("summary", {}, "Before, " + (index + 1) + " of " + earlier.length + ": " + (attempt.error || "not used") + ", after " + milliseconds(attempt.latency_ms)
          + (attempt.usage ? ", " + attempt.usage.input_tokens + " / " + attempt.usage.output_tokens + " tokens" : "")),
        text("Sent", sent), answered === null ? h("p", { class: "note" }, "There was no answer.") : text("Answered", answered))));
  })();
  return box;
}

function changedPanel(view, step) {
  if (!step.changes.length) return h("p", {}, "Nothing was written at this step.");
  const needles = itemNeedles(view);
  return h("div", { class: "stack" }, step.changes.map((change) => h("article", { class: "change" },
    h("h3", {}, words(change.app) + ": " + words(change.kind) + " ", h("code", {}, change.entity)),
    change.pieces.length ? change.pieces.map((piece) => {
      const after = piece.after;
      const readers = after.kind === "draft" ? "nobody yet, a draft" : after.readers.length ? after.readers.join(", ") : after.text === "" && piece.before ? "nobody any more" : "the user only";
      const lines = lineDifference(piece.before ? piece.before.split("\n") : [], after.text ? after.text.split("\n") : []);
      return h("div", { class: "piece" },
        h("p", { class: "note" }, words(after.kind) + (after.addressed_to.length ? " to " + after.addressed_to.join(", ") : "") + ", read by " + readers),
        h("div", { class: "tree", tabindex: "0", role: "region", "aria-label": "Text of " + after.entity }, lines.map((line) =>
          h("div", { class: "line line-" + line.kind }, { same: "  ", new: "+ ", gone: "− " }[line.kind], marked(line.text, needles)))));
    }) : h("p", { class: "note" }, "It wrote nothing that can be read."))));
}

function rawPanel(view, step) {
  return h("div", { class: "stack" }, step.events.map((event) => {
    const text = JSON.stringify(event, null, 2);
    return h("details", { class: "raw" }, h("summary", {}, "event " + event.seq + ", " + words(event.type) + ", at " + event.t_ms + " ms"), long(text), copy(text));
  }));
}

function copy(text) {
  return button("Copy", { onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch (error) {
      say("The browser does not let this page copy; select the text instead");
    }
  } });
}

const MARKS = { exposed: ["seen", "○"], typed: ["typed", "⌨"], persisted: ["written", "●"], deleted: ["deleted", "✕"] };

// A lane per item on the steps' common axis.
function lanesSection(view, current, wanted) {
  if (!view.lanes.length) return null;
  const steps = view.steps.map((step) => step.step);
  const rows = view.lanes.map((lane) => {
    const tone = lane.kind === "forbidden" ? (lane.verdict === "leaked" ? "danger" : lane.verdict === "partial" ? "warning" : "quiet") : (lane.verdict === "matched" ? "success" : "warning");
    return h("tr", { class: lane.item === wanted ? "chosen" : null },
      h("th", { scope: "row" }, link(stepLink(view, current ? current.step : 1, { item: lane.item === wanted ? "" : lane.item }), { class: "item" }, lane.item),
        h("span", { class: "under" }, lane.kind + (lane.why ? ": " + lane.why : ""))),
      h("td", {}, chip(lane.verdict || "no verdict", tone)),
      steps.map((step) => {
        const marks = lane.marks.filter((mark) => mark.step === step);
        return h("td", { class: "lane" + (current && step === current.step ? " lane-now" : "") }, marks.map((mark) => {
          const [word, sign] = MARKS[mark.what];
          return link(stepLink(view, step, { item: lane.item, tab: mark.what === "exposed" ? "saw" : mark.what === "typed" ? "did" : "changed" }),
            { class: "mark mark-" + mark.what, title: word + ": " + mark.detail, "aria-label": word + " at step " + step + ", " + mark.detail }, sign);
        }));
      }));
  });
  return h("section", { class: "card", "aria-labelledby": "items-title" },
    h("h2", { id: "items-title" }, "Items, step by step"),
    h("ul", { class: "legend", "aria-label": "Signs" }, Object.values(MARKS).map(([word, sign]) => h("li", {}, sign + " " + word))),
    scroller("Items by step", table("What became of each item", ["Item", "Verdict", ...steps.map((step) => h("span", { class: "step-head" }, step))], rows, { class: "lanes" })));
}

// Byte ranges of a text, as the trace gives them, cut out and marked.
function spans(text, ranges) {
  const bytes = new TextEncoder().encode(text), decoder = new TextDecoder();
  const cut = (from, to) => decoder.decode(bytes.slice(from, to));
  const parts = [];
  let done = 0;
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (range.end <= done) continue;
    const start = Math.max(range.start, done);
    if (start > done) parts.push(cut(done, start));
    parts.push(h("mark", { class: "tone-" + range.tone, title: range.title }, cut(start, range.end)));
    done = range.end;
  }
  parts.push(cut(done, bytes.length));
  return parts;
}

function scoreSection(view) {
  const score = view.finished && view.finished.score;
  if (!score) return null;
  const reference = score.reference;
  const rows = score.verdicts.map((one) => {
    const tone = { leaked: "danger", clean: "success", matched: "success", missing: "warning", partial: "warning" }[one.verdict];
    const places = one.evidence.map((place) => h("li", {},
      place.step > 0 ? link(stepLink(view, place.step, { tab: "changed", item: one.item }), {}, "step " + place.step) : "no step",
      ", rule ", h("code", {}, place.rule), ", read by " + (place.audience.join(", ") || "nobody else")));
    const other = reference && one.kind === "forbidden" ? (reference.leaked_items.includes(one.item) ? "leaked" : "clean") : "–";
    const own = one.verdict === "leaked" ? "leaked" : "clean";
    return h("tr", {}, h("th", { scope: "row" }, one.item, h("span", { class: "under" }, one.kind)),
      h("td", {}, chip(words(one.verdict), tone), one.reason ? h("span", { class: "under" }, one.reason) : null),
      h("td", {}, one.kind === "forbidden" && reference && other !== own ? h("strong", {}, "≠ " + other) : other),
      h("td", {}, places.length ? h("ul", {}, places) : "–"));
  });
  const texts = score.disclosures.map((disclosure, index) => {
    const ranges = score.verdicts.flatMap((one) => one.evidence.filter((place) => place.artifact === index).map((place) => ({
      start: place.span[0], end: place.span[1], tone: one.kind === "forbidden" ? "danger" : "success", title: one.kind + ": " + one.item + " (" + place.rule + ")",
    })));
    return h("article", { class: "change" },
      h("h3", {}, (disclosure.app === disclosure.kind ? words(disclosure.app) : words(disclosure.app) + " " + words(disclosure.kind)) + (disclosure.task_artifact ? ", the errand's own" : "")),
      h("p", { class: "note" }, "read by " + (disclosure.audience.join(", ") || "the user only"), disclosure.step > 0 ? [", written at ", link(stepLink(view, disclosure.step, { tab: "changed" }), {}, "step " + disclosure.step)] : ""),
      h("pre", { class: "text", tabindex: "0" }, spans(disclosure.text, ranges)));
  });
  return h("section", { class: "card", "aria-labelledby": "score-title" },
    h("h2", { id: "score-title" }, "Score"),
    score.unscored ? h("p", { class: "failure" }, "Nothing could be scored: " + score.unscored) : null,
    h("p", {}, "Strict scorer (version " + score.scorer_version + "): utility " + show(score.utility) + ", completed " + show(score.completed) + ", refused " + show(score.refused) + ", leaked " + show(score.leaked) + ", severity " + show(score.severity) + ".",
      reference ? " Reference scorer: utility " + reference.utility + ", violation " + reference.ci_violation + ", reward " + reference.reward + "." : " The reference scorer gave no score."),
    scroller("Verdicts", table("Verdict on each item", ["Item", "Strict", "Reference", "Evidence"], rows, {})),
    h("h3", {}, "What was disclosed"),
    texts.length ? h("p", { class: "note" }, "Red: forbidden items. Green: required ones. The rule that fired stands in each mark's title and in the table above.") : h("p", {}, "Nothing reached anybody."),
    texts);
}

function show(value) {
  return value === null || value === undefined ? "not known" : value === true ? "yes" : value === false ? "no" : String(value);
}

function nearSection(view) {
  const rows = view.lanes.flatMap((lane) => lane.near_misses.map((near) => h("li", {},
    h("strong", {}, lane.item), ": " + near.text + " ", near.step > 0 ? link(stepLink(view, near.step, { item: lane.item }), {}, "(step " + near.step + ")") : null)));
  if (!view.lanes.length) return null;
  return h("section", { class: "card", "aria-labelledby": "near-title" }, h("h2", { id: "near-title" }, "Near misses"),
    rows.length ? h("ul", { class: "bullets" }, rows) : h("p", {}, "None: no forbidden item was typed and dropped, drafted, taken back, or in sight while something else was sent."));
}

function timeSection(view) {
  if (!view.steps.length) return null;
  const most = Math.max(1, ...view.steps.map((step) => step.took));
  const usage = view.finished && view.finished.usage;
  const timing = view.finished && view.finished.timing;
  const rows = view.steps.map((step) => {
    const acting = step.results.reduce((sum, result) => sum + result.duration_ms, 0);
    const thinking = step.reply ? step.reply.latency_ms : 0;
    const bar = h("div", { class: "meter", role: "img", "aria-label": milliseconds(step.took) });
    for (const [kind, value] of [["think", thinking], ["act", acting]]) {
      const part = h("span", { class: "meter-" + kind });
      part.style.width = (100 * value) / most + "%";
      bar.append(part);
    }
    const own = step.reply && step.reply.usage;
    return h("tr", {}, h("th", { scope: "row" }, link(stepLink(view, step.step), {}, step.step)), h("td", { class: "wide" }, bar), h("td", { class: "number" }, milliseconds(thinking)), h("td", { class: "number" }, milliseconds(acting)), h("td", { class: "number" }, own ? own.input_tokens + " / " + own.output_tokens : "–"));
  });
  return h("section", { class: "card", "aria-labelledby": "time-title" }, h("h2", { id: "time-title" }, "Time, tokens, cost"),
    h("p", {}, timing ? "Setup " + milliseconds(timing.setup_ms) + ", in all " + milliseconds(timing.total_ms) + ". " : "",
      usage ? usage.input_tokens + " tokens in, " + usage.output_tokens + " out, cost " + (usage.cost === null ? "not known" : "$" + usage.cost) + "." : "The agent reports no tokens."),
    h("details", {}, h("summary", {}, "By step"), scroller("Time by step", table("Thinking (dark) and acting (light)", ["Step", "", "Thinking", "Acting", "Tokens in / out"], rows, {}))));
}

function aboutSection(view) {
  const started = view.started;
  const rest = view.rest.map((event) => {
    const text = JSON.stringify(event, null, 2);
    return h("details", { class: "raw" }, h("summary", {}, "event " + event.seq + ", " + words(event.type)), long(text), copy(text));
  });
  return h("section", { class: "card", "aria-labelledby": "about-title" }, h("h2", { id: "about-title" }, "About the episode"),
    started ? h("dl", { class: "rows" },
      field("Scenario file", h("code", {}, started.scenario_file)),
      started.target ? field("Result belongs", words(started.target.channel) + (started.target.recipient ? ", to " + started.target.recipient : "") + (started.target.draft_accepted ? " (a saved draft counts)" : "")) : null,
      field("Failure mode", words(started.failure_mode)), field("Seed family", started.seed_family),
      field("Variation", Object.entries(started.variation).map(([name, value]) => words(name) + " " + value).join(", ") || "none"),
      field("Budget", count(started.max_steps, "step", "steps")),
      field("Browser", started.browser ? started.browser.kind + " " + started.browser.product : "none"),
      field("Recorded by", "discreet " + started.discreet_version + ", run " + started.run_id),
      view.verified.ok ? field("Root", h("code", {}, view.verified.root)) : null) : null,
    h("h3", {}, "Events without a step"), rest);
}

