import { type KeySource, nodeSocketDuplex, tellTime, waitForBoot, writeToDisks } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import {
  type Accel,
  type DeviceRuntime,
  endProcesses,
  type FoundDevice,
  type Held,
  type ImageSpec,
  KeptStates,
  type Layer,
  type LayerStore,
  MachineRecord,
  type MachineSpec,
  processesWith,
  ProcessRuntime,
  recordOf,
  type SaveOptions,
  saveUserData,
  type ScreenWish,
  startProcess,
  whyNotKvm,
  withFreePort,
} from "@terrarium/runtime";
import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { z } from "zod";
import { emulators, qemuArguments, sameInMemory } from "./arguments.ts";
import type { QemuImage } from "./image.ts";
import { FROM_MEMORY, untilResumed, writeMemory } from "./memory.ts";
import {
  cloneOverlays,
  copyOverlays,
  cutCopies,
  linkBases,
  makeOverlays,
  memoryIn,
  type OverlayOptions,
  removeCopies,
  restoreOverlays,
} from "./overlays.ts";
import { QemuImages, type QemuImagesOptions } from "./qemu-images.ts";
import { Qmp } from "./qmp.ts";
import { openScreen } from "./screen/open-screen.ts";

export interface QemuRuntimeOptions extends QemuImagesOptions {
  dataDir: string;
  clock: Clock;
  log: (line: string) => void;
  layers: LayerStore;
  /** The key by which devices that ask for one know this installation. */
  adbKey: KeySource;
  accel: Accel | "auto";
  maxDevices: number;
  hasInternet: boolean;
  /** A device that has not booted by then is over. */
  bootMs: number;
  /** Where the memory and disks of the first device of each kind are kept, from which equal ones start; undefined if all are to boot. */
  quickDir?: string | undefined;
  /** Whether what is saved goes on where it was, and does not boot. */
  savesMemory: boolean;
}

const QemuRecord = MachineRecord.extend({
  /** What others must have in common with it to go on from its memory. */
  memoryKey: z.string().default(""),
});
type QemuRecord = z.infer<typeof QemuRecord>;
type Guest = Pick<Held<QemuRecord, Qmp>, "record" | "control">;

/** How a guest is started. */
interface Start {
  image: QemuImage;
  accel: Accel;
  memoryKey: string;
  /** The file with the memory that it goes on from. */
  memory?: string;
}

/** What QEMU says if somebody else took the port meanwhile. */
const PORT_TAKEN = "Could not set up host forwarding rule";
const MAX_WORDS = 300;

/** Runs guests that answer adb in QEMU, each in a process of its own, which outlives this one and is adopted by the next. */
export function qemuRuntime(options: QemuRuntimeOptions): DeviceRuntime {
  return new QemuRuntime(options);
}

class QemuRuntime extends ProcessRuntime<QemuRecord, Qmp> {
  readonly name = "qemu";
  readonly #options: QemuRuntimeOptions;
  readonly #images: QemuImages;
  readonly #quick: KeptStates | undefined;
  /** Those that went on from a memory, and believe that it is the time of then. */
  readonly #resumed = new Set<string>();
  #accel: Promise<Accel> | undefined;

  constructor(options: QemuRuntimeOptions) {
    super("qemu", QemuRecord, options);
    this.#options = options;
    this.#images = new QemuImages(options);
    this.#quick = options.quickDir === undefined ? undefined : new KeptStates(options.quickDir);
  }

  /** Reads the images, as their checksums take long, and tries the accelerator. */
  async prepare(): Promise<void> {
    await this.discover();
    for (const { image } of await this.#images.all()) {
      if (!image) continue;
      await this.#images.checksumOf(image);
      await this.#chooseAccel(image);
    }
  }

  found(): Promise<FoundDevice[]> {
    return this.#images.found();
  }

  async verify({ artefact, arch }: ImageSpec): Promise<string> {
    return this.#images.checksumOf(await this.#images.toRun(artefact, arch));
  }

  protected async power(spec: MachineSpec, folder: string, signal: AbortSignal) {
    const { id, hardware, layers } = spec;
    const image = await this.#images.toRun(spec.image.artefact, spec.image.arch);
    const start: Start = { image, accel: await this.#chooseAccel(image), memoryKey: "" };
    start.memoryKey = await this.#memoryKey(spec, start);
    const overlays = this.#overlays(id, image, signal);
    if (layers.length > 0) {
      const hasMemory = await restoreOverlays(overlays, layers, this.#options.layers, start.memoryKey);
      if (hasMemory) start.memory = memoryIn(folder);
    } else {
      const state = await this.#quick?.find(start.memoryKey);
      if (state === undefined) await makeOverlays(overlays, hardware.dataDiskMb);
      else {
        await linkBases(overlays);
        await cloneOverlays(overlays, state, folder);
        start.memory = memoryIn(state);
      }
    }
    signal.throwIfAborted();
    const started = await this.#goOn(spec, start, signal);
    await rm(memoryIn(folder), { force: true });
    if (start.memory !== undefined) this.#resumed.add(id);
    else if (layers.length === 0) await this.#keepQuick(started, overlays, signal);
    return started;
  }

  protected override extras(_control: Qmp, { id }: QemuRecord) {
    return { openScreen: (wish: ScreenWish) => openScreen(this.folders.of(id), wish) };
  }

  protected async reach(record: QemuRecord, signal: AbortSignal): Promise<Qmp> {
    const image = await this.#images.called(record.image);
    const folder = this.folders.of(record.id);
    const qmp = await Qmp.connect(folder, this.#options.clock, signal);
    // A save may have been interrupted.
    await removeCopies({ folder, disks: image.disks });
    await qmp.ask("cont");
    return qmp;
  }

  protected async untilBooted(guest: Guest, signal: AbortSignal): Promise<void> {
    const { clock, bootMs, adbKey: key } = this.#options;
    const open = () => dial(guest);
    try {
      await waitForBoot({ open, key, clock, bootMs, signal });
      if (this.#resumed.delete(guest.record.id)) await tellTime(open, { key, clock, signal });
    } catch (error) {
      signal.throwIfAborted();
      const said = await guest.control.ask("ringbuf-read", { device: "console", size: 65_536 }).catch(() => "");
      const words = String(said).trim().slice(-MAX_WORDS);
      throw new Error(`${(error as Error).message}${words && `; its serial port said: ${words}`}`, { cause: error });
    }
  }

  /** The guest first writes to its disks what it has in memory only; while they are copied, it stands still. */
  protected async save({ record, control }: Guest, options: SaveOptions, signal: AbortSignal): Promise<Layer[]> {
    const { clock, layers, adbKey: key, savesMemory } = this.#options;
    const { id, diskMb, ramMb, memoryKey } = record;
    await writeToDisks(() => dial({ record }), { key, clock, signal });
    const overlays = this.#overlays(id, await this.#images.called(record.image), signal);
    const folder = this.folders.of(id);
    try {
      await standingStill(control, signal, async () => {
        if (savesMemory) await writeMemory(control, folder, memoryIn(folder), { clock, signal });
        await copyOverlays(overlays);
      });
      const maxMb = savesMemory ? diskMb + ramMb : diskMb;
      const cut = () => cutCopies(overlays, savesMemory ? memoryKey : undefined);
      return await saveUserData(cut, layers, { maxMb, signal, ...options });
    } finally {
      await removeCopies(overlays);
    }
  }

  /** With the memory that there is for it; without, if it cannot be used. */
  async #goOn(spec: MachineSpec, start: Start, signal: AbortSignal) {
    try {
      return await this.#run(spec, start, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (start.memory === undefined) throw error;
      this.#options.log(`${spec.id} boots, as it cannot go on from its memory: ${String(error)}`);
      if (spec.layers.length === 0) await this.#quick?.forget(start.memoryKey);
      delete start.memory;
      return this.#run(spec, start, signal);
    }
  }

  async #run(spec: MachineSpec, { image, accel, memory, memoryKey }: Start, signal: AbortSignal) {
    const { id } = spec;
    const { clock, hasInternet } = this.#options;
    const folder = this.folders.of(id);
    const place = await this.place();
    const isRoot = process.getuid?.() === 0;
    return withFreePort(
      async (port) => {
        const record = { ...recordOf(spec, port), memoryKey };
        await this.folders.write(record);
        const words = qemuArguments(spec, { image, place, accel, port, hasInternet, isRoot });
        const control = await startProcess(
          {
            folder,
            program: this.#images.program(emulators[image.arch].program),
            words: memory === undefined ? words : [...words, ...FROM_MEMORY],
            input: memory,
            env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
            clock,
            openLog: () => this.folders.openLog(id),
            lastWords: () => this.folders.lastWords(id),
            connect: (connecting) => Qmp.connect(folder, clock, connecting),
          },
          signal,
        );
        try {
          if (memory !== undefined) await untilResumed(control, clock, signal);
        } catch (error) {
          control.close();
          await endProcesses(await processesWith(place, id), clock);
          const words = `${(error as Error).message} ${await this.folders.lastWords(id)}`;
          throw new Error(words.trim(), { cause: error });
        }
        return { record, control };
      },
      (error) => String(error).includes(PORT_TAKEN),
    );
  }

  /** Before anybody can use the first device of its kind, its memory and its disks are kept as it has just started. */
  async #keepQuick(guest: Guest, overlays: OverlayOptions, signal: AbortSignal): Promise<void> {
    const { record, control } = guest;
    const { memoryKey: key, id } = record;
    const quick = this.#quick;
    if (!quick?.begin(key)) return;
    const alive = AbortSignal.any([signal, control.closed]);
    try {
      await this.untilBooted(guest, alive);
    } catch (error) {
      await quick.forget(key);
      throw error;
    }
    try {
      const { clock } = this.#options;
      const folder = this.folders.of(id);
      const fill = async (state: string) => {
        await writeMemory(control, folder, memoryIn(state), { clock, signal: alive });
        await cloneOverlays(overlays, folder, state);
      };
      await standingStill(control, alive, () => quick.add(key, fill));
    } catch (error) {
      if (signal.aborted) await quick.forget(key);
      signal.throwIfAborted();
      this.#options.log(`equal devices boot, as the memory of ${id} could not be kept: ${String(error)}`);
    }
  }

  async #memoryKey(spec: MachineSpec, { image, accel }: Start): Promise<string> {
    const { hasInternet, quickDir, savesMemory } = this.#options;
    // Reading the images takes long, and nothing is compared.
    if (quickDir === undefined && !savesMemory && spec.layers.length === 0) return "";
    const parts = [
      this.#images.versionOf(image),
      await this.#images.checksumOf(image),
      // With KVM it is the host's.
      accel === "kvm" ? await readFile("/proc/cpuinfo", "utf8").then(processorIn) : "",
      spec.hardware.dataDiskMb,
      spec.hardware.displays[0]?.density,
      ...sameInMemory(spec, { image, accel, hasInternet }),
    ];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
  }

  #overlays(id: string, { disks }: QemuImage, signal: AbortSignal): OverlayOptions {
    const qemuImg = this.#images.program("qemu-img");
    return { folder: this.folders.of(id), disks, qemuImg, checksums: this.#images.checksums, signal };
  }

  #chooseAccel({ arch }: QemuImage): Promise<Accel> {
    const { accel, clock, log } = this.#options;
    if (accel !== "auto") return Promise.resolve(accel);
    // It runs programs for its own processor only.
    if (arch !== "x86_64") return Promise.resolve("tcg");
    return (this.#accel ??= whyNotKvm(this.#images.program(emulators[arch].program), clock).then((why) => {
      log(why === undefined ? "devices run with KVM" : `devices are emulated, which is slow: ${why}`);
      return why === undefined ? "kvm" : "tcg";
    }));
  }
}

const dial = ({ record: { port } }: Pick<Guest, "record">) => nodeSocketDuplex(connect(port, "127.0.0.1"));

/** What programs were told that there is: the model, and what it can do. */
const processorIn = (cpuinfo: string) =>
  cpuinfo.split("\n").filter((line) => /^(model|stepping|flags|Features|CPU )/.test(line));

/** Does something while a guest stands still. */
async function standingStill(control: Qmp, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await control.ask("stop", {}, signal);
    await work();
  } finally {
    await control.ask("cont").catch(() => undefined);
  }
}
