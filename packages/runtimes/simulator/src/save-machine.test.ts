import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestClock } from "@terrarium/clock";
import type { Layer } from "@terrarium/runtime";
import { MemoryLayers } from "@terrarium/runtime/testing";
import { STACK_FILE } from "@terrarium/simulator";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HostConnection } from "./host-link.ts";
import { LayerCache } from "./layer-cache.ts";
import { saveMachine } from "./save-machine.ts";

const never = new AbortController().signal;
const MB = 1024 * 1024;

let folder: string;
let store: MemoryLayers;
let clock: TestClock;
/** What the host answers to `endSave`. */
let ended: Promise<{ ended: true }>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "save-"));
  for (const name of ["save", "pinned"]) mkdirSync(join(folder, name));
  store = new MemoryLayers();
  clock = new TestClock();
  ended = Promise.resolve({ ended: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const inSave = (name: string): string => join(folder, "save", name);
const stackIs = (stack: unknown): void => writeFileSync(inSave(STACK_FILE), JSON.stringify(stack));
const layerOf = (text: string): Layer => ({
  sha256: createHash("sha256").update(text).digest("hex"),
  size: text.length,
});

/** A layer that the host, or an earlier save, has written. */
function write(text: string, parent = "save"): Layer {
  const layer = layerOf(text);
  writeFileSync(join(folder, parent, layer.sha256), text);
  return layer;
}

function save(signal = never): Promise<Layer[]> {
  const connection = {
    closed: never,
    ask: (name: string) => (name === "save" ? Promise.resolve({ folder: join(folder, "save") }) : ended),
  } as unknown as HostConnection;
  const cache = new LayerCache({
    folder: join(folder, "cache"),
    account: () => undefined,
    maxBytes: MB,
    store,
    clock,
  });
  const deps = { connection, store, cache, clock, pinned: join(folder, "pinned"), maxNewBytes: 100 };
  return saveMachine({ id: "a", boot: 1 }, deps, { onProgress: () => undefined }, signal);
}

it("stores what a host has written, also the files that it links to", async () => {
  const stack = [write("moss"), write("fern", "pinned")];
  linkSync(inSave(stack[0]!.sha256), join(folder, "its own"));
  stackIs(stack.map((layer) => ({ ...layer, more: "unknown" })));
  expect(await save()).toEqual(stack);
  expect([...store.stored.values()].map(String).toSorted()).toEqual(["fern", "moss"]);
});

const replacements: Record<string, (path: string) => void> = {
  "a FIFO": (path) => execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdirSync(path),
  "a symbolic link": (path) => {
    writeFileSync(join(folder, "elsewhere"), "moss");
    symlinkSync(join(folder, "elsewhere"), path);
  },
};

it.each(Object.keys(replacements))("refuses %s in place of a layer, or of the list of layers", async (what) => {
  const moss = write("moss");
  stackIs([moss]);
  for (const name of [moss.sha256, STACK_FILE]) {
    rmSync(inSave(name));
    replacements[what]!(inSave(name));
    await expect(save()).rejects.toThrow(/is not the file that was expected|ELOOP/);
    rmSync(inSave(name), { recursive: true });
    write("moss");
  }
  expect(store.stored.size).toBe(0);
});

it("refuses a layer of another size before it reads it", async () => {
  const moss = write("moss");
  stackIs([moss]);
  truncateSync(inSave(moss.sha256), 5);
  await expect(save()).rejects.toThrow("is not the file that was expected");
});

it("refuses a list that is a hard link to another file", async () => {
  writeFileSync(join(folder, "elsewhere"), "[]");
  linkSync(join(folder, "elsewhere"), inSave(STACK_FILE));
  await expect(save()).rejects.toThrow("is not the file that was expected");
});

it("refuses a list that is too large to be read", async () => {
  writeFileSync(inSave(STACK_FILE), "[]");
  truncateSync(inSave(STACK_FILE), 16 * MB + 1);
  await expect(save()).rejects.toThrow("is not the file that was expected");
});

const { sha256 } = layerOf("moss");
it.each([
  ["no list", { sha256, size: 4 }],
  ["a name that leads elsewhere", [{ sha256: "../../moss", size: 4 }]],
  ["a name in capitals", [{ sha256: sha256.toUpperCase(), size: 4 }]],
  ["a size below zero", [{ sha256, size: -1 }]],
  ["a part of a byte", [{ sha256, size: 3.5 }]],
  ["no size", [{ sha256 }]],
  ["too many layers", Array.from({ length: 65_537 }, () => ({ sha256, size: 0 }))],
])("refuses %s as the list of layers", async (_what, stack) => {
  stackIs(stack);
  await expect(save()).rejects.toThrow("the host's list of layers is not valid");
});

it("refuses more new bytes than the device may write, but not what it was started from", async () => {
  const old = write("x".repeat(101), "pinned");
  const most = write("y".repeat(100));
  stackIs([old, most]);
  expect(await save()).toEqual([old, most]);
  stackIs([old, most, write("z")]);
  await expect(save()).rejects.toThrow("101 new bytes are more than the 100");
});

it("asks the store for nothing more once it is aborted", async () => {
  const stop = new AbortController();
  const asked: Layer[] = [];
  store.has = async (layer) => (asked.push(layer), stop.abort(new Error("no more")), false);
  stackIs([write("moss"), write("fern")]);
  await expect(save(stop.signal)).rejects.toThrow("no more");
  expect(asked).toHaveLength(1);
});

it("does not wait for ever for a host to end the save", async () => {
  stackIs([]);
  ended = new Promise(() => undefined);
  const saving = save();
  await expect.poll(() => clock.sleeping).toBe(1);
  await clock.advance(10_000);
  expect(await saving).toEqual([]);
  ended = Promise.resolve({ ended: true });
  await save();
  expect(clock.sleeping).toBe(0);
});
