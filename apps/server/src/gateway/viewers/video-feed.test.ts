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
  const push = (units: string) => {
    for (const letter of units) feed.push({ keyFrame: letter === "K", ptsUs: next++, data: Buffer.alloc(1) });
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

  it("sends nothing into a track that is not open", () => {
    const { state, push } = create();
    state.open = false;
    push("KP");
    state.open = true;
    push("PK");
    expect(state.sent).toEqual(["K3"]);
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
