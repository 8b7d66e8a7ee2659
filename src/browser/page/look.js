// Looks at a frame without touching it: where the focus is and, if wanted, how visible each element
// is and whether it gets a mark.
//
// Elements are numbered in document order, the content of an open shadow root right after its host;
// closed roots are not entered. Returns {count, focused, marks}: `focused` is an index or -1, `marks`
// one [visibility, mark] per element whose tag is in `tags` and null for the others, or null when
// not wanted. Rules for marks are BrowserGym's, with its thresholds.
async function look(wantMarks, tags) {
  const elements = [];
  const waiting = [document.documentElement];
  while (waiting.length) {
    const element = waiting.pop();
    if (!element) continue;
    elements.push(element);
    for (let i = element.children.length - 1; i >= 0; i--) waiting.push(element.children[i]);
    const root = element.shadowRoot;
    if (root) for (let i = root.children.length - 1; i >= 0; i--) waiting.push(root.children[i]);
  }
  const deepActive = root => {
    let active = root.activeElement;
    while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
    return active;
  };
  const result = { count: elements.length, focused: elements.indexOf(deepActive(document)), marks: null };
  if (!wantMarks) return result;

  const known = new Set(tags);
  const isMarked = element => known.has(element.localName.toLowerCase());
  const marked = elements.filter(isMarked);
  const visibility = await new Promise(done => {
    const seen = new Map();
    if (!marked.length) return done(seen);
    const observer = new IntersectionObserver(entries => {
      for (const entry of entries) if (!seen.has(entry.target)) seen.set(entry.target, Math.round(entry.intersectionRatio * 100) / 100);
      if (seen.size >= marked.length) { observer.disconnect(); done(seen); }
    }, { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] });
    marked.forEach(element => observer.observe(element));
    setTimeout(() => { observer.disconnect(); done(seen); }, 1000);
  });

  const parentOf = node => node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const chosen = new Set();
  const buttonLike = new Set();
  const actionTags = new Set(['input', 'textarea', 'select', 'button', 'a', 'iframe', 'video', 'li', 'td', 'option']);
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const isInteractive = element => actionTags.has(element.localName) || element.hasAttribute('onclick') || getComputedStyle(element).cursor === 'pointer';
  for (const element of marked) {
    const rect = element.getBoundingClientRect();
    if (rect.width * rect.height < 20) continue;
    const hit = hitAt((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
    let on = hit;
    while (on && on !== element) on = parentOf(on);
    if (!on || !isInteractive(element)) continue;
    let inside = false;
    for (let at = parentOf(element); at; at = parentOf(at)) if (buttonLike.has(at)) { inside = true; break; }
    if (inside) continue;
    const parent = parentOf(element);
    if (parent && chosen.has(parent) && parent.localName === 'span' && parent.hasAttribute('role') && parent.children.length === 1) continue;
    for (let at = parent; at; at = parentOf(at)) chosen.delete(at);
    chosen.add(element);
    const role = element.getAttribute('role');
    if (element.localName === 'button' || element.localName === 'a' || (element.localName === 'input' && element.type === 'button') || (element.localName === 'div' && role === 'button')) buttonLike.add(element);
  }
  result.marks = elements.map(element => isMarked(element) ? [visibility.get(element) || 0, chosen.has(element)] : null);
  return result;
}
