import type { ByteStream } from "../byte-stream.ts";
import type { DeviceServices } from "./device-services.ts";

/** Who the device says it is; `adb devices -l` shows it. */
export interface DeviceIdentity {
  product: string;
  model: string;
  device: string;
}

/**
 * The sockets of one device that hosts have asked to be connected back to (`adb reverse`). Share one among all daemons
 * of a device: a program on the device does not know which host registered the address.
 */
export interface Reverses {
  /** Connects as a program on the device would: `localabstract:scrcpy`, `tcp:8080`. Undefined when no host listens there. */
  connect(address: string, signal?: AbortSignal): Promise<ByteStream | undefined>;
}

export interface AdbDaemonOptions {
  banner: DeviceIdentity;
  services: DeviceServices;
  /** Default: those the daemon serves, `deviceFeatures`. */
  features?: readonly string[];
  reverses?: Reverses;
  /** Streams at once, default 256; one more is refused. */
  maxStreams?: number;
  /** Hears of errors that services threw and that were not the host's doing. */
  report?: (error: unknown) => void;
}

/** One host's connection to the device. */
export interface AdbDaemon {
  /** Aborts when the connection is over, with the `AdbError` that says why. */
  readonly gone: AbortSignal;
  close(): void;
}
