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

/** Which stop has the focus, and whether that can be seen: by an outline or a ring, of itself or of the field around it. */
const focusedStop = (page: Page): Promise<{ stop: string | undefined; isVisible: boolean }> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    const shows = (element: Element | null | undefined): boolean => {
      if (!element) return false;
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      return outlineStyle !== "none" || boxShadow !== "none";
    };
    const around = [focused, focused?.parentElement, focused?.closest("label, .Mui-focusVisible, .Mui-focused")];
    const isVisible = around.some(shows);
    return { stop: focused instanceof HTMLElement ? focused.dataset["stop"] : undefined, isVisible };
  });

/** What is wrong with a page for somebody who has no mouse. */
export async function keyboardFindings(page: Page): Promise<string[]> {
  const names = await markStops(page);
  const findings = names[0] === "Skip to content" ? [] : [`the first stop is ${names[0]}`];
  const reached = new Set<string>();
  let last: string | undefined;
  for (let presses = 0; presses < MOST_STOPS; presses++) {
    const { stop, isVisible } = await focusedStop(page);
    // A field for a date has several parts: one stays in it for some presses.
    if (stop !== undefined && stop !== last && reached.has(stop)) break;
    last = stop;
    if (stop !== undefined) {
      reached.add(stop);
      if (!isVisible) findings.push(`no focus is seen at ${names[Number(stop)]}`);
    }
    await page.keyboard.press("Tab");
  }
  return [
    ...findings,
    ...names.filter((_, index) => !reached.has(String(index))).map((name) => `${name} is not reached`),
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
