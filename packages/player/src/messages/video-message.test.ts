import { expect, it } from "vitest";
import { videoMessage } from "./video-message.ts";

it("is a picture behind its number, times and kind", () => {
  const key = {
    number: 7,
    keyFrame: true,
    ptsUs: 0x1_0000_0002n,
    roundTripMs: 12.4,
    data: Buffer.from([0, 0, 1, 0x67]),
  };
  expect(videoMessage(key).toString("hex")).toBe("0100" + "000c" + "00000007" + "0000000100000002" + "00000167");
  const next = { ...key, number: 0xffffffff, keyFrame: false, roundTripMs: undefined, data: Buffer.alloc(0) };
  expect(videoMessage(next).toString("hex")).toBe("0000" + "ffff" + "ffffffff" + "0000000100000002");
});
