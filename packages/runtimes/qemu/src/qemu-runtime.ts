import { type KeySource, nodeSocketDuplex, setTime, waitForBoot, writeToDisks } from "@terrarium/adb";
import {
  type Accel,
  type DeviceRuntime,
  endProcesses,
  type FoundDevice,
  type Held,
  type ImageSpec,
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
import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { z } from "zod";
import { emulators, qemuArguments } from "./arguments.ts";
import type { QemuImage } from "./image.ts";
import { Memories, type MemoriesOptions } from "./memories.ts";
import { FROM_MEMORY, untilResumed, writeMemory } from "./memory.ts";
import {
  copyOverlays,
  cutCopies,
  makeOverlays,
  memoryIn,
  type OverlayOptions,
  removeCopies,
  restoreOverlays,
} from "./overlays.ts";
import { QemuImages, type QemuImagesOptions } from "./qemu-images.ts";
import { Qmp, standingStill } from "./qmp.ts";
import { openScreen } from "./screen/open-screen.ts";

export interface QemuRuntimeOptions extends QemuImagesOptions, MemoriesOptions {
  dataDir: string;
  layers: LayerStore;
  /** The key by which devices that ask for one know this installation. */
  adbKey: KeySource;
  accel: Accel | "auto";
  maxDevices: number;
  /** A device that has not booted by then is over. */
  bootMs: number;
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
  readonly #memories: Memories;
  /** Those that went on from a memory, and believe that it is the time of then. */
  readonly #resumed = new Set<string>();
  #accel: Promise<Accel> | undefined;

  constructor(options: QemuRuntimeOptions) {
    super("qemu", QemuRecord, options);
    this.#options = options;
    this.#images = new QemuImages(options);
    this.#memories = new Memories(options, this.#images);
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
    const accel = await this.#chooseAccel(image);
    const start: Start = { image, accel, memoryKey: await this.#memories.keyOf(spec, { image, accel }) };
    const overlays = this.#overlays(id, image, signal);
    if (layers.length > 0) {
      const hasMemory = await restoreOverlays(overlays, layers, this.#options.layers, start.memoryKey);
      if (hasMemory) start.memory = memoryIn(folder);
    } else {
      const memory = await this.#memories.use(start.memoryKey, overlays);
      if (memory === undefined) await makeOverlays(overlays, hardware.dataDiskMb);
      else start.memory = memory;
    }
    signal.throwIfAborted();
    const started = await this.#goOn(spec, start, signal);
    await rm(memoryIn(folder), { force: true });
    if (start.memory !== undefined) this.#resumed.add(id);
    else if (layers.length === 0) {
      const { control } = started;
      const booted = (alive: AbortSignal) => this.untilBooted(started, alive);
      await this.#memories.saveFirst({ id, key: start.memoryKey, control, overlays, booted }, signal);
    }
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
      if (this.#resumed.delete(guest.record.id)) await setTime(open, { key, clock, signal });
    } catch (error) {
      signal.throwIfAborted();
      // From the same memory, the next one would not answer either.
      if (this.#resumed.delete(guest.record.id)) await this.#memories.forget(guest.record.memoryKey);
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
      if (spec.layers.length === 0) await this.#memories.forget(start.memoryKey);
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
