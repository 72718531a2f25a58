import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_PACKET_BYTES } from "./constants.ts";
import { dummyByte, encodeCodec, encodeDeviceName, encodeVideo, encodeVideoHeader } from "./encode-video.ts";
import type { VideoEvent, VideoPacket } from "./video-packet.ts";
import { VideoReader } from "./video-reader.ts";

const session: VideoPacket = { type: "session", width: 1080, height: 2400, clientResized: true };
// oxfmt-ignore
const sessionBytes = new Uint8Array([
  0x80, 0x00, 0x00, 0x01, // session packet, resized by the client (byte 3, not byte 0)
  0x00, 0x00, 0x04, 0x38, // width 1080
  0x00, 0x00, 0x09, 0x60, // height 2400
]);

const config: VideoPacket = { type: "config", data: new Uint8Array([0, 0, 0, 1, 0x67]) };
// oxfmt-ignore
const configBytes = new Uint8Array([
  0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // media packet, configuration, no time stamp
  0x00, 0x00, 0x00, 0x05, // 5 bytes
  0x00, 0x00, 0x00, 0x01, 0x67, // start code and an SPS
]);

const keyFrame: VideoPacket = {
  type: "frame",
  keyFrame: true,
  ptsUs: 1_000_000n,
  data: new Uint8Array([0, 0, 1, 0x65]),
};
// oxfmt-ignore
const keyFrameBytes = new Uint8Array([
  0x20, 0x00, 0x00, 0x00, 0x00, 0x0f, 0x42, 0x40, // media packet, key frame, 1 s
  0x00, 0x00, 0x00, 0x04, // 4 bytes
  0x00, 0x00, 0x01, 0x65, // start code and an IDR slice
]);

const frame: VideoPacket = { type: "frame", keyFrame: false, ptsUs: (1n << 61n) - 1n, data: new Uint8Array([9]) };
// oxfmt-ignore
const frameBytes = new Uint8Array([
  0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // media packet, the latest time there is
  0x00, 0x00, 0x00, 0x01, // 1 byte
  0x09,
]);

const rows: [string, VideoPacket, Uint8Array][] = [
  ["a session", session, sessionBytes],
  ["a configuration", config, configBytes],
  ["a key frame", keyFrame, keyFrameBytes],
  ["a frame", frame, frameBytes],
];

const nameBytes = new Uint8Array(64);
nameBytes.set([0x50, 0x69, 0x78, 0x65, 0x6c]); // "Pixel"
const opening: VideoEvent[] = [
  { type: "device", name: "Pixel" },
  { type: "codec", codec: "h264" },
];
const openingBytes = concat(dummyByte, nameBytes, new Uint8Array([0x68, 0x32, 0x36, 0x34]));

describe("encodeVideo", () => {
  for (const [what, packet, bytes] of rows) it(`writes ${what}`, () => expect(encodeVideo(packet)).toEqual(bytes));

  it("refuses what has no place", () => {
    const data = new Uint8Array(1);
    for (const packet of [
      { type: "session", width: 0, height: 1, clientResized: false },
      { type: "session", width: 65536, height: 1, clientResized: false },
      { type: "frame", keyFrame: true, ptsUs: -1n, data },
      { type: "frame", keyFrame: true, ptsUs: 1n << 61n, data },
      { type: "config", data: new Uint8Array(0) },
      { type: "config", data: new Uint8Array(MAX_PACKET_BYTES + 1) },
    ] satisfies VideoPacket[])
      expect(() => encodeVideoHeader(packet)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("encodeDeviceName", () => {
  it("pads with NUL", () => expect(encodeDeviceName("Pixel")).toEqual(nameBytes));
  it("cuts between two characters and leaves a NUL", () => {
    const bytes = encodeDeviceName("é".repeat(40));
    expect(bytes.length).toBe(64);
    expect(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)))).toBe("é".repeat(31));
  });
});

describe("VideoReader", () => {
  const stream = concat(openingBytes, ...rows.map(([, , bytes]) => bytes));
  const events = [...opening, ...rows.map(([, packet]) => packet)];
  for (let size = 1; size <= stream.length; size++)
    it(`reads the stream in chunks of ${size}`, () => expect(readAll(stream, size)).toEqual(events));

  it("begins with the name when the device connects", () => {
    const reader = new VideoReader({ dummyByte: false });
    expect([...reader.push(stream.subarray(1))]).toEqual(events);
  });

  for (const codec of ["h264", "h265", "av1", "vp8", "vp9"] as const)
    it(`knows ${codec}`, () =>
      expect(readAll(concat(dummyByte, nameBytes, encodeCodec(codec)), 9)[1]).toEqual({ type: "codec", codec }));

  const faults: [string, Uint8Array, string][] = [
    ["a first byte that is not 0", new Uint8Array([1]), "PROTOCOL"],
    ["a name without an end", concat(dummyByte, new Uint8Array(64).fill(65)), "PROTOCOL"],
    ["a codec nobody knows", concat(dummyByte, nameBytes, new Uint8Array([1, 2, 3, 4])), "PROTOCOL"],
    ["a device that gives no video", concat(dummyByte, nameBytes, encodeCodec("disabled")), "STREAM_REFUSED"],
    ["a device that cannot encode", concat(dummyByte, nameBytes, encodeCodec("misconfigured")), "STREAM_REFUSED"],
    ["a video without width", header(0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), "PROTOCOL"],
    ["a video of 65536 lines", header(0x80, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0), "PROTOCOL"],
    ["a packet of no bytes", header(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "PROTOCOL"],
    ["a packet of 16 MiB and 1", header(0x20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1), "PROTOCOL"],
    ["a packet of 4 GiB", header(0x20, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff), "PROTOCOL"],
  ];
  for (const [what, bytes, code] of faults) {
    it(`refuses ${what}`, () => expect(() => readAll(bytes, 7)).toThrow(expect.objectContaining({ code })));
    it(`refuses ${what} for good`, () => {
      const reader = new VideoReader({ dummyByte: true });
      expect(() => [...reader.push(bytes)]).toThrow(expect.objectContaining({ code }));
      expect(() => [...reader.push(sessionBytes)]).toThrow(expect.objectContaining({ code }));
    });
  }

  it("takes the largest packet there is", () => {
    const data = new Uint8Array(MAX_PACKET_BYTES).fill(7);
    const read = readAll(concat(openingBytes, encodeVideo({ type: "config", data })), 1 << 20)[2] as {
      type: string;
      data: Uint8Array;
    };
    // Not toEqual, which takes half a minute for 16 MiB on a busy machine.
    expect([read.type, Buffer.compare(read.data, data)]).toEqual(["config", 0]);
  });

  it("gives the events before a fault in the same chunk", () => {
    const seen: VideoEvent[] = [];
    expect(() => {
      const bytes = concat(openingBytes, sessionBytes, header(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).subarray(69));
      for (const event of new VideoReader({ dummyByte: true }).push(bytes)) seen.push(event);
    }).toThrow(/a packet of/);
    expect(seen).toEqual([...opening, session]);
  });

  it("reads what encodeVideo writes", () => {
    const data = fc.uint8Array({ minLength: 1, maxLength: 200 });
    const side = fc.integer({ min: 1, max: 0xffff });
    const packet: fc.Arbitrary<VideoPacket> = fc.oneof(
      fc.record(
        { type: fc.constant("session" as const), width: side, height: side, clientResized: fc.boolean() },
        { noNullPrototype: true },
      ),
      fc.record({ type: fc.constant("config" as const), data }, { noNullPrototype: true }),
      fc.record(
        {
          type: fc.constant("frame" as const),
          keyFrame: fc.boolean(),
          ptsUs: fc.bigInt({ min: 0n, max: (1n << 61n) - 1n }),
          data,
        },
        { noNullPrototype: true },
      ),
    );
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 5 }), fc.integer({ min: 1, max: 300 }), (packets, size) => {
        const bytes = concat(openingBytes, ...packets.map(encodeVideo));
        expect(readAll(bytes, size)).toEqual([...opening, ...packets]);
      }),
    );
  });
});

function readAll(bytes: Uint8Array, size: number): VideoEvent[] {
  const reader = new VideoReader({ dummyByte: true });
  const events: VideoEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...reader.push(bytes.subarray(at, at + size)));
  return events;
}

/** A stream whose first packet has this header. */
function header(...bytes: number[]): Uint8Array {
  return concat(openingBytes, new Uint8Array(bytes));
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
