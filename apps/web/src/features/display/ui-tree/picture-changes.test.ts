import { TestClock } from "@terrarium/clock";
import { describe, expect, it, vi } from "vitest";
import { PictureChanges, watchPicture } from "./picture-changes.ts";

const page = (value: number) => new Uint8Array(16).fill(value);
const [before, after] = [page(10), page(200)];

describe("what is new on a picture", () => {
  it("is what differs from what was there, by more than an encoder changes it", () => {
    const changes = new PictureChanges();
    expect(changes.isNew(before, 0)).toBe(false);
    expect(changes.isNew(page(20), 100)).toBe(false);
    expect(changes.isNew(after, 200)).toBe(true);
    expect(changes.isNew(after, 300)).toBe(false);
  });

  it("is a caret the first time that it blinks, and never after", () => {
    const changes = new PictureChanges();
    const news = Array.from({ length: 60 }, (_, at) => changes.isNew(at % 2 === 0 ? before : after, at * 500));
    expect(news.filter(Boolean)).toHaveLength(1);
  });

  it("is also what was there some time ago", () => {
    const changes = new PictureChanges();
    changes.isNew(before, 0);
    changes.isNew(after, 5_000);
    expect(changes.isNew(before, 9_000)).toBe(true);
  });
});

it("is guessed every few seconds where the browser does not tell of pictures", async () => {
  const [clock, onChange, stop] = [new TestClock(), vi.fn(), new AbortController()];
  watchPicture({} as HTMLVideoElement, onChange, clock, stop.signal);
  await clock.advance(4_999);
  expect(onChange).not.toHaveBeenCalled();
  for (let nth = 0; nth < 3; nth++) await clock.advance(5_000);
  expect(onChange).toHaveBeenCalledTimes(3);
  stop.abort();
  await clock.advance(60_000);
  expect([onChange.mock.calls.length, clock.sleeping]).toEqual([3, 0]);
});
