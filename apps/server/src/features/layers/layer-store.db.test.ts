import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Layer, LayerDamagedError } from "@terrarium/runtime";
import { expect, it, onTestFinished } from "vitest";
import { openDirectoryStore } from "../../platform/files/directory-store.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { FileLayers } from "./layer-store.ts";

const never = new AbortController().signal;

async function setUp() {
  const root = await mkdtemp(join(tmpdir(), "layers-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const { db } = await createTestDatabase();
  const layers = new FileLayers(await openDirectoryStore(root), db);
  return {
    layers,
    put: (content: string) => layers.put(chunks(content), never),
    read: (layer: Layer) => text(layers.get(layer, never)),
    fileOf: ({ sha256 }: Layer) => join(root, "layers", sha256),
  };
}

async function* chunks(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

const missing: Layer = { sha256: "a".repeat(64), size: 5 };

it("stores a layer under its hash, and returns its bytes", async () => {
  const { layers, put, read, fileOf } = await setUp();
  const layer = await put("moss");
  expect(layer).toEqual({ sha256: createHash("sha256").update("moss").digest("hex"), size: 4 });
  expect([await read(layer), await readFile(fileOf(layer), "utf8")]).toEqual(["moss", "moss"]);
  expect([await layers.has(layer), await layers.has({ ...layer, size: 5 }), await layers.has(missing)]).toEqual([
    true,
    false,
    false,
  ]);
});

it.each([
  ["was changed", (file: string) => writeFile(file, "mors"), "has other content"],
  ["was cut off", (file: string) => truncate(file, 3), "has 3 of 4 bytes"],
  ["has grown", (file: string) => writeFile(file, "mosses"), "is larger than 4 bytes"],
  ["was deleted", (file: string) => rm(file), "is missing"],
])("refuses a layer that %s", async (_, damage, words) => {
  const { put, read, fileOf } = await setUp();
  const layer = await put("moss");
  await damage(fileOf(layer));
  const error: unknown = await read(layer).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LayerDamagedError);
  expect(String(error)).toContain(`layer ${layer.sha256} ${words}`);
});

it("stores a layer anew of which a part is missing", async () => {
  const { put, read, fileOf } = await setUp();
  const layer = await put("moss");
  await truncate(fileOf(layer), 3);
  await put("moss");
  expect(await read(layer)).toBe("moss");
});

it("stores nothing of a save that was aborted", async () => {
  const { layers } = await setUp();
  const save = new AbortController();
  async function* slowly() {
    yield Buffer.from("mo");
    save.abort(new Error("aborted"));
    yield Buffer.from("ss");
  }
  await expect(layers.put(slowly(), save.signal)).rejects.toThrow("aborted");
  expect(await layers.has({ sha256: createHash("sha256").update("moss").digest("hex"), size: 4 })).toBe(false);
});
