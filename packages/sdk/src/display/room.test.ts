import { TestClock } from "@terrarium/clock";
import { expect, it } from "vitest";
import { OwnPointer, type RoomPointer, RoomPointers } from "./room.ts";

it("one's own pointer is told of at most 20 times a second, the last place always, and nothing while it rests", async () => {
  const clock = new TestClock(0);
  const sent: object[] = [];
  const own = new OwnPointer(clock, (message) => sent.push(message));
  for (let ms = 0; ms < 1_000; ms += 10) {
    own.move({ x: ms / 1_000, y: 0 });
    await clock.advance(10);
  }
  expect(sent.length).toBeLessThanOrEqual(20);
  expect(sent.length).toBeGreaterThan(15);
  own.move({ x: 1, y: 1 });
  own.move("gone");
  await clock.advance(100);
  expect(sent.at(-1)).toEqual({ type: "ROOM", what: "point" });
  const before = sent.length;
  await clock.advance(1_000);
  expect([sent.length, clock.sleeping]).toEqual([before, 0]);
});

it("others' pointers are gone after three seconds of rest, each page's by itself", async () => {
  const clock = new TestClock(0);
  let shown: readonly RoomPointer[] = [];
  const pointers = new RoomPointers(clock, (now) => (shown = now));
  const viewers = () => shown.map(({ viewer }) => viewer);
  pointers.place({ viewer: 1, user: "a", x: 0, y: 0 });
  await clock.advance(2_000);
  pointers.place({ viewer: 2, user: "a", x: 0, y: 0 });
  pointers.place({ viewer: 1, user: "a", x: 1, y: 0 });
  await clock.advance(2_999);
  expect(viewers()).toEqual([2, 1]);
  pointers.place({ viewer: 2, user: "a", x: 1, y: 0 });
  await clock.advance(1);
  expect(viewers()).toEqual([2]);
  pointers.place({ viewer: 2, user: "a" });
  expect([viewers(), clock.sleeping]).toEqual([[], 0]);
});
