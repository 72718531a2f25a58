import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LossMeter } from "./loss-meter.ts";
import { readFeedback } from "./rtcp.ts";

// oxfmt-ignore
const report = [
  0x81, 0xc9, 0x00, 0x07, // version 2, one block; receiver report; 8 words
  0x00, 0x00, 0x00, 0x01, // sender
  0xea, 0xe9, 0x20, 0xfa, // of this source
  0x40, 0x00, 0x00, 0x10, // a quarter lost since the last report, 16 in all
  0x00, 0x01, 0xc6, 0xa8, // highest sequence number, wrapped once
  0x00, 0x00, 0x01, 0x0e, // jitter
  0xf3, 0x9e, 0x14, 0xe3, // last sender report
  0x00, 0x00, 0x82, 0xca, // since then
];
// oxfmt-ignore
const pictureLoss = [0x81, 0xce, 0x00, 0x02, 0, 0, 0, 1, 0xea, 0xe9, 0x20, 0xfa];
// oxfmt-ignore
const fullIntra = [0x84, 0xce, 0x00, 0x04, 0, 0, 0, 1, 0, 0, 0, 0, 0xea, 0xe9, 0x20, 0xfa, 1, 0, 0, 0];
// oxfmt-ignore
const bandwidth = [0x8f, 0xce, 0x00, 0x05, 0, 0, 0, 1, 0, 0, 0, 0, 0x52, 0x45, 0x4d, 0x42, 1, 2, 0x2b, 0x0b, 0xea, 0xe9, 0x20, 0xfa];

const rows: [string, number[], boolean, boolean][] = [
  ["a picture loss", pictureLoss, true, false],
  ["a full intra request", fullIntra, true, false],
  ["a report", report, false, true],
  ["a bandwidth estimate", bandwidth, false, false],
  ["a report and a picture loss", [...report, ...pictureLoss], true, true],
  ["a report, a bandwidth estimate and a picture loss", [...report, ...bandwidth, ...pictureLoss], true, true],
  ["an RTP packet", [0x80, 0xce, 0x00, 0x10, 1, 2, 3], false, false],
  ["another version", [0x41, ...pictureLoss.slice(1)], false, false],
  ["a report cut short", report.slice(0, 20), false, false],
  ["nothing", [], false, false],
];

describe("readFeedback", () => {
  for (const [what, bytes, keyFrame, hasReport] of rows)
    it(`reads ${what}`, () => {
      const feedback = readFeedback(new Uint8Array(bytes));
      expect(feedback.keyFrame).toBe(keyFrame);
      expect(feedback.report).toEqual(hasReport ? { lost: 0.25, highestSequence: 0x1c6a8 } : undefined);
    });

  it("never throws", () => {
    expect(() => fc.assert(fc.property(fc.uint8Array(), (bytes) => void readFeedback(bytes)))).not.toThrow();
  });
});

describe("LossMeter", () => {
  const rows: [string, [lost: number, highestSequence: number][], boolean][] = [
    ["a first report", [[0.9, 1000]], false],
    [
      "a quarter of many packets",
      [
        [0, 1000],
        [0.25, 1050],
      ],
      true,
    ],
    [
      "a quarter of a few",
      [
        [0, 1000],
        [0.25, 1049],
      ],
      false,
    ],
    [
      "a little of many",
      [
        [0, 1000],
        [0.24, 2000],
      ],
      false,
    ],
    [
      "a number that wrapped",
      [
        [0, 0xfffffff0],
        [0.5, 0x40],
      ],
      true,
    ],
  ];
  for (const [what, reports, expected] of rows)
    it(`is ${expected} for ${what}`, () => {
      const meter = new LossMeter();
      const answers = reports.map(([lost, highestSequence]) => meter.isFull({ lost, highestSequence }));
      expect(answers.at(-1)).toBe(expected);
    });
});
