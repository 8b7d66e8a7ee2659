// Checks an element before an action, tries again while it is not ready, and says why it is not.
//
// Runs in a world of its own with `this` bound to the element; depends on nothing but the page and
// changes nothing but scroll positions. Rules and pauses are Playwright's (docs/src/actionability.md):
// visible = a box and not visibility:hidden; stable = the same box in two frames; receives events =
// the hit test at the click point finds the element, something inside it, or its label.
async function check(wanted, budget) {
  const element = this;
  const pauses = [0, 20, 100, 100, 500];
  const alignments = [
    null,
    { block: 'end', inline: 'end' },
    { block: 'center', inline: 'center' },
    { block: 'start', inline: 'start' },
  ];
  const pause = ms => new Promise(done => setTimeout(done, ms));
  const frame = () => Promise.race([new Promise(done => requestAnimationFrame(done)), pause(500)]);

  const parentOf = node => node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const isWithin = (node, container) => {
    for (let at = node; at; at = parentOf(at)) if (at === container) return true;
    return false;
  };
  const describe = node => {
    const copy = node.cloneNode(false);
    if (node.childNodes.length) copy.textContent = '…';
    const text = copy.outerHTML.replace(/\s+/g, ' ');
    return text.length > 200 ? text.slice(0, 200) + '…' : text;
  };
  const box = node => {
    const rect = node.getBoundingClientRect();
    return [rect.left, rect.top, rect.width, rect.height];
  };
  const isVisible = node => {
    const style = getComputedStyle(node);
    if (style.display === 'contents') return [...node.children].some(isVisible);
    if (style.visibility !== 'visible') return false;
    const rect = node.getBoundingClientRect();
    return rect.width > 0 && rect.height > 0;
  };
  const isDisabled = node => {
    for (let at = node; at; at = parentOf(at)) {
      if (at.matches(':disabled') && (at === node || at.matches('optgroup, fieldset'))) return true;
      if (at.getAttribute('aria-disabled') === 'true') return true;
    }
    return false;
  };
  const isReadOnly = node => Boolean(node.readOnly) || node.getAttribute('aria-readonly') === 'true';
  const point = node => {
    for (const rect of node.getClientRects()) {
      const left = Math.max(rect.left, 0), top = Math.max(rect.top, 0);
      const right = Math.min(rect.right, innerWidth), bottom = Math.min(rect.bottom, innerHeight);
      if (right - left > 0 && bottom - top > 0) return { x: (left + right) / 2, y: (top + bottom) / 2 };
    }
    return null;
  };
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const accepts = hit => {
    if (isWithin(hit, element)) return true;
    // A click on a label is accepted for its control.
    for (let at = hit; at; at = parentOf(at)) if (at.localName === 'label' && at.control === element) return true;
    return false;
  };

  const once = async attempt => {
    if (!element.isConnected) return { reason: 'the element is not attached to the document any more', final: true };
    if (wanted.visible && !isVisible(element)) return { reason: 'the element is not visible' };
    if (wanted.stable) {
      await frame();
      const before = box(element);
      await frame();
      if (box(element).some((value, index) => value !== before[index])) return { reason: 'the element is moving' };
    }
    if (wanted.enabled && isDisabled(element)) return { reason: 'the element is disabled' };
    if (wanted.editable && isReadOnly(element)) return { reason: 'the element is read-only' };
    if (!wanted.point) return { ok: true, box: box(element) };
    const alignment = alignments[attempt % alignments.length];
    if (!alignment) element.scrollIntoViewIfNeeded(true);
    else element.scrollIntoView({ ...alignment, behavior: 'instant' });
    const at = point(element);
    if (!at) return { reason: 'the element is outside of the viewport' };
    if (wanted.hit) {
      const hit = hitAt(at.x, at.y);
      if (!hit) return { reason: 'nothing is at the click point' };
      if (!accepts(hit)) return { reason: `${describe(hit)} intercepts pointer events` };
    }
    return { ok: true, x: at.x, y: at.y, box: box(element) };
  };

  const started = performance.now();
  for (let attempt = 0; ; attempt++) {
    const result = await once(attempt);
    // At least three attempts: on a loaded machine the budget may be gone before the second frame.
    if (result.ok || result.final || (attempt >= 2 && performance.now() - started >= budget)) return result;
    await pause(pauses[Math.min(attempt, pauses.length - 1)]);
  }
}
