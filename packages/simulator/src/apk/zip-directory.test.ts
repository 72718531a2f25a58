import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { unzipEntry, type ZipEntry, zipEntries } from "./zip-directory.ts";

const END_BYTES = 22;
const stored = strToU8("fern");
const deflated = strToU8("moss ".repeat(100));
const good = zipSync({ "a/stored": [stored, { level: 0 }], deflated: [deflated, { level: 9 }] });

/** A file that notes the longest read. */
function fileOf(bytes: Uint8Array, size = bytes.length) {
  const file = { size, longest: 0, read: (at: number, length: number) => bytes.subarray(at, at + length) };
  const read = (at: number, length: number) => {
    file.longest = Math.max(file.longest, length);
    return bytes.subarray(at, at + length);
  };
  return Object.assign(file, { read });
}

/** A copy with other numbers, at places counted from the beginning of a part. */
function changed(from: "end" | "directory" | "local", set: (view: DataView, at: number) => void): Uint8Array {
  const bytes = good.slice();
  const view = new DataView(bytes.buffer);
  const end = bytes.length - END_BYTES;
  set(view, { end, directory: view.getUint32(end + 16, true), local: 0 }[from]);
  return bytes;
}
const entryOf = (bytes: Uint8Array, name = "a/stored"): ZipEntry =>
  zipEntries(fileOf(bytes))!.find((entry) => entry.name === name)!;

describe("zipEntries", () => {
  it("reads the directory alone", () =>
    expect(zipEntries(fileOf(good))).toMatchObject([
      { name: "a/stored", method: 0, compressedBytes: 4, bytes: 4, headerAt: 0 },
      { name: "deflated", method: 8, bytes: 500 },
    ]));

  it.each([0, 1, 65_535])("finds it before a comment of %i bytes", (length) =>
    expect(zipEntries(fileOf(Buffer.concat([good, new Uint8Array(length)])))).toHaveLength(2),
  );

  it("knows an empty archive, and what is none", () => {
    expect(zipEntries(fileOf(zipSync({})))).toEqual([]);
    for (const bytes of [
      new Uint8Array(0),
      new Uint8Array(21),
      new Uint8Array(100),
      Buffer.concat([good, new Uint8Array(65_536)]),
    ])
      expect(zipEntries(fileOf(bytes))).toBeUndefined();
  });

  it.each<[string, Uint8Array]>([
    ["ends beyond the file", changed("end", (view, at) => view.setUint32(at + 16, good.length, true))],
    ["has another signature", changed("directory", (view, at) => view.setUint8(at, 0))],
    ["has a name that ends beyond it", changed("directory", (view, at) => view.setUint16(at + 28, 5_000, true))],
  ])("refuses a directory that %s", (_, bytes) => expect(zipEntries(fileOf(bytes))).toBeUndefined());

  it("reads no directory of more than 4 MiB", () => {
    const withDirectory = (length: number) => {
      const at = 10;
      const bytes = Buffer.concat([new Uint8Array(at + length), zipSync({})]);
      bytes.writeUInt32LE(length, at + length + 12);
      bytes.writeUInt32LE(at, at + length + 16);
      const file = fileOf(bytes);
      zipEntries(file);
      return file.longest;
    };
    expect(withDirectory(4 * 1024 * 1024)).toBe(4 * 1024 * 1024);
    expect(withDirectory(4 * 1024 * 1024 + 1)).toBe(END_BYTES + 65_535);
  });
});

describe("unzipEntry", () => {
  const unzip = (bytes: Uint8Array, name: string, maxBytes: number) =>
    unzipEntry(fileOf(bytes), entryOf(bytes, name), maxBytes);

  it("unpacks what is stored or deflated, up to the limit", () => {
    expect([unzip(good, "a/stored", 4), unzip(good, "a/stored", 3)]).toEqual([stored, undefined]);
    expect(
      [unzip(good, "deflated", 500), unzip(good, "deflated", 499)].map((bytes) => bytes && Buffer.from(bytes)),
    ).toEqual([Buffer.from(deflated), undefined]);
  });

  it.each<[string, Uint8Array]>([
    ["is packed otherwise", changed("directory", (view, at) => view.setUint16(at + 10, 12, true))],
    ["has no header of its own", changed("local", (view) => view.setUint8(0, 0))],
    ["begins beyond the file", changed("directory", (view, at) => view.setUint32(at + 42, good.length - 29, true))],
    [
      "ends beyond the file",
      changed("directory", (view, at) => [20, 24].forEach((field) => view.setUint32(at + field, good.length, true))),
    ],
    [
      "says that it is packed larger than allowed",
      changed("directory", (view, at) => view.setUint32(at + 20, 1_001, true)),
    ],
  ])("refuses an entry that %s", (_, bytes) => expect(unzip(bytes, "a/stored", 1_000)).toBeUndefined());
});
