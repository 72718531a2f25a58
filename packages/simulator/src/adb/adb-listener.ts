import { createServer, type Server, type Socket } from "node:net";
import { nodeSocketDuplex, ReverseTable, serveAdb } from "@terrarium/adb";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import type { CommandTable } from "../shell/command-table.ts";
import { deviceServices } from "./device-services.ts";

export interface AdbListener {
  readonly host: string;
  readonly port: number;
  /** Closes every connection; the port stays. */
  disconnect(): void;
  /** Closes every connection; new ones are not served until the returned function is called. */
  hold(): () => void;
  /** Closes the port and every connection; resolves when that is done. */
  stop(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
/** How many hosts may be connected at once. */
const MAX_CONNECTIONS = 64;
/** How long a peer may take to introduce itself. The daemon of gmsaas before 1.16 passes nothing on while it waits for adb, for ten seconds. */
const HANDSHAKE_MS = 30_000;
const MAX_TRIES = 50;

/** adb servers scan these for emulators, and would find the device twice. */
const isScanned = (port: number): boolean => port >= 5554 && port <= 5585;

/** Listens on a free loopback port and speaks adb for the device. */
export async function startAdbListener(
  device: SimulatedDevice,
  commands: CommandTable,
  report: (error: unknown) => void,
): Promise<AdbListener> {
  const sockets = new Set<Socket>();
  const reverses = new ReverseTable();
  const services = deviceServices({ device, commands, reverses, restart: () => disconnect() });
  const { properties } = device;
  let released: Promise<void> | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    if (!released) return serve(socket);
    socket.on("error", () => socket.destroy());
    void released.then(() => !socket.destroyed && serve(socket));
  });
  const serve = (socket: Socket): void => {
    const daemon = serveAdb(nodeSocketDuplex(socket), {
      banner: {
        product: properties.get("ro.product.name"),
        model: properties.get("ro.product.model"),
        device: properties.get("ro.product.device"),
      },
      services,
      reverses,
      report,
    });
    const greeted = new AbortController();
    daemon.connected.then(
      () => greeted.abort(),
      () => undefined,
    );
    device.clock.sleep(HANDSHAKE_MS, AbortSignal.any([greeted.signal, daemon.gone, device.ended])).then(
      () => daemon.close(),
      // It introduced itself, or was gone, in time.
      () => undefined,
    );
  };
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    released = promise;
    disconnect();
    return () => {
      released = undefined;
      resolve();
    };
  };
  server.maxConnections = MAX_CONNECTIONS;
  for (let tries = 0; ; tries++) {
    const port = await listen(server);
    if (!isScanned(port)) {
      return { host: LOOPBACK, port, disconnect, hold, stop: () => stop(server, disconnect) };
    }
    if (tries >= MAX_TRIES) throw new Error("no port outside of those that adb scans");
    await new Promise((resolve) => server.close(resolve));
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOOPBACK, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

function stop(server: Server, disconnect: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    disconnect();
  });
}
