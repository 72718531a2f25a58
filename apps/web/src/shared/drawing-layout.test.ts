import { describe, expect, it } from "vitest";
import { drawingLayout, type DrawnDisplay, type DrawnProfile } from "./drawing-layout.ts";

const profile = (
  displays: readonly (readonly [width: number, height: number, density: number])[],
  { keys = false, ...rest }: Partial<DrawnProfile> & { keys?: boolean } = {},
): DrawnProfile => ({
  form_factor: "PHONE",
  display_mode: "REGULAR",
  display_settings: {
    displays: displays.map(([width, height, density]) => ({ width, height, density })),
    hw_navigation_keys: keys,
  },
  ...rest,
});
const room = { width: 200, height: 150 };
const outer = ({ width, height, border, chin }: DrawnDisplay) => ({
  width: width + 2 * border,
  height: height + 2 * border + chin,
});

describe("drawingLayout", () => {
  it.each([
    ["a tall one by its height", [1080, 2400, 420], { height: 150 }],
    ["a wide one by its width", [2560, 800, 320], { width: 200 }],
  ] as const)("fills the room: %s", (_, display, filled) => {
    const [drawn] = drawingLayout(profile([display]), room).displays;
    const size = outer(drawn!);
    for (const [side, value] of Object.entries(filled)) expect(size[side as "width"]).toBeCloseTo(value);
    expect(drawn!.height / drawn!.width).toBeCloseTo(display[1] / display[0]);
  });

  it("draws several displays to one scale, by inches instead of pixels", () => {
    const { displays, gap } = drawingLayout(
      profile([
        [800, 800, 400],
        [400, 400, 200],
        [400, 400, 400],
      ]),
      room,
    );
    const [first, second, third] = displays;
    expect(second!.width).toBeCloseTo(first!.width);
    expect(third!.width).toBeCloseTo(first!.width / 2);
    expect(displays.reduce((sum, each) => sum + outer(each).width, 2 * gap)).toBeCloseTo(200);
  });

  it("has room for keys below the first display of a handheld alone", () => {
    const two = [
      [800, 1280, 213],
      [800, 1280, 213],
    ] as const;
    const chins = (given: DrawnProfile) => drawingLayout(given, room).displays.map(({ chin }) => chin > 0);
    expect(chins(profile(two, { keys: true }))).toEqual([true, false]);
    expect(chins(profile(two))).toEqual([false, false]);
    expect(chins(profile([[1920, 1080, 320]], { keys: true, form_factor: "TV" }))).toEqual([false]);
    const [drawn] = drawingLayout(profile([[720, 1280, 320]], { keys: true }), room).displays;
    expect(outer(drawn!).height).toBeCloseTo(150);
  });

  it("draws a square watch round", () => {
    const isRound = (display: readonly [number, number, number]) =>
      drawingLayout(profile([display], { form_factor: "WATCH" }), room).displays[0]!.isRound;
    expect([isRound([454, 454, 320]), isRound([320, 384, 320])]).toEqual([true, false]);
  });
});
