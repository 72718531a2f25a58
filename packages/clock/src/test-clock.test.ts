import { describe, expect, it } from "vitest";
import { TestClock } from "./test-clock.ts";

describe("TestClock", () => {
  it("wakes sleepers in the order they are due, each at its own time", async () => {
    const clock = new TestClock(0);
    const woken: [string, number][] = [];
    void clock.sleep(200).then(() => woken.push(["late", clock.now()]));
    void clock.sleep(100).then(() => woken.push(["early", clock.now()]));
    await clock.advance(150);
    expect(woken).toEqual([["early", 100]]);
    await clock.advance(150);
    expect(woken).toEqual([
      ["early", 100],
      ["late", 200],
    ]);
    expect(clock.now()).toBe(300);
  });

  it("wakes a loop as many times as it would have run", async () => {
    const clock = new TestClock(0);
    const stop = new AbortController();
    let turns = 0;
    const loop = (async () => {
      for (;;) {
        await clock.sleep(10, stop.signal);
        turns++;
      }
    })().catch(() => undefined);
    await clock.advance(55);
    expect(turns).toBe(5);
    stop.abort();
    await loop;
    expect(clock.sleeping).toBe(0);
  });

  it("sets the wall clock without letting time pass", async () => {
    const clock = new TestClock(1_000_000);
    let hasSlept = false;
    void clock.sleep(100).then(() => (hasSlept = true));
    clock.step(-500_000);
    await clock.advance(99);
    expect([clock.now(), clock.monotonic(), hasSlept]).toEqual([500_099, 99, false]);
    clock.step(3_600_000);
    await clock.advance(1);
    expect([clock.now(), clock.monotonic(), hasSlept]).toEqual([4_100_100, 100, true]);
  });
});
