// Where the data comes from: the file itself, or the server the page came from.

// Each part of a file is parsed when it is asked for.
function part(name) {
  const element = document.getElementById(name);
  return element ? JSON.parse(element.textContent) : undefined;
}

// Most parts are packed, so that a file with many episodes stays small.
async function packedPart(name) {
  const data = part(name);
  if (data === undefined) return undefined;
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

const embedded = document.getElementById("data") !== null;

const cache = { list: null, shown: null, episodes: new Map(), texts: new Map() };

async function fetched(path, asText) {
  const response = await fetch(path, { cache: "no-store" });
  if (!response.ok) throw new Error(response.status === 404 ? "it is not there" : "the server answered " + response.status);
  return asText ? response.text() : response.json();
}

async function loadList() {
  const list = embedded ? part("data") : await fetched("list.json");
  list.all = [];
  // What is the same for all episodes tells none of them apart.
  const episodes = list.runs.flatMap((run) => run.episodes);
  // In state mode there is but one way to observe.
  const told = (episode, name) => (name === "observe" && episode.mode === "state" ? null : episode[name]);
  const varies = (values) => new Set(values).size > 1;
  const telling = ["model", "mode", "observe", "defense"].filter((name) => varies(episodes.map((episode) => told(episode, name)).filter((value) => name !== "observe" || value !== null)));
  const factors = episodes.map((episode) => factorsOf(episode.variation));
  const tellingFactors = [...new Set(factors.flatMap((own) => Object.keys(own)))].filter((name) => varies(factors.map((own) => own[name])));
  list.runs.forEach((run, index) => {
    run.index = index;
    run.episodes.forEach((episode) => {
      episode.run = index;
      episode.id = index + "/" + episode.number;
      episode.condition = ["agent", ...telling].map((name) => told(episode, name)).filter((part) => part && part !== "none").join(" · ");
      const own = factorsOf(episode.variation);
      episode.variation_told = tellingFactors.map((name) => words(name) + " " + (own[name] || "–")).join(", ");
      list.all.push(episode);
    });
  });
  cache.list = list;
  return list;
}

// The factors of a variation, which is written as `name=value,name=value`.
function factorsOf(text) {
  return Object.fromEntries((text || "").split(",").filter((part) => part.includes("=")).map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
}

// Views of the last few episodes are kept: going back and forth has to be instant.
async function loadEpisode(run, number) {
  const id = run + "/" + number;
  if (cache.episodes.has(id)) return cache.episodes.get(id);
  const packed = embedded ? await packedPart("episode-" + id) : undefined;
  const view = !embedded ? await fetched("episode/" + id) : packed && JSON.parse(packed);
  if (!view) throw new Error("it is not there");
  view.id = id;
  view.run = Number(run);
  view.number = Number(number);
  prepare(view);
  // One that is still being written has more to show the next time.
  if (embedded || view.status === "complete") cache.episodes.set(id, view);
  if (cache.episodes.size > 8) cache.episodes.delete(cache.episodes.keys().next().value);
  return view;
}

function blobName(blob) {
  return blob.sha256 + "." + blob.extension;
}

function imageOf(view, blob) {
  if (!blob) return null;
  const name = blobName(blob);
  if (!embedded) return "blob/" + view.id + "/" + name;
  const data = part("blob-" + name);
  return data === undefined ? null : "data:image/" + blob.extension + ";base64," + data;
}

async function textOf(view, blob) {
  if (!blob) return null;
  const name = blobName(blob);
  const key = embedded ? name : view.id + "/" + name;
  if (!cache.texts.has(key)) {
    const text = embedded ? (await packedPart("blob-" + name)) ?? null : await fetched("blob/" + key, true).catch(() => null);
    cache.texts.set(key, text);
    if (cache.texts.size > 200) cache.texts.delete(cache.texts.keys().next().value);
  }
  return cache.texts.get(key);
}

// Adds to each step what the pages ask for again and again.
function prepare(view) {
  const finished = view.finished;
  const score = finished && finished.score;
  view.leakSteps = new Set();
  for (const one of (score && score.verdicts) || []) {
    if (one.kind === "forbidden" && one.verdict === "leaked") {
      for (const place of one.evidence) if (place.step > 0) view.leakSteps.add(place.step);
    }
  }
  let before = null;
  for (const step of view.steps) {
    const of = (type) => step.events.filter((event) => event.type === type).map((event) => event.what);
    step.observation = of("observation")[0] || null;
    step.reply = of("reply")[0] || null;
    step.results = of("action_result");
    step.notes = of("note");
    step.blocked = of("blocked");
    step.t_ms = step.events.length ? step.events[0].t_ms : 0;
    const last = step.events[step.events.length - 1];
    step.took = last ? last.t_ms - step.t_ms : 0;
    step.before = before;
    step.mark = markOf(view, step);
    before = step;
  }
}

function axtree(step) {
  return step && step.observation ? step.observation.axtree || step.observation.state : null;
}

function failureOf(step) {
  if (step.reply && step.reply.parse_error) return step.reply.parse_error;
  const failed = step.results.find((result) => result.error);
  return failed ? failed.error : null;
}

function markOf(view, step) {
  if (view.leakSteps.has(step.step)) return { word: "leaked", sign: "▲", tone: "danger" };
  if (step.blocked.length) return { word: "blocked", sign: "⊘", tone: "warning" };
  if (failureOf(step)) return { word: "failed", sign: "✕", tone: "warning" };
  if (step.changes.some((change) => change.pieces.length)) return { word: "wrote", sign: "✎", tone: "accent" };
  if (!step.reply) return { word: "no reply", sign: "…", tone: "warning" };
  const before = step.before;
  const tree = (one) => (axtree(one) ? axtree(one).sha256 : "");
  if (before && before.reply && step.reply && before.reply.action === step.reply.action && tree(before) === tree(step)) {
    return { word: "repeated", sign: "↻", tone: "quiet" };
  }
  return { word: "done", sign: "·", tone: "quiet" };
}

// An action in a few words. `tree` tells what the element is called.
function actionText(step, tree) {
  if (!step.reply) return "no reply was recorded";
  const actions = step.reply.parsed.length ? step.reply.parsed : null;
  if (!actions) return step.reply.action.trim() || "nothing: the agent stopped";
  return actions.map((action) => {
    if (action.name === undefined) return stateReplyText(action);
    const parts = [words(action.name)];
    for (const [name, value] of Object.entries(action)) {
      if (name === "name" || value === null || value === false || (Array.isArray(value) && !value.length)) continue;
      if (name === "button" && value === "left") continue;
      if (name === "bid") parts.push(elementName(tree, value));
      else if (typeof value === "object") parts.push(JSON.stringify(value));
      else parts.push(typeof value === "string" ? "“" + value + "”" : String(value));
    }
    return parts.join(" ");
  }).join("; ");
}

// The one reply of state mode.
function stateReplyText(reply) {
  const shared = Array.isArray(reply.shared_content) ? reply.shared_content : [];
  return (reply.completed ? "says that it is done" : "says that it is not done") + (reply.recipient ? ", to " + reply.recipient : "")
    + (shared.length ? ", and passes on: " + shared.map((text) => "“" + text + "”").join(", ") : ", and passes on nothing");
}

function elementName(tree, bid) {
  const line = tree ? tree.split("\n").find((text) => text.trimStart().startsWith("[" + bid + "] ")) : null;
  return line ? line.trim().replace(/, url='.*$/, "").slice(0, 160) : "[" + bid + "]";
}

// Addresses: `#/view/…?name=value`.
function route() {
  const [path, query] = location.hash.replace(/^#/, "").split("?");
  const parts = path.split("/").filter((part) => part !== "");
  return { name: parts[0] || "list", parts: parts.slice(1), query: new URLSearchParams(query || "") };
}

function address(name, parts, query) {
  const path = "#/" + [name === "list" ? "" : name, ...(parts || [])].filter((part) => part !== "").join("/");
  const search = new URLSearchParams(Object.entries(query || {}).filter(([, value]) => value)).toString();
  return search ? path + "?" + search : path;
}

function episodeLink(episode, step, query) {
  return address("episode", [episode.run, episode.number, step || 1], query);
}

function find(id) {
  return cache.list.all.find((episode) => episode.id === id);
}

