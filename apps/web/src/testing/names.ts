const CONTROLS =
  "button, a[href], input:not([type=hidden], [hidden]), select, textarea, [role=option], [role=dialog], [role=img]";

const textOf = (ids: string | null): string =>
  (ids ?? "")
    .split(" ")
    .map((id) => (id && document.getElementById(id)?.textContent) || "")
    .join(" ");

const nameOf = (control: Element): string =>
  [
    control.getAttribute("aria-label"),
    textOf(control.getAttribute("aria-labelledby")),
    (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) &&
      Array.from(control.labels ?? [], (label) => label.textContent).join(" "),
    control.textContent,
    control.getAttribute("title"),
  ]
    .filter(Boolean)
    .join(" ")
    .trim();

/** What can be used and has no name that a screen reader could say, as HTML. */
export const nameless = (within: ParentNode = document.body): string[] =>
  Array.from(within.querySelectorAll(CONTROLS))
    .filter((control) => !control.closest("[aria-hidden=true]") && nameOf(control) === "")
    .map((control) => control.outerHTML.slice(0, 200));
