import { expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { InTestApp } from "../testing/InTestApp.tsx";
import { nameless } from "../testing/names.ts";
import { DeviceDrawing } from "./DeviceDrawing.tsx";
import { type DrawnProfile, drawingLayout } from "./drawing-layout.ts";

type Size = readonly [width: number, height: number, density: number];
const profile = (
  form_factor: DrawnProfile["form_factor"],
  displays: Size[],
  display_mode: DrawnProfile["display_mode"] = "REGULAR",
  hw_navigation_keys = false,
): DrawnProfile => ({
  form_factor,
  display_mode,
  display_settings: {
    displays: displays.map(([width, height, density]) => ({ width, height, density })),
    hw_navigation_keys,
  },
});
const withKeys = (form_factor: DrawnProfile["form_factor"], display: Size) =>
  profile(form_factor, [display], "REGULAR", true);

const fold: Size[] = [
  [2208, 1840, 420],
  [1080, 2092, 420],
];
const car: Size[] = [
  [1920, 720, 160],
  [1280, 800, 160],
  [600, 1024, 160],
];
const room = { width: 200, height: 152 };
/** Frames are at least 1.5 px wide, even where they should be narrower. */
const FRAMES = 3;

it.each<[string, DrawnProfile, number]>([
  ["a phone", profile("PHONE", [[1080, 2400, 420]]), 0],
  ["a phone with keys", withKeys("PHONE", [720, 1280, 320]), 3],
  ["a tablet with keys", withKeys("TABLET", [800, 1280, 213]), 3],
  ["a TV, whose keys are elsewhere", withKeys("TV", [1920, 1080, 320]), 0],
  ["a round watch", withKeys("WATCH", [454, 454, 320]), 0],
  ["a square watch", profile("WATCH", [[320, 384, 320]]), 0],
  ["a foldable", profile("PHONE", fold, "FOLDABLE"), 0],
  ["the displays of a car", profile("CAR", car, "MULTI_DISPLAY"), 0],
  ["the narrowest", profile("PHONE", [[100, 8192, 160]]), 0],
  ["the flattest", profile("TV", [[8192, 200, 640]]), 0],
])("draws %s into its room", async (_, drawn, keys) => {
  const { displays } = drawingLayout(drawn, room);
  const { container } = await render(
    <div style={{ width: "max-content" }}>
      <DeviceDrawing profile={drawn} within={room} />
    </div>,
    { wrapper: InTestApp },
  );
  const drawing = container.querySelector("[aria-hidden=true]")!;
  const { width, height } = drawing.getBoundingClientRect();
  expect(width).toBeLessThanOrEqual(room.width + FRAMES * displays.length);
  expect(height).toBeLessThanOrEqual(room.height + FRAMES);
  const pictures = Array.from(drawing.querySelectorAll("svg[width='100%']"), (each) => each.getBoundingClientRect());
  expect(pictures.map((picture) => [picture.width, picture.height])).toEqual(
    displays.map((display) => [expect.closeTo(display.width, 1), expect.closeTo(display.height, 1)]),
  );
  expect(drawing.querySelectorAll("svg:not([width='100%'])")).toHaveLength(keys);
  expect(container.innerHTML).not.toMatch(/NaN|Infinity|undefined/);
  expect(nameless()).toEqual([]);
});
