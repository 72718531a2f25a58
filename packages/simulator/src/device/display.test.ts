import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { aSpec } from "../testing/a-spec.ts";
import { Display } from "./display.ts";
import type { Area } from "@terrarium/video";
import type { Screen, ScreenHost } from "./screen.ts";

const area = (x: number): Area => ({ x, y: 0, width: 8, height: 8 });

/** A display of 16 by 32 whose areas and size a test sets. */
function aDisplay() {
  let changed: Area[] = [];
  const screen = { width: 16, height: 32, paint: () => changed.length > 0, close: () => undefined };
  Object.defineProperty(screen, "changed", { get: () => changed });
  const host = { spec: aSpec(), clock: new TestClock() } as unknown as ScreenHost;
  const display = new Display(() => screen as Screen, host);
  const paint = (...areas: Area[]) => {
    changed = areas;
    return display.paint();
  };
  return { screen, display, paint };
}

describe("Display", () => {
  it("knows what has changed since any of the last pictures, and not since older ones", () => {
    const { display, paint } = aDisplay();
    const first = paint(area(0));
    const second = paint(area(1), area(2));
    expect(paint()).toBe(second);
    expect(display.changedSince(second)).toEqual([]);
    const third = paint(area(3));
    expect(display.changedSince(second)).toEqual([area(3)]);
    expect(display.changedSince(first)).toEqual([area(1), area(2), area(3)]);
    for (let at = 0; at < 8; at++) paint(area(at));
    expect(display.changedSince(third)).toHaveLength(8);
    expect(display.changedSince(second)).toBeUndefined();
    expect(display.changedSince(-1)).toBeUndefined();
    display.close();
  });

  it("tells a watcher that missed a turn there and back nothing of the other orientation", () => {
    const { screen, display, paint } = aDisplay();
    const first = paint(area(0));
    [screen.width, screen.height] = [32, 16];
    paint(area(24));
    [screen.width, screen.height] = [16, 32];
    const back = paint(area(1));
    paint(area(2));
    expect(display.changedSince(first)).toBeUndefined();
    expect(display.changedSince(back)).toEqual([area(2)]);
    display.close();
  });
});
