import { TestClock } from "@terrarium/clock";
import { describe, expect, it, vi } from "vitest";
import { fetchCode } from "./fetch-code.ts";

const broken = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

describe("fetchCode", () => {
  it("tries again when the line failed", async () => {
    const clock = new TestClock(0);
    const fetch = vi
      .fn(async () => "page")
      .mockImplementationOnce(broken)
      .mockImplementationOnce(broken);
    const page = fetchCode(fetch, clock);
    await clock.advance(749);
    expect(fetch).toHaveBeenCalledTimes(2);
    await clock.advance(1);
    expect(await page).toBe("page");
  });

  it("gives up with the last fault", async () => {
    const clock = new TestClock(0);
    const fetch = vi.fn(broken);
    const page = fetchCode(fetch, clock).catch((error: unknown) => error);
    await clock.advance(7_750);
    expect(await page).toBeInstanceOf(TypeError);
    expect(fetch).toHaveBeenCalledTimes(6);
  });
});
