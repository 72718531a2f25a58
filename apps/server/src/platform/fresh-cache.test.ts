import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { FreshCache } from "./fresh-cache.ts";

const aCache = () => {
  const clock = new TestClock(0);
  let asked = 0;
  return { clock, cache: new FreshCache<number>({ clock, freshMs: 1000, maxEntries: 2 }), ask: async () => ++asked };
};

describe("FreshCache", () => {
  it("loads again when the value is no longer fresh", async () => {
    const { cache, clock, ask } = aCache();
    expect([await cache.get("a", ask), await cache.get("a", ask)]).toEqual([1, 1]);
    await clock.advance(1000);
    expect(await cache.get("a", ask)).toBe(2);
  });

  it.each([-3_600_000, 3_600_000])("is fresh as long when the system's clock is set by %i ms", async (ms) => {
    const { cache, clock, ask } = aCache();
    await cache.get("a", ask);
    clock.step(ms);
    expect(await cache.get("a", ask)).toBe(1);
    await clock.advance(1_000);
    expect(await cache.get("a", ask)).toBe(2);
  });

  it("loads once for concurrent callers", async () => {
    const { cache, ask } = aCache();
    expect(await Promise.all([cache.get("a", ask), cache.get("a", ask)])).toEqual([1, 1]);
  });

  it("drops failures, and the oldest when full", async () => {
    const { cache, ask } = aCache();
    await cache.get("a", ask);
    await expect(cache.get("b", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.get("b", ask)).toBe(2);
    await cache.get("c", ask);
    expect(await cache.get("a", ask)).toBe(4);
  });
});
