import type { IncomingMessage, Server } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "../log.ts";
import { refuseSocket } from "./refuse-socket.ts";

export interface UpgradeProxy {
  /** Paths to proxy; the first capture group is passed to `find`. */
  path: RegExp;
  /** `host:port` of the process that serves it now; undefined when none does. The signal aborts when the client disconnects. */
  find: (id: string, signal: AbortSignal) => Promise<string | undefined>;
  log: Logger;
}

/** Proxies WebSocket upgrades, byte for byte, to another process of this service. `stop` closes all proxied connections. */
export function proxyUpgrades(server: Server, { path, find, log }: UpgradeProxy): { stop(): void } {
  const sockets = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const id = path.exec(request.url?.split("?")[0] ?? "")?.[1];
    if (id === undefined) return;
    const disconnected = new AbortController();
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      disconnected.abort();
    });
    find(id, disconnected.signal)
      .then((address) => (address ? pipe(request, socket, head, address) : refuse(socket)))
      .catch((error: unknown) => {
        if (disconnected.signal.aborted) return;
        log.error({ err: error }, "an upgrade could not be proxied");
        refuse(socket);
      });
  });
  return {
    stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Answers 503, upon which clients try again: nobody serves this path at the moment. */
const refuse = (socket: Duplex): void => refuseSocket(socket, "SERVICE_UNAVAILABLE");

function pipe(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
  const [host = "", port = ""] = address.split(/:(?=\d+$)/);
  const onward = connect({ host, port: Number(port) });
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let index = 0; index < request.rawHeaders.length; index += 2)
    lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
  onward.once("connect", () => {
    onward.write(`${lines.join("\r\n")}\r\n\r\n`);
    if (head.length > 0) onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  onward.on("error", () => (onward.bytesRead === 0 ? refuse(socket) : socket.destroy()));
  onward.on("close", () => socket.destroy());
  socket.on("close", () => onward.destroy());
}
