import { describe, expect, it } from "vitest";
import { fitDisplay } from "./fit.ts";

describe("fitDisplay", () => {
  it.each([
    [1080, 2400, 864, 1920],
    [720, 1280, 720, 1280],
    [2560, 1600, 1920, 1200],
    [454, 454, 456, 456],
    [1440, 2960, 936, 1920],
  ])("draws %i x %i as %i x %i", (width, height, ...drawn) => {
    const fit = fitDisplay({ width, height, density: 320 }, "PHONE");
    expect([fit.width, fit.height]).toEqual(drawn);
  });

  it("scales the density alike, so that the same dp fit", () => {
    const { width, pixelsPerDp } = fitDisplay({ width: 1080, height: 2400, density: 420 }, "PHONE");
    expect(width / pixelsPerDp).toBeCloseTo(1080 / (420 / 160), 1);
  });
});
