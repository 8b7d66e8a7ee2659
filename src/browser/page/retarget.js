// The control that an element stands for: a button for what is inside it, a labelled control for
// its label. A declaration that other scripts here are put after; rules are Playwright's.
const controlOf = node => {
  let element = node;
  const isField = element.matches('input, textarea, select') || element.isContentEditable;
  if (!isField) element = element.closest('button, [role=button], [role=checkbox], [role=radio]') || element;
  const stands = element.matches('a, input, textarea, button, select, [role=link], [role=button], [role=checkbox], [role=radio]');
  if (stands || element.isContentEditable) return element;
  const label = element.closest('label');
  return (label && label.control) || element;
};
