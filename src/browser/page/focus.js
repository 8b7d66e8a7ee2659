// Moves the focus to the element `this` is bound to; returns whether it is part of the document.
//
// Before typing, the caret of an input that had no focus goes to its start, so that what is typed
// does not depend on where it was left.
function focus(isForTyping) {
  const element = this;
  if (!element.isConnected) return false;
  let active = element.getRootNode().activeElement;
  const hadFocus = active === element && document.hasFocus();
  // An editable element does not take the focus from a field that keeps it.
  if (element.isContentEditable && !hadFocus && active && active.blur) active.blur();
  element.focus();
  if (isForTyping && !hadFocus && element.localName === 'input') {
    try {
      element.setSelectionRange(0, 0);
    } catch (error) {
      // An input without a caret.
    }
  }
  return true;
}
