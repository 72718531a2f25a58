import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { twoColours } from "../testing/two-colours.ts";
import { createMp4, type Mp4Packet } from "./mp4.ts";

const { config, red, blue, width, height } = twoColours;
const key = (picture: Uint8Array) => Buffer.concat([config, picture]);
const later = Buffer.from([0, 0, 0, 1, 0x41, 0x9a, 1, 2, 3]);

function written(packets: readonly Mp4Packet[], endMs: number) {
  const pieces: Buffer[] = [];
  const mp4 = createMp4({ width, height, write: (bytes) => void pieces.push(Buffer.from(bytes)) });
  for (const packet of packets) mp4.add(packet);
  mp4.end(endMs);
  const file = Buffer.concat(pieces);
  expect(mp4.bytes).toBe(file.length);
  return { file, mp4, index: find(file, "moov") };
}

/** What is in the box that is reached by these names, the last of them being its own. */
function find(file: Buffer, ...path: string[]): Buffer {
  let inside = file;
  for (const name of path) {
    const found = boxesIn(inside).find(({ type }) => type === name);
    if (!found) throw new Error(`no ${name}`);
    inside = found.body;
  }
  return inside;
}

function boxesIn(bytes: Buffer): { type: string; body: Buffer; at: number }[] {
  const boxes = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
    boxes.push({
      type: bytes.toString("latin1", at + 4, at + 8),
      body: bytes.subarray(at + 8, at + bytes.readUInt32BE(at)),
      at,
    });
  return boxes;
}

/** The rows of a table of the index. */
function rows(index: Buffer, name: string, columns: number): number[][] {
  const body = find(index, "trak", "mdia", "minf", "stbl", name).subarray(name === "stsz" ? 8 : 4);
  const row = (nth: number) =>
    Array.from({ length: columns }, (_, column) => body.readUInt32BE(4 + (nth * columns + column) * 4));
  return Array.from({ length: body.readUInt32BE(0) }, (_, nth) => row(nth));
}

const descriptions = (index: Buffer) =>
  boxesIn(find(index, "trak", "mdia", "minf", "stbl", "stsd").subarray(8)).map(({ type, body }) => ({
    type,
    size: [body.readUInt16BE(24), body.readUInt16BE(26)],
    record: find(body.subarray(78), "avcC"),
  }));

/** The lengths and types of the units of each sample, as a player finds them through the index. */
function samples(file: Buffer, index: Buffer): number[][] {
  const sizes = rows(index, "stsz", 1).map(([size]) => size!);
  const chunks = rows(index, "stsc", 3);
  return rows(index, "stco", 1).flatMap(([offset], nth) => {
    const [, count = 0] = chunks.findLast(([first]) => first! <= nth + 1)!;
    let at = offset!;
    return sizes.splice(0, count).map((size) => {
      const types = [];
      for (const end = at + size; at < end; at += 4 + file.readUInt32BE(at)) types.push(file[at + 4]! & 0x1f);
      return types;
    });
  });
}

describe("createMp4", () => {
  it("writes pictures as they are, with an index that finds each", () => {
    const { file, index } = written(
      [
        { data: key(red), atMs: 5_000, isKey: true },
        { data: later, atMs: 5_016.5, isKey: false },
        { data: key(blue), atMs: 5_033, isKey: true },
      ],
      5_050,
    );
    expect(boxesIn(file).map(({ type }) => type)).toEqual(["ftyp", "mdat", "moov"]);
    expect(samples(file, index)).toEqual([[7, 8, 5], [1], [7, 8, 5]]);
    expect(rows(index, "stss", 1)).toEqual([[1], [3]]);
    const [{ type, size, record } = expect.fail()] = descriptions(index);
    expect({ type, size }).toEqual({ type: "avc1", size: [360, 640] });
    // Version, profile, compatibility and level as in the parameter set, then how long lengths are and how many sets follow.
    expect([...record.subarray(0, 8)]).toEqual([1, 0x42, 0xc0, 0x1e, 0xff, 0xe1, 0, config.indexOf(0x68) - 4 - 4]);
  });

  it("shows each picture until the next one, and the last until the end, however long nothing moves", () => {
    const { index, mp4 } = written(
      [
        { data: key(red), atMs: 1_000, isKey: true },
        { data: later, atMs: 1_100, isKey: false },
        { data: later, atMs: 61_100, isKey: false },
      ],
      91_100,
    );
    expect(rows(index, "stts", 2)).toEqual([
      [1, 9_000],
      [1, 60 * 90_000],
      [1, 30 * 90_000],
    ]);
    for (const path of [["mvhd"], ["trak", "mdia", "mdhd"]])
      expect(find(index, ...path).readUInt32BE(16) / find(index, ...path).readUInt32BE(12)).toBeCloseTo(90.1);
    expect(mp4.durationMs).toBe(90_100);
  });

  it("begins with the first key frame, and never goes back in time", () => {
    const { file, index } = written(
      [
        { data: later, atMs: 0, isKey: false },
        { data: key(red), atMs: 100, isKey: true },
        { data: later, atMs: 90, isKey: false },
      ],
      150,
    );
    expect(samples(file, index)).toEqual([[7, 8, 5], [1]]);
    expect(rows(index, "stts", 2)).toEqual([
      [1, 0],
      [1, 4_500],
    ]);
  });

  it("says when what decoders need changes within the stream, as it does with the size", () => {
    const other = Buffer.from(config);
    other[5] = 0x40;
    const first = { data: key(red), atMs: 0, isKey: true };
    const typesOf = (...packets: Mp4Packet[]) => descriptions(written(packets, 50).index).map(({ type }) => type);
    expect(typesOf(first, { data: key(blue), atMs: 10, isKey: true })).toEqual(["avc1"]);
    expect(typesOf(first, { data: Buffer.concat([other, blue]), atMs: 10, isKey: true })).toEqual(["avc3"]);
  });

  it("holds no more than a piece of the video", () => {
    let most = 0;
    let before = 0;
    const mp4 = createMp4({ width, height, write: ({ length }) => void (before += length) });
    const large = Buffer.concat([later, Buffer.alloc(50_000, 7)]);
    mp4.add({ data: key(red), atMs: 0, isKey: true });
    for (let nth = 1; nth <= 200; nth++) {
      mp4.add({ data: large, atMs: nth * 16, isKey: false });
      most = Math.max(most, mp4.bytes - before);
    }
    expect(most).toBeLessThan(200_000);
    expect(mp4.bytes).toBeGreaterThan(10_000_000);
  });

  it("writes the very file that the web app plays in its tests", () => {
    const { file } = written(
      [
        { data: key(red), atMs: 0, isKey: true },
        { data: key(blue), atMs: 1_000, isKey: true },
      ],
      2_500,
    );
    expect(createHash("sha256").update(file).digest("hex")).toBe(
      "899396ce5593af9a01bd781d5cfc8da506c4548555564ba9acff3cf302484575",
    );
  });

  it("is a file without pictures when there was none", () => {
    const { file } = written([{ data: later, atMs: 0, isKey: false }], 100);
    expect(boxesIn(file).map(({ type }) => type)).toEqual(["ftyp", "moov"]);
  });
});
