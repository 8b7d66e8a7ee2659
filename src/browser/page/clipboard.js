// Watches in our own world what the action that follows copies, and keeps the system's clipboard from being
// pasted: every page of the browser shares it, and other episodes' pages are among them.
//
// What came of it stays in `clipboardWatch` until clipboard_end.js asks for it. A paste is only noted; what
// this episode copied is put in by whoever asks. Frames of other sites are left out: nothing here can see
// into them.
function () {
  const seen = { copied: null, pasted: false };
  const selected = view => {
    let active = view.document.activeElement;
    while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
    const isField = active && typeof active.selectionStart === 'number' && active.type !== 'password';
    return isField && active.selectionStart !== active.selectionEnd
      ? active.value.slice(active.selectionStart, active.selectionEnd)
      : String(view.getSelection() || '');
  };
  const onCopy = event => {
    if (!event.isTrusted) return;
    // A page that decides itself what is copied has said so by now: this listener comes last.
    const text = event.defaultPrevented ? event.clipboardData.getData('text/plain') : selected(event.currentTarget);
    if (text) seen.copied = text.slice(0, 100000);
  };
  const onPaste = event => {
    if (!event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    seen.pasted = true;
  };
  const views = [];
  const visit = view => {
    try {
      view.document.documentElement;
    } catch (error) {
      return;
    }
    views.push(view);
    for (let index = 0; index < view.length && views.length < 50; index++) visit(view[index]);
  };
  visit(window);
  const turn = change => views.forEach(view => {
    view[change]('copy', onCopy);
    view[change]('cut', onCopy);
    view[change]('paste', onPaste, true);
  });
  if (globalThis.clipboardWatch) globalThis.clipboardWatch.end();
  globalThis.clipboardWatch = { seen, end: () => turn('removeEventListener') };
  turn('addEventListener');
}
