import type { Clock } from "@terrarium/clock";
import { type Accel, CachedStates, type MachineSpec } from "@terrarium/runtime";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sameInMemory } from "./arguments.ts";
import type { QemuImage } from "./image.ts";
import { writeMemory } from "./memory.ts";
import { cloneOverlays, linkBases, memoryIn, type OverlayOptions } from "./overlays.ts";
import type { QemuImages } from "./qemu-images.ts";
import { type Qmp, standingStill } from "./qmp.ts";

export interface MemoriesOptions {
  clock: Clock;
  log: (line: string) => void;
  hasInternet: boolean;
  /** Where the memory and disks of the first device of each kind are stored, from which equal ones start; undefined if all are to boot. */
  quickDir?: string | undefined;
  /** Whether what is saved goes on where it was, and does not boot. */
  savesMemory: boolean;
}

/** A device that has just been started. */
export interface Started {
  id: string;
  /** Its kind, see `keyOf`. */
  key: string;
  control: Qmp;
  overlays: OverlayOptions;
  booted: (signal: AbortSignal) => Promise<void>;
}

/** The memories that devices go on from: what they must have in common for it, and those of the first device of each kind. */
export class Memories {
  readonly #options: MemoriesOptions;
  readonly #images: QemuImages;
  readonly #quick: CachedStates | undefined;

  constructor(options: MemoriesOptions, images: QemuImages) {
    this.#options = options;
    this.#images = images;
    this.#quick = options.quickDir === undefined ? undefined : new CachedStates(options.quickDir);
  }

  /** Names what a device must have in common with another to go on from its memory; empty if none does. */
  async keyOf(spec: MachineSpec, { image, accel }: { image: QemuImage; accel: Accel }): Promise<string> {
    const { hasInternet, savesMemory } = this.#options;
    // Reading the images takes long, and nothing is compared.
    if (!this.#quick && !savesMemory && spec.layers.length === 0) return "";
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

  /** Makes the disks of a new device as the first of its kind had them. Answers the file with its memory; undefined if none was saved. */
  async use(key: string, overlays: OverlayOptions): Promise<string | undefined> {
    const state = await this.#quick?.find(key);
    if (state === undefined) return undefined;
    await linkBases(overlays);
    await cloneOverlays(overlays, state, overlays.folder);
    return memoryIn(state);
  }

  /** It cannot be used, and may be made again. */
  async forget(key: string): Promise<void> {
    await this.#quick?.forget(key);
  }

  /** Saves the memory and the disks of the first device of its kind as it has just started, before anybody can use it. */
  async saveFirst({ id, key, control, overlays, booted }: Started, signal: AbortSignal): Promise<void> {
    const quick = this.#quick;
    if (!quick?.begin(key)) return;
    const alive = AbortSignal.any([signal, control.closed]);
    try {
      await booted(alive);
    } catch (error) {
      await quick.forget(key);
      throw error;
    }
    try {
      const { clock } = this.#options;
      const { folder } = overlays;
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
}

/** What programs see of the processor: the model, and its features. */
const processorIn = (cpuinfo: string) =>
  cpuinfo.split("\n").filter((line) => /^(model|stepping|flags|Features|CPU )/.test(line));
