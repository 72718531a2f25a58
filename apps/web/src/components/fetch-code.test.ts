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

  it("waits two minutes for a reply, and gives up at once then", async () => {
    const clock = new TestClock(0);
    const fetch = vi.fn(() => new Promise<never>(() => undefined));
    let fault: unknown;
    void fetchCode(fetch, clock).catch((error: unknown) => (fault = error));
    await clock.advance(119_999);
    expect(fault).toBe(undefined);
    await clock.advance(1);
    expect(fault).toBeInstanceOf(Error);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it("leaves no timer behind", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const clock = new TestClock(0);
    const sleep = clock.sleep.bind(clock);
    clock.sleep = (ms, signal) => (signals.push(signal), sleep(ms, signal));
    expect(await fetchCode(async () => "page", clock)).toBe("page");
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });
});
