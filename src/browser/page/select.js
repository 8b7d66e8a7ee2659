// Chooses options of a <select> by value or label, as a person would: input and change follow.
//
// Runs after retarget.js with `this` bound to the element. Options that are not there yet are waited
// for. Where one option can be chosen, the first that fits any of the wanted counts; where several
// can, each of the wanted needs one. Returns {done}, {missing: [...]} without having changed
// anything, or {error}.
async function select(wanted, budget) {
  const element = controlOf(this);
  if (element.localName !== 'select') return { error: 'Element is not a <select> element' };
  const fits = (option, text) => option.value === text || option.label === text;
  const choose = () => {
    let missing = [...wanted];
    const chosen = [];
    for (const option of element.options) {
      if (!missing.some(text => fits(option, text))) continue;
      chosen.push(option);
      missing = element.multiple ? missing.filter(text => !fits(option, text)) : [];
      if (!missing.length) break;
    }
    return { chosen, missing };
  };
  const started = performance.now();
  let { chosen, missing } = choose();
  while (missing.length && performance.now() - started < budget) {
    await new Promise(done => setTimeout(done, 50));
    ({ chosen, missing } = choose());
  }
  if (missing.length) return { missing };
  element.selectedIndex = -1;
  chosen.forEach(option => { option.selected = true; });
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return { done: true };
}
