import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { AdbListener } from "../adb/adb-listener.ts";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import type { StateLayer } from "./state-layer.ts";
import { writeLayers } from "./write-layers.ts";

/** The list of all layers of a saved device, in the folder of a save. */
export const STACK_FILE = "stack.json";

export interface DeviceSaveOptions {
  device: SimulatedDevice;
  listener: AdbListener;
  /** The states that the device was started from, and where their layers are. */
  states: readonly StateLayer[];
  layerFolder: string | undefined;
  /** The folder of the save is made in it. */
  parent: string;
}

/** One save of a device, which stands still from its beginning until `end`. */
export class DeviceSave {
  /** Holds the stack, and each new layer in a file of its name. */
  readonly folder: string;
  /** Resolves when everything is in the folder. */
  readonly written: Promise<void>;
  readonly #aborter = new AbortController();
  readonly #resume: () => void;
  readonly #ended = Promise.withResolvers<void>();
  #ending: Promise<void> | undefined;

  constructor({ device, listener, states, layerFolder, parent }: DeviceSaveOptions) {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    const folder = (this.folder = mkdtempSync(`${parent}/save-`));
    // A command that is still running cannot change a file any more.
    const thaw = device.volume.freeze();
    const release = listener.hold();
    this.#resume = () => {
      thaw();
      release();
    };
    const write = async () => {
      const stack = await writeLayers({ device, states, layerFolder, folder, signal: this.#aborter.signal });
      await writeFile(`${folder}/${STACK_FILE}`, JSON.stringify(stack));
    };
    this.written = write();
    this.written.catch(() => undefined);
  }

  /** Resolves after `end`. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Lets the device run on, and removes what was written. Resolves when nothing is left. */
  end(): Promise<void> {
    return (this.#ending ??= (async () => {
      this.#aborter.abort(new Error("the save was ended"));
      await this.written.catch(() => undefined);
      rmSync(this.folder, { recursive: true, force: true });
      this.#resume();
      this.#ended.resolve();
    })());
  }
}
