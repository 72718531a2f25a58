import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { aSpec } from "../testing/a-spec.ts";
import { Display } from "./display.ts";
import type { Area } from "../encoder/area.ts";
import type { Screen, ScreenHost } from "./screen.ts";

const area = (x: number): Area => ({ x, y: 0, width: 8, height: 8 });

describe("Display", () => {
  it("knows what has changed since any of the last pictures, and not since older ones", () => {
    let changed: Area[] = [];
    const screen = { paint: () => changed.length > 0, close: () => undefined } as Screen;
    Object.defineProperty(screen, "changed", { get: () => changed });
    const host = { spec: aSpec(), clock: new TestClock() } as unknown as ScreenHost;
    const display = new Display(() => screen, host);
    const paint = (...areas: Area[]) => {
      changed = areas;
      return display.paint();
    };
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
});
