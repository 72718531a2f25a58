import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import { command } from "./constants.ts";
import { PacketReader } from "./packet-reader.ts";
import { checksum, encodePacket, type Packet } from "./packet.ts";

const connect: Packet = {
  command: command.CNXN,
  arg0: 0x01000001,
  arg1: 0x00100000,
  payload: new TextEncoder().encode("host::"),
};

// oxfmt-ignore
const connectBytes = new Uint8Array([
  0x43, 0x4e, 0x58, 0x4e, // command: "CNXN"
  0x01, 0x00, 0x00, 0x01, // arg0: version 0x01000001
  0x00, 0x00, 0x10, 0x00, // arg1: 1 MiB
  0x06, 0x00, 0x00, 0x00, // length: 6
  0x32, 0x02, 0x00, 0x00, // checksum: 104 + 111 + 115 + 116 + 58 + 58 = 562
  0xbc, 0xb1, 0xa7, 0xb1, // command xor 0xffffffff
  0x68, 0x6f, 0x73, 0x74, 0x3a, 0x3a, // "host::"
]);

const okay: Packet = { command: command.OKAY, arg0: 7, arg1: 258, payload: new Uint8Array(0) };

// oxfmt-ignore
const okayBytes = new Uint8Array([
  0x4f, 0x4b, 0x41, 0x59, // command: "OKAY"
  0x07, 0x00, 0x00, 0x00, // arg0: 7
  0x02, 0x01, 0x00, 0x00, // arg1: 258
  0x00, 0x00, 0x00, 0x00, // length: 0
  0x00, 0x00, 0x00, 0x00, // checksum: not told
  0xb0, 0xb4, 0xbe, 0xa6, // command xor 0xffffffff
]);

/** All packets of a stream, pushed in chunks of `size`. */
function readAll(bytes: Uint8Array, size: number, maxPayloadBytes = 4096): Packet[] {
  const reader = new PacketReader();
  reader.maxPayloadBytes = maxPayloadBytes;
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length; at += size) packets.push(...reader.push(bytes.subarray(at, at + size)));
  return packets;
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** The header of `connect` with one 32-bit field replaced. */
function spoiled(offset: number, value: number): Uint8Array {
  const bytes = connectBytes.slice();
  new DataView(bytes.buffer).setUint32(offset, value, true);
  return bytes;
}

describe("encodePacket", () => {
  it("writes CNXN with its checksum", () => expect([...encodePacket(connect, true)]).toEqual([...connectBytes]));
  it("writes OKAY without one", () => expect([...encodePacket(okay)]).toEqual([...okayBytes]));
  it("sums bytes as unsigned", () => expect(checksum(new Uint8Array(1000).fill(255))).toBe(255_000));
});

describe("PacketReader", () => {
  const stream = concat(connectBytes, okayBytes, okayBytes, connectBytes);
  for (let size = 1; size <= stream.length; size++)
    it(`reads the stream in chunks of ${size}`, () =>
      expect(readAll(stream, size)).toEqual([connect, okay, okay, connect]));

  it("refuses a magic that does not match", () =>
    expect(() => readAll(spoiled(20, 0), 24)).toThrow(
      expect.objectContaining({ code: "PROTOCOL", message: expect.stringMatching(/magic/) }),
    ));

  it("refuses a command nobody knows", () => {
    const bytes = spoiled(0, 0x20544547);
    new DataView(bytes.buffer).setUint32(20, ~0x20544547, true);
    expect(() => readAll(bytes, 24)).toThrow(
      expect.objectContaining({ code: "PROTOCOL", message: expect.stringMatching(/unknown command 0x20544547/) }),
    );
  });

  for (const length of [4097, 0x7fffffff, 0xffffffff])
    it(`refuses a payload of ${length} bytes as soon as the header is there`, () =>
      expect(() => readAll(spoiled(12, length), 24)).toThrow(
        expect.objectContaining({ code: "PROTOCOL", message: expect.stringMatching(/4096 is the most/) }),
      ));

  it("takes the longest payload that was agreed", () => {
    const packet = { ...connect, payload: new Uint8Array(4096).fill(3) };
    expect(readAll(encodePacket(packet), 1000)).toEqual([packet]);
  });

  it("gives the packets before a fault in the same chunk, then throws, then always throws", () => {
    const reader = new PacketReader();
    const packets: Packet[] = [];
    const read = (bytes: Uint8Array) => {
      for (const packet of reader.push(bytes)) packets.push(packet);
    };
    expect(() => read(concat(okayBytes, spoiled(20, 1)))).toThrow(expect.objectContaining({ code: "PROTOCOL" }));
    expect(packets).toEqual([okay]);
    expect(() => read(okayBytes)).toThrow(expect.objectContaining({ code: "PROTOCOL" }));
  });

  it("reads what encodePacket writes", () => {
    const uint32 = fc.integer({ min: 0, max: 0xffffffff });
    const packet = fc.record(
      {
        command: fc.constantFrom(...Object.values(command)),
        arg0: uint32,
        arg1: uint32,
        payload: fc.uint8Array({ maxLength: 300 }),
      },
      { noNullPrototype: true },
    );
    // A failure prints the seed and the shrunk packets.
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 5 }), fc.integer({ min: 1, max: 400 }), (packets, size) => {
        expect(readAll(concat(...packets.map((one) => encodePacket(one, true))), size)).toEqual(packets);
      }),
    );
  });
});
