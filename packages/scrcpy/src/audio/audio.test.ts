import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCodec, encodeVideo } from "../video/encode-video.ts";
import type { MediaPacket } from "../video/video-packet.ts";
import { type AudioEvent, AudioReader } from "./audio-reader.ts";
import { MAX_AUDIO_PACKET_BYTES } from "./constants.ts";

const codecBytes = new Uint8Array([0x6f, 0x70, 0x75, 0x73]); // "opus"
const codec: AudioEvent = { type: "codec", codec: "opus" };

// oxfmt-ignore
const opusHead = [
  0x4f, 0x70, 0x75, 0x73, 0x48, 0x65, 0x61, 0x64, // "OpusHead"
  0x01, 0x02, // version 1, two channels
  0x38, 0x01, // 312 samples to skip
  0x80, 0xbb, 0x00, 0x00, // 48,000 Hz
  0x00, 0x00, 0x00, // no gain, mapping 0
];
const config: MediaPacket = { type: "config", data: new Uint8Array(opusHead) };
// oxfmt-ignore
const configBytes = new Uint8Array([
  0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // media packet, configuration, no time stamp
  0x00, 0x00, 0x00, 0x13, // 19 bytes
  ...opusHead,
]);

const sound: MediaPacket = { type: "frame", keyFrame: true, ptsUs: 20_000n, data: new Uint8Array([0xfc, 0xff, 0xfe]) };
// oxfmt-ignore
const soundBytes = new Uint8Array([
  0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x4e, 0x20, // media packet, key frame, 20 ms
  0x00, 0x00, 0x00, 0x03, // 3 bytes
  0xfc, 0xff, 0xfe, // 20 ms of silence in stereo
]);
const rows: [string, MediaPacket, Uint8Array][] = [
  ["a configuration", config, configBytes],
  ["a packet of sound", sound, soundBytes],
];

const concat = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

function readAll(bytes: Uint8Array, size: number): AudioEvent[] {
  const reader = new AudioReader();
  const events: AudioEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...reader.push(bytes.subarray(at, at + size)));
  return events;
}

describe("what a device writes to its audio socket", () => {
  it("begins with the codec", () => expect(encodeCodec("opus")).toEqual(codecBytes));
  for (const [what, packet, bytes] of rows) it(`is ${what}`, () => expect(encodeVideo(packet)).toEqual(bytes));
});

describe("AudioReader", () => {
  const stream = concat(codecBytes, ...rows.map(([, , bytes]) => bytes));
  const events = [codec, ...rows.map(([, packet]) => packet)];
  for (let size = 1; size <= stream.length; size++)
    it(`reads the stream in chunks of ${size}`, () => expect(readAll(stream, size)).toEqual(events));

  for (const known of ["opus", "aac", "flac", "raw", "disabled", "misconfigured"] as const)
    it(`knows ${known}`, () => expect(readAll(encodeCodec(known), 3)).toEqual([{ type: "codec", codec: known }]));

  const head = (...bytes: number[]) => concat(codecBytes, new Uint8Array(bytes));
  const faults: [string, Uint8Array][] = [
    ["a codec nobody knows", new Uint8Array([1, 2, 3, 4])],
    ["a packet of no bytes", head(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)],
    ["a packet of 64 KiB and 1", head(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1)],
    ["a packet of 4 GiB", head(0x20, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff)],
    ["the size of a picture", head(0x80)],
  ];
  for (const [what, bytes] of faults)
    it(`refuses ${what}, for good`, () => {
      const reader = new AudioReader();
      const fault = expect.objectContaining({ code: "PROTOCOL" });
      expect(() => [...reader.push(bytes)]).toThrow(fault);
      expect(() => [...reader.push(soundBytes)]).toThrow(fault);
    });

  it("reads what encodeVideo writes", () => {
    const data = fc.uint8Array({ minLength: 1, maxLength: 200 });
    const time = fc.bigInt({ min: 0n, max: (1n << 61n) - 1n });
    const packet: fc.Arbitrary<MediaPacket> = fc.oneof(
      fc.record({ type: fc.constant("config" as const), data }, { noNullPrototype: true }),
      fc.record(
        { type: fc.constant("frame" as const), keyFrame: fc.boolean(), ptsUs: time, data },
        { noNullPrototype: true },
      ),
    );
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 5 }), fc.integer({ min: 1, max: 300 }), (packets, size) => {
        const bytes = concat(codecBytes, ...packets.map(encodeVideo));
        expect(readAll(bytes, size)).toEqual([codec, ...packets]);
      }),
    );
  });

  it("takes the largest packet there is", () => {
    const largest: MediaPacket = { type: "config", data: new Uint8Array(MAX_AUDIO_PACKET_BYTES).fill(7) };
    expect(readAll(concat(codecBytes, encodeVideo(largest)), 9_999)[1]).toEqual(largest);
  });
});
