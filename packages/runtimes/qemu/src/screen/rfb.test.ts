import { ByteReader } from "@terrarium/runtime";
import { describe, expect, it } from "vitest";
import { Framebuffer } from "./framebuffer.ts";
import { drawUpdate, greet } from "./rfb.ts";

const u16 = (...values: number[]) => values.flatMap((value) => [value >> 8, value & 255]);
const i32 = (value: number) => [value >> 24, value >> 16, value >> 8, value].map((byte) => byte & 255);
const rectangle = (place: readonly number[], encoding: number, ...body: number[]) => [
  ...u16(...place),
  ...i32(encoding),
  ...body,
];
const update = (...rectangles: number[][]) => [0, 0, ...u16(rectangles.length), ...rectangles.flat()];
const RED = [255, 0, 0, 0];
const BLUE = [0, 0, 255, 0];
/** Each byte by itself, as it may come. */
async function* inPieces(bytes: readonly number[]) {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

/** A screen of 4 by 2 pixels after these updates. */
async function drawn(...updates: number[][]) {
  const framebuffer = new Framebuffer({ width: 4, height: 2 }, () => undefined);
  const reader = new ByteReader(inPieces(updates.flat()));
  for (const _ of updates) await drawUpdate(reader, framebuffer);
  return framebuffer;
}
const reds = ({ screen: { pixels } }: Framebuffer) =>
  Array.from({ length: pixels.length / 4 }, (_, at) => pixels[at * 4]);

describe("an update of the screen", () => {
  it("draws rectangles where they are, and copies them also onto themselves", async () => {
    const raw = rectangle([1, 0, 2, 1], 0, ...RED, ...BLUE);
    const down = rectangle([0, 1, 4, 1], 1, ...u16(0, 0));
    const right = rectangle([1, 1, 3, 1], 1, ...u16(0, 1));
    const framebuffer = await drawn(update(raw), [2, ...update(down, right)]);
    expect(reds(framebuffer)).toEqual([0, 255, 0, 0, 0, 0, 255, 0]);
    const all = await drawn(update(raw), update(rectangle([0, 0, 4, 1], 1, ...u16(0, 1))));
    expect(reds(all)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("copies rows downwards from the last on", async () => {
    const framebuffer = await drawn(
      update(rectangle([0, 0, 4, 3], -223)),
      update(rectangle([0, 0, 1, 1], 0, ...RED)),
      update(rectangle([0, 1, 4, 2], 1, ...u16(0, 0))),
    );
    expect(reds(framebuffer).map((red) => red === 255)).toEqual(
      [0, 1, 2].flatMap((row) => [row < 2, false, false, false]),
    );
  });

  it("tells what has changed since a picture, and asks for the next when one was taken", async () => {
    let asked = 0;
    const framebuffer = new Framebuffer({ width: 4, height: 2 }, () => asked++);
    const see = async (...place: number[]) => {
      const pixels = Array.from({ length: place[2]! * place[3]! }, () => RED).flat();
      await drawUpdate(new ByteReader(inPieces(update(rectangle(place, 0, ...pixels)))), framebuffer);
      return framebuffer.paint();
    };
    const [first] = [await see(0, 0, 4, 2), await see(1, 0, 1, 1)];
    expect(framebuffer.changedSince(first)).toEqual([{ x: 1, y: 0, width: 1, height: 1 }]);
    expect([framebuffer.paint(), asked]).toEqual([2, 2]);
    for (let count = 0; count < 8; count++) await see(0, 0, 1, 1);
    expect(framebuffer.changedSince(first)).toBeUndefined();
  });

  it("is one of another size from then on", async () => {
    const framebuffer = await drawn(update(rectangle([0, 0, 2, 3], -223)));
    expect(framebuffer.screen).toMatchObject({ width: 2, height: 3, pixels: { length: 24 } });
  });

  it.each([
    ["beyond its edge", update(rectangle([3, 0, 2, 1], 0))],
    ["beyond its edge", update(rectangle([0, 0, 2, 1], 1, ...u16(3, 0)))],
    ["a screen of 0 by 9", update(rectangle([0, 0, 0, 9], -223))],
    ["a screen of 65535 by 65535", update(rectangle([0, 0, 65_535, 65_535], -223))],
    ["an encoding that was not asked for", update(rectangle([0, 0, 1, 1], 16))],
    ["a message of type 9", [9]],
    ["something of", [3, 0, 0, 0, 255, 0, 0, 0]],
    ["has ended", update(rectangle([0, 0, 1, 1], 0, 1))],
  ])("is not believed: %s", async (why, bytes) => {
    await expect(drawn(bytes)).rejects.toThrow(why);
  });
});

it("agrees with the server on pixels and on what may be sent, and refuses one that wants a password", async () => {
  const sent: Uint8Array[] = [];
  const version = [...Buffer.from("RFB 003.008\n")];
  const server = [...version, 1, 1, 0, 0, 0, 0, ...u16(720, 1280), ...Array<number>(16).fill(0), 0, 0, 0, 1, 65];
  expect(await greet(new ByteReader(inPieces(server)), (bytes) => sent.push(bytes))).toEqual({
    width: 720,
    height: 1280,
  });
  expect(sent.map((bytes) => bytes[0])).toEqual([version[0], 1, 1, 0, 2]);
  const guarded = greet(new ByteReader(inPieces([...version, 1, 2])), () => undefined);
  await expect(guarded).rejects.toThrow("wants a password");
});
