import { expect, it } from "vitest";
import { soundMessage, videoMessage, type VideoUnit } from "./video-message.ts";

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

it("is a packet of sound in the same form, and of another kind", () =>
  expect(soundMessage({ number: 3, ptsUs: 20_000n, data: Buffer.from([0xf8, 0xff, 0xfe]) }).toString("hex")).toBe(
    "02000000000000030000000000004e20f8fffe",
  ));
