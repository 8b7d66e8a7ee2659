// Where the content of the frame element `this` is bound to starts in its own viewport, and, given a
// point of that content, what lies over the frame there: {left, top, cover}.
function frame(at) {
  const box = this.getBoundingClientRect();
  const left = box.left + this.clientLeft, top = box.top + this.clientTop;
  if (!at) return { left, top };
  let hit = document.elementFromPoint(left + at[0], top + at[1]);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(left + at[0], top + at[1]);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  if (hit === this) return { left, top };
  const copy = hit ? hit.cloneNode(false) : null;
  return { left, top, cover: copy ? copy.outerHTML.slice(0, 200) : 'what is outside of the frame' };
}
