import { expect, it } from "vitest";
import { aborted } from "./aborted.ts";
import { every } from "./every.ts";
import { TestClock } from "./test-clock.ts";

it("every waits, runs the work, and waits again from its end", async () => {
  const clock = new TestClock(0);
  const end = new AbortController();
  const times: number[] = [];
  const work = async () => {
    times.push(clock.now());
    await clock.sleep(5);
  };
  const loop = every(clock, 10, work, end.signal);
  await clock.advance(30);
  expect(times).toEqual([10, 25]);
  end.abort();
  await loop;
  expect(clock.sleeping).toBe(0);
});

it("every finishes running work when it is aborted, and starts no more", async () => {
  const clock = new TestClock(0);
  const end = new AbortController();
  const work = Promise.withResolvers<void>();
  let runs = 0;
  let hasEnded = false;
  const loop = every(clock, 10, () => (runs++, work.promise), end.signal).then(() => (hasEnded = true));
  await clock.advance(10);
  end.abort();
  await clock.advance(50);
  expect([runs, hasEnded]).toEqual([1, false]);
  work.resolve();
  await loop;
  expect(runs).toBe(1);
});

it("every rejects with the error of the work", async () => {
  const clock = new TestClock(0);
  const broken = new Error("broken");
  const loop = every(clock, 10, () => Promise.reject(broken), new AbortController().signal);
  const outcome = loop.catch((error: unknown) => error);
  await clock.advance(10);
  expect(await outcome).toBe(broken);
});

it("aborted resolves when the signal aborts or has aborted", async () => {
  const end = new AbortController();
  let isAborted = false;
  const early = aborted(end.signal).then(() => (isAborted = true));
  await Promise.resolve();
  expect(isAborted).toBe(false);
  end.abort();
  await early;
  await aborted(end.signal);
});
