import type { HardwareSpec, ImageSpec, Machine, MachineRef, MachineSpec } from "./machine.ts";

/** One way of running Android. A runtime only has to bring up something that answers adb. */
export interface DeviceRuntime {
  /** The word in an OS image's `runtime` field. */
  readonly name: string;
  /**
   * Names the place whose machines this runtime reaches, the same after every restart. Runtimes of one place reach the same machines, and
   * those of another place reach none of them.
   */
  place(): Promise<string>;
  /**
   * Brings up a machine and resolves as soon as its adb address is known; it need not have booted.
   * Aborting the signal before that stops what was begun and rejects. Throws `NoSlotError` when nothing more fits, and
   * `LayerDamagedError` when the saved state that it is to start from cannot be read.
   * A second start for the same id and boot returns the machine that is already running.
   */
  start(spec: MachineSpec, signal: AbortSignal): Promise<Machine>;
  /** What runs now, whoever started it; this is how devices are found again after a restart. */
  list(): Promise<MachineRef[]>;
  /** A handle on a machine that is already running, or undefined when it is not. A machine of an older boot is stopped. */
  adopt(ref: MachineRef): Promise<Machine | undefined>;
  /** Ends the machine with this id, whatever its boot. Resolves when it is gone, or if there was none. */
  stop(id: string): Promise<void>;
  /** The devices that are there already; only runtimes that lend devices instead of making them have it. */
  found?(): Promise<FoundDevice[]>;
  /** Phones that could be added over Wi-Fi. */
  readonly wireless?: AdbPoolAccess | undefined;
  /**
   * Looks whether this image could be run here, and returns its checksum if it has one.
   * @throws Error that says why it cannot
   */
  verify?(image: ImageSpec): Promise<string | undefined>;
  /** Does ahead of time what the first start would otherwise wait for. */
  prepare?(): Promise<void>;
  /** Ends every machine, and whatever else the runtime has running outside this process. */
  shutdown?(): Promise<void>;
  /** Releases what the runtime holds in this process. Machines keep running. */
  close(): Promise<void>;
}

/** A device that is there already, such as a phone on a desk. */
export interface FoundDevice {
  /** Names it: a serial number, or `host:port`. */
  key: string;
  name: string;
  /** Whether it could be started now. */
  isFree: boolean;
  /** Why it cannot be used, if so. */
  problem?: string | undefined;
  /** What a recipe for it is made of; undefined of a device that has never answered. */
  image?: ImageSpec | undefined;
  hardware?: HardwareSpec | undefined;
}

/** The phones that an adb server could reach over Wi-Fi. All reject with its words. */
export interface AdbPoolAccess {
  /** Those that say over mDNS that they can be paired or connected. */
  nearby(): Promise<{ name: string; address: string; can: "pair" | "connect" }[]>;
  /** Answers what the adb server says. */
  pair(address: string, code: string): Promise<string>;
  connect(address: string): Promise<string>;
}

/** The runtime has no room for another machine at the moment. */
export class NoSlotError extends Error {
  override readonly name = "NoSlotError";
}
