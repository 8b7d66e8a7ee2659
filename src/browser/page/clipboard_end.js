// Ends the watch of clipboard.js; returns `{copied, pasted}`: the text that was copied or null, and whether
// something was to be pasted. Null where there was no watch, as in a document that has just come.
function () {
  const watch = globalThis.clipboardWatch;
  if (!watch) return null;
  watch.end();
  delete globalThis.clipboardWatch;
  return watch.seen;
}
