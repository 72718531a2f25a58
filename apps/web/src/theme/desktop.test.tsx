import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { DESKTOP } from "./desktop.ts";
import { theme } from "./theme.ts";

it.each([
  [1280, false],
  [1281, true],
])("a window of %i pixels is a desktop: %s", async (width, isDesktop) => {
  await page.viewport(width, 800);
  expect(matchMedia(DESKTOP).matches).toBe(isDesktop);
});

it("layouts change at 600, 960, 1440 and 1904 pixels", () => {
  expect(theme.breakpoints.values).toMatchObject({ sm: 600, md: 960, lg: 1440, xl: 1904 });
});
