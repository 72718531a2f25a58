import { execFileSync } from "node:child_process";
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { PART_BYTES } from "./manifest.ts";
import { openArchive } from "./read-archive.ts";
import type { TarEntry } from "./tar.ts";
import { inParts, writeArchive } from "./write-archive.ts";

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-archive-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* twoParts(): AsyncGenerator<TarEntry> {
  yield { name: "plants.000001", content: Buffer.from("fern\nmoss\n") };
  yield { name: "empty.000001", content: Buffer.alloc(0) };
}

async function anArchive(parts: () => AsyncIterable<TarEntry> = twoParts): Promise<string> {
  const path = join(await aFolder(), "backup.tar.gz");
  await writeArchive(path, parts(), () => ({ plants: 2 }));
  return path;
}

async function partsOf(path: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  const { read } = await openArchive(path);
  for await (const { name, content } of read()) found.push([name, Buffer.from(content).toString()]);
  return found;
}

/** Writes the archive again with some of its uncompressed bytes replaced. */
async function change(path: string, from: string, to: string): Promise<void> {
  const bytes = gunzipSync(await readFile(path));
  bytes.write(to, bytes.indexOf(from), "latin1");
  await writeFile(path, gzipSync(bytes));
}

describe("an archive", () => {
  it("gives back what was put in", async () => {
    const path = await anArchive();
    expect((await openArchive(path)).content).toEqual({ plants: 2 });
    expect(await partsOf(path)).toEqual([
      ["plants.000001", "fern\nmoss\n"],
      ["empty.000001", ""],
    ]);
  });

  it("is a tar.gz that tar reads, with a manifest at its end", async () => {
    const path = await anArchive();
    const names = execFileSync("tar", ["tzf", path], { encoding: "utf8" });
    expect(names).toBe("plants.000001\nempty.000001\nmanifest.json\n");
    const text = execFileSync("tar", ["xzOf", path, "plants.000001"], { encoding: "utf8" });
    expect(text).toBe("fern\nmoss\n");
  });

  it("can be read by its owner only", async () => {
    expect((await stat(await anArchive())).mode & 0o777).toBe(0o600);
  });

  it("leaves the file of that name as it was, and nothing else, when writing fails", async () => {
    const path = await anArchive();
    const before = await readFile(path);
    async function* failing(): AsyncGenerator<TarEntry> {
      yield* twoParts();
      throw new Error("the database is gone");
    }
    await expect(writeArchive(path, failing(), () => ({}))).rejects.toThrow("the database is gone");
    expect((await readFile(path)).equals(before)).toBe(true);
    expect(await readdir(join(path, ".."))).toEqual(["backup.tar.gz"]);
  });

  it("replaces the unfinished file of a process that was killed", async () => {
    const path = join(await aFolder(), "backup.tar.gz");
    await writeFile(`${path}.part`, "half of one");
    await writeArchive(path, twoParts(), () => ({}));
    expect(await readdir(join(path, ".."))).toEqual(["backup.tar.gz"]);
    expect(await partsOf(path)).toHaveLength(2);
  });

  it("is not mixed with another that is written to the same name", async () => {
    const path = join(await aFolder(), "backup.tar.gz");
    async function* interrupted(): AsyncGenerator<TarEntry> {
      yield* twoParts();
      await rm(`${path}.part`);
      await writeFile(`${path}.part`, "of another process");
    }
    await expect(writeArchive(path, interrupted(), () => ({}))).rejects.toThrow("Another process is writing to");
    expect(await readdir(join(path, ".."))).toEqual(["backup.tar.gz.part"]);
  });
});

describe("openArchive", () => {
  it.each([
    ["a part that was changed", "fern", "dung", /is damaged: plants\.000001/],
    ["a sum that was changed", '"sha256":"', '"sha256":"00000000', /is damaged/],
    ["a part that was renamed", "empty.000001", "exist.000001", /not a tar header/],
    ["a manifest that is no JSON", '{"format":1', '{{format":1', /its manifest.json cannot be read/],
    ["a manifest without a format", '"format":1', '"forwat":1', /its manifest.json cannot be read/],
    ["a manifest without its parts", '"parts"', '"carts"', /its manifest.json cannot be read/],
    ["a newer format", '"format":1', '"format":2', /newer version of Terrarium \(format 2\)/],
  ])("refuses %s", async (_, from, to, message) => {
    const path = await anArchive();
    await change(path, from, to);
    await expect(openArchive(path)).rejects.toThrow(message);
  });

  it("refuses an archive that was cut off, wherever", async () => {
    const path = await anArchive();
    const { size } = await stat(path);
    for (let length = size - 1; length >= 0; length -= 7) {
      await (await open(path, "r+").then(async (file) => (await file.truncate(length), file))).close();
      await expect(openArchive(path)).rejects.toThrow(/damaged or incomplete/);
    }
  });

  it("refuses a part that the manifest does not list", async () => {
    const path = await anArchive();
    const bytes = gunzipSync(await readFile(path));
    await writeFile(path, gzipSync(Buffer.concat([bytes.subarray(0, 1024), bytes])));
    await expect(openArchive(path)).rejects.toThrow(/is damaged|should not have/);
  });

  it("refuses an archive without its manifest, and other files", async () => {
    const path = join(await aFolder(), "other");
    await writeFile(path, gzipSync(Buffer.alloc(1024)));
    await expect(openArchive(path)).rejects.toThrow("is not complete: it has no manifest.json");
    await writeFile(path, "a letter");
    await expect(openArchive(path)).rejects.toThrow("is not a backup");
    await expect(openArchive(`${path}-missing`)).rejects.toThrow("ENOENT");
  });

  it("refuses a part that changes between the check and the reading", async () => {
    const path = await anArchive();
    const { read } = await openArchive(path);
    await change(path, "fern", "dung");
    await expect(read().next()).rejects.toThrow("is damaged");
  });
});

describe("inParts", () => {
  it("cuts a stream into parts of limited size", async () => {
    const text = "x".repeat(PART_BYTES / 2);
    const sizes: [string, number][] = [];
    for await (const { name, content } of inParts("big", chunks(text, text, "end"))) sizes.push([name, content.length]);
    expect(sizes).toEqual([
      ["big.000001", PART_BYTES],
      ["big.000002", 3],
    ]);
  });

  it("makes one empty part of an empty stream", async () => {
    const found: TarEntry[] = [];
    for await (const part of inParts("none", chunks())) found.push(part);
    expect(found).toEqual([{ name: "none.000001", content: Buffer.alloc(0) }]);
  });
});
