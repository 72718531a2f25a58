import type { Machine, MachineRef, MachineSpec } from "./machine.ts";

export interface RuntimeCapabilities {
  /** `true` when the scrcpy server is part of the device; otherwise it is pushed over adb first. */
  scrcpyServerIncluded: boolean;
  canSave: boolean;
}

/** One way of running Android. A runtime only has to bring up something that answers adb. */
export interface DeviceRuntime {
  /** The word in an OS image's `runtime` field. */
  readonly name: string;
  readonly capabilities: RuntimeCapabilities;
  /**
   * Brings up a machine and resolves as soon as its adb address is known; it need not have booted.
   * Aborting the signal before that stops what was begun and rejects. Throws `NoSlotError` when nothing more fits.
   * A second start for the same id and boot answers the machine that runs already.
   */
  start(spec: MachineSpec, signal: AbortSignal): Promise<Machine>;
  /** What runs now, whoever started it; after a restart this is how devices are found again. */
  list(): Promise<MachineRef[]>;
  /** A handle on a machine that runs already, or undefined when it does not. */
  adopt(ref: MachineRef): Promise<Machine | undefined>;
  /** Ends the machine of this id, of any boot; resolves when it is gone, also when it never was. */
  stop(id: string): Promise<void>;
  /** Gets ready what the first start would otherwise wait for. */
  prepare?(): Promise<void>;
  /** Ends every machine and whatever else the runtime keeps running outside of this process. */
  shutdown?(): Promise<void>;
  /** Lets go of what the runtime holds in this process. Machines go on. */
  close(): Promise<void>;
}

/** The runtime has no room for another machine now. */
export class NoSlotError extends Error {
  override readonly name = "NoSlotError";
}
