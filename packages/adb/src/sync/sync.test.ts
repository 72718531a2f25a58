import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { syncId } from "./constants.ts";
import { encodeEntry, encodeEntry2, encodeListEnd, ENTRY2_BYTES, ENTRY_BYTES } from "./entry.ts";
import { decodeStat, decodeStat2, encodeStat, encodeStat2, STAT2_BYTES, STAT_BYTES } from "./stat.ts";
import { decodeFrame, encodeBlock, encodeFail, encodeFrame } from "./sync-frame.ts";

const file = { mode: 0o100644, size: 5_000_000_000, mtime: 1_700_000_000 };

// oxfmt-ignore
const statRows = new Uint8Array([
  0xa4, 0x81, 0x00, 0x00, // mode 0100644
  0x05, 0x00, 0x00, 0x00, // size 5
  0x00, 0xf1, 0x53, 0x65, // mtime 1700000000
]);

// oxfmt-ignore
const stat2Rows = new Uint8Array([
  0x00, 0x00, 0x00, 0x00, // no error
  0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // device 3
  0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // inode 4
  0xa4, 0x81, 0x00, 0x00, // mode 0100644
  0x02, 0x00, 0x00, 0x00, // links 2
  0xd0, 0x07, 0x00, 0x00, // user 2000
  0xe8, 0x03, 0x00, 0x00, // group 1000
  0x00, 0xf2, 0x05, 0x2a, 0x01, 0x00, 0x00, 0x00, // size 5000000000
  0x01, 0xf1, 0x53, 0x65, 0x00, 0x00, 0x00, 0x00, // atime 1700000001
  0x00, 0xf1, 0x53, 0x65, 0x00, 0x00, 0x00, 0x00, // mtime 1700000000
  0x02, 0xf1, 0x53, 0x65, 0x00, 0x00, 0x00, 0x00, // ctime 1700000002
]);

const full = { ...file, dev: 3, ino: 4, nlink: 2, uid: 2000, gid: 1000, atime: 1_700_000_001, ctime: 1_700_000_002 };
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const ascii = (text: string) => new TextEncoder().encode(text);

describe("sync frames", () => {
  it("are an id of four letters and a number", () =>
    expect(encodeFrame(syncId.DONE, 1_700_000_000)).toEqual(
      // oxfmt-ignore
      new Uint8Array([
        0x44, 0x4f, 0x4e, 0x45, // "DONE"
        0x00, 0xf1, 0x53, 0x65, // mtime 1700000000
      ]),
    ));

  it("carry bytes behind their length", () =>
    expect(encodeBlock(syncId.SEND, ascii("/a,33188"))).toEqual(
      // oxfmt-ignore
      new Uint8Array([
        0x53, 0x45, 0x4e, 0x44, // "SEND"
        0x08, 0x00, 0x00, 0x00, // length 8
        0x2f, 0x61, 0x2c, 0x33, 0x33, 0x31, 0x38, 0x38, // "/a,33188"
      ]),
    ));

  it("say why something failed", () =>
    expect(encodeFail("no")).toEqual(
      // oxfmt-ignore
      new Uint8Array([
        0x46, 0x41, 0x49, 0x4c, // "FAIL"
        0x02, 0x00, 0x00, 0x00, // length 2
        0x6e, 0x6f, // "no"
      ]),
    ));

  it("are read as they are written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), fc.integer({ min: 0, max: 0xffffffff }), (id, value) => {
        expect(decodeFrame(encodeFrame(id, value))).toEqual({ id, value });
      }),
    );
  });
});

describe("sync stat", () => {
  it("version 1 is mode, size and time", () => expect(encodeStat({ ...file, size: 5 })).toEqual(statRows));
  it("version 1 is zeros for what is not there", () => expect(encodeStat(undefined)).toEqual(new Uint8Array(12)));
  it("version 1 shows a size past 4 GiB as the largest it can", () =>
    expect(decodeStat(encodeStat(file)).size).toBe(0xffffffff));
  it("version 2 is 68 bytes behind its id", () => expect(encodeStat2(full)).toEqual(stat2Rows));
  it("version 2 carries an error number", () => {
    expect(decodeStat2(encodeStat2("EACCES"))).toEqual({ errno: 13, mode: 0, size: 0, mtime: 0 });
  });

  it("is read as it is written", () => {
    const uint32 = fc.integer({ min: 0, max: 0xffffffff });
    const stat = fc.record({ mode: uint32, size: uint32, mtime: uint32 }, { noNullPrototype: true });
    fc.assert(
      fc.property(stat, (value) => {
        expect(decodeStat(encodeStat(value))).toEqual(value);
        expect(decodeStat2(encodeStat2(value))).toEqual({ errno: 0, ...value });
      }),
    );
  });
});

describe("sync entries", () => {
  it("version 1 have the name behind stat and length", () =>
    expect(encodeEntry({ ...file, size: 5, name: "né" })).toEqual(
      join(ascii("DENT"), statRows, new Uint8Array([0x03, 0x00, 0x00, 0x00]), new Uint8Array([0x6e, 0xc3, 0xa9])),
    ));

  it("version 2 have the larger stat", () =>
    expect(encodeEntry2({ ...full, name: "a" })).toEqual(
      join(ascii("DNT2"), stat2Rows, new Uint8Array([0x01, 0x00, 0x00, 0x00]), ascii("a")),
    ));

  it("end with a DONE as long as an entry", () => {
    expect(encodeListEnd(false)).toEqual(join(ascii("DONE"), new Uint8Array(ENTRY_BYTES)));
    expect(encodeListEnd(true)).toEqual(join(ascii("DONE"), new Uint8Array(ENTRY2_BYTES)));
    expect([ENTRY_BYTES - STAT_BYTES, ENTRY2_BYTES - STAT2_BYTES]).toEqual([4, 4]);
  });
});
