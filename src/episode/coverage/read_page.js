// Reads what a page shows: at once, and after opening what can be opened on it (round by round, each
// round one click further). Opening is done on the page alone: disclosures and nothing else are
// clicked, no form is sent.
() => {
  const ROUNDS = 3;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
  const typed = new Set(["text", "search", "email", "url", "tel", "number", "date", "time", "datetime-local"]);

  // What fields hold is on the screen and no part of `innerText`.
  const values = () => {
    const found = [];
    for (const field of document.querySelectorAll("input, textarea, select")) {
      if (!isShown(field)) continue;
      if (field instanceof HTMLSelectElement) found.push(...[...field.options].map((option) => option.label));
      else if (field instanceof HTMLTextAreaElement || typed.has(field.type)) found.push(field.value);
    }
    return found;
  };

  // Where a click leads within this origin: links, and buttons of forms that only ask for a page and
  // have nothing to be typed in.
  const ways = () => {
    const found = new Set();
    const add = (address) => {
      const url = new URL(address, location.href);
      if (url.origin === location.origin) found.add(url.pathname + url.search);
    };
    for (const link of document.querySelectorAll("a[href]")) if (isShown(link)) add(link.href);
    for (const form of document.forms) {
      const fields = [...form.elements];
      const asks = fields.some((field) => field instanceof HTMLTextAreaElement || typed.has(field.type));
      if (form.method !== "get" || asks) continue;
      for (const button of fields.filter((field) => field.type === "submit" && isShown(field))) {
        const url = new URL(form.getAttribute("action") ?? location.href, location.href);
        url.search = new URLSearchParams(new FormData(form, button)).toString();
        add(url.href);
      }
    }
    return [...found];
  };

  const closed = () => {
    const openers = 'details:not([open]) > summary, button[type="button"][aria-expanded="false"]';
    return [...document.querySelectorAll(openers)].filter(isShown);
  };

  // What stands on pages in the workspace's own words: the rail, the tiles of the home page, the tabs of folders, an
  // app's name as the heading, with a rail and without. A list called "Home" or a conversation called "Drafts" is not shown
  // by them.
  const names = new Set([...document.querySelectorAll(".rail a span")].map((name) => name.textContent.trim()));
  const isApp = (heading) => heading.matches(".app-name") || names.has(heading.innerText.trim());
  const headings = [...document.querySelectorAll("h1")].filter(isApp);
  const frame = [...document.querySelectorAll(".rail, .tiles, nav.tabs"), ...headings];

  const text = () => {
    const styles = frame.map((part) => part.getAttribute("style"));
    for (const part of frame) part.style.setProperty("display", "none", "important");
    const found = [document.body.innerText, ...values()].join("\n");
    frame.forEach((part, index) => {
      if (styles[index] === null) part.removeAttribute("style");
      else part.setAttribute("style", styles[index]);
    });
    return found;
  };

  const rounds = [];
  const look = () => rounds.push({ text: text(), ways: ways() });
  look();
  for (let round = 0; round < ROUNDS; round += 1) {
    const openers = closed();
    if (openers.length === 0) break;
    for (const opener of openers) opener.click();
    look();
  }
  return { rounds, elements: document.querySelectorAll("*").length };
}
