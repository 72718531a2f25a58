import type { Layer } from "./layers.ts";

/** What kind of device it is, which decides the shape of its screen and of the system UI. */
export type FormFactor = "PHONE" | "TABLET" | "FOLDABLE" | "TV" | "WATCH" | "CAR";

export interface DisplaySpec {
  /** Pixels, in the device's natural orientation. */
  width: number;
  height: number;
  /** Dots per inch, as Android counts them (160 is one pixel per dp). */
  density: number;
  /** The diagonal; by default what pixels and density make. */
  physicalInches?: number | undefined;
  /** Whether the system draws a navigation bar; by default it does unless the device has keys. */
  showNavigationBar?: boolean | undefined;
}

export interface HardwareSpec {
  name: string;
  formFactor: FormFactor;
  /** At least one; a foldable has its inner display and its cover. Viewers see the first. */
  displays: DisplaySpec[];
  /** True when the device has physical keys for back, home and recents. */
  hwNavigationKeys: boolean;
  cpuCount: number;
  ramMb: number;
  dataDiskMb: number;
  /** Overrides of system properties, under the names that hardware profiles use: `product_model`, `serialno`, ... */
  properties: Record<string, string>;
}

export interface ImageSpec {
  /** What the runtime is to run: a container image, an AVD, a disk. Only the runtime knows what it means. */
  artefact: string;
  /** `"15.0"` */
  osVersion: string;
  /** API level, 21 to 36. */
  sdkVersion: number;
  arch: "arm64" | "x86" | "x86_64";
  imageVersion: string;
}

/** Everything a runtime needs to bring up one machine. */
export interface MachineSpec {
  /** The uuid of the instance that this machine runs for; an instance has one machine at most. */
  id: string;
  /** The number of this run. A machine of an older boot is stale, and is stopped wherever it is found. */
  boot: number;
  /** What the owner called the device. Never part of a command line. */
  name: string;
  image: ImageSpec;
  hardware: HardwareSpec;
  /** The saved state that it starts from, lowest layer first; empty for a new device. Only the runtime that saved it can read it. */
  layers: readonly Layer[];
}

/** A machine that a runtime reports as running. */
export interface MachineRef {
  id: string;
  boot: number;
}

export interface AdbAddress {
  /** Loopback or a Pod's address, never one that can be reached from outside; of a phone that is, its key protects it. */
  host: string;
  port: number;
}

/**
 * What a machine can do beyond what any Android can over adb:
 * - `scrcpy`: it brings scrcpy's server along, so none has to be pushed.
 * - `save`: its state can be saved, for a later machine to start from.
 * - `gps`: it takes positions from outside, without an app on the device.
 */
export type MachineCapability = "scrcpy" | "save" | "gps";

/** The control channel of an emulator, beside adb. It may not answer. */
export interface MachineConsole {
  /** Sends one command and returns what was printed before `OK`. Rejects with the console's words when it says `KO`. */
  send(command: string, signal?: AbortSignal): Promise<string>;
}

/** How a picture is wanted; what is not named is as the machine has it. */
export interface ScreenWish {
  /** The longer side in pixels, at most. */
  maxSize?: number;
  maxFps?: number;
  /** Bits a second. */
  videoBitRate?: number;
  /** Seconds between key frames. 0: each frame is one. */
  keyFrameInterval?: number;
}

/** A machine's picture, and the input to it: the bytes of scrcpy's sockets for video and control. */
export interface ScreenPipe {
  /** Undefined once it is over. @throws Error with the reason why it ended by itself */
  read(): Promise<Uint8Array | undefined>;
  /** Whole messages. */
  write(control: Uint8Array): void;
  close(): void;
  readonly closed: Promise<void>;
}

export interface SaveOptions {
  /** Called as bytes are stored, with both numbers in bytes; the last call has `done` equal to `total`. */
  onProgress(done: number, total: number): void;
}

/** One run of a device in a runtime. */
export interface Machine extends MachineRef {
  adb: AdbAddress;
  capabilities: ReadonlySet<MachineCapability>;
  console?: MachineConsole;
  /** Opens the picture that the machine itself has, without a program on the device. */
  openScreen?(wish: ScreenWish): ScreenPipe;
  /** Aborts when the machine is over, whoever ended it. */
  gone: AbortSignal;
  /**
   * Saves the device's state: what survives a reboot of Android. Resolves with the whole stack of layers that a later machine starts from,
   * lowest first, when all of them are in the layer store: those it started from that still hold, and what has changed. The device does not
   * change meanwhile, and adb on it may not answer; it may be saved again. Only with the capability `save`.
   * @throws the signal's reason; whatever the layer store throws. The machine then runs on, or is gone.
   */
  save?(options: SaveOptions, signal: AbortSignal): Promise<Layer[]>;
  /** Ends it and resolves when nothing of it is left. Safe to call twice. */
  stop(): Promise<void>;
}
