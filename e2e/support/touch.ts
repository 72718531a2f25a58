import type { Page } from "playwright";

const PHONE = { width: 390, height: 844 };

/**
 * Controls that a finger misses on a phone: it comes down up to 21 pixels from the middle of what it means. Links in a sentence are as
 * large as its words.
 */
export async function touchFindings(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  const findings = await page.evaluate(async () => {
    // What depends on the width is drawn anew.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const takes = (control: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      // A field takes a finger for its input, and a label for its control.
      const around = hit?.closest("label, .MuiInputBase-root, [role='slider']");
      return hit !== null && (control.contains(hit) || (around?.contains(control) ?? false));
    };
    const isInSentence = (control: Element) =>
      getComputedStyle(control).display === "inline" &&
      Array.from(control.parentElement?.childNodes ?? []).some(
        (node) => node !== control && /\w/.test(node.textContent ?? ""),
      );
    const all = document.querySelectorAll(
      "a, button, input:not([aria-hidden]), textarea, [role='tab'], [role='switch'], [role='menuitem']",
    );
    const missed: string[] = [];
    for (const control of all) {
      control.scrollIntoView({ block: "center", inline: "center" });
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      // Hidden, or meant for keys and screen readers.
      if (width < 2 || height < 2 || !takes(control, x, y) || isInSentence(control)) continue;
      const reach = (size: number) => (size >= 44 ? [] : [-21, 21]);
      const misses =
        reach(height).some((by) => !takes(control, x, y + by)) || reach(width).some((by) => !takes(control, x + by, y));
      if (misses) missed.push(`${control.getAttribute("aria-label") ?? control.textContent} ${width} x ${height}`);
    }
    return missed;
  });
  if (before) await page.setViewportSize(before);
  return findings.map((what) => `too small for a finger: ${what}`);
}
