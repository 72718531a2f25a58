import { describe, expect, it } from "vitest";
import { readoutOf, sampleOf, type StreamSample } from "./stream-stats.ts";

const before: StreamSample = {
  atMs: 1_000,
  bytes: 1_000,
  frames: 100,
  packets: 500,
  packetsLost: 3,
  roundTripMs: 38,
  isRelayed: false,
};
const after = (change: Partial<StreamSample> = {}): StreamSample => ({
  ...before,
  atMs: 3_000,
  bytes: 1_301_000,
  frames: 220,
  packets: 900,
  ...change,
});

describe("readoutOf", () => {
  it("divides by the time that passed, not by the second it was meant to be", () => {
    expect(readoutOf(before, after())).toEqual({
      path: "direct",
      roundTripMs: 38,
      framesPerSecond: 60,
      megabitsPerSecond: 5.2,
    });
  });

  it.each([
    [0, 0],
    [1, 0],
    [4, 0],
    [5, 0],
    [6, 6],
  ])("takes %i frames a second for %i: a clock or a blinking cursor is a picture at rest", (frames, shown) => {
    const change = { atMs: before.atMs + 1_000, frames: before.frames + frames };
    expect(readoutOf(before, after(change))?.framesPerSecond).toBe(shown);
  });

  it.each<[string, Partial<StreamSample>]>([
    ["direct", {}],
    ["direct", { packetsLost: 20 }],
    ["relayed", { isRelayed: true }],
    ["slow", { roundTripMs: 150 }],
    ["slow", { packetsLost: 30 }],
    ["slow", { isRelayed: true, roundTripMs: 400 }],
    ["direct", { roundTripMs: undefined }],
  ])("is %s with %j", (path, change) => {
    expect(readoutOf(before, after(change))?.path).toBe(path);
  });

  it("says nothing when no time passed or when the counters began anew", () => {
    expect(readoutOf(before, before)).toBeUndefined();
    expect(readoutOf(before, after({ bytes: 10 }))).toBeUndefined();
    expect(readoutOf(before, after({ frames: 1 }))).toBeUndefined();
  });
});

describe("sampleOf", () => {
  const video = {
    type: "inbound-rtp",
    kind: "video",
    timestamp: 5,
    bytesReceived: 7,
    framesDecoded: 2,
    packetsReceived: 3,
    packetsLost: 1,
  };
  const pair = { type: "candidate-pair", currentRoundTripTime: 0.0384, localCandidateId: "L", remoteCandidateId: "R" };

  it("takes the video and the pair in use among others", () => {
    const report = new Map<string, object>([
      ["audio", { ...video, kind: "audio", bytesReceived: 1 }],
      ["old", { ...pair, nominated: true, state: "succeeded", currentRoundTripTime: 9 }],
      ["video", video],
      ["transport", { type: "transport", selectedCandidatePairId: "pair" }],
      ["pair", pair],
      ["L", { type: "local-candidate", candidateType: "srflx" }],
      ["R", { type: "remote-candidate", candidateType: "relay" }],
    ]);
    expect(sampleOf(report)).toEqual({
      atMs: 5,
      bytes: 7,
      frames: 2,
      packets: 3,
      packetsLost: 1,
      roundTripMs: 38,
      isRelayed: true,
    });
  });

  it("does without a transport, as Firefox does", () => {
    const report = new Map<string, object>([
      ["video", video],
      ["pair", { ...pair, nominated: true, state: "succeeded" }],
      ["L", { type: "local-candidate", candidateType: "host" }],
    ]);
    expect(sampleOf(report)).toMatchObject({ roundTripMs: 38, isRelayed: false });
  });

  it("is nothing before there is video", () => {
    expect(sampleOf(new Map())).toBeUndefined();
  });
});
