import { expect, it } from "vitest";
import { videoMessage, type VideoUnit } from "./video-message.ts";

it("is a picture behind its number, time and kind", () => {
  const key = {
    number: 7,
    keyFrame: true,
    ptsUs: 0x1_0000_0002n,

    data: Buffer.from([0, 0, 1, 0x67]),
  };
  const hexOf = (unit: VideoUnit) =>
    videoMessage(unit)
      .toString("hex")
      .replaceAll(/.{8}(?=.)/g, "$& ");
  expect(hexOf(key)).toBe("01000000 00000007 00000001 00000002 00000167");
  const next = { ...key, number: 0xffffffff, keyFrame: false, data: Buffer.alloc(0) };
  expect(hexOf(next)).toBe("00000000 ffffffff 00000001 00000002");
});
