import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Layer } from "@terrarium/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Files } from "../files/files.ts";
import { ROOT } from "../files/identity.ts";
import type { Node } from "../files/node.ts";
import { aSpec } from "../testing/a-spec.ts";
import { makeApk } from "../testing/make-apk.ts";
import { testDevice, type TestDevice } from "../testing/test-device.ts";
import { restoreDevice } from "./restore-device.ts";
import { readStates, type StateLayer } from "./state-layer.ts";
import { writeLayers } from "./write-layers.ts";

const KB = 1024;
const TMP = "/data/local/tmp";
const never = new AbortController().signal;

/** Holds all layers. */
let folder: string;
let devices: TestDevice[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "layers-"));
  devices = [];
});
afterEach(() => {
  for (const one of devices) one.stop();
  rmSync(folder, { recursive: true });
});

interface Started extends TestDevice {
  states: StateLayer[];
  files: Files;
}

/** A device that was started from what was saved, or a new one. */
async function start(layers: readonly Layer[] = [], maxDiskBytes = 64 * KB * KB): Promise<Started> {
  const top = layers.at(-1);
  const states = top ? await readStates(folder, top) : [];
  const started = await testDevice({
    spec: aSpec({ image: { sdkVersion: 30 } }),
    maxDiskBytes,
    restore: (device) => restoreDevice(device, states, folder),
  });
  devices.push(started);
  return { ...started, states, files: new Files(started.device.volume, ROOT) };
}

const save = ({ device, states }: Started): Promise<Layer[]> =>
  writeLayers({ device, states, layerFolder: folder, folder, signal: never });

const sh = async ({ adb }: TestDevice, command: string): Promise<string> => {
  const { stdout, stderr } = await adb.shell(command);
  return stdout + stderr;
};

const bytesIn = (layers: readonly Layer[]): number => layers.reduce((sum, { size }) => sum + size, 0);
const newer = (layers: readonly Layer[], older: readonly Layer[]): Layer[] =>
  layers.filter(({ sha256 }) => !older.some((other) => other.sha256 === sha256));

describe("a device that is started from a saved one", () => {
  it("has what Android keeps over a reboot", async () => {
    const first = await start();
    const apk = makeApk({ packageName: "org.fern.app", versionCode: 7, label: "Fern", activity: ".Main" });
    first.files.write(`${TMP}/fern.apk`, apk);
    expect(await sh(first, `pm install ${TMP}/fern.apk`)).toBe("Success\n");
    await sh(
      first,
      "settings put system screen_brightness 200; settings put global fern 1; settings delete secure user_setup_complete",
    );
    await sh(first, "settings put system font_scale 1.3; settings put global wifi_on 0; setprop persist.sys.fern moss");
    await sh(
      first,
      "echo note > /sdcard/Documents/note; chmod 640 /sdcard/Documents/note; ln -s note /sdcard/Documents/link",
    );
    await sh(first, "rmdir /sdcard/Alarms; touch -t 202001020304 /sdcard/Documents/note");
    const next = await start(await save(first));
    expect(await sh(next, "pm list packages -3; pm path org.fern.app")).toBe(
      await sh(first, "pm list packages -3; pm path org.fern.app"),
    );
    expect(next.device.packages.get("org.fern.app")).toEqual(first.device.packages.get("org.fern.app"));
    const facts =
      "settings list system; settings list global; settings list secure; getprop persist.sys.fern; ls -l /sdcard/Documents; cat /sdcard/Documents/link; ls /sdcard; df /data";
    expect(await sh(next, facts)).toBe(await sh(first, facts));
    // The next app gets another user id, and its own folder.
    next.files.write(`${TMP}/moss.apk`, makeApk({ packageName: "org.moss.app" }));
    expect(await sh(next, `pm install ${TMP}/moss.apk; pm list packages -U -3`)).toContain(
      "package:org.fern.app uid:10100\npackage:org.moss.app uid:10101\n",
    );
  });

  it("has nothing of what a reboot ends", async () => {
    const first = await start();
    await sh(first, "setprop debug.fern 1; log -t Fern hello; am start -n com.terrarium.notes/.Notes");
    first.device.state.set({ clipboard: "secret", battery: { level: 5, status: "charging" }, screenOn: false });
    first.files.write(first.device.packages.stage(), "half an APK");
    first.files.write("/dev/fern", "x");
    const next = await start(await save(first));
    expect(next.device.state.values).toMatchObject({ clipboard: "", battery: { level: 86 }, screenOn: true });
    expect(next.device.processes(1).some(({ name }) => name === "com.terrarium.notes")).toBe(false);
    expect(await sh(next, "getprop debug.fern; ls /dev; logcat -d -s Fern")).not.toMatch(/fern|hello/);
    expect(next.files.list("/data/app")).toEqual([]);
  });

  it("is its own device, with what is told apart by", async () => {
    const first = await start();
    await sh(first, "settings put global fern 1");
    const [top] = (await save(first)).slice(-1);
    const state = readFileSync(join(folder, top!.sha256), "utf8");
    expect(state).not.toMatch(/android_id|serialno|device_name/);
  });

  it("counts what was saved on its disk, and has room again for what is deleted", async () => {
    const first = await start();
    for (const name of ["a", "b"]) first.files.write(`${TMP}/${name}`, randomBytes(100 * KB));
    const layers = await save(first);
    const next = await start(layers, 300 * KB);
    expect(next.device.volume.usedBytes).toBe(200 * KB);
    expect(() => next.files.write(`${TMP}/c`, randomBytes(101 * KB))).toThrow("No space left on device");
    next.files.remove(`${TMP}/c`);
    next.files.chmod(`${TMP}/a`, 0o600);
    next.files.remove(`${TMP}/a`);
    expect(next.device.volume.usedBytes).toBe(100 * KB);
    next.files.write(`${TMP}/c`, randomBytes(200 * KB));
    // On a smaller disk there is room for nothing, but everything is there.
    const small = await start(layers, 50 * KB);
    expect(small.device.volume.availableBytes).toBe(0);
    expect(small.files.read(`${TMP}/b`)).toEqual(first.files.read(`${TMP}/b`));
  });

  it("reads its files when they are asked for", async () => {
    const first = await start();
    first.files.write(`${TMP}/large`, randomBytes(100 * KB));
    const layers = await save(first);
    rmSync(join(folder, layers[0]!.sha256));
    const next = await start(layers);
    expect(next.files.size(next.files.stat(`${TMP}/large`))).toBe(100 * KB);
    expect(() => next.files.read(`${TMP}/large`)).toThrow("I/O error");
  });

  it("is not started from a state that is damaged", async () => {
    const first = await start();
    await sh(first, "echo 1 > /sdcard/a");
    const second = await start(await save(first));
    await sh(second, "echo 2 > /sdcard/b");
    const layers = await save(second);
    for (const { sha256 } of layers.slice(-2)) {
      const file = join(folder, sha256);
      const bytes = readFileSync(file);
      for (const harm of [
        () => truncateSync(file, bytes.length - 1),
        () => writeFileSync(file, String(bytes).replace("sdcard", "sdcord").replace("storage", "storege")),
        () => rmSync(file),
      ]) {
        harm();
        await expect(start(layers)).rejects.toMatchObject({ name: "LayerDamagedError", sha256 });
        writeFileSync(file, bytes);
      }
    }
    writeFileSync(join(folder, createHash("sha256").update("PK").digest("hex")), "PK");
    await expect(start([{ sha256: createHash("sha256").update("PK").digest("hex"), size: 2 }])).rejects.toThrow(
      "was saved by another runtime or version",
    );
  });
});

describe("saving", () => {
  it("writes nothing if nothing has changed", async () => {
    const first = await start();
    first.files.write(`${TMP}/a`, "1");
    const layers = await save(first);
    const files = readdirSync(folder).toSorted();
    expect(await save(await start(layers))).toEqual(layers);
    expect(readdirSync(folder).toSorted()).toEqual(files);
  });

  it("writes only what has changed since the start", async () => {
    const first = await start();
    first.files.write(`${TMP}/large`, randomBytes(500 * KB));
    for (let at = 0; at < 20; at++) first.files.write(`${TMP}/small${at}`, randomBytes(10 * KB));
    const layers = await save(first);
    const second = await start(layers);
    second.files.chmod(`${TMP}/large`, 0o640);
    second.files.chmod(`${TMP}/small1`, 0o640);
    second.files.makeDirectory(`${TMP}/moved`);
    second.files.rename(`${TMP}/large`, `${TMP}/moved/large`);
    second.files.rename(`${TMP}/small2`, `${TMP}/moved/small2`);
    second.files.write(`${TMP}/new`, "new");
    const added = newer(await save(second), layers);
    expect(added).toHaveLength(2);
    expect(bytesIn(added)).toBeLessThan(3 * KB);
  });

  it("drops the layers of files that are gone", async () => {
    const first = await start();
    first.files.write(`${TMP}/large`, randomBytes(500 * KB));
    const layers = await save(first);
    const second = await start(layers);
    second.files.remove(`${TMP}/large`);
    expect(bytesIn(await save(second))).toBeLessThan(3 * KB);
  });

  it("stores files with equal bytes once", async () => {
    const first = await start();
    const bytes = randomBytes(100 * KB);
    first.files.write(`${TMP}/a`, bytes);
    first.files.write(`${TMP}/b`, bytes);
    expect((await save(first)).filter(({ size }) => size === 100 * KB)).toHaveLength(1);
  });

  it("packs large files, too, beyond the 256 largest", async () => {
    const first = await start();
    for (let at = 0; at < 260; at++) first.files.write(`/sdcard/${at}`, Buffer.alloc(64 * KB + at, at));
    const layers = await save(first);
    // With a pack of the four smallest, and the state.
    expect(layers).toHaveLength(258);
    expect(layers.map(({ size }) => size)).toContain(4 * 64 * KB + 0 + 1 + 2 + 3);
    const next = await start(layers);
    for (const at of [0, 3, 4, 259])
      expect(Buffer.alloc(64 * KB + at, at).equals(next.files.read(`/sdcard/${at}`))).toBe(true);
    // What is a layer already stays one until the stack is flattened.
    next.files.write(`/sdcard/larger`, Buffer.alloc(65 * KB, "x"));
    expect(await save(next)).toHaveLength(260);
    const deep = Array.from({ length: 16 }, () => next.states[0]!);
    const flat = await save({ ...next, states: deep });
    expect(flat).toHaveLength(258);
    expect(dump((await start(flat)).files)).toEqual(dump(next.files));
  });

  it("appends to a large file that was saved, without copying it before", async () => {
    const first = await start();
    const [head, tail] = [randomBytes(3000 * KB), randomBytes(100)];
    first.files.write(`${TMP}/large`, head);
    const second = await start(await save(first));
    const writer = second.files.append(`${TMP}/large`);
    writer.write(tail);
    writer.close();
    const whole = Buffer.concat([head, tail]);
    expect(whole.equals(second.files.read(`${TMP}/large`))).toBe(true);
    const read = (at: number, length: number) => Buffer.from(second.files.open(`${TMP}/large`).read(at, length));
    expect(read(head.length - 1, 3)).toEqual(whole.subarray(head.length - 1, head.length + 2));
    expect(read(head.length + 98, 10)).toEqual(tail.subarray(98));
    const third = await start(await save(second));
    expect(whole.equals(third.files.read(`${TMP}/large`))).toBe(true);
  });

  it("flattens a deep stack, and packs its small files anew", async () => {
    let layers: Layer[] = [];
    const depths: number[] = [];
    for (let round = 0; round < 17; round++) {
      const device = await start(layers);
      depths.push(device.states.length);
      device.files.write(`${TMP}/round`, String(round));
      // Its pack would be kept for it.
      if (round === 0) device.files.write(`${TMP}/first`, "x");
      device.files.write(`${TMP}/of${round % 3}`, randomBytes(30 * KB));
      layers = await save(device);
    }
    expect(depths).toEqual([...Array(17).keys()]);
    expect(bytesIn(layers)).toBeLessThan(100 * KB);
    const last = await start(layers);
    expect(last.states).toHaveLength(1);
    expect(Buffer.from(last.files.read(`${TMP}/round`)).toString()).toBe("16");
  });

  it("ends when it is aborted, and leaves no file that is half written", async () => {
    const first = await start();
    first.files.write(`${TMP}/large`, randomBytes(900 * KB));
    const stop = AbortSignal.abort(new Error("no more"));
    const { device } = first;
    await expect(writeLayers({ device, states: [], layerFolder: folder, folder, signal: stop })).rejects.toThrow(
      "no more",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([1, 2, 3])("restores any tree exactly: seed %i", async (seed) => {
    const random = randomFrom(seed);
    let layers: Layer[] = [];
    for (let round = 0; round < 20; round++) {
      const device = await start(layers);
      for (let step = 0; step < 15; step++) changeSomething(device.files, random);
      layers = await save(device);
      const next = await start(layers);
      expect(dump(next.files)).toEqual(dump(device.files));
      expect(next.device.volume.usedBytes).toBe(device.device.volume.usedBytes);
      device.stop();
      next.stop();
    }
  });
});

/** Numbers from 0 up to a bound, the same for a seed: a linear congruential generator. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function changeSomething(files: Files, random: (below: number) => number): void {
  const path = () => `/sdcard/${["a", "b", "c", "Music"][random(4)]}${["", "/a", "/b", "/b/a"][random(4)]}`;
  const bytes = () => Buffer.alloc([0, 10, 3000, 70 * KB][random(4)]!, random(256));
  const acts = [
    () => files.write(path(), bytes()),
    () => files.makeDirectory(path()),
    () => files.removeTree(path()),
    () => files.rename(path(), path()),
    () => files.chmod(path(), random(512)),
    () => files.link(path(), "a"),
    () => files.append(path()).write(bytes()),
    () => files.setTime(path(), random(1e9)),
  ];
  try {
    acts[random(acts.length)]!();
  } catch {
    // Not possible on this tree.
  }
}

/** Everything about each file below /sdcard. */
function dump(files: Files): string[] {
  const lines: string[] = [];
  const add = (path: string, node: Node): void => {
    const { kind, mode, mtimeMs, uid, gid } = node;
    const about = { kind, mode, mtimeMs, uid, gid };
    const content =
      node.kind === "file"
        ? createHash("sha256").update(files.read(path)).digest("hex")
        : node.kind === "link" && node.target;
    lines.push(JSON.stringify({ path, ...about, content }));
    if (node.kind === "directory") for (const [name, child] of files.list(path)) add(`${path}/${name}`, child);
  };
  add("/storage/emulated/0", files.stat("/sdcard"));
  return lines;
}
