/** What kind of thing the device is; it decides the shape of the screen and of the system UI. */
export type FormFactor = "PHONE" | "TABLET" | "FOLDABLE" | "TV" | "WATCH" | "CAR";

export interface DisplaySpec {
  /** Pixels, in the device's natural orientation. */
  width: number;
  height: number;
  /** Dots per inch, as Android counts them (160 is one pixel per dp). */
  density: number;
}

export interface HardwareSpec {
  name: string;
  formFactor: FormFactor;
  /** At least one; a foldable has its cover and its inner display. The first is shown. */
  displays: DisplaySpec[];
  /** True when the device has keys of its own, so that the system draws no navigation bar. */
  hwNavigationKeys: boolean;
  cpuCount: number;
  ramMb: number;
  dataDiskMb: number;
  /** Overrides of system properties, by the names of the hardware profile: `product_model`, `serialno`, ... */
  properties: Record<string, string>;
}

export interface ImageSpec {
  /** What the runtime must run: a container image, an AVD, a disk; its meaning is the runtime's own. */
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
  /** The instance this machine runs for: a uuid, one machine each. */
  id: string;
  /** The number of this run; a machine of an older boot is stale and is stopped when it is met. */
  boot: number;
  /** What the owner called the device. Never part of a command line. */
  name: string;
  image: ImageSpec;
  hardware: HardwareSpec;
}

/** A machine that a runtime says is running. */
export interface MachineRef {
  id: string;
  boot: number;
}

export interface AdbAddress {
  /** Loopback or a Pod's address; never one that can be reached from outside. */
  host: string;
  port: number;
}

/** One run of a device in a runtime. */
export interface Machine extends MachineRef {
  adb: AdbAddress;
  /** Aborts when the machine is over, whoever ended it. */
  gone: AbortSignal;
  /** Ends it and resolves when nothing of it is left. Safe to call twice. */
  stop(): Promise<void>;
}
