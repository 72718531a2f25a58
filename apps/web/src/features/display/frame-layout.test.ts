import { describe, expect, it } from "vitest";
import { frameLayout } from "./frame-layout.ts";

const phone = { width: 1080, height: 2400 };

describe("frameLayout", () => {
  it("fits picture and frame, in the picture's own proportions", () => {
    const { width, height, border } = frameLayout({ width: 900, height: 720 }, phone, "PHONE", 1);
    expect(height + 2 * border).toBeLessThanOrEqual(721);
    expect(height).toBeGreaterThan(690);
    expect(width / height).toBeCloseTo(1080 / 2400, 2);
    expect([width, height]).toEqual([Math.round(width), Math.round(height)]);
  });

  it("is as thick as 2.6 % of the short side, before and after turning", () => {
    const upright = frameLayout({ width: 2000, height: 1000 }, phone, "PHONE", 1);
    const turned = frameLayout({ width: 1000, height: 2000 }, { width: 2400, height: 1080 }, "PHONE", 1);
    expect(upright.border).toBe(Math.round(upright.width * 0.026));
    expect(turned).toMatchObject({ width: upright.height, height: upright.width, border: upright.border });
  });

  it("has corners of 12.5 % outside, and inside what the frame leaves of them", () => {
    const { width, border, outerRadius, innerRadius } = frameLayout({ width: 900, height: 720 }, phone, "PHONE", 1);
    expect(outerRadius).toBeCloseTo((width + 2 * border) * 0.125);
    expect(innerRadius).toBeCloseTo(outerRadius - border);
  });

  it.each([
    ["a phone of 16:9", 1080, 1920],
    ["the same on its side", 1920, 1080],
    ["a phone that is unfolded", 2208, 1840],
  ])("has smaller ones on %s, so that they show what is written there", (_, width, height) => {
    const layout = frameLayout({ width: 900, height: 720 }, { width, height }, "PHONE", 1);
    const short = Math.min(layout.width, layout.height);
    expect(layout.outerRadius).toBeCloseTo((short + 2 * layout.border) * 0.05);
    // Android 5 writes the time 8 dp from the side and 6 dp from the top, on a screen that is 360 dp wide.
    const dp = short / 360;
    const { innerRadius: radius } = layout;
    expect(radius - Math.sqrt(radius ** 2 - (radius - 6 * dp) ** 2)).toBeLessThan(8 * dp);
  });

  it("shows what fits in whole multiples of its pixels", () => {
    const space = { width: 900, height: 900 };
    expect(frameLayout(space, { width: 320, height: 480 }, "TABLET", 1)).toMatchObject({ width: 320, height: 480 });
    expect(frameLayout(space, { width: 240, height: 240 }, "WATCH", 1)).toMatchObject({ width: 720, height: 720 });
    expect(frameLayout(space, { width: 1080, height: 1200 }, "TABLET", 2)).toMatchObject({ width: 540, height: 600 });
  });

  it("is round for a watch with a square picture, and flat for the rest", () => {
    const space = { width: 900, height: 900 };
    const watch = frameLayout(space, { width: 400, height: 400 }, "WATCH", 1);
    expect(watch.innerRadius).toBe(watch.width / 2);
    expect(frameLayout(space, { width: 1920, height: 1080 }, "TV", 1)).toMatchObject({ border: 12, innerRadius: 6 });
    expect(frameLayout(space, { width: 400, height: 480 }, "WATCH", 1)).toMatchObject({ innerRadius: 6 });
  });

  it("shrinks to nothing rather than below it", () => {
    expect(frameLayout({ width: 5, height: 5 }, phone, "TV", 1)).toMatchObject({ width: 0, height: 0 });
  });
});
