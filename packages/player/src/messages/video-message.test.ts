import { expect, it } from "vitest";
import { videoMessage } from "./video-message.ts";

it("is a picture behind its number, time and kind", () => {
  const key = {
    number: 7,
    keyFrame: true,
    ptsUs: 0x1_0000_0002n,

    data: Buffer.from([0, 0, 1, 0x67]),
  };
  expect(videoMessage(key).toString("hex")).toBe("01000000" + "00000007" + "0000000100000002" + "00000167");
  const next = { ...key, number: 0xffffffff, keyFrame: false, data: Buffer.alloc(0) };
  expect(videoMessage(next).toString("hex")).toBe("00000000" + "ffffffff" + "0000000100000002");
});
