import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { ConnectionLimits } from "./connection-limits.ts";

describe("the connections of one network", () => {
  it("are limited while they are open", () => {
    const limits = new ConnectionLimits(new TestClock(), { maxPerMinute: 100, maxOpen: 2 });
    const closed = limits.admit("203.0.113.7");
    expect(limits.admit("203.0.113.7")).toBeDefined();
    expect(limits.admit("203.0.113.7")).toBeUndefined();
    expect(limits.admit("203.0.113.8")).toBeDefined();
    closed?.();
    expect(limits.admit("203.0.113.7")).toBeDefined();
    expect(limits.admit("203.0.113.7")).toBeUndefined();
  });

  it("are limited by the minute", async () => {
    const clock = new TestClock();
    const limits = new ConnectionLimits(clock, { maxPerMinute: 2, maxOpen: 100 });
    // All from one /64.
    for (const last of [1, 2]) expect(limits.admit(`2001:db8::${last}`)).toBeDefined();
    expect(limits.admit("2001:db8::3")).toBeUndefined();
    expect(limits.admit("2001:db8:0:1::3")).toBeDefined();
    await clock.advance(60_000);
    expect(limits.admit("2001:db8::3")).toBeDefined();
  });
});
