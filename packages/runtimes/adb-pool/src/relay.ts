import { nodeSocketDuplex, relayAdb } from "@terrarium/adb";
import type { AdbAddress } from "@terrarium/runtime";
import { createServer, type Server, type Socket } from "node:net";
import type { AdbServer } from "./adb-server.ts";

const LOOPBACK = "127.0.0.1";
const MAX_CONNECTIONS = 64;
const MAX_TRIES = 50;

/** adb servers scan these for emulators, and would find the device a second time. */
const isScanned = (port: number): boolean => port >= 5554 && port <= 5585;

/**
 * What may be opened on a device. The adb server takes anything else for itself, as `host:kill`, or changes how the device is reached, as
 * `tcpip:`; `reverse:` would let the device connect to the adb server's computer.
 */
const SERVICES =
  /^(shell[:,]|exec:|sync:|abb:|abb_exec:|localabstract:|localfilesystem:|localreserved:|local:|tcp:\d+$|framebuffer:|jdwp|track-jdwp|track-app|reboot:$)/;

/** A port of loopback that speaks adb for a device of an adb server. */
export interface Relay {
  address: AdbAddress;
  /** Ends it with all its connections. */
  close(): void;
}

/** @param wantedPort the one that it had before, if that is free */
export async function startRelay(
  adb: AdbServer,
  serial: string,
  wantedPort: number | undefined,
  { log, signal }: { log: (line: string) => void; signal: AbortSignal },
): Promise<Relay> {
  const features = await adb.features(serial, signal);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    relayAdb(nodeSocketDuplex(socket), {
      banner: { product: "", model: "", device: "", features },
      open: async (service, opening) =>
        SERVICES.test(service) ? adb.open(serial, service, opening).catch(() => undefined) : undefined,
    });
  });
  // One that cannot be taken, as there are too many open files, does not end the process.
  server.on("error", (error) => server.listening && log(`the port of the device ${serial}: ${String(error)}`));
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listenUnscanned(server, wantedPort);
  return {
    address: { host: LOOPBACK, port },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function listenUnscanned(server: Server, wantedPort = 0): Promise<number> {
  for (let tries = 0; ; tries++) {
    const port = await listen(server, tries === 0 ? wantedPort : 0).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE" || tries > 0) throw error;
      return undefined;
    });
    if (port === undefined) continue;
    if (!isScanned(port)) return port;
    await new Promise((resolve) => server.close(resolve));
    if (tries >= MAX_TRIES) throw new Error("no port outside of those that adb scans");
  }
}

function listen(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, LOOPBACK, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}
