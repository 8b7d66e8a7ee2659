// Elements. Every text goes in as a text node: nothing of a trace is ever parsed as markup.

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

function link(href, attributes, ...children) {
  return h("a", { href, ...attributes }, ...children);
}

function button(text, attributes, ...children) {
  return h("button", { type: "button", class: "button", ...attributes }, text, ...children);
}

function chip(text, tone, title) {
  return h("span", { class: "chip" + (tone ? " chip-" + tone : ""), title }, text);
}

function say(text) {
  document.getElementById("status").textContent = text;
}

function words(name) {
  return String(name === null || name === undefined ? "" : name).replaceAll("_", " ");
}

function milliseconds(value) {
  if (value === null || value === undefined) return "–";
  return value < 1000 ? value + " ms" : (value / 1000).toFixed(value < 10000 ? 1 : 0) + " s";
}

function count(number, one, many) {
  return number + " " + (number === 1 ? one : many);
}

// A name that may be broken into lines where its words end.
function breakable(name) {
  return String(name).split(/(?<=[_\-/])(?![_\-/])/).flatMap((part, index) => (index ? [h("wbr"), part] : [part]));
}

// What an episode came to: a word, a sign and a tone, so that colour is never the only signal.
function verdict(episode) {
  if (episode.outcome === "unfinished") return { word: "unfinished", sign: "…", tone: "quiet" };
  if (!episode.scored && episode.leaked_items.length) return { word: "leaked, not scored", sign: "▲", tone: "danger" };
  if (!episode.scored) return { word: "not scored", sign: "○", tone: "quiet" };
  if (episode.leaked) return { word: "leaked", sign: "▲", tone: "danger" };
  if (episode.refused) return { word: "refused", sign: "■", tone: "quiet" };
  if (episode.utility === 1) return { word: "clean", sign: "●", tone: "success" };
  return { word: "not done", sign: "◐", tone: "warning" };
}

function verdictChip(episode) {
  const { word, sign, tone } = verdict(episode);
  return chip(sign + " " + word, tone);
}

// A scrolling region has to be reachable by keyboard and to have a name.
function scroller(name, ...children) {
  return h("div", { class: "scroll", role: "region", "aria-label": name, tabindex: "0" }, ...children);
}

function table(caption, heads, rows, attributes) {
  return h("table", attributes || {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows));
}

// Wilson's interval, 95 %.
function wilson(hits, n) {
  if (!n) return null;
  const z = 1.959963984540054, p = hits / n, s = z * z, scale = 1 + s / n;
  const centre = (p + s / (2 * n)) / scale;
  const half = (z / scale) * Math.sqrt((p * (1 - p)) / n + s / (4 * n * n));
  return [hits === 0 ? 0 : Math.max(0, centre - half), hits === n ? 1 : Math.min(1, centre + half)];
}

function share(hits, n) {
  const interval = wilson(hits, n);
  if (!interval) return "– (n 0)";
  const percent = (value) => Math.round(value * 100);
  return percent(hits / n) + " % [" + percent(interval[0]) + "–" + percent(interval[1]) + "] (n " + n + ")";
}

