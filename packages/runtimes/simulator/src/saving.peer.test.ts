import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aborted, systemClock } from "@terrarium/clock";
import { type Layer, type Machine, processesWith } from "@terrarium/runtime";
import { aMachineSpec, MemoryLayers } from "@terrarium/runtime/testing";
import { makeApk } from "@terrarium/simulator/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { socketIn } from "./host-folders.ts";
import { simulatorRuntime, type SimulatorRuntime } from "./simulator-runtime.ts";
import { StockAdb } from "./testing/stock-adb.ts";
import { push, shell } from "./testing/with-link.ts";

const never = new AbortController().signal;
const TMP = "/data/local/tmp";

let folder: string;
let dataDir: string;
let layers: MemoryLayers;
let runtime: SimulatorRuntime;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "saving-"));
  // The hosts' account may enter, so that they run under it if we are root.
  chmodSync(folder, 0o755);
  dataDir = join(folder, "data");
  layers = new MemoryLayers();
  runtime = make();
});
afterEach(async () => {
  await runtime.shutdown();
  rmSync(folder, { recursive: true });
});

const make = (): SimulatorRuntime =>
  simulatorRuntime({ dataDir, clock: systemClock, log: () => undefined, layers, spread: 1 });
const spec = (number: number, saved: readonly Layer[] = []) =>
  aMachineSpec({ id: `00000000-0000-4000-8000-00000000000${number}`, layers: saved });
const save = (machine: Machine) => machine.save!({ onProgress: () => undefined }, never);
/** What is in the hosts' folder beside the folder of each host. */
const leftOvers = () =>
  readdirSync(join(dataDir, "simulator/0"), { recursive: true, encoding: "utf8" }).filter((name) => name.includes("/"));
const socket = () => socketIn(join(dataDir, "simulator"), 0);

it("keeps everything that the stock adb has put on a device", async () => {
  const adb = new StockAdb();
  await adb.start();
  const use = async ({ adb: { host, port } }: Machine) => {
    adb.serial = `${host}:${port}`;
    await adb.any("connect", adb.serial);
    await adb.run("wait-for-device");
  };
  try {
    const apk = join(folder, "fern.apk");
    writeFileSync(apk, makeApk({ packageName: "org.fern.app", versionCode: 7, padding: randomBytes(3_000_000) }));
    const picture = randomBytes(5_000_000);
    writeFileSync(join(folder, "picture.png"), picture);

    const first = await runtime.start(spec(1), never);
    await use(first);
    expect((await adb.run("install", apk)).code).toBe(0);
    await adb.run("push", join(folder, "picture.png"), "/sdcard/Pictures/picture.png");
    await adb.run("shell", "settings put global fern 1; setprop persist.sys.fern moss; echo hello > /sdcard/note");
    await adb.run("shell", "echo gone > /sdcard/gone; rm -r /sdcard/Music /sdcard/gone");
    const facts =
      "pm list packages -3 -f; settings list global; getprop persist.sys.fern; ls -lR /sdcard; cat /sdcard/note; df /data";
    const before = await adb.text("shell", facts);
    const saved = await save(first);
    await first.stop();

    const second = await runtime.start(spec(2, saved), never);
    await use(second);
    expect(await adb.text("shell", facts)).toBe(before);
    expect(before).toContain("org.fern.app");
    const sums = (await adb.text("shell", "sha256sum $(pm path org.fern.app | cut -d: -f2) /sdcard/Pictures/*")).split(
      "\n",
    );
    expect(sums[0]).toContain(createHash("sha256").update(readFileSync(apk)).digest("hex"));
    expect(sums[1]).toContain(createHash("sha256").update(picture).digest("hex"));
    await adb.run("shell", "rm /sdcard/note; echo more > /sdcard/more; pm uninstall org.fern.app");
    const again = await save(second);
    await second.stop();

    await use(await runtime.start(spec(3, again), never));
    expect(
      await adb.text("shell", "cat /sdcard/note /sdcard/more 2>&1; pm list packages -3; ls /sdcard/Pictures"),
    ).toBe("cat: /sdcard/note: No such file or directory\nmore\npicture.png\n");
  } finally {
    await adb.any("kill-server");
  }
});

it("saves a device that another server has started", async () => {
  const first = await runtime.start(spec(1), never);
  await push(first.adb, `${TMP}/a`, Buffer.alloc(100_000, "a"));
  const started = await runtime.start(spec(2, await save(first)), never);
  await runtime.close();
  runtime = make();
  await runtime.prepare?.();
  const adopted = (await runtime.adopt(started))!;
  await shell(adopted.adb, `echo b > ${TMP}/b`);
  // The store may have lost what is still here.
  layers.stored.clear();
  const next = await runtime.start(spec(3, await save(adopted)), never);
  expect(await shell(next.adb, `wc -c < ${TMP}/a; cat ${TMP}/b`)).toBe("100000\nb\n");
});

it("leaves nothing when the host is killed during a save, or when its device ends", async () => {
  const first = await runtime.start(spec(1), never);
  await push(first.adb, `${TMP}/a`, randomBytes(2_000_000));
  const [pid] = await processesWith(socket());
  layers.has = async () => {
    process.kill(pid!, "SIGKILL");
    await aborted(first.gone);
    return false;
  };
  await expect(save(first)).rejects.toThrow("the host process ended");
  expect(leftOvers()).not.toEqual([]);
  layers.has = (layer) => MemoryLayers.prototype.has.call(layers, layer);
  const next = await runtime.start(spec(2), never);
  await push(next.adb, `${TMP}/a`, randomBytes(2_000_000));
  const saved = await save(next);
  await next.stop();
  const last = await runtime.start(spec(3, saved), never);
  expect(readdirSync(join(dataDir, "simulator-layers/used"))).toHaveLength(1);
  await last.stop();
  await expect.poll(() => readdirSync(join(dataDir, "simulator-layers/used"))).toEqual([]);
  expect(leftOvers()).toEqual([]);
  expect(readdirSync(join(dataDir, "simulator-layers/incoming"))).toEqual([]);
});

it("ends a save, and lets the device run on, when the server that saves is gone", async () => {
  const first = await runtime.start(spec(1), never);
  await push(first.adb, `${TMP}/a`, randomBytes(2_000_000));
  const slow = new MemoryLayers();
  slow.put = () => new Promise(() => undefined);
  const other = simulatorRuntime({ dataDir, clock: systemClock, log: () => undefined, layers: slow });
  const adopted = (await other.adopt(first))!;
  const begun = Promise.withResolvers<void>();
  slow.has = async () => (begun.resolve(), false);
  void adopted.save!({ onProgress: () => undefined }, never).catch(() => undefined);
  await begun.promise;
  await expect(save(first)).rejects.toThrow("the device is being saved already");
  await other.close();
  expect(await shell(first.adb, "echo here")).toBe("here\n");
  expect(await save(first)).not.toEqual([]);
});

it("fetches layers again that were damaged on this computer", async () => {
  const first = await runtime.start(spec(1), never);
  await shell(first.adb, `echo a > ${TMP}/a`);
  const saved = await save(first);
  const top = saved.at(-1)!;
  const file = join(dataDir, "simulator-layers/layers", top.sha256);
  const bytes = readFileSync(file);
  bytes[20]! ^= 1;
  rmSync(file);
  writeFileSync(file, bytes, { mode: 0o644 });
  await expect(runtime.start(spec(2, saved), never)).rejects.toMatchObject({ name: "LayerDamagedError" });
  const next = await runtime.start(spec(2, saved), never);
  expect(await shell(next.adb, `cat ${TMP}/a`)).toBe("a\n");
});
