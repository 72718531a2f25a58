import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestClock } from "@terrarium/clock";
import type { Layer } from "@terrarium/runtime";
import { MemoryLayers } from "@terrarium/runtime/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HOST_ACCOUNT } from "./host-account.ts";
import { LayerCache } from "./layer-cache.ts";

const never = new AbortController().signal;
const HOUR = 60 * 60 * 1000;

let folder: string;
let store: MemoryLayers;
let clock: TestClock;
/** The layers that were fetched. */
let fetched: Layer[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cache-"));
  store = new MemoryLayers();
  clock = new TestClock();
  clock.step(Date.now() - clock.now());
  fetched = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* once(text: string) {
  yield Buffer.from(text);
}
const put = (text: string) => store.put(once(text), never);

const aCache = (options: { maxBytes?: number; isRoot?: boolean } = {}) =>
  new LayerCache({
    folder,
    account: () => (options.isRoot ? HOST_ACCOUNT : undefined),
    maxBytes: options.maxBytes ?? 1000,
    clock,
    store: {
      put: (...args) => store.put(...args),
      has: (layer) => store.has(layer),
      get: (layer, signal) => (fetched.push(layer), store.get(layer, signal)),
    },
  });
const cached = () => readdirSync(join(folder, "layers"));
const users = () => readdirSync(join(folder, "used"));

it("fetches layers once, for all who need them", async () => {
  const cache = aCache();
  const [moss, fern] = [await put("moss"), await put("fern")];
  const [one, two] = await Promise.all([cache.pin("a", [moss, fern], never), cache.pin("b", [moss, moss], never)]);
  expect(readFileSync(join(one, moss.sha256), "utf8") + readFileSync(join(one, fern.sha256), "utf8")).toBe("mossfern");
  expect(readdirSync(two)).toEqual([moss.sha256]);
  await aCache().pin("c", [moss], never);
  expect(fetched).toHaveLength(2);
  expect(readdirSync(join(folder, "incoming"))).toEqual([]);
});

it("deletes what was used longest ago when there is too much besides what is in use", async () => {
  const cache = aCache({ maxBytes: 4 });
  const layers: Layer[] = [];
  // "used" was used longest ago, but is in use.
  for (const text of ["used", "old!", "new!"]) {
    layers.push(await put(text));
    await cache.pin(text, layers.slice(-1), never);
    clock.step(1000);
    if (text !== "used") await cache.release(text);
  }
  expect(cached()).toHaveLength(3);
  const more = await put("more");
  await cache.pin("more", [more], never);
  const [used, , last] = layers;
  expect(new Set(cached())).toEqual(new Set([used, last, more].map((layer) => layer!.sha256)));
});

it("knows when a layer was used again", async () => {
  const cache = aCache({ maxBytes: 4 });
  const [first, second] = [await put("1st!"), await put("2nd!")];
  for (const layer of [first, second]) {
    await cache.pin("a", [layer], never);
    await cache.release("a");
    clock.step(HOUR / 2);
  }
  await cache.pin("a", [first], never);
  await cache.release("a");
  const more = await put("more");
  await cache.pin("more", [more], never);
  expect(new Set(cached())).toEqual(new Set([first.sha256, more.sha256]));
});

it("keeps the layers of a device that runs, even if they are forgotten", async () => {
  const cache = aCache({ maxBytes: 0 });
  const moss = await put("moss");
  const path = await cache.pin("a", [moss], never);
  await cache.discard([moss]);
  expect(readFileSync(join(path, moss.sha256), "utf8")).toBe("moss");
  await cache.release("a");
  expect([cached(), users()]).toEqual([[], []]);
});

it("refuses a damaged layer, and keeps nothing of it", async () => {
  const cache = aCache();
  const [moss, fern] = [await put("moss"), await put("fern")];
  store.damage(moss);
  await expect(cache.pin("a", [fern, moss], never)).rejects.toMatchObject({ name: "LayerDamagedError" });
  expect([cached(), users(), readdirSync(join(folder, "incoming"))]).toEqual([[fern.sha256], [], []]);
});

it("fetches a layer anew of which a part is missing here", async () => {
  const moss = await put("moss");
  const cache = aCache();
  await cache.release("a");
  await cache.pin("a", [moss], never);
  await cache.release("a");
  truncateSync(join(folder, "layers", moss.sha256), 2);
  expect(readFileSync(join(await cache.pin("b", [moss], never), moss.sha256), "utf8")).toBe("moss");
});

it("stops waiting when the start is aborted", async () => {
  const moss = await put("moss");
  store.get = async function* () {
    await new Promise(() => undefined);
    yield Buffer.from("moss");
  };
  const stop = new AbortController();
  const pinning = aCache().pin("a", [moss], stop.signal);
  stop.abort(new Error("no more"));
  await expect(pinning).rejects.toThrow("no more");
  expect(users()).toEqual([]);
});

it("keeps what passes by, unless it is broken off", async () => {
  const cache = aCache();
  const moss = await put("moss");
  for await (const _chunk of cache.caching(moss, once("moss")));
  expect(cached()).toEqual([moss.sha256]);
  await cache.discard([moss]);
  for await (const _chunk of cache.caching(moss, once("moss"))) break;
  expect([cached(), readdirSync(join(folder, "incoming"))]).toEqual([[], []]);
});

it("tries again to make its folders", async () => {
  const cache = aCache();
  const moss = await put("moss");
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "in the way");
  await expect(cache.pin("a", [moss], never)).rejects.toThrow("EEXIST");
  rmSync(folder);
  expect(readFileSync(join(await cache.pin("a", [moss], never), moss.sha256), "utf8")).toBe("moss");
});

it("releases who is gone after an hour, and deletes what a killed process left", async () => {
  const moss = await put("moss");
  const first = aCache();
  for (const user of ["runs", "gone", "starts"]) await first.pin(user, [moss], never);
  writeFileSync(join(folder, "incoming", "half"), "mo");
  const past = new Date(clock.now() - 2 * HOUR);
  for (const path of ["used/runs", "used/gone", "incoming/half"]) utimesSync(join(folder, path), past, past);
  const next = aCache();
  await next.sweep(new Set(["runs"]));
  expect(users().toSorted()).toEqual(["runs", "starts"]);
  expect(readdirSync(join(folder, "incoming"))).toEqual([]);
});

it.runIf(process.getuid?.() === 0)("is read by the hosts' account alone, and written by us alone", async () => {
  const moss = await put("moss");
  await aCache().pin("a", [moss], never);
  // Such as under a server whose hosts ran as root.
  const cache = aCache({ isRoot: true });
  const path = join(await cache.pin("a", [moss], never), moss.sha256);
  const about = (name: string) => {
    const { uid, gid, mode } = statSync(name);
    return [uid, gid, (mode & 0o777).toString(8)];
  };
  expect(about(path)).toEqual([0, HOST_ACCOUNT.gid, "440"]);
  for (const name of ["", "used", "used/a", "layers"])
    expect(about(join(folder, name))).toEqual([0, HOST_ACCOUNT.gid, "750"]);
});
