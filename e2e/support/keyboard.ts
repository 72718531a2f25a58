import type { Page } from "playwright";

/** A page has no more stops of the Tab key than this. */
const MOST_STOPS = 120;

/** Marks what the Tab key should reach, and focuses the first of it. Returns how they are called. */
const markStops = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const candidates = document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, [tabindex]");
    const stops = [...candidates].filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(":disabled, input[type=radio]:not(:checked), [aria-hidden=true] *, [inert] *") &&
        (element.checkVisibility({ visibilityProperty: true }) || element.matches("input")) &&
        element.getClientRects().length > 0,
    );
    for (const [index, stop] of stops.entries()) stop.dataset["stop"] = String(index);
    stops[0]?.focus();
    return stops.map((stop) => (stop.ariaLabel ?? stop.innerText ?? "").trim() || stop.outerHTML.slice(0, 80));
  });

/**
 * Notes each stop that gets the focus, and whether that can be seen: by an outline or a ring, of itself or of the field around it.
 * The page does it, as a question for each press would take most of the time.
 */
const noteFocus = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shows = (element: Element | null | undefined): boolean => {
      if (!element) return false;
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      return outlineStyle !== "none" || boxShadow !== "none";
    };
    const note = () => {
      const focused = document.activeElement;
      if (!(focused instanceof HTMLElement) || focused.dataset["stop"] === undefined) return;
      const around = [focused, focused.parentElement, focused.closest("label, .Mui-focusVisible, .Mui-focused")];
      focused.dataset["reached"] = around.some(shows) ? "seen" : "unseen";
    };
    note();
    // After React has drawn the focus, which it does at the end of the event.
    document.addEventListener("focusin", () => queueMicrotask(note));
  });

/** The stops that were reached, by their number, and those of them at which no focus was seen. */
const reachedStops = (page: Page): Promise<{ reached: number[]; unseen: number[] }> =>
  page.evaluate(() => {
    const stops = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].map(({ dataset }) => Number(dataset["stop"]));
    return { reached: stops("[data-reached]"), unseen: stops("[data-reached=unseen]") };
  });

/** What is wrong with a page for somebody who has no mouse. */
export async function keyboardFindings(page: Page): Promise<string[]> {
  const names = await markStops(page);
  await noteFocus(page);
  let stops = await reachedStops(page);
  let presses = 0;
  // A field for a date has several parts: one stays in it for some presses.
  while (stops.reached.length < names.length && presses < MOST_STOPS) {
    const missing = Math.min(names.length - stops.reached.length, MOST_STOPS - presses);
    for (let press = 0; press < missing; press++) await page.keyboard.press("Tab");
    presses += missing;
    stops = await reachedStops(page);
  }
  return [
    ...(names[0] === "Skip to content" ? [] : [`the first stop is ${names[0]}`]),
    ...stops.unseen.map((stop) => `no focus is seen at ${names[stop]}`),
    ...names.filter((_, index) => !stops.reached.includes(index)).map((name) => `${name} is not reached`),
  ];
}

/** Opens the menus and dialogs that the page announces, but for those in `tried`, and closes them with Escape. */
export async function popupFindings(page: Page, tried: Set<string>): Promise<string[]> {
  const findings: string[] = [];
  for (const opener of await page.locator("button[aria-haspopup=menu], button[aria-haspopup=dialog]").all()) {
    // `More actions for` one row stands for all of them.
    const name = ((await opener.getAttribute("aria-label")) ?? (await opener.innerText())).replace(/ for .*/, "");
    if (tried.has(name) || !(await opener.isEnabled())) continue;
    tried.add(name);
    await opener.press("Enter");
    const popup = page.locator("[role=menu], [role=dialog]").last();
    await popup.waitFor();
    await page.keyboard.press("Escape");
    await popup.waitFor({ state: "detached" });
    if (!(await opener.evaluate((element) => element === document.activeElement)))
      findings.push(`the focus does not return to ${name}`);
  }
  return findings;
}
