import { codecOf } from "@terrarium/sdk/display";
import { aKeyFrame } from "@terrarium/sdk/display/testing";
import { expect, it } from "vitest";
import { decodePicture } from "./decode-picture.ts";

/** The colour in the middle, roughly. */
function colourOf(picture: ImageBitmap): "red" | "blue" {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  context.drawImage(picture, 0, 0);
  const [red = 0, , blue = 0] = context.getImageData(16, 24, 1, 1).data;
  return red > blue ? "red" : "blue";
}

it("decodes key frames, each by itself, in the order in which they came", async () => {
  const pictures = await Promise.all([aKeyFrame("red"), aKeyFrame("blue"), aKeyFrame("red")].map(decodePicture));
  expect(pictures.map(colourOf)).toEqual(["red", "blue", "red"]);
  expect([pictures[0]?.width, pictures[0]?.height]).toEqual([32, 48]);
});

it("refuses what is no picture, and goes on with the next", async () => {
  const broken = aKeyFrame("red").slice(0, 40);
  const results = await Promise.allSettled([new Uint8Array([1, 2, 3]), broken, aKeyFrame("blue")].map(decodePicture));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

it("reads the codec from the parameters, with start codes of three bytes and of four", () => {
  expect(codecOf(aKeyFrame("red"))).toBe("avc1.42c014");
  expect(codecOf(aKeyFrame("red").slice(1))).toBe("avc1.42c014");
  expect(codecOf(new Uint8Array([0, 0, 1, 0x65, 1, 2, 3]))).toBeUndefined();
  expect(codecOf(new Uint8Array([0, 0, 1, 0x67, 1, 2]))).toBeUndefined();
});
