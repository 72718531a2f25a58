import { TestClock } from "@terrarium/clock";
import { expect, it } from "vitest";
import { StreamRate } from "./stream-rate.ts";

function create(viewers: number) {
  const clock = new TestClock(0);
  const over = new AbortController();
  const limits: (number | undefined)[] = [];
  const state = { viewers };
  const rate = new StreamRate({
    clock,
    over: over.signal,
    viewers: () => state.viewers,
    source: { limitBitRate: (limit) => limits.push(limit) },
  });
  return { clock, over, limits, state, rate };
}

it("is halved while the only viewer's network is full, step by step, and never so far that nothing can be read", async () => {
  const { clock, limits, rate } = create(1);
  rate.full(1);
  // What came of it is to be seen first.
  await clock.advance(4_999);
  rate.full(1);
  expect(limits).toEqual([4_000_000]);
  for (let step = 0; step < 4; step++) {
    await clock.advance(5_000);
    rate.full(1);
  }
  expect(limits).toEqual([4_000_000, 2_000_000, 1_000_000]);
});

it("is as it was for others where one network alone is full, until that of each has been within ten seconds", async () => {
  const { clock, limits, rate, state } = create(2);
  rate.full(1);
  await clock.advance(10_000);
  rate.full(2);
  expect(limits).toEqual([]);
  rate.full(1);
  expect(limits).toEqual([4_000_000]);
  // Who has left counts no more.
  await clock.advance(5_000);
  rate.left(2);
  state.viewers = 2;
  rate.full(1);
  expect(limits).toEqual([4_000_000]);
});

it("comes back by steps once no network has been full for a minute, and at once when nobody watches", async () => {
  const { clock, limits, rate } = create(1);
  for (let step = 0; step < 3; step++) {
    rate.full(1);
    await clock.advance(5_000);
  }
  limits.length = 0;
  await clock.advance(50_000);
  rate.full(1);
  await clock.advance(59_999);
  expect(limits).toEqual([]);
  await clock.advance(1);
  await clock.advance(60_000);
  await clock.advance(60_000);
  expect(limits).toEqual([2_000_000, 4_000_000, undefined]);
  expect(clock.sleeping).toBe(0);
  await clock.advance(5_000);
  rate.full(1);
  rate.forget();
  expect(limits.slice(3)).toEqual([4_000_000, undefined]);
  expect(clock.sleeping).toBe(0);
});

it("is not kept low by one network among others", async () => {
  const { clock, limits, rate, state } = create(1);
  rate.full(1);
  state.viewers = 2;
  for (let second = 0; second < 60; second += 10) {
    await clock.advance(10_000);
    rate.full(1);
  }
  expect(limits).toEqual([4_000_000, undefined]);
});

it("goes no further down for what was full before the last step", async () => {
  const { clock, limits, rate } = create(2);
  rate.full(1);
  rate.full(2);
  await clock.advance(5_000);
  rate.full(1);
  expect(limits).toEqual([4_000_000]);
});

it("is tried again later each time that it was too soon, until nobody watches", async () => {
  const { clock, limits, rate } = create(1);
  /** In minutes, how long it took until the rate came back. */
  const waited = async () => {
    await clock.advance(5_000);
    rate.full(1);
    const before = limits.length;
    for (let minutes = 1; ; minutes++) {
      await clock.advance(60_000);
      if (limits.length > before) return minutes;
    }
  };
  const each = [await waited()];
  while (each.length < 7) each.push(await waited());
  expect(each).toEqual([1, 2, 4, 8, 16, 16, 16]);
  rate.forget();
  await clock.advance(60_000);
  expect(await waited()).toBe(1);
});

it("waits for nothing once the device is over", async () => {
  const { clock, over, rate } = create(1);
  rate.full(1);
  over.abort();
  await clock.advance(0);
  expect(clock.sleeping).toBe(0);
});
