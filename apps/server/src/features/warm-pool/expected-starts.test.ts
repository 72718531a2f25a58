import { expect, it } from "vitest";
import { COUNTED_MS, wantedDevices } from "./expected-starts.ts";

const bounds = { least: 1, most: 20, bootMs: 8_000 };
const none = { lately: 0, dayAgo: 0, weekAgo: 0 };

it("wants the least while nothing is started, and never more than the most", () => {
  expect(wantedDevices(none, bounds)).toBe(1);
  expect(wantedDevices({ ...none, lately: 100_000 }, bounds)).toBe(20);
  expect(wantedDevices(none, { ...bounds, least: 0 })).toBe(0);
});

it.each(["lately", "dayAgo", "weekAgo"] as const)(
  "expects as many starts while one boots as %s, and some more",
  (when) => {
    // 60 in ten minutes: one while the next boots and is noticed, so 1 + 2 * sqrt(1).
    expect(wantedDevices({ ...none, [when]: 60 }, bounds)).toBe(3);
    expect(wantedDevices({ ...none, [when]: 240 }, bounds)).toBe(8);
  },
);

it("counts the most of the three", () => {
  expect(wantedDevices({ lately: 1, dayAgo: 60, weekAgo: 10 }, bounds)).toBe(3);
});

it("keeps more ready of what boots slowly, and half a minute is usual", () => {
  expect(wantedDevices({ ...none, lately: 60 }, { ...bounds, bootMs: 88_000 })).toBe(15);
  expect(wantedDevices({ ...none, lately: 60 }, { ...bounds, bootMs: null })).toBe(
    wantedDevices({ ...none, lately: 60 }, { ...bounds, bootMs: 30_000 }),
  );
  expect(COUNTED_MS).toBe(600_000);
});
