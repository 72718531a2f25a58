import { nodeSocketDuplex, relayAdb } from "@terrarium/adb";
import { type LoopbackPort, openLoopbackPort } from "@terrarium/runtime";
import type { AdbServer } from "./adb-server.ts";

/**
 * What may be opened on a device. The adb server takes anything else for itself, as `host:kill`, or changes how the device is reached, as
 * `tcpip:`; `reverse:` would let the device connect to the adb server's computer.
 */
const SERVICES =
  /^(shell[:,]|exec:|sync:|abb:|abb_exec:|localabstract:|localfilesystem:|localreserved:|local:|tcp:\d+$|framebuffer:|jdwp|track-jdwp|track-app|reboot:$)/;

/**
 * A port of loopback that speaks adb for a device of an adb server.
 * @param wantedPort the one that it had before, if that is free
 */
export async function startRelay(
  adb: AdbServer,
  serial: string,
  wantedPort: number | undefined,
  { log, signal }: { log: (line: string) => void; signal: AbortSignal },
): Promise<LoopbackPort> {
  const features = await adb.features(serial, signal);
  return openLoopbackPort({
    wantedPort,
    onError: (error) => log(`the port of the device ${serial}: ${String(error)}`),
    serve: (socket) =>
      relayAdb(nodeSocketDuplex(socket), {
        banner: { product: "", model: "", device: "", features },
        open: async (service, opening) =>
          SERVICES.test(service) ? adb.open(serial, service, opening).catch(() => undefined) : undefined,
      }),
  });
}
