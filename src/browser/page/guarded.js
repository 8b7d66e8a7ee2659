// Ends the guard of guard.js; returns what got the click instead of the element, or null.
function guarded() {
  const state = globalThis.guarded;
  if (!state) return null;
  state.end();
  delete globalThis.guarded;
  return state.missed || null;
}
