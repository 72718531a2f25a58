import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { Attempts } from "./attempts.ts";

describe("Attempts", () => {
  it("refuses the attempt over the limit within a window, per key, and says how long to wait", async () => {
    const clock = new TestClock(0);
    const attempts = new Attempts({ max: 2, windowMs: 60_000, clock });
    attempts.take("a");
    await clock.advance(15_000);
    attempts.take("a");
    attempts.take("b");
    expect(() => attempts.take("a")).toThrow(
      expect.objectContaining({ code: "TOO_MANY_REQUESTS", facts: { retryAfterSeconds: 45 } }),
    );
    await clock.advance(45_000);
    expect(() => attempts.take("a")).not.toThrow();
  });

  it("makes nobody wait after the clock was set back", async () => {
    const clock = new TestClock(0);
    const attempts = new Attempts({ max: 1, windowMs: 60_000, clock });
    attempts.take("a");
    await clock.advance(-3_600_000);
    expect(() => attempts.take("a")).not.toThrow();
  });
});
