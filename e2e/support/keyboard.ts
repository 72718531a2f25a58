import type { Page } from "playwright";

/** A page has no more stops of the Tab key than this. */
const MOST_STOPS = 120;

/** Marks what the Tab key should reach. Returns how these are called, and how many come before the main part of the page. */
const markStops = (page: Page): Promise<{ names: string[]; before: number }> =>
  page.evaluate(() => {
    for (const { dataset } of document.querySelectorAll<HTMLElement>("[data-stop]")) {
      delete dataset["stop"];
      delete dataset["reached"];
    }
    const candidates = document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, [tabindex]");
    const stops = [...candidates].filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(":disabled, input[type=radio]:not(:checked), [aria-hidden=true] *, [inert] *") &&
        (element.checkVisibility({ visibilityProperty: true }) || element.matches("input")) &&
        element.getClientRects().length > 0,
    );
    for (const [index, stop] of stops.entries()) stop.dataset["stop"] = String(index);
    const main = document.querySelector("main");
    const isBefore = (stop: Node) =>
      main !== null && (stop.compareDocumentPosition(main) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return {
      names: stops.map((stop) => (stop.ariaLabel ?? stop.innerText ?? "").trim() || stop.outerHTML.slice(0, 80)),
      before: stops.filter(isBefore).length,
    };
  });

/**
 * Notes each stop that gets the focus, and whether that can be seen: by an outline or a ring, of itself or of the field around it.
 * The page does it, as a question for each press would take most of the time.
 */
const noteFocus = (page: Page): Promise<void> =>
  page.evaluate(() => {
    if (document.documentElement.dataset["notes"]) return;
    document.documentElement.dataset["notes"] = "focus";
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

/**
 * What is wrong with a page for somebody who has no mouse.
 * @param frames what was around the main parts of earlier pages, by the names of its stops: the first stop skips it if it is the same again
 */
export async function keyboardFindings(page: Page, frames: Set<string>): Promise<string[]> {
  const { names, before } = await markStops(page);
  await noteFocus(page);
  const frame = names.slice(0, before).join();
  const skips = frames.has(frame);
  frames.add(frame);
  await page.evaluate(() => {
    const first = document.querySelector<HTMLElement>("[data-stop='0']");
    // The page may have put it there itself.
    first?.blur();
    first?.focus();
  });
  if (skips) {
    await page.keyboard.press("Enter");
    if (!(await page.evaluate(() => document.activeElement?.matches("main")))) return ["the first stop does not skip"];
  }
  const expected = names.map((_, index) => index).filter((index) => index === 0 || !skips || index >= before);
  let stops = await reachedStops(page);
  let presses = 0;
  // A field for a date has several parts: one stays in it for some presses.
  while (stops.reached.length < expected.length && presses < MOST_STOPS) {
    const missing = Math.min(expected.length - stops.reached.length, MOST_STOPS - presses);
    for (let press = 0; press < missing; press++) await page.keyboard.press("Tab");
    presses += missing;
    stops = await reachedStops(page);
  }
  return [
    ...(names[0] === "Skip to content" ? [] : [`the first stop is ${names[0]}`]),
    ...stops.unseen.map((stop) => `no focus is seen at ${names[stop]}`),
    ...expected.filter((index) => !stops.reached.includes(index)).map((index) => `${names[index]} is not reached`),
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
