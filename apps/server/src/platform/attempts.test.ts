import { TestClock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
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

  it.each([-3_600_000, 3_600_000])("lasts as long when the system's clock is set by %i ms", async (ms) => {
    const clock = new TestClock();
    const attempts = new Attempts({ max: 1, windowMs: 60_000, clock });
    attempts.take("a");
    clock.step(ms);
    await clock.advance(59_999);
    expect(() => attempts.take("a")).toThrow(AppError);
    await clock.advance(1);
    expect(() => attempts.take("a")).not.toThrow();
  });
});
