import { answersAll, type KeySource, nodeSocketDuplex, waitForBoot, writeToDisks } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import {
  Checksums,
  type DeviceRuntime,
  findAndroidSdk,
  type FoundDevice,
  freeLoopbackPort,
  type Held,
  type ImageSpec,
  isThere,
  type Layer,
  type LayerStore,
  type Machine,
  MachineRecord,
  type MachineSpec,
  offeredHardware,
  ProcessRuntime,
  recordOf,
  type SaveOptions,
  saveUserData,
  startProcess,
  type SystemImage,
  systemImagesOf,
  whyNotKvm,
  withFreePort,
} from "@terrarium/runtime";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { emulatorArguments, SNAPSHOT } from "./arguments.ts";
import { avdFolderOf, configOf, writeAvd } from "./avd.ts";
import { Console } from "./console.ts";
import { copyDisks, cutCopies, removeCopies, restoreDisks } from "./disks.ts";
import { EmulatorSdk, type FoundSdk, whyNotHere } from "./emulator-sdk.ts";
import { QuickBoot } from "./quick-boot.ts";

export interface AndroidEmulatorOptions {
  dataDir: string;
  clock: Clock;
  log: (line: string) => void;
  layers: LayerStore;
  /** The key by which devices know this installation. */
  adbKey: KeySource;
  /** Where an Android SDK is looked for. */
  sdkPlaces: readonly (string | undefined)[];
  accel: "auto" | "on" | "off";
  maxDevices: number;
  hasInternet: boolean;
  /** Whether equal devices start from a snapshot of the first one. */
  bootsQuickly: boolean;
  /** A device that has not booted by then is over. */
  bootMs: number;
}

const EmulatorRecord = MachineRecord.extend({ consolePort: z.int() });
type EmulatorRecord = z.infer<typeof EmulatorRecord>;
type HeldEmulator = Held<EmulatorRecord, Console>;

const CAPABILITIES: Machine["capabilities"] = new Set(["save", "gps"]);
/** It boots the trial guest. */
const QEMU = "qemu-system-x86_64";

/** Runs Google's emulators, each in a process of its own, which outlives this one and is adopted by the next. */
export function androidEmulator(options: AndroidEmulatorOptions): DeviceRuntime {
  return new AndroidEmulator(options);
}

class AndroidEmulator extends ProcessRuntime<EmulatorRecord, Console> {
  readonly name = "android-emulator";
  readonly #options: AndroidEmulatorOptions;
  readonly #sdk: EmulatorSdk;
  readonly #checksums = new Checksums();
  #quick: QuickBoot | undefined;
  /** The keys of the snapshots that devices have started from, until they answer. */
  readonly #loaded = new Map<string, string>();
  #hasAcceleration: Promise<boolean> | undefined;

  constructor(options: AndroidEmulatorOptions) {
    super("android-emulator", EmulatorRecord, options);
    this.#options = options;
    this.#sdk = new EmulatorSdk(options);
  }

  async prepare(): Promise<void> {
    await this.discover();
    await this.#sdk.find().then(
      () => this.#accelerates(),
      () => undefined,
    );
  }

  async found(): Promise<FoundDevice[]> {
    const place = await findAndroidSdk(this.#options.sdkPlaces);
    if (place === undefined) return [];
    const problem = await this.#sdk.find().then(
      () => undefined,
      (error: Error) => error.message,
    );
    return (await systemImagesOf(place)).map((image) => {
      const name = `Android ${image.osVersion} in the emulator (${image.tag}, ${image.abi})`;
      const says = problem ?? whyNotHere(image);
      return {
        key: image.name,
        name,
        isFree: says === undefined,
        problem: says,
        image: {
          artefact: image.name,
          osVersion: image.osVersion,
          sdkVersion: image.sdkVersion,
          arch: image.arch,
          imageVersion: image.revision,
        },
        hardware: { name, ...offeredHardware },
      };
    });
  }

  async verify(image: ImageSpec): Promise<string> {
    const { path, revision } = await this.#sdk.imageFor(image);
    const parts = ["system.img", "vendor.img", "ramdisk.img", "kernel-ranchu"].map((name) => join(path, name));
    const present = await Promise.all(parts.map(async (part) => ((await isThere(part)) ? part : undefined)));
    return this.#checksums.ofAll(present, revision);
  }

  protected override extras(console: Console) {
    return { console, capabilities: CAPABILITIES };
  }

  protected async power(spec: MachineSpec, folder: string, signal: AbortSignal) {
    const { id, layers } = spec;
    const sdk = await this.#sdk.find();
    const image = await this.#sdk.imageFor(spec.image);
    const avd = avdFolderOf(folder, id);
    const options = { avd, qemuImg: join(sdk.path, "emulator/qemu-img"), signal };
    await writeAvd(folder, spec, image);
    const key = layers.length > 0 || !this.#options.bootsQuickly ? undefined : await this.#keyOf(spec, image, sdk);
    const quick = (this.#quick ??= new QuickBoot(
      join(this.#options.dataDir, "android-emulator-quick"),
      options.qemuImg,
    ));
    if (layers.length > 0) await restoreDisks(options, layers, this.#options.layers);
    const hasSnapshot = key !== undefined && (await this.#copyQuick(quick, key, spec, image, signal));
    const started = await this.#run(spec, sdk, hasSnapshot, signal);
    if (key !== undefined && hasSnapshot) this.#loaded.set(id, key);
    if (key !== undefined && !hasSnapshot && quick.begin(key)) await this.#saveQuick(quick, key, started, avd, signal);
    return started;
  }

  protected async reach(record: EmulatorRecord, signal: AbortSignal): Promise<Console> {
    const console = await this.#connect(record, await this.#sdk.token(), signal);
    // A save may have been interrupted.
    await removeCopies(avdFolderOf(this.folders.of(record.id), record.id));
    await console.send("avd start", signal).catch(() => undefined);
    return console;
  }

  protected async untilBooted({ record }: Pick<HeldEmulator, "record">, signal: AbortSignal): Promise<void> {
    const { clock, bootMs, adbKey: key } = this.#options;
    const snapshot = this.#loaded.get(record.id);
    this.#loaded.delete(record.id);
    try {
      await waitForBoot({ open: () => dial(record), key, clock, bootMs, signal, evidence: answersAll });
    } catch (error) {
      // From the same snapshot, the next one would not answer either.
      if (!signal.aborted && snapshot !== undefined) await this.#quick?.forget(snapshot);
      throw error;
    }
  }

  /** The device first writes to its disks what it has in memory only; while they are copied, it stands still. */
  protected async save({ record, control }: HeldEmulator, options: SaveOptions, signal: AbortSignal): Promise<Layer[]> {
    const { clock, layers, adbKey: key } = this.#options;
    await writeToDisks(() => dial(record), { key, clock, signal });
    const avd = avdFolderOf(this.folders.of(record.id), record.id);
    const qemuImg = join((await this.#sdk.find()).path, "emulator/qemu-img");
    try {
      await standingStill(control, signal, () => copyDisks({ avd, qemuImg, signal }));
      return await saveUserData(() => cutCopies(avd), layers, { maxMb: record.diskMb, signal, ...options });
    } finally {
      await removeCopies(avd);
    }
  }

  async #connect({ id, consolePort }: EmulatorRecord, token: string, signal: AbortSignal): Promise<Console> {
    const console = await Console.connect(consolePort, token, this.#options.clock, signal);
    try {
      // Its port may be another's now.
      if ((await console.send("avd name", signal)).trim() !== id) throw new Error("it is another device");
      return console;
    } catch (error) {
      console.close();
      throw error;
    }
  }

  #run(spec: MachineSpec, sdk: FoundSdk, hasSnapshot: boolean, signal: AbortSignal) {
    const { id } = spec;
    const { clock, hasInternet } = this.#options;
    const folder = this.folders.of(id);
    return withFreePort(
      async (port) => {
        const consolePort = await freeLoopbackPort();
        const record = { ...recordOf(spec, port), consolePort };
        const [place, token, hasAcceleration] = await Promise.all([
          this.place(),
          this.#sdk.token(),
          this.#accelerates(),
          this.folders.write(record),
        ]);
        const parts = {
          place,
          consolePort,
          adbPort: port,
          hasAcceleration,
          hasInternet,
          hasSnapshot,
          known: sdk.known,
        };
        const control = await startProcess(
          {
            folder,
            program: join(sdk.path, "emulator/emulator"),
            words: emulatorArguments(spec, parts),
            env: { ...this.#sdk.environment(sdk.path), ANDROID_AVD_HOME: folder },
            clock,
            openLog: () => this.folders.openLog(id),
            lastWords: () => this.folders.lastWords(id),
            connect: (connecting) => this.#connect(record, token, connecting),
          },
          signal,
        );
        return { record, control };
      },
      // What is said of one that somebody took meanwhile begins with another word in each version.
      (error) => !signal.aborted && /\bport\b/i.test(String(error)),
    );
  }

  async #copyQuick(quick: QuickBoot, key: string, spec: MachineSpec, image: SystemImage, signal: AbortSignal) {
    const folder = this.folders.of(spec.id);
    const avd = avdFolderOf(folder, spec.id);
    try {
      return await quick.use(key, avd, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#options.log(`${spec.id} boots, as the snapshot for it cannot be used: ${String(error)}`);
      await quick.forget(key);
      await rm(avd, { recursive: true });
      await writeAvd(folder, spec, image);
      return false;
    }
  }

  /** Before anybody can use the first device of its kind, it is saved as it has just started. */
  async #saveQuick(
    quick: QuickBoot,
    key: string,
    { record, control }: Pick<HeldEmulator, "record" | "control">,
    avd: string,
    signal: AbortSignal,
  ): Promise<void> {
    const alive = AbortSignal.any([signal, control.closed]);
    try {
      await this.untilBooted({ record }, alive);
    } catch (error) {
      await quick.forget(key);
      throw error;
    }
    try {
      await control.send(`avd snapshot save ${SNAPSHOT}`, alive);
      await standingStill(control, alive, () => quick.save(key, avd, alive));
    } catch (error) {
      if (signal.aborted) await quick.forget(key);
      signal.throwIfAborted();
      this.#options.log(`equal devices boot, as no snapshot could be made of ${record.id}: ${String(error)}`);
    }
  }

  /** What devices must have in common to start from one snapshot. */
  async #keyOf({ hardware, image: { imageVersion } }: MachineSpec, image: SystemImage, { version }: FoundSdk) {
    const { hasInternet } = this.#options;
    const parts = [
      configOf(hardware, image),
      image.revision,
      imageVersion,
      version,
      hasInternet,
      await this.#accelerates(),
    ];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
  }

  /** That KVM can be opened proves nothing, which is all that the emulator itself looks at. */
  #accelerates(): Promise<boolean> {
    const { accel, clock, log } = this.#options;
    if (accel !== "auto") return Promise.resolve(accel === "on");
    return (this.#hasAcceleration ??= whyNotKvm(QEMU, clock).then((why) => {
      log(why === undefined ? "emulators run with KVM" : `emulators run without KVM, which is slow: ${why}`);
      return why === undefined;
    }));
  }
}

/** Does something with the files of a device while it stands still. */
async function standingStill(console: Console, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await console.send("avd stop", signal);
    await work();
  } finally {
    await console.send("avd start").catch(() => undefined);
  }
}

const dial = ({ port }: EmulatorRecord) => nodeSocketDuplex(connect(port, "127.0.0.1"));
