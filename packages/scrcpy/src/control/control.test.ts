import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_CLIPBOARD_BYTES, MAX_MESSAGE_BYTES } from "./constants.ts";
import type { ControlMessage } from "./control-message.ts";
import { ControlReader } from "./control-reader.ts";
import { encodeControl } from "./encode-control.ts";

const position = { x: 300, y: 450, width: 1080, height: 2400 };
// oxfmt-ignore
const positionBytes = [
  0x00, 0x00, 0x01, 0x2c, // x 300
  0x00, 0x00, 0x01, 0xc2, // y 450
  0x04, 0x38, // of 1080 pixels
  0x09, 0x60, // of 2400 lines
];

/** Worked out from scrcpy 4.1's ControlMessageReader, one line for each field. */
// oxfmt-ignore
const golden: [string, ControlMessage, number[]][] = [
  [
    "a key",
    { type: "key", action: "up", keyCode: 66, repeat: 5, metaState: 0x41 },
    [
      0x00, // key
      0x01, // up
      0x00, 0x00, 0x00, 0x42, // KEYCODE_ENTER
      0x00, 0x00, 0x00, 0x05, // fifth repeat
      0x00, 0x00, 0x00, 0x41, // shift, left
    ],
  ],
  ["a text", { type: "text", text: "hé" }, [0x01, 0x00, 0x00, 0x00, 0x03, 0x68, 0xc3, 0xa9]],
  [
    "a touch",
    { type: "touch", action: "down", pointerId: 7n, position, pressure: 1, actionButton: 1, buttons: 1 },
    [
      0x02, // touch
      0x00, // down
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, // pointer 7
      ...positionBytes,
      0xff, 0xff, // pressure 1
      0x00, 0x00, 0x00, 0x01, // primary button
      0x00, 0x00, 0x00, 0x01, // primary button
    ],
  ],
  [
    "a mouse's move out of the frame",
    {
      type: "touch",
      action: "hoverMove",
      pointerId: -1n,
      position: { ...position, x: -1 },
      pressure: 0.5,
      actionButton: 0,
      buttons: 0,
    },
    [
      0x02, // touch
      0x07, // hover move
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // the mouse
      0xff, 0xff, 0xff, 0xff, // x -1
      ...positionBytes.slice(4),
      0x80, 0x00, // pressure a half
      0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00,
    ],
  ],
  [
    "a scroll",
    { type: "scroll", position, horizontal: 1, vertical: -16, buttons: 0 },
    [0x03, ...positionBytes, 0x08, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00],
  ],
  ["back or screen on", { type: "backOrScreenOn", action: "down" }, [0x04, 0x00]],
  ["expand notifications", { type: "expandNotifications" }, [0x05]],
  ["expand settings", { type: "expandSettings" }, [0x06]],
  ["collapse panels", { type: "collapsePanels" }, [0x07]],
  ["get clipboard", { type: "getClipboard", copyKey: "cut" }, [0x08, 0x02]],
  [
    "set clipboard",
    { type: "setClipboard", sequence: 0x0102030405060708n, paste: true, text: "ok" },
    [0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x01, 0x00, 0x00, 0x00, 0x02, 0x6f, 0x6b],
  ],
  ["display off", { type: "setDisplayPower", on: false }, [0x0a, 0x00]],
  ["rotate", { type: "rotate" }, [0x0b]],
  [
    "a UHID device",
    {
      type: "uhidCreate",
      id: 1,
      vendorId: 0x18d1,
      productId: 2,
      name: "Kb",
      reportDescriptor: new Uint8Array([5, 6, 7]),
    },
    [
      0x0c, // create
      0x00, 0x01, // id
      0x18, 0xd1, // vendor
      0x00, 0x02, // product
      0x02, 0x4b, 0x62, // "Kb"
      0x00, 0x03, 5, 6, 7, // report descriptor
    ],
  ],
  ["UHID input", { type: "uhidInput", id: 1, data: new Uint8Array([9, 8]) }, [0x0d, 0x00, 0x01, 0x00, 0x02, 9, 8]],
  ["a UHID device's end", { type: "uhidDestroy", id: 258 }, [0x0e, 0x01, 0x02]],
  ["keyboard settings", { type: "openKeyboardSettings" }, [0x0f]],
  ["start an app", { type: "startApp", name: "a.b" }, [0x10, 0x03, 0x61, 0x2e, 0x62]],
  ["reset video", { type: "resetVideo" }, [0x11]],
  ["camera torch", { type: "cameraTorch", on: true }, [0x12, 0x01]],
  ["camera zoom in", { type: "cameraZoomIn" }, [0x13]],
  ["camera zoom out", { type: "cameraZoomOut" }, [0x14]],
  ["resize display", { type: "resizeDisplay", width: 800, height: 600 }, [0x15, 0x03, 0x20, 0x02, 0x58]],
  ["scan a file", { type: "scanFile", path: "/a" }, [0x16, 0x00, 0x00, 0x00, 0x02, 0x2f, 0x61]],
];

describe("encodeControl", () => {
  for (const [what, message, bytes] of golden)
    it(`writes ${what}`, () => expect(encodeControl(message)).toEqual(new Uint8Array(bytes)));

  it("cuts text after 300 bytes, between two characters", () => {
    const bytes = encodeControl({ type: "text", text: "€".repeat(101) + "x" });
    expect([...new ControlReader().push(bytes)]).toEqual([{ type: "text", text: "€".repeat(100) }]);
    expect(encodeControl({ type: "text", text: `a${"€".repeat(101)}` }).length).toBe(5 + 298);
  });

  it("cuts a clipboard that is longer than a message", () =>
    expect(encodeControl({ type: "setClipboard", sequence: 0n, paste: false, text: "x".repeat(1 << 20) }).length).toBe(
      MAX_MESSAGE_BYTES,
    ));

  it("keeps scrolls and pressure within what has a place", () => {
    const scroll = encodeControl({ type: "scroll", position, horizontal: 99, vertical: -99, buttons: 0 });
    expect([...scroll.subarray(13, 17)]).toEqual([0x7f, 0xff, 0x80, 0x00]);
  });

  it("refuses data that has no place", () =>
    expect(() => encodeControl({ type: "uhidInput", id: 1, data: new Uint8Array(65536) })).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
      }),
    ));
});

describe("ControlReader", () => {
  const stream = new Uint8Array(golden.flatMap(([, , bytes]) => bytes));
  const messages = golden.map(([, message]) => message);
  for (let size = 1; size <= stream.length; size++)
    it(`reads the stream in chunks of ${size}`, () => expect(readAll(stream, size)).toEqual(messages));

  const faults: [string, number[]][] = [
    ["a type nobody knows", [23]],
    ["a key that is neither up nor down", [0x00, 0x02, ...Array<number>(12).fill(0)]],
    ["a touch nobody makes", [0x02, 0x04, ...Array<number>(30).fill(0)]],
    ["a text of 4 GiB", [0x01, 0xff, 0xff, 0xff, 0xff]],
    ["a text of 256 KiB", [0x01, 0x00, 0x04, 0x00, 0x00]],
    ["a clipboard of 2 GiB", [0x09, ...Array<number>(9).fill(0), 0x7f, 0xff, 0xff, 0xff]],
    ["a path of 1 MiB", [0x16, 0x00, 0x10, 0x00, 0x00]],
  ];
  for (const [what, bytes] of faults)
    it(`refuses ${what}, for good`, () => {
      const reader = new ControlReader();
      expect(() => [...reader.push(new Uint8Array(bytes))]).toThrow(expect.objectContaining({ code: "PROTOCOL" }));
      expect(() => [...reader.push(new Uint8Array([0x0b]))]).toThrow(expect.objectContaining({ code: "PROTOCOL" }));
    });

  it("gives the messages before a fault in the same chunk", () => {
    const seen: ControlMessage[] = [];
    expect(() => {
      for (const message of new ControlReader().push(new Uint8Array([0x0b, 0x11, 99]))) seen.push(message);
    }).toThrow(/unknown control message 99/);
    expect(seen).toEqual([{ type: "rotate" }, { type: "resetVideo" }]);
  });

  it("takes the longest message there is, byte by byte", () => {
    const message: ControlMessage = {
      type: "setClipboard",
      sequence: 1n,
      paste: false,
      text: "y".repeat(MAX_CLIPBOARD_BYTES),
    };
    const reader = new ControlReader();
    const seen: ControlMessage[] = [];
    for (const byte of encodeControl(message)) seen.push(...reader.push(new Uint8Array([byte])));
    expect(seen).toEqual([message]);
  });

  it("reads what encodeControl writes", () => {
    fc.assert(
      fc.property(fc.array(anyMessage(), { maxLength: 6 }), fc.integer({ min: 1, max: 100 }), (messages, size) => {
        const bytes = new Uint8Array(Buffer.concat(messages.map(encodeControl)));
        expect(readAll(bytes, size)).toEqual(messages);
      }),
    );
  });
});

function readAll(bytes: Uint8Array, size: number): ControlMessage[] {
  const reader = new ControlReader();
  const messages: ControlMessage[] = [];
  for (let at = 0; at < bytes.length; at += size) messages.push(...reader.push(bytes.subarray(at, at + size)));
  return messages;
}

function anyMessage(): fc.Arbitrary<ControlMessage> {
  const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const uint16 = fc.integer({ min: 0, max: 0xffff });
  const id = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
  const short = fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed());
  const place = fc.record({ x: int32, y: int32, width: uint16, height: uint16 }, { noNullPrototype: true });
  const notches = fc.integer({ min: -32768, max: 32766 }).map((step) => step / 2048);
  const row = <Shape extends object>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }) =>
    fc.record<Shape>(shape, { noNullPrototype: true });
  return fc.oneof(
    row<ControlMessage & { type: "key" }>({
      type: fc.constant("key"),
      action: fc.constantFrom("down", "up"),
      keyCode: int32,
      repeat: int32,
      metaState: int32,
    }),
    row<ControlMessage & { type: "touch" }>({
      type: fc.constant("touch"),
      action: fc.constantFrom("down", "up", "move", "cancel", "hoverMove", "hoverEnter", "hoverExit"),
      pointerId: id,
      position: place,
      pressure: fc.constantFrom(0, 0.25, 0.5, 1),
      actionButton: int32,
      buttons: int32,
    }),
    row<ControlMessage & { type: "scroll" }>({
      type: fc.constant("scroll"),
      position: place,
      horizontal: notches,
      vertical: notches,
      buttons: int32,
    }),
    row<ControlMessage & { type: "text" }>({ type: fc.constant("text"), text: short }),
    row<ControlMessage & { type: "setClipboard" }>({
      type: fc.constant("setClipboard"),
      sequence: id,
      paste: fc.boolean(),
      text: short,
    }),
    row<ControlMessage & { type: "uhidCreate" }>({
      type: fc.constant("uhidCreate"),
      id: uint16,
      vendorId: uint16,
      productId: uint16,
      name: short,
      reportDescriptor: fc.uint8Array({ maxLength: 50 }),
    }),
    row<ControlMessage & { type: "startApp" }>({ type: fc.constant("startApp"), name: short }),
    row<ControlMessage & { type: "resizeDisplay" }>({
      type: fc.constant("resizeDisplay"),
      width: uint16,
      height: uint16,
    }),
    fc.constantFrom<ControlMessage>({ type: "rotate" }, { type: "resetVideo" }, { type: "collapsePanels" }),
  );
}
