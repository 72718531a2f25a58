import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { VideoFeed } from "./video-feed.ts";

function create() {
  const clock = new TestClock(0);
  const sent: string[] = [];
  const state = { open: true, takes: true, broken: false, requests: 0, sent };
  const feed = new VideoFeed({
    clock,
    requestKeyFrame: () => state.requests++,
    track: {
      isOpen: () => state.open,
      send: ({ ptsUs, keyFrame }) => {
        if (state.broken) throw new Error("closed");
        if (state.takes) sent.push(`${keyFrame ? "K" : "P"}${ptsUs}`);
        return state.takes;
      },
    },
  });
  let next = 0n;
  /** Pushes units: K for a key frame. */
  const push = (units: string, bytes = 1) => {
    for (const letter of units) feed.push({ keyFrame: letter === "K", ptsUs: next++, data: Buffer.alloc(bytes) });
  };
  return { clock, state, feed, push };
}

describe("VideoFeed", () => {
  it("begins with a key frame and asks for it", () => {
    const { state, feed, push } = create();
    push("PPKPP");
    expect(state.sent).toEqual(["K2", "P3", "P4"]);
    expect(state.requests).toBe(2);
    expect([feed.sent, feed.skipped]).toEqual([3, 2]);
  });

  it.each([-3_600_000, 3_600_000])("pauses for a second when the system's clock is set by %i ms", async (ms) => {
    const { clock, state, feed, push } = create();
    push("K");
    feed.pause();
    clock.step(ms);
    push("K");
    await clock.advance(1_000);
    push("K");
    expect(state.sent).toEqual(["K0", "K2"]);
  });

  it("begins with the latest key frame from before its track opened, and what came since", () => {
    const { state, feed, push } = create();
    state.open = false;
    push("PKPKPP");
    expect([state.sent, state.requests]).toEqual([[], 0]);
    state.open = true;
    feed.begin();
    push("P");
    expect(state.sent).toEqual(["K3", "P4", "P5", "P6"]);
    expect([feed.sent, feed.skipped]).toEqual([4, 3]);
  });

  it.each([
    ["P", ["K0", "P1", "P2", "P3", "P4", "P5"]],
    ["KP", ["K0", "P1", "P2", "K3", "P4", "P5", "P6"]],
  ])("keeps the order when %s comes after its track has opened and before that is said", (between, expected) => {
    const { state, feed, push } = create();
    state.open = false;
    push("KPP");
    state.open = true;
    push(between);
    feed.begin();
    push("PP");
    expect(state.sent).toEqual(expected);
  });

  it.each([
    ["as many pictures as it may", `K${"P".repeat(14)}`, 1],
    ["as much as it may", "KP", 125_000],
  ])("holds %s", (_, units, bytes) => {
    const { state, feed, push } = create();
    state.open = false;
    push(units, bytes);
    state.open = true;
    feed.begin();
    expect([state.sent.length, feed.behind]).toEqual([units.length, false]);
  });

  it.each([
    ["more pictures than it may", `K${"P".repeat(15)}`, 1],
    ["more than it may", "KPP", 90_000],
    ["a key frame that is more than it may", "KK", 250_001],
  ])("does not hold %s", (_, units, bytes) => {
    const { state, feed, push } = create();
    state.open = false;
    push(units, bytes);
    state.open = true;
    feed.begin();
    expect([state.sent, feed.behind, feed.skipped]).toEqual([[], true, units.length]);
  });

  it("sends nothing into a track that has closed, and holds nothing for it", () => {
    const { state, feed, push } = create();
    feed.begin();
    push("K");
    state.open = false;
    push("KP");
    state.open = true;
    feed.begin();
    push("PK");
    expect(state.sent).toEqual(["K0", "K4"]);
  });

  it("skips to the next key frame when a unit was not taken", () => {
    const { state, push } = create();
    push("K");
    state.takes = false;
    push("P");
    state.takes = true;
    push("PPKP");
    expect(state.sent).toEqual(["K0", "K4", "P5"]);
  });

  it("takes an error for a unit that was not taken", () => {
    const { state, feed, push } = create();
    state.broken = true;
    push("K");
    expect(feed.behind).toBe(true);
  });

  it("sends nothing for a second when the network is full, then begins with a key frame", async () => {
    const { clock, state, feed, push } = create();
    push("KP");
    feed.pause();
    expect(feed.behind).toBe(true);
    push("PK");
    await clock.advance(1_000);
    push("PKP");
    expect(state.sent).toEqual(["K0", "P1", "K5", "P6"]);
  });
});
