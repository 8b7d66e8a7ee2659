// Where texts stand in the window: boxes of every line of every place that shows one, as a reader sees
// it (without case, width, kind of quotes, invisible characters and white space). What cannot be looked
// into (a frame of another origin, a picture, a canvas) is covered as a whole. Nothing is changed.
(texts) => {
  const quotes = { "‘": "'", "’": "'", "‛": "'", "′": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "″": '"' };
  const fold = (character) => {
    const wide = character.normalize("NFKC").toLowerCase();
    if (/^[\s\u00ad\u200b-\u200d\u2060\ufeff]*$/u.test(wide)) return "";
    if (/^[\u2010-\u2015\u2212]$/u.test(wide)) return "-";
    return quotes[wide] || wide;
  };
  const needles = texts.map((text) => [...text].map(fold).join("")).filter((text) => /[\p{L}\p{N}]/u.test(text));
  const boxes = [];
  const add = (rect) => {
    if (rect.width > 0 && rect.height > 0 && rect.right > 0 && rect.bottom > 0 && rect.left < innerWidth && rect.top < innerHeight) {
      boxes.push([rect.left, rect.top, rect.width, rect.height]);
    }
  };
  // All text in order, with the node and place of each character: an item may run over several nodes.
  const letters = [], places = [];
  const walk = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.shadowRoot) walk(node.shadowRoot);
        if (node.matches("iframe, object, embed, canvas, video, img")) {
          if (!node.matches("img") || needles.some((needle) => [...(node.alt || "")].map(fold).join("").includes(needle))) add(node.getBoundingClientRect());
        }
        if (node.matches("input, textarea, select")) {
          const shown = [node.value, node.placeholder, node.selectedOptions ? [...node.selectedOptions].map((option) => option.text).join(" ") : ""].filter(Boolean).join("\u0000");
          const folded = [...shown].map(fold).join("");
          if (needles.some((needle) => folded.includes(needle))) add(node.getBoundingClientRect());
        }
        continue;
      }
      const parent = node.parentElement;
      if (parent && parent.matches("script, style, template, noscript, textarea, option")) continue;
      let at = 0;
      for (const character of node.data) {
        for (const unit of fold(character)) {
          letters.push(unit);
          places.push([node, at, at + character.length]);
        }
        at += character.length;
      }
    }
  };
  walk(document);
  const all = letters.join("");
  // One entry a code unit, so that places fit.
  const units = [];
  letters.forEach((letter, index) => { for (let unit = 0; unit < letter.length; unit += 1) units.push(index); });
  for (const needle of needles) {
    for (let at = all.indexOf(needle); at >= 0; at = all.indexOf(needle, at + 1)) {
      const [first, last] = [places[units[at]], places[units[at + needle.length - 1]]];
      const range = document.createRange();
      range.setStart(first[0], first[1]);
      range.setEnd(last[0], last[2]);
      for (const rect of range.getClientRects()) add(rect);
    }
  }
  return boxes;
}
