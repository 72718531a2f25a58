import { createServer, type Server, type Socket } from "node:net";
import type { AdbAddress } from "./machine.ts";

const LOOPBACK = "127.0.0.1";
const MAX_CONNECTIONS = 64;
const MAX_TRIES = 50;

/** adb servers scan these for emulators, and would find the device a second time. */
const isScanned = (port: number): boolean => port >= 5554 && port <= 5585;

/** A port of loopback that leads to the adb of a device that is reached in another way. */
export interface LoopbackPort {
  address: AdbAddress;
  /** Ends it with all its connections. */
  close(): void;
}

export interface LoopbackPortOptions {
  /** The one that it had before, if that is free. */
  wantedPort: number | undefined;
  /** Owns the connection. */
  serve(socket: Socket): void;
  /** A connection could not be taken, as there are too many open files. */
  onError(error: Error): void;
}

export async function openLoopbackPort({ wantedPort, serve, onError }: LoopbackPortOptions): Promise<LoopbackPort> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serve(socket);
  });
  server.on("error", (error) => server.listening && onError(error));
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

/** A port of loopback that is free now, and that adb servers do not scan. */
export async function freeLoopbackPort(): Promise<number> {
  const server = createServer();
  const port = await listenUnscanned(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
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
