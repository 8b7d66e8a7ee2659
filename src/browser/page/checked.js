// Whether a check box, radio button or switch is ticked: {checked}, {gone} for an element that is no
// part of the document, or {} for one that cannot be ticked. Runs after retarget.js with `this`
// bound to the element.
function checked() {
  if (!this.isConnected) return { gone: true };
  const element = controlOf(this);
  if (element.matches('input[type=checkbox], input[type=radio]')) return { checked: element.checked };
  const roles = ['checkbox', 'menuitemcheckbox', 'option', 'radio', 'switch', 'menuitemradio', 'treeitem'];
  const role = (element.getAttribute('role') || '').trim().split(/\s+/)[0] || element.localName;
  return roles.includes(role) ? { checked: element.getAttribute('aria-checked') === 'true' } : {};
}
