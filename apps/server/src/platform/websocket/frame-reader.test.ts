import { describe, expect, it } from "vitest";
import { collectGarbage } from "../../testing/collect-garbage.ts";
import { type FramePart, FrameReader } from "./frame-reader.ts";

const MASK = [0x37, 0xfa, 0x21, 0x3d];

/** A client's frame. */
function frame(first: number, payload: Uint8Array | string = "", lengthBytes?: 0 | 2 | 8): Buffer {
  const bytes = Buffer.from(payload);
  const size = lengthBytes ?? (bytes.length < 126 ? 0 : bytes.length < 65_536 ? 2 : 8);
  const header = Buffer.alloc(2 + size);
  header[0] = first;
  header[1] = 0x80 | (size === 0 ? bytes.length : size === 2 ? 126 : 127);
  if (size === 2) header.writeUInt16BE(bytes.length, 2);
  if (size === 8) header.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([header, Buffer.from(MASK), bytes.map((byte, at) => byte ^ (MASK[at % 4] ?? 0))]);
}

/** What is said in a stream that arrives in chunks of `size`, with the parts of a message put together. */
function read(stream: Buffer, size: number): unknown[] {
  const reader = new FrameReader();
  const said: unknown[] = [];
  let bytes = Buffer.alloc(0);
  for (let at = 0; at < stream.length; at += size)
    for (const part of reader.push(Buffer.from(stream.subarray(at, at + size)))) {
      if (part.type !== "bytes") {
        said.push(
          part.type === "text" ? part.text : part.type === "close" ? part.code : `${part.type} ${String(part.bytes)}`,
        );
        continue;
      }
      bytes = Buffer.concat([bytes, part.bytes]);
      if (!part.isEnd) continue;
      said.push(bytes);
      bytes = Buffer.alloc(0);
    }
  return said;
}

it("reads the example of RFC 6455", () => {
  const hello = Buffer.from([
    0x81, // FIN, text
    0x85, // masked, 5 bytes
    0x37,
    0xfa,
    0x21,
    0x3d, // the mask
    0x7f,
    0x9f,
    0x4d,
    0x51,
    0x58, // Hello
  ]);
  expect(read(hello, 100)).toEqual(["Hello"]);
});

describe("a stream", () => {
  const long = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at * 7));
  const stream = Buffer.concat([
    frame(0x81, "tökén"),
    frame(0x82, long.subarray(0, 300)),
    frame(0x02, "one "), // a message in three frames
    frame(0x89, "there?"), // a ping between them
    frame(0x00),
    frame(0x80, "two"),
    frame(0x82),
    frame(0x01, "half "),
    frame(0x80, "text"),
    frame(0x8a, "pong"),
    frame(0x88, Buffer.from([0x03, 0xe8])),
  ]);
  const said = [
    "tökén",
    long.subarray(0, 300),
    "ping there?",
    Buffer.from("one two"),
    Buffer.alloc(0),
    "half text",
    "pong pong",
    1000,
  ];
  it.each([...Array.from({ length: 40 }, (_, at) => at + 1), 100, 1000])("is read in chunks of %i", (size) => {
    expect(read(stream, size)).toEqual(said);
  });

  it.each([997, 65_536])("may have messages with a length of 64 bits, in chunks of %i", (size) => {
    expect(read(frame(0x82, long), size)).toEqual([long]);
  });
});

it("gives the bytes of a message before it has all of them", () => {
  const reader = new FrameReader();
  const parts: FramePart[] = [...reader.push(frame(0x82, "beginning and end").subarray(0, 15))];
  expect(parts).toEqual([{ type: "bytes", bytes: Buffer.from("beginning"), isEnd: false }]);
});

it("keeps no more than its text of a message in tiny frames, nor the chunks that they came in", () => {
  const reader = new FrameReader();
  const used = () => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1e6;
  };
  const say = (bytes: Buffer) => expect([...reader.push(bytes)].filter(({ type }) => type !== "pong")).toEqual([]);
  say(frame(0x01, "a"));
  const before = used();
  say(Buffer.concat(Array.from({ length: 200_000 }, () => frame(0x00))));
  const padding = Buffer.concat(Array.from({ length: 400 }, () => frame(0x8a, "x".repeat(100))));
  for (let count = 0; count < 500; count++) say(Buffer.concat([frame(0x00, "b"), padding]));
  // The chunks have 22 MB; what else the process does is in the figure, too.
  expect(used() - before).toBeLessThan(12);
  expect([...reader.push(frame(0x80, "c"))]).toEqual([{ type: "text", text: `a${"b".repeat(500)}c` }]);
});

it.each<[string, Buffer, number]>([
  ["without a mask", Buffer.from([0x82, 0x01, 0x00]), 1002],
  ["of an extension", frame(0xc2, "a"), 1002],
  ["of an unknown kind", frame(0x83, "a"), 1002],
  ["of an unknown control", frame(0x8b, "a"), 1002],
  ["that continues nothing", frame(0x80, "a"), 1002],
  ["of a message within another", Buffer.concat([frame(0x02, "a"), frame(0x82, "b")]), 1002],
  ["of a control in parts", frame(0x09, "a"), 1002],
  ["of a control that is long", frame(0x89, Buffer.alloc(126)), 1002],
  ["with text that is none", frame(0x81, Buffer.from([0xff])), 1007],
  ["with too much text", frame(0x81, Buffer.alloc(65_537)), 1009],
  ["without end", Buffer.from([0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), 1009],
])("refuses a frame %s", (_, stream, code) => {
  expect(() => read(stream, 1_000_000)).toThrow(expect.objectContaining({ code }));
});
