// Checks an element before an action, tries again while it is not ready, and says why it is not.
//
// Runs in a world of its own, after retarget.js, with `this` bound to the element; depends on nothing
// but the page and changes nothing but scroll positions. Rules and pauses are Playwright's
// (docs/src/actionability.md): visible = a box and not visibility:hidden; stable = the same box in
// two frames; receives events = the hit test at the click point finds the element, something inside
// it, or its label. Returns {ok, x, y, box}, {gone} for an element that is no part of the document,
// or {reason}. With `wanted.guard` a guard waits for the click that follows: guard.js says what for.
async function check(wanted, budget) {
  const element = this;
  const pauses = [0, 20, 100, 100, 500];
  const alignments = [
    null,
    { block: 'end', inline: 'end' },
    { block: 'center', inline: 'center' },
    { block: 'start', inline: 'start' },
  ];
  // Roles whose aria-disabled counts; by native element where there is no role.
  const disableable = new Set(('application button composite gridcell group input link menuitem scrollbar separator tab checkbox ' +
    'columnheader combobox grid listbox menu menubar menuitemcheckbox menuitemradio option radio radiogroup row rowheader ' +
    'searchbox select slider spinbutton switch tablist textbox toolbar tree treegrid treeitem').split(' '));
  const disableableTags = 'button, input, select, textarea, option, optgroup, fieldset, details, a[href], area[href], tr, th, hr';
  // What a loaded machine takes beyond what was waited for is not charged to the budget.
  let lent = 0;
  const waited = async (waiting, expected) => {
    const from = performance.now();
    await waiting;
    lent += Math.max(0, performance.now() - from - expected);
  };
  const after = ms => new Promise(done => setTimeout(done, ms));
  const pause = ms => waited(after(ms), ms + 5);
  const frame = () => waited(Promise.race([new Promise(done => requestAnimationFrame(done)), after(500)]), 20);

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
  const textIsVisible = text => {
    const range = document.createRange();
    range.selectNode(text);
    const rect = range.getBoundingClientRect();
    return rect.width > 0 && rect.height > 0;
  };
  const isVisible = node => {
    const style = getComputedStyle(node);
    if (style.display === 'contents') {
      return [...node.childNodes].some(child => child.nodeType === 1 ? isVisible(child) : child.nodeType === 3 && textIsVisible(child));
    }
    if (!node.checkVisibility() || style.visibility !== 'visible') return false;
    const rect = node.getBoundingClientRect();
    return rect.width > 0 && rect.height > 0;
  };
  const isDisabled = node => {
    if (node.matches('button:disabled, input:disabled, select:disabled, textarea:disabled, option[disabled], optgroup[disabled]')) return true;
    for (let at = node; at; at = parentOf(at)) {
      const role = (at.getAttribute('role') || '').trim().split(/\s+/)[0];
      if (!(role ? disableable.has(role) : at.matches(disableableTags))) continue;
      const said = (at.getAttribute('aria-disabled') || '').toLowerCase();
      if (said === 'true') return true;
      if (said === 'false') return false;
    }
    return false;
  };
  const isReadOnly = node => node.matches('input, textarea, select') && node.hasAttribute('readonly');
  const point = node => {
    for (const rect of node.getClientRects()) {
      const left = Math.max(rect.left, 0), top = Math.max(rect.top, 0);
      const right = Math.min(rect.right, innerWidth), bottom = Math.min(rect.bottom, innerHeight);
      if (right > left && bottom > top && (right - left) * (bottom - top) > 0.99) return { x: (left + right) / 2, y: (top + bottom) / 2 };
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
    // What lies over a part of a button or link and belongs to it does not keep a click from it.
    const target = element.matches('input, textarea, select') || element.isContentEditable
      ? element : element.closest('button, [role=button], a, [role=link]') || element;
    if (isWithin(hit, target)) return true;
    // A click on a label is accepted for its control.
    for (let at = hit; at; at = parentOf(at)) if (at.localName === 'label' && at.control === element) return true;
    return false;
  };
  // The outermost element that covers without being around the target: a dialog rather than its text.
  const coveringRoot = hit => {
    let root = hit;
    for (let at = hit; at; at = parentOf(at)) {
      if (isWithin(element, at)) break;
      root = at;
    }
    return root;
  };

  let hasMoved = wanted.moved;
  const isStable = async () => {
    // An element that was seen moving has to stand still for longer: one that jumps to and fro is
    // now and then at the same place in two frames.
    const frames = hasMoved ? 6 : 2;
    const before = box(element);
    const look = () => { stands = stands && box(element).every((value, index) => value === before[index]); };
    let stands = true;
    // A jump there and back between two frames shows in the changes only.
    const changes = new MutationObserver(records => {
      if (records.some(record => isWithin(element, record.target))) look();
    });
    changes.observe(element.getRootNode(), { attributes: true, attributeFilter: ['style', 'class'], subtree: true });
    for (let count = 0; stands && count < frames; count++) {
      await frame();
      look();
    }
    changes.disconnect();
    hasMoved = hasMoved || !stands;
    return stands;
  };

  const once = async attempt => {
    if (!element.isConnected) return { reason: 'the element is not attached to the document any more', final: true };
    if (wanted.visible && !isVisible(element)) return { reason: 'the element is not visible' };
    const control = controlOf(element);
    if (wanted.enabled && isDisabled(control)) return { reason: 'the element is disabled' };
    if (wanted.editable && isReadOnly(control)) return { reason: 'the element is read-only' };
    if (wanted.stable && !await isStable()) return { reason: 'the element is moving' };
    if (!wanted.point) return { ok: true, box: box(element) };
    const alignment = alignments[attempt % alignments.length];
    if (!alignment) element.scrollIntoViewIfNeeded(true);
    else element.scrollIntoView({ ...alignment, behavior: 'instant' });
    const at = point(element);
    if (!at) return { reason: 'the element is outside of the viewport' };
    const hit = hitAt(at.x, at.y);
    if (!hit) return { reason: 'nothing is at the click point' };
    if (!accepts(hit)) {
      const root = coveringRoot(hit);
      return { reason: `${describe(hit)}${root === hit ? '' : ` from ${describe(root)} subtree`} intercepts pointer events` };
    }
    if (wanted.guard) guard(hit => accepts(hit) ? null : describe(hit));
    return { ok: true, x: at.x, y: at.y, box: box(element) };
  };

  if (!element.isConnected) return { gone: true };
  const started = performance.now();
  for (let attempt = 0; ; attempt++) {
    const result = await once(attempt);
    // At least three attempts: on a loaded machine the budget may be gone before the second frame.
    const spent = performance.now() - started;
    if (result.ok || result.final || (attempt >= 2 && (spent - lent >= budget || spent >= budget * 8))) return result;
    await pause(pauses[Math.min(attempt, pauses.length - 1)]);
  }
}
