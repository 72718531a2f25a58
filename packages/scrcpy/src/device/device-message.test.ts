import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_MESSAGE_BYTES } from "../control/constants.ts";
import { DeviceMessageReader, encodeDeviceMessage, type DeviceMessage } from "./device-message.ts";

// oxfmt-ignore
const golden: [string, DeviceMessage, number[]][] = [
  ["a clipboard", { type: "clipboard", text: "hé" }, [0x00, 0x00, 0x00, 0x00, 0x03, 0x68, 0xc3, 0xa9]],
  ["an empty clipboard", { type: "clipboard", text: "" }, [0x00, 0x00, 0x00, 0x00, 0x00]],
  ["an acknowledgement", { type: "clipboardSet", sequence: 258n }, [0x01, 0, 0, 0, 0, 0, 0, 1, 2]],
  ["UHID output", { type: "uhidOutput", id: 3, data: new Uint8Array([4]) }, [0x02, 0x00, 0x03, 0x00, 0x01, 0x04]],
];

describe("encodeDeviceMessage", () => {
  for (const [what, message, bytes] of golden)
    it(`writes ${what}`, () => expect(encodeDeviceMessage(message)).toEqual(new Uint8Array(bytes)));

  it("cuts a clipboard that is longer than a message", () =>
    expect(encodeDeviceMessage({ type: "clipboard", text: "x".repeat(1 << 20) }).length).toBe(MAX_MESSAGE_BYTES));

  it("refuses data that has no place", () =>
    expect(() => encodeDeviceMessage({ type: "uhidOutput", id: 1, data: new Uint8Array(65536) })).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
      }),
    ));
});

describe("DeviceMessageReader", () => {
  const stream = new Uint8Array(golden.flatMap(([, , bytes]) => bytes));
  for (let size = 1; size <= stream.length; size++)
    it(`reads the stream in chunks of ${size}`, () =>
      expect(readAll(stream, size)).toEqual(golden.map(([, message]) => message)));

  const faults: [string, number[]][] = [
    ["a type nobody knows", [3]],
    ["a clipboard of 4 GiB", [0x00, 0xff, 0xff, 0xff, 0xff]],
    ["a clipboard one byte past the longest message", [0x00, 0x00, 0x03, 0xff, 0xfc]],
  ];
  for (const [what, bytes] of faults)
    it(`refuses ${what}, for good`, () => {
      const reader = new DeviceMessageReader();
      expect(() => [...reader.push(new Uint8Array(bytes))]).toThrow(expect.objectContaining({ code: "PROTOCOL" }));
      expect(() => [...reader.push(new Uint8Array([0x01, 0, 0, 0, 0, 0, 0, 0, 0]))]).toThrow(
        expect.objectContaining({ code: "PROTOCOL" }),
      );
    });

  it("takes the longest clipboard there is", () => {
    const message: DeviceMessage = { type: "clipboard", text: "z".repeat(MAX_MESSAGE_BYTES - 5) };
    expect(readAll(encodeDeviceMessage(message), 1000)).toEqual([message]);
  });

  it("reads what encodeDeviceMessage writes", () => {
    const message: fc.Arbitrary<DeviceMessage> = fc.oneof(
      fc.record(
        { type: fc.constant("clipboard" as const), text: fc.string({ maxLength: 50 }) },
        { noNullPrototype: true },
      ),
      fc.record(
        {
          type: fc.constant("clipboardSet" as const),
          sequence: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
        },
        { noNullPrototype: true },
      ),
      fc.record(
        {
          type: fc.constant("uhidOutput" as const),
          id: fc.integer({ min: 0, max: 0xffff }),
          data: fc.uint8Array({ maxLength: 100 }),
        },
        { noNullPrototype: true },
      ),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.integer({ min: 1, max: 100 }), (messages, size) => {
        expect(readAll(new Uint8Array(Buffer.concat(messages.map(encodeDeviceMessage))), size)).toEqual(messages);
      }),
    );
  });
});

function readAll(bytes: Uint8Array, size: number): DeviceMessage[] {
  const reader = new DeviceMessageReader();
  const messages: DeviceMessage[] = [];
  for (let at = 0; at < bytes.length; at += size) messages.push(...reader.push(bytes.subarray(at, at + size)));
  return messages;
}
