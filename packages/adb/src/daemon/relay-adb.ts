import type { ByteStream } from "../byte-stream.ts";
import { AdbConnection } from "../connection/adb-connection.ts";
import { type DeviceBanner, formatDeviceBanner } from "../connection/banner.ts";
import type { Duplex } from "../connection/duplex.ts";
import { joinStreams } from "../join-streams.ts";

export interface RelayOptions {
  /** How the device describes itself. */
  banner: DeviceBanner;
  /** Opens a service of the device; undefined refuses it. The signal aborts with the connection. */
  open(service: string, signal: AbortSignal): Promise<ByteStream | undefined>;
}

/**
 * Speaks the device's side of adb on one connection, for a device that is reached in another way, such as through an adb server: what the
 * host opens is opened there. The device cannot open anything at the host.
 */
export function relayAdb(
  duplex: Duplex,
  { banner, open }: RelayOptions,
): { readonly gone: AbortSignal; close(): void } {
  return new AdbConnection(duplex, {
    role: "device",
    banner: formatDeviceBanner(banner),
    onOpen: async (service, signal) => {
      const far = await open(service, signal);
      return far && ((near) => joinStreams(near, far));
    },
  });
}
