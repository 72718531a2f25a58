import { REPLAY_MS, type ReplayEvent } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { RecordedEvents } from "./recorded-events.ts";

const gadgetAt = (at: number): ReplayEvent => ({ type: "gadget", name: `${at}`, at });

/** What is recorded of `count` things, one each `everyMs`. */
function recorded(max: number, count: number, everyMs: number): { events: RecordedEvents; last: number } {
  const events = new RecordedEvents(max);
  for (let index = 0; index < count; index++) events.add(gadgetAt(index * everyMs));
  return { events, last: (count - 1) * everyMs };
}

describe("RecordedEvents", () => {
  it("gives what happened from a time on, counted from there", () => {
    const { events } = recorded(10, 4, 100);
    expect(events.since(200).map(({ at }) => at)).toEqual([0, 100]);
    expect(events.latest).toEqual(gadgetAt(300));
  });

  it("counts the end of typing from there, too", () => {
    const events = new RecordedEvents(10);
    events.add({ type: "typing", at: 500, until: 900 });
    expect(events.since(200)).toEqual([{ type: "typing", at: 300, until: 700 }]);
  });

  it("gives the last ones of more than it may hold", () => {
    const { events, last } = recorded(100, 1_000, 1);
    expect(events.since(0).map(({ at }) => at)).toEqual(Array.from({ length: 100 }, (_, index) => last - 99 + index));
  });

  it("forgets what is older than a replay", () => {
    const { events, last } = recorded(10_000, 1_000, 1_000);
    const oldest = events.since(0)[0]?.at ?? 0;
    expect(oldest).toBeLessThanOrEqual(last - REPLAY_MS);
    expect(oldest).toBeGreaterThan(last - 2 * REPLAY_MS);
  });

  it("forgets all when it is told to", () => {
    const { events } = recorded(10, 4, 100);
    events.clear();
    expect([events.since(0), events.latest]).toEqual([[], undefined]);
  });
});
