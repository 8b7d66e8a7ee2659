// Makes a field ready for new content, or sets it where typing is not how it is done.
//
// Runs after retarget.js with `this` bound to the element. Returns {type: text} when the caller should
// now type that text, or delete where it is empty (all content is selected and the field has focus);
// {done} when the value was set here; or {error}.
function edit(value) {
  const MANY_LINES = 30;
  const element = controlOf(this);
  const setters = ['color', 'date', 'time', 'datetime-local', 'month', 'range', 'week'];
  const typed = ['', 'email', 'number', 'password', 'search', 'tel', 'text', 'url'];
  if (element.localName === 'input') {
    const type = element.type.toLowerCase();
    if (setters.includes(type)) {
      const wanted = type === 'color' ? value.trim().toLowerCase() : value.trim();
      element.focus();
      // Set from our world, the value goes around what a page's framework put over the property.
      element.value = wanted;
      if (element.value !== wanted) return { error: 'Malformed value' };
      element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
      return { done: true };
    }
    if (!typed.includes(type)) return { error: `Input of type "${type}" cannot be filled` };
    const text = type === 'number' ? value.trim() : value;
    if (type === 'number' && isNaN(Number(text))) return { error: 'Cannot type text into input[type=number]' };
    element.select();
    element.focus();
    return { type: text };
  }
  if (element.localName === 'textarea') {
    element.setSelectionRange(0, element.value.length);
    element.focus();
    // The browser types line by line, with a layout of all lines before: a second for three hundred. So of
    // a long text only the last line is typed, after the others are there, and the page hears of that one.
    // Where the field cuts what is typed, all of it is.
    const last = value.lastIndexOf('\n', value.length - 2) + 1;
    const isLong = value.split('\n', MANY_LINES + 1).length > MANY_LINES;
    if (!isLong || value.includes('\r') || element.maxLength >= 0 || element.readOnly) return { type: value };
    element.value = value.slice(0, last);
    element.setSelectionRange(last, last);
    return { type: value.slice(last) };
  }
  if (!element.isContentEditable) return { error: 'Element is not an <input>, <textarea> or [contenteditable] element' };
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  element.focus();
  return { type: value };
}
