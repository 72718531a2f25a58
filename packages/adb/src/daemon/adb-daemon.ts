import type { DeviceAuthOptions } from "../auth/device-auth.ts";
import type { DeviceServices } from "./device-services.ts";
import type { ReverseTable } from "./reverse-table.ts";

/** How the device introduces itself; `adb devices -l` shows it. */
export interface DeviceIdentity {
  product: string;
  model: string;
  device: string;
}

export interface AdbDaemonOptions {
  banner: DeviceIdentity;
  services: DeviceServices;
  /** Default: those the daemon serves, `supportedFeatures`. */
  features?: readonly string[];
  /** The device's sockets whose connections lead back to hosts. All connections of a device share one table. */
  reverses?: ReverseTable;
  /** Lets in only hosts that prove to have one of these keys; by default any host. */
  auth?: DeviceAuthOptions | undefined;
  /** The most streams at once, default 256; one more is refused. */
  maxStreams?: number;
  /** Called with errors that services threw, unless the host caused them. */
  report?: (error: unknown) => void;
}

/** One host's connection to the device. */
export interface AdbDaemon {
  /** Resolves when the host has connected; rejects when the connection ends first. */
  readonly connected: Promise<void>;
  /** Aborts when the connection is over, with the `AdbError` that says why. */
  readonly gone: AbortSignal;
  close(): void;
}
