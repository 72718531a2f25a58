import { createHash, randomUUID } from "node:crypto";
import { chmodSync, createReadStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@terrarium/clock";
import { checkLayer, type Layer, type LayerStore, type Machine } from "@terrarium/runtime";
import { aMachineSpec } from "@terrarium/runtime/testing";
import { simulatorRuntime } from "@terrarium/runtime-simulator";
import { shell } from "../packages/runtimes/simulator/src/testing/with-link.ts";
import { fill } from "./support/fill-device.ts";
import { percentile, print } from "./support/figures.ts";

/**
 * What it costs to save a device and to start from what was saved, by how much has changed. A plain start of the same round is the
 * baseline. A start counts until the device answers a shell command.
 */

const SIZES_MB = [1, 10, 100];
const ROUNDS = 5;
const MB = 1024 * 1024;
const never = new AbortController().signal;

const folder = mkdtempSync(join(tmpdir(), "bench-save-"));
chmodSync(folder, 0o755);

/** A store on the disk that flushes each layer, as the server's does. */
class DiskLayers implements LayerStore {
  readonly #folder: string;
  stored = 0;

  constructor(path: string) {
    this.#folder = path;
    mkdirSync(path);
  }

  async put(bytes: AsyncIterable<Uint8Array>): Promise<Layer> {
    const path = join(this.#folder, randomUUID());
    const file = await open(path, "wx");
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.byteLength;
      await file.writeFile(chunk);
    }
    await file.sync();
    await file.close();
    const sha256 = hash.digest("hex");
    await rename(path, join(this.#folder, sha256));
    this.stored += size;
    return { sha256, size };
  }

  async has({ sha256, size }: Layer): Promise<boolean> {
    const found = await stat(join(this.#folder, sha256)).catch(() => undefined);
    return found?.size === size;
  }

  get(layer: Layer): AsyncIterable<Uint8Array> {
    return checkLayer(layer, createReadStream(join(this.#folder, layer.sha256)));
  }
}

const layers = new DiskLayers(join(folder, "store"));
const runtimeIn = (name: string) =>
  simulatorRuntime({ dataDir: join(folder, name), clock: systemClock, log: () => undefined, layers });
const here = runtimeIn("here");
const elsewhere = runtimeIn("elsewhere");

async function timed<T>(act: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const began = performance.now();
  const result = await act();
  return { ms: performance.now() - began, result };
}

async function startFrom(runtime: typeof here, saved: readonly Layer[]): Promise<Machine> {
  const machine = await runtime.start(aMachineSpec({ id: randomUUID(), layers: saved }), never);
  await shell(machine.adb, "echo here");
  return machine;
}

const p50 = (figures: readonly number[]): string => percentile(figures, 0.5).toFixed(0);

try {
  // The first start of a runtime waits for a process.
  for (const runtime of [here, elsewhere]) await (await startFrom(runtime, [])).stop();
  console.log(`Saving, p50 of ${ROUNDS}`);
  for (const megabytes of SIZES_MB) {
    const figures = {
      plain: [] as number[],
      save: [] as number[],
      more: [] as number[],
      from: [] as number[],
      fetch: [] as number[],
    };
    let bytes = 0;
    let moreBytes = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const plain = await timed(() => startFrom(here, []));
      figures.plain.push(plain.ms);
      const machine = plain.result;
      await fill(machine.adb, megabytes);
      const save = (one: Machine) => timed(() => one.save!({ onProgress: () => undefined }, never));
      layers.stored = 0;
      const saved = await save(machine);
      bytes = layers.stored;
      figures.save.push(saved.ms);
      await machine.stop();
      const from = await timed(() => startFrom(here, saved.result));
      figures.from.push(from.ms);
      await shell(from.result.adb, "echo more > /sdcard/more");
      layers.stored = 0;
      figures.more.push((await save(from.result)).ms);
      moreBytes = layers.stored;
      await from.result.stop();
      const fetched = await timed(() => startFrom(elsewhere, saved.result));
      figures.fetch.push(fetched.ms);
      await fetched.result.stop();
    }
    const ratio = percentile(figures.from, 0.5) / percentile(figures.plain, 0.5);
    const saveRatio = percentile(figures.save, 0.5) / percentile(figures.plain, 0.5);
    print(`${megabytes} MB changed: plain start (ms)`, p50(figures.plain));
    print(
      "  save (ms)",
      `${p50(figures.save)}, ${saveRatio.toFixed(1)} plain starts; ${(bytes / MB).toFixed(1)} MB stored`,
    );
    print("  start from it (ms)", `${p50(figures.from)}, ${ratio.toFixed(2)} plain starts`);
    print("  save again after a small change (ms)", `${p50(figures.more)}; ${(moreBytes / 1024).toFixed(1)} kB stored`);
    print("  start on another computer (ms)", p50(figures.fetch));
  }
} finally {
  await here.shutdown();
  await elsewhere.shutdown();
  rmSync(folder, { recursive: true, force: true });
}
