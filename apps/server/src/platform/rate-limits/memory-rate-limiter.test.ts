import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { MemoryRateLimiter } from "./memory-rate-limiter.ts";

describe("MemoryRateLimiter", () => {
  it("refuses the attempt over the limit within a window, per key", async () => {
    const clock = new TestClock(0);
    const limiter = new MemoryRateLimiter(clock, { max: 2, windowMs: 60_000 });
    expect(limiter.take("a")).toBe(true);
    await clock.advance(15_000);
    expect(["a", "b", "a"].map((key) => limiter.take(key))).toEqual([true, true, false]);
    await clock.advance(45_000);
    expect(limiter.take("a")).toBe(true);
  });

  it.each([-3_600_000, 3_600_000])("lasts as long when the system's clock is set by %i ms", async (ms) => {
    const clock = new TestClock();
    const limiter = new MemoryRateLimiter(clock, { max: 1, windowMs: 60_000 });
    limiter.take("a");
    clock.step(ms);
    await clock.advance(59_999);
    expect(limiter.take("a")).toBe(false);
    await clock.advance(1);
    expect(limiter.take("a")).toBe(true);
  });
});
