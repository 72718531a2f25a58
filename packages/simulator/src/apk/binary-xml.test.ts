import { describe, expect, it } from "vitest";
import { chunk, readBinaryXml } from "./binary-xml.ts";

const u16 = (value: number) => [value & 0xff, (value >> 8) & 0xff];
const u32 = (value: number) => [...u16(value), ...u16(value >>> 16)];
const file = (...chunks: number[][]) => new Uint8Array([...u16(chunk.file), ...u16(8), ...u32(0), ...chunks.flat()]);

/** A pool of UTF-16 strings at these offsets, which are followed by `data`. */
function stringPool(offsets: number[], data: number[]): number[] {
  const start = 28 + 4 * offsets.length;
  return [
    ...u16(chunk.strings),
    ...u16(28), // header bytes
    ...u32(start + data.length),
    ...u32(offsets.length),
    ...u32(0), // styles
    ...u32(0), // flags: not UTF-8
    ...u32(start),
    ...u32(0), // start of the styles
    ...offsets.flatMap(u32),
    ...data,
  ];
}

/** An element without the bytes of its attributes. */
const element = (attributeBytes: number, attributes: number): number[] => [
  ...u16(chunk.startElement),
  ...u16(16),
  ...u32(36),
  ...u32(1), // line
  ...u32(0xffffffff), // comment
  ...u32(0xffffffff), // namespace
  ...u32(0), // name
  ...u16(20), // where the attributes start
  ...u16(attributeBytes),
  ...u16(attributes),
  ...Array<number>(6).fill(0), // id, class and style
];

const word = [...u16(4), ...Buffer.from("WORD", "utf16le")];

// Each of these would otherwise take gigabytes in a file of a few megabytes.
describe("binary XML", () => {
  it("is refused when its strings share bytes", () => {
    expect(readBinaryXml(file(stringPool([0], word), element(20, 0)))).toEqual([
      { name: "WORD", depth: 0, attributes: [] },
    ]);
    const shared = file(stringPool(Array<number>(20).fill(0), word));
    expect(() => readBinaryXml(shared)).toThrow("more strings than bytes");
  });

  it("is refused when its pool has more strings than room for them", () => {
    const pool = stringPool([0], [...word, ...Array<number>(400).fill(0)]);
    pool.splice(8, 4, ...u32(101));
    pool.splice(4, 4, ...u32(50));
    expect(() => readBinaryXml(file(pool))).toThrow("more strings than bytes");
  });

  it.each([0, 19, 20])("is refused when its attributes of %i bytes are not in their element", (bytes) =>
    expect(() => readBinaryXml(file(element(bytes, 60_000), Array<number>(64).fill(0)))).toThrow(
      "an attribute outside its element",
    ),
  );
});
