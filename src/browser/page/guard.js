// Waits in our own world for the click that follows a check, and keeps it from an element that it was
// not meant for: one that got between, or from under which the target moved since. A declaration that
// actionability.js is put after.
//
// The first event decides, as in Playwright (packages/injected, hit target interception): where
// `missedAt` describes another element, no event of this click reaches the page. What came of it
// stays in `guard.missed` until guarded.js asks for it.
const guard = missedAt => {
  const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
  const state = { missed: undefined };
  const onEvent = event => {
    if (!event.isTrusted) return;
    const hit = event.composedPath()[0];
    if (state.missed === undefined) state.missed = hit instanceof Element ? missedAt(hit) : null;
    if (state.missed === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  state.end = () => kinds.forEach(kind => removeEventListener(kind, onEvent, true));
  if (globalThis.guarded) globalThis.guarded.end();
  globalThis.guarded = state;
  kinds.forEach(kind => addEventListener(kind, onEvent, { capture: true, passive: false }));
};
