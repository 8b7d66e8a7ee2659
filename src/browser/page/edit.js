// Makes a field ready for new content, or sets it where typing is not how it is done.
//
// `this` is the element. Returns {typed: true} when the caller should now type (all content is
// selected and the field has focus), {done: true} when the value was set here, or {error}.
function edit(value) {
  const element = this;
  const announce = (...names) => names.forEach(name => element.dispatchEvent(new Event(name, { bubbles: true, composed: true })));
  const setters = ['color', 'date', 'time', 'datetime-local', 'month', 'range', 'week'];
  const typed = ['', 'email', 'number', 'password', 'search', 'tel', 'text', 'url'];
  if (element.localName === 'input') {
    const type = element.type.toLowerCase();
    if (setters.includes(type)) {
      element.focus();
      element.value = value.trim();
      announce('input', 'change');
      return element.value === (type === 'color' ? value.trim().toLowerCase() : value.trim()) ? { done: true } : { error: 'Malformed value' };
    }
    if (!typed.includes(type)) return { error: `Input of type "${type}" cannot be filled` };
    if (type === 'number' && value !== '' && isNaN(Number(value.trim()))) return { error: 'Cannot type text into input[type=number]' };
    element.focus();
    element.select();
    return { typed: true };
  }
  if (element.localName === 'textarea') {
    element.focus();
    element.select();
    return { typed: true };
  }
  if (element.isContentEditable) {
    element.focus();
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return { typed: true };
  }
  return { error: 'Element is not an <input>, <textarea> or [contenteditable] element' };
}
