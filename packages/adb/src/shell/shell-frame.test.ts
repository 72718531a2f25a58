import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeShellFrame, shellId, ShellFrameReader, type ShellFrame } from "./shell-frame.ts";
import { decodeWindowSize, encodeWindowSize } from "./window-size.ts";

const text = (value: string) => new TextEncoder().encode(value);

const stdoutFrame: ShellFrame = { id: shellId.stdout, data: text("hi\n") };
// oxfmt-ignore
const stdoutBytes = new Uint8Array([
  0x01, // id: stdout
  0x03, 0x00, 0x00, 0x00, // length 3
  0x68, 0x69, 0x0a, // "hi\n"
]);

const exitFrame: ShellFrame = { id: shellId.exit, data: new Uint8Array([127]) };
// oxfmt-ignore
const exitBytes = new Uint8Array([
  0x03, // id: exit
  0x01, 0x00, 0x00, 0x00, // length 1
  0x7f, // exit code 127
]);

const closeFrame: ShellFrame = { id: shellId.closeStdin, data: text("") };
// oxfmt-ignore
const closeBytes = new Uint8Array([
  0x04, // id: close stdin
  0x00, 0x00, 0x00, 0x00, // length 0
]);

// oxfmt-ignore
const sizeBytes = new Uint8Array([
  0x05, // id: window size
  0x0c, 0x00, 0x00, 0x00, // length 12
  0x32, 0x34, 0x78, 0x38, 0x30, // "24x80": rows, columns
  0x2c, // ","
  0x36, 0x78, 0x34, 0x2c, 0x30, // two more fields, cut short below
  0x00, // NUL
]);

/** The frames of a stream pushed in chunks of `size`, parts of one frame put together again. */
function readAll(bytes: Uint8Array, size: number): ShellFrame[] {
  const reader = new ShellFrameReader();
  const frames: ShellFrame[] = [];
  for (let at = 0; at < bytes.length; at += size)
    for (const frame of reader.push(bytes.subarray(at, at + size)))
      frames.push({ id: frame.id, data: frame.data.slice() });
  return frames;
}

function joined(frames: ShellFrame[]): { id: number; text: string }[] {
  const all: { id: number; text: string }[] = [];
  for (const { id, data } of frames) {
    const part = Buffer.from(data).toString("latin1");
    const last = all.at(-1);
    if (last?.id === id) last.text += part;
    else all.push({ id, text: part });
  }
  return all;
}

describe("encodeShellFrame", () => {
  it("writes output", () => expect(encodeShellFrame(stdoutFrame)).toEqual(stdoutBytes));
  it("writes an exit code", () => expect(encodeShellFrame(exitFrame)).toEqual(exitBytes));
  it("writes the end of input", () => expect(encodeShellFrame(closeFrame)).toEqual(closeBytes));
});

describe("ShellFrameReader", () => {
  const stream = new Uint8Array(Buffer.concat([stdoutBytes, closeBytes, sizeBytes, stdoutBytes, exitBytes]));
  for (let size = 1; size <= stream.length; size++)
    it(`reads the stream in chunks of ${size}`, () =>
      expect(joined(readAll(stream, size))).toEqual([
        { id: 1, text: "hi\n" },
        { id: 4, text: "" },
        { id: 5, text: "24x80,6x4,0\0" },
        { id: 1, text: "hi\n" },
        { id: 3, text: "\x7f" },
      ]));

  for (const [id, length] of [
    [1, 0x7fffffff],
    [3, 65],
    [9, 0xffffffff],
  ] as const)
    it(`refuses frame ${id} of ${length} bytes`, () => {
      const bytes = new Uint8Array(5);
      bytes[0] = id;
      new DataView(bytes.buffer).setUint32(1, length, true);
      expect(() => readAll(bytes, 5)).toThrow(expect.objectContaining({ code: "PROTOCOL" }));
    });

  it("reads what encodeShellFrame writes", () => {
    const frame = fc.record(
      { id: fc.constantFrom(0, 1, 2, 3, 4, 5), data: fc.uint8Array({ maxLength: 60 }) },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(frame), fc.integer({ min: 1, max: 100 }), (frames, size) => {
        const bytes = new Uint8Array(Buffer.concat(frames.map(encodeShellFrame)));
        expect(joined(readAll(bytes, size))).toEqual(joined(frames));
      }),
    );
  });
});

describe("window size", () => {
  const size = { rows: 24, columns: 80, widthPx: 720, heightPx: 480 };
  it("is written as adb does", () => expect(encodeWindowSize(size)).toEqual(text("24x80,720x480\0")));
  it("is read back", () => expect(decodeWindowSize(encodeWindowSize(size))).toEqual(size));
  it("is undefined when it is something else", () => expect(decodeWindowSize(text("24x-1,$(id)"))).toBeUndefined());
});
