import { connectAdb, type KeySource, nodeSocketDuplex, waitForBoot } from "@terrarium/adb";
import { abortable, type Clock } from "@terrarium/clock";
import {
  apiLevelOf,
  type DeviceRuntime,
  type FoundDevice,
  type ImageSpec,
  type Layer,
  type LayerStore,
  type Machine,
  type MachineCapability,
  type MachineRef,
  type MachineSpec,
  NoSlotError,
  offeredHardware,
  placeOf,
  processesWith,
  type SaveOptions,
  saveUserData,
  Turns,
} from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { connect } from "node:net";
import { totalmem } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type Accel, whyNotKvm } from "./accel.ts";
import { emulators, qemuArguments } from "./arguments.ts";
import { Checksums, type QemuImage, readImage } from "./image.ts";
import { MachineFolders, type MachineRecord } from "./machine-folder.ts";
import {
  copyOverlays,
  cutCopies,
  makeOverlays,
  type OverlayOptions,
  removeCopies,
  restoreOverlays,
} from "./overlays.ts";
import { endProcesses } from "./processes.ts";
import { Qmp } from "./qmp.ts";
import { startQemu } from "./start-qemu.ts";

export interface QemuRuntimeOptions {
  dataDir: string;
  clock: Clock;
  log: (line: string) => void;
  layers: LayerStore;
  /** The key by which devices that ask for one know this installation. */
  adbKey: KeySource;
  /** Paths of what may be started. */
  images: readonly string[];
  accel: Accel | "auto";
  maxDevices: number;
  hasInternet: boolean;
  /** A device that has not booted by then is over. */
  bootMs: number;
  /** The folder of QEMU's programs, if they are not in PATH. */
  programs?: string;
}

interface Held {
  machine: Machine;
  record: MachineRecord;
  image: QemuImage;
  qmp: Qmp;
  gone: AbortController;
  booted: Promise<void>;
}

const run = promisify(execFile);
const CAPABILITIES: ReadonlySet<MachineCapability> = new Set(["save"]);
/** What the system and this process need themselves. */
const USABLE_MEMORY = 0.9;
const CONNECT_TIMEOUT_MS = 5_000;
const SYNC_TIMEOUT_MS = 30_000;
const MAX_WORDS = 300;
const MB = 1024 * 1024;

/** Runs guests that answer adb in QEMU, each in a process of its own, which outlives this one and is adopted by the next. */
export function qemuRuntime(options: QemuRuntimeOptions): DeviceRuntime {
  return new QemuRuntime(options);
}

class QemuRuntime implements DeviceRuntime {
  readonly name = "qemu";
  readonly #options: QemuRuntimeOptions;
  readonly #folders: MachineFolders;
  readonly #checksums = new Checksums();
  readonly #held = new Map<string, Held>();
  /** The memory in MiB of those that are being started, by id. */
  readonly #starting = new Map<string, number>();
  readonly #turns = new Turns();
  readonly #end = new AbortController();
  #discovered: Promise<void> | undefined;
  #accel: Promise<Accel> | undefined;

  constructor(options: QemuRuntimeOptions) {
    this.#options = options;
    this.#folders = new MachineFolders(join(options.dataDir, this.name));
  }

  place(): Promise<string> {
    return placeOf(this.#options.dataDir, this.name);
  }

  /** Reads the images, as their checksums take long, and tries the accelerator. */
  async prepare(): Promise<void> {
    await this.#discover();
    for (const { image } of await this.#images()) {
      if (!image) continue;
      await this.#checksums.ofImage(image);
      await this.#chooseAccel(image);
    }
  }

  start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    return abortable(
      this.#turns.take(spec.id, () => this.#start(spec, signal)),
      signal,
    );
  }

  async list(): Promise<MachineRef[]> {
    await this.#discover();
    return [...this.#held.values()].map(({ record: { id, boot } }) => ({ id, boot }));
  }

  adopt({ id, boot }: MachineRef): Promise<Machine | undefined> {
    return this.#turns.take(id, async () => {
      await this.#discover();
      const held = this.#held.get(id);
      if (held?.record.boot === boot) return held.machine;
      if (held && held.record.boot < boot) await this.#stop(held);
      return undefined;
    });
  }

  stop(id: string): Promise<void> {
    return this.#turns.take(id, async () => {
      await this.#discover();
      const held = this.#held.get(id);
      if (held) await this.#stop(held);
    });
  }

  async found(): Promise<FoundDevice[]> {
    const images = (await this.#images()).map(async ({ path, image, problem }): Promise<FoundDevice> => {
      const offered = image && offerOf(image);
      const name = offered ? `Android ${offered.osVersion} in QEMU` : basename(path);
      const says = problem ?? (image && (await this.#cannotRun(image)));
      return {
        key: basename(path),
        name,
        isFree: says === undefined,
        problem: says ?? (offered ? undefined : NO_VERSION),
        image: offered,
        hardware: { name, ...offeredHardware },
      };
    });
    return Promise.all(images);
  }

  async verify({ artefact, arch }: ImageSpec): Promise<string> {
    return this.#checksums.ofImage(await this.#imageFor(artefact, arch));
  }

  async shutdown(): Promise<void> {
    await Promise.all((await this.list()).map(({ id }) => this.stop(id)));
  }

  async close(): Promise<void> {
    this.#end.abort(new Error("the runtime was closed"));
    for (const { qmp } of this.#held.values()) qmp.close();
    await this.#turns.over();
  }

  async #start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    signal.throwIfAborted();
    await this.#discover();
    const runs = this.#held.get(spec.id);
    if (runs?.record.boot === spec.boot) return runs.machine;
    if (runs && runs.record.boot > spec.boot) throw new Error(`boot ${runs.record.boot} of this device runs`);
    if (runs) await this.#stop(runs);
    const { id, hardware, layers } = spec;
    const image = await this.#imageFor(spec.image.artefact, spec.image.arch);
    const accel = await this.#chooseAccel(image);
    this.#takeRoom(spec);
    try {
      const { clock, hasInternet } = this.#options;
      const folder = await this.#folders.make(id);
      const overlays = this.#overlays(id, image, signal);
      if (layers.length > 0) await restoreOverlays(overlays, layers, this.#options.layers);
      else await makeOverlays(overlays, hardware.dataDiskMb);
      signal.throwIfAborted();
      const place = await this.place();
      const isRoot = process.getuid?.() === 0;
      const { qmp, port } = await startQemu(
        {
          folder,
          program: this.#program(emulators[image.arch].program),
          clock,
          openLog: () => this.#folders.openLog(id),
          lastWords: () => this.#folders.lastWords(id),
          argumentsFor: (port) => qemuArguments(spec, { image, place, accel, port, hasInternet, isRoot }),
          onPort: (port) => this.#folders.write(recordOf(spec, port)),
        },
        signal,
      );
      if (signal.aborted) qmp.close();
      signal.throwIfAborted();
      return this.#hold(recordOf(spec, port), image, qmp).machine;
    } catch (error) {
      await this.#clear(id);
      throw error;
    } finally {
      this.#starting.delete(id);
    }
  }

  /** @throws NoSlotError */
  #takeRoom({ id, hardware: { ramMb } }: MachineSpec): void {
    const used = [...[...this.#held.values()].map(({ record }) => record.ramMb), ...this.#starting.values()];
    const { maxDevices } = this.#options;
    if (used.length >= maxDevices) throw new NoSlotError(`QEMU runs its ${maxDevices} devices`);
    const free = Math.floor((totalmem() / MB) * USABLE_MEMORY) - used.reduce((sum, size) => sum + size, 0);
    if (ramMb > free) throw new NoSlotError(`there are ${free} MiB of memory for devices, and this one needs ${ramMb}`);
    this.#starting.set(id, ramMb);
  }

  #hold(record: MachineRecord, image: QemuImage, qmp: Qmp): Held {
    const { id, boot, port } = record;
    const gone = new AbortController();
    const machine: Machine = {
      id,
      boot,
      adb: { host: "127.0.0.1", port },
      capabilities: CAPABILITIES,
      gone: gone.signal,
      save: (options, signal) =>
        this.#turns.take(`save ${id} ${boot}`, () => this.#save(held, options, AbortSignal.any([signal, gone.signal]))),
      stop: () =>
        this.#turns.take(id, async () => {
          if (this.#held.get(id) === held) await this.#stop(held);
        }),
    };
    const held: Held = { machine, record, image, qmp, gone, booted: Promise.resolve() };
    this.#held.set(id, held);
    held.booted = this.#watchBoot(held);
    held.booted.catch(() => undefined);
    void qmp.ended().then(() => this.#ended(held));
    return held;
  }

  /** Its QEMU does not answer any more, and nobody has asked for that. */
  async #ended(held: Held): Promise<void> {
    const { id } = held.record;
    if (this.#end.signal.aborted || this.#held.get(id) !== held) return;
    const words = (await this.#folders.lastWords(id)).slice(-MAX_WORDS);
    const { shutdownReason } = held.qmp;
    const how = shutdownReason === undefined ? "QEMU ended" : `QEMU ended: ${shutdownReason}`;
    await this.#turns.take(id, () => this.#giveUp(held, words === "" ? how : `${how}, and said: ${words}`));
  }

  async #giveUp(held: Held, why: string): Promise<void> {
    const { id } = held.record;
    if (this.#held.get(id) !== held) return;
    this.#options.log(`${id}: ${why}`);
    await this.#stop(held, why);
  }

  async #stop(held: Held, why = "stopped"): Promise<void> {
    const { id } = held.record;
    this.#held.delete(id);
    held.gone.abort(new Error(`the device is over: ${why}`));
    held.qmp.close();
    await this.#clear(id);
  }

  /** Ends what runs of a device, and removes what it has written. */
  async #clear(id: string): Promise<void> {
    await endProcesses(await processesWith(await this.place(), id), this.#options.clock);
    await this.#folders.remove(id);
  }

  async #watchBoot(held: Held): Promise<void> {
    const { clock, log, bootMs, adbKey: key } = this.#options;
    const { id } = held.record;
    const over = AbortSignal.any([held.gone.signal, this.#end.signal]);
    const began = clock.monotonic();
    try {
      await waitForBoot({ open: () => this.#dial(held), key, clock, bootMs, signal: over });
      log(`${id} has started in ${Math.round(clock.monotonic() - began)} ms`);
    } catch (error) {
      if (!over.aborted) {
        const said = await held.qmp.ask("ringbuf-read", { device: "console", size: 65_536 }).catch(() => "");
        const words = String(said).trim().slice(-MAX_WORDS);
        const why = `${(error as Error).message}${words && `; its serial port said: ${words}`}`;
        await this.#turns.take(id, () => this.#giveUp(held, why));
      }
      throw error;
    }
  }

  #dial({ machine }: Held) {
    return nodeSocketDuplex(connect(machine.adb.port, machine.adb.host));
  }

  /** The guest first writes to its disks what it has in memory only; while they are copied, it stands still. */
  async #save(held: Held, options: SaveOptions, signal: AbortSignal): Promise<Layer[]> {
    signal.throwIfAborted();
    const { clock, layers, adbKey: key } = this.#options;
    await abortable(held.booted, signal);
    const link = await connectAdb(this.#dial(held), { signal, key });
    try {
      const limited = AbortSignal.any([signal, timeoutOf(clock, SYNC_TIMEOUT_MS, signal)]);
      const { exitCode, stderr } = await link.shell("sync", { signal: limited });
      if (exitCode !== 0) throw new Error(`the device could not write all to its disks: ${stderr}`);
    } finally {
      link.close();
    }
    const overlays = this.#overlays(held.record.id, held.image, signal);
    try {
      try {
        await held.qmp.ask("stop", {}, signal);
        await copyOverlays(overlays);
      } finally {
        await held.qmp.ask("cont").catch(() => undefined);
      }
      return await saveUserData(() => cutCopies(overlays), layers, { maxMb: held.record.diskMb, signal, ...options });
    } finally {
      await removeCopies(overlays);
    }
  }

  #overlays(id: string, { disks }: QemuImage, signal: AbortSignal): OverlayOptions {
    const qemuImg = this.#program("qemu-img");
    return { folder: this.#folders.of(id), disks, qemuImg, checksums: this.#checksums, signal };
  }

  /** Finds, once, what an earlier process has left: machines that run, which are adopted, and all else, which is removed. */
  #discover(): Promise<void> {
    return (this.#discovered ??= this.#look().catch((error: unknown) => {
      this.#discovered = undefined;
      throw error;
    }));
  }

  async #look(): Promise<void> {
    const place = await this.place();
    for (const id of await this.#folders.names()) {
      // It is looked again after a failure: QEMU answers one connection at a time, which those have that were found before.
      const held = this.#held.has(id) || (await this.#readopt(id).catch(() => undefined));
      if (held) continue;
      // Their words are ids, or nothing that we have started.
      await this.#clear(id);
    }
    const ours = await Promise.all([...this.#held.keys()].map((id) => processesWith(place, id)));
    const known = new Set(ours.flat());
    const orphans = (await processesWith(place)).filter((pid) => !known.has(pid));
    await endProcesses(orphans, this.#options.clock);
  }

  async #readopt(id: string): Promise<Held | undefined> {
    const record = await this.#folders.read(id);
    const path = this.#options.images.find((one) => basename(one) === record?.image);
    if (!record || path === undefined) return undefined;
    const image = await readImage(path);
    const { clock } = this.#options;
    const done = new AbortController();
    const signal = AbortSignal.any([this.#end.signal, timeoutOf(clock, CONNECT_TIMEOUT_MS, done.signal)]);
    const qmp = await Qmp.connect(this.#folders.of(id), clock, signal).finally(() => done.abort());
    // A save may have been interrupted.
    await removeCopies({ folder: this.#folders.of(id), disks: image.disks });
    await qmp.ask("cont");
    return this.#hold(record, image, qmp);
  }

  #chooseAccel({ arch }: QemuImage): Promise<Accel> {
    const { accel, clock, log } = this.#options;
    if (accel !== "auto") return Promise.resolve(accel);
    // It runs programs for its own processor only.
    if (arch !== "x86_64") return Promise.resolve("tcg");
    return (this.#accel ??= whyNotKvm(this.#program(emulators[arch].program), clock).then((why) => {
      log(why === undefined ? "devices run with KVM" : `devices are emulated, which is slow: ${why}`);
      return why === undefined ? "kvm" : "tcg";
    }));
  }

  #program(name: string): string {
    return this.#options.programs === undefined ? name : join(this.#options.programs, name);
  }

  #images(): Promise<{ path: string; image?: QemuImage; problem?: string }[]> {
    const read = async (path: string) => {
      try {
        return { path, image: await readImage(path) };
      } catch (error) {
        return { path, problem: (error as Error).message };
      }
    };
    return Promise.all(this.#options.images.map(read));
  }

  /** @throws Error that says why there is none that can be run */
  async #imageFor(artefact: string, arch: ImageSpec["arch"]): Promise<QemuImage> {
    const path = this.#options.images.find((one) => basename(one) === artefact);
    if (path === undefined) throw new Error(`TERRARIUM_QEMU_IMAGES has no "${artefact}"`);
    const image = await readImage(path);
    const problem = await this.#cannotRun(image, arch);
    if (problem !== undefined) throw new Error(problem);
    return image;
  }

  /** Why an image cannot be run here. */
  async #cannotRun(image: QemuImage, arch: ImageSpec["arch"] = image.arch): Promise<string | undefined> {
    if ((arch === "arm64") !== (image.arch === "arm64")) return `its name says ${image.arch}, not ${arch}`;
    for (const program of [emulators[image.arch].program, "qemu-img"])
      try {
        await run(this.#program(program), ["--version"]);
      } catch {
        const debian = image.arch === "arm64" ? "qemu-system-arm" : "qemu-system-x86";
        return `there is no ${program}: sudo apt-get install ${debian} qemu-utils`;
      }
    return undefined;
  }
}

const NO_VERSION = "its name does not say which Android it is, as android-14.0 does; describe it in a catalogue file";

function offerOf({ name, arch }: QemuImage): ImageSpec | undefined {
  const [osVersion = ""] = /\d+\.\d+/.exec(name) ?? [];
  const sdkVersion = apiLevelOf(osVersion);
  return sdkVersion === undefined ? undefined : { artefact: name, osVersion, sdkVersion, arch, imageVersion: "1" };
}

const recordOf = ({ id, boot, image, hardware }: MachineSpec, port: number): MachineRecord => ({
  id,
  boot,
  port,
  image: image.artefact,
  ramMb: hardware.ramMb,
  diskMb: hardware.dataDiskMb,
});

/** Aborts after so long, unless `done` does before. */
function timeoutOf(clock: Clock, ms: number, done: AbortSignal): AbortSignal {
  const late = new AbortController();
  clock.sleep(ms, done).then(
    () => late.abort(new Error(`no answer in ${ms} ms`)),
    () => undefined,
  );
  return late.signal;
}
