// What is wrong with the page for people who see, point or use keys; one sentence each.
() => {
  const problems = [];
  const named = (element) => {
    const id = element.getAttribute("aria-label") ?? element.innerText?.trim() ?? "";
    return `<${element.localName}${element.id ? "#" + element.id : ""}> ${JSON.stringify((id || element.name || "").slice(0, 60))}`;
  };
  const shown = (element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    && !element.closest("[inert], .visually-hidden");
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter((one) => shown(one) && one.getBoundingClientRect().right > innerWidth + 1);
    problems.push(`the page is ${root.scrollWidth - innerWidth} px wider than the screen: ${wide.slice(0, 3).map(named).join(", ")}`);
  }

  // Size.
  const controls = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
    .filter((one) => shown(one) && !one.classList.contains("skip-link"));
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    if (box.width < 23.5 || box.height < 23.5) {
      problems.push(`${named(control)} is only ${box.width.toFixed(1)} x ${box.height.toFixed(1)} px`);
    }
  }

  // What is cut off: text that is wider than the box that hides what runs over.
  for (const one of document.body.querySelectorAll("*")) {
    if (!shown(one) || one.closest("svg")) continue;
    const style = getComputedStyle(one);
    const hides = [style.overflowX, style.overflowY].some((value) => value === "hidden" || value === "clip");
    // What is clipped away altogether is for screen readers; fields show their content as it is gone through.
    const meant = style.clipPath !== "none" || one.matches("input, textarea, select");
    if (hides && !meant && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)) {
      problems.push(`${named(one)} is cut off`);
    }
    if (one.matches("input[placeholder]") && !one.value) {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = style.font;
      const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (pen.measureText(one.placeholder).width > room + 1) problems.push(`the placeholder of ${named(one)} is cut off`);
    }
  }

  // Contrast.
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
      known.set(colour, [red, green, blue, alpha / 255]);
    }
    return known.get(colour);
  };
  const over = (top, ground) => [0, 1, 2].map((at) => top[at] * top[3] + ground[at] * (1 - top[3])).concat(1);
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.push(rgba(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((ground, layer) => over(layer, ground), [255, 255, 255, 1]);
  };
  const luminance = (colour) => {
    const [red, green, blue] = colour.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (front, ground) => {
    const [one, other] = [luminance(over(front, ground)), luminance(ground)];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const faint = (element, colour, what) => {
    const ratio = contrast(rgba(colour), behind(element));
    if (ratio < 4.5) problems.push(`${what} of ${named(element)} has a contrast of ${ratio.toFixed(2)}`);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || seen.has(element) || !shown(element) || element.closest("svg, :disabled, option, script")) continue;
    seen.add(element);
    faint(element, getComputedStyle(element).color, "the text");
  }
  for (const field of controls.filter((one) => one.matches("input, textarea, select"))) {
    faint(field, getComputedStyle(field).color, "the value");
    if (field.placeholder) faint(field, getComputedStyle(field, "::placeholder").color, "the placeholder");
  }

  // Focus: a ring of at least two pixels that stands out from what is around it.
  const before = document.activeElement;
  for (const control of controls.concat([...document.querySelectorAll(".skip-link:not([inert])")])) {
    control.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== control) {
      if (!control.matches(":disabled")) problems.push(`${named(control)} does not take the focus`);
      continue;
    }
    const style = getComputedStyle(control);
    const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    if (!ring) problems.push(`${named(control)} has the focus and does not show it`);
    else if (contrast(rgba(style.outlineColor), behind(control.parentElement)) < 3) problems.push(`the focus of ${named(control)} is faint`);
    if (control.classList.contains("skip-link") && control.getBoundingClientRect().top + scrollY < 0) problems.push("the skip link stays out of sight");
  }
  if (before && before !== document.body) before.focus({ preventScroll: true });
  else document.activeElement?.blur();
  return problems;
}
