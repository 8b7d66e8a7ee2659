// Chooses options of a <select> by value or label, as a person would: input and change follow.
//
// `this` is the element. Returns {done: true}, or {missing: [...]} without changing anything.
function select(wanted) {
  const element = this;
  if (element.localName !== 'select') return { error: 'Element is not a <select> element' };
  const options = [...element.options];
  const matches = option => wanted.some(text => option.value === text || option.label === text || option.text === text);
  const missing = wanted.filter(text => !options.some(option => option.value === text || option.label === text || option.text === text));
  if (missing.length) return { missing };
  element.focus();
  if (element.multiple) options.forEach(option => { option.selected = matches(option); });
  else if (wanted.length) options.find(matches).selected = true;
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return { done: true };
}
