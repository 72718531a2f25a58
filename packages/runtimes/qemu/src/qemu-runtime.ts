import { type KeySource, nodeSocketDuplex, waitForBoot, writeToDisks } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import {
  type Accel,
  apiLevelOf,
  Checksums,
  type DeviceRuntime,
  type FoundDevice,
  type Held,
  type ImageSpec,
  type Layer,
  type LayerStore,
  MachineRecord,
  type MachineSpec,
  offeredHardware,
  ProcessRuntime,
  recordOf,
  type SaveOptions,
  saveUserData,
  startProcess,
  whyNotKvm,
  withFreePort,
} from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { emulators, qemuArguments } from "./arguments.ts";
import { filesOf, type QemuImage, readImage } from "./image.ts";
import {
  copyOverlays,
  cutCopies,
  makeOverlays,
  type OverlayOptions,
  removeCopies,
  restoreOverlays,
} from "./overlays.ts";
import { Qmp } from "./qmp.ts";

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

type HeldGuest = Held<MachineRecord, Qmp>;

const run = promisify(execFile);
/** What QEMU says if somebody else took the port meanwhile. */
const PORT_TAKEN = "Could not set up host forwarding rule";
const MAX_WORDS = 300;

/** Runs guests that answer adb in QEMU, each in a process of its own, which outlives this one and is adopted by the next. */
export function qemuRuntime(options: QemuRuntimeOptions): DeviceRuntime {
  return new QemuRuntime(options);
}

class QemuRuntime extends ProcessRuntime<MachineRecord, Qmp> {
  readonly name = "qemu";
  readonly #options: QemuRuntimeOptions;
  readonly #checksums = new Checksums();
  #accel: Promise<Accel> | undefined;

  constructor(options: QemuRuntimeOptions) {
    super("qemu", MachineRecord, options);
    this.#options = options;
  }

  /** Reads the images, as their checksums take long, and tries the accelerator. */
  async prepare(): Promise<void> {
    await this.discover();
    for (const { image } of await this.#images()) {
      if (!image) continue;
      await this.#checksumOf(image);
      await this.#chooseAccel(image);
    }
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
    return this.#checksumOf(await this.#imageFor(artefact, arch));
  }

  protected async power(spec: MachineSpec, folder: string, signal: AbortSignal) {
    const { id, hardware, layers } = spec;
    const { clock, hasInternet } = this.#options;
    const image = await this.#imageFor(spec.image.artefact, spec.image.arch);
    const accel = await this.#chooseAccel(image);
    const overlays = this.#overlays(id, image, signal);
    if (layers.length > 0) await restoreOverlays(overlays, layers, this.#options.layers);
    else await makeOverlays(overlays, hardware.dataDiskMb);
    signal.throwIfAborted();
    const place = await this.place();
    const isRoot = process.getuid?.() === 0;
    return withFreePort(
      async (port) => {
        const record = recordOf(spec, port);
        await this.folders.write(record);
        const control = await startProcess(
          {
            folder,
            program: this.#program(emulators[image.arch].program),
            words: qemuArguments(spec, { image, place, accel, port, hasInternet, isRoot }),
            env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
            clock,
            openLog: () => this.folders.openLog(id),
            lastWords: () => this.folders.lastWords(id),
            connect: (connecting) => Qmp.connect(folder, clock, connecting),
          },
          signal,
        );
        return { record, control };
      },
      (error) => String(error).includes(PORT_TAKEN),
    );
  }

  protected async reach(record: MachineRecord, signal: AbortSignal): Promise<Qmp> {
    const image = await this.#imageOf(record);
    const folder = this.folders.of(record.id);
    const qmp = await Qmp.connect(folder, this.#options.clock, signal);
    // A save may have been interrupted.
    await removeCopies({ folder, disks: image.disks });
    await qmp.ask("cont");
    return qmp;
  }

  protected async untilBooted(held: HeldGuest, signal: AbortSignal): Promise<void> {
    const { clock, bootMs, adbKey: key } = this.#options;
    try {
      await waitForBoot({ open: () => dial(held), key, clock, bootMs, signal });
    } catch (error) {
      signal.throwIfAborted();
      const said = await held.control.ask("ringbuf-read", { device: "console", size: 65_536 }).catch(() => "");
      const words = String(said).trim().slice(-MAX_WORDS);
      throw new Error(`${(error as Error).message}${words && `; its serial port said: ${words}`}`, { cause: error });
    }
  }

  /** The guest first writes to its disks what it has in memory only; while they are copied, it stands still. */
  protected async save(held: HeldGuest, options: SaveOptions, signal: AbortSignal): Promise<Layer[]> {
    const { clock, layers, adbKey: key } = this.#options;
    await writeToDisks(() => dial(held), { key, clock, signal });
    const overlays = this.#overlays(held.record.id, await this.#imageOf(held.record), signal);
    try {
      try {
        await held.control.ask("stop", {}, signal);
        await copyOverlays(overlays);
      } finally {
        await held.control.ask("cont").catch(() => undefined);
      }
      return await saveUserData(() => cutCopies(overlays), layers, { maxMb: held.record.diskMb, signal, ...options });
    } finally {
      await removeCopies(overlays);
    }
  }

  #checksumOf(image: QemuImage): Promise<string> {
    return this.#checksums.ofAll(filesOf(image), image.cmdline ?? "");
  }

  #overlays(id: string, { disks }: QemuImage, signal: AbortSignal): OverlayOptions {
    const qemuImg = this.#program("qemu-img");
    return { folder: this.folders.of(id), disks, qemuImg, checksums: this.#checksums, signal };
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

  #imageOf({ image }: Pick<MachineRecord, "image">): Promise<QemuImage> {
    const path = this.#options.images.find((one) => basename(one) === image);
    if (path === undefined) throw new Error(`TERRARIUM_QEMU_IMAGES has no "${image}"`);
    return readImage(path);
  }

  /** @throws Error that says why there is none that can be run */
  async #imageFor(artefact: string, arch: ImageSpec["arch"]): Promise<QemuImage> {
    const image = await this.#imageOf({ image: artefact });
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

const dial = ({ machine: { adb } }: HeldGuest) => nodeSocketDuplex(connect(adb.port, adb.host));
