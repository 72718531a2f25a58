import type { IncomingMessage, Server } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "../log.ts";
import { AnonymousConnections } from "./anonymous-connections.ts";
import type { ClientAddress } from "./client-address.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { refuseSocket } from "./refuse-socket.ts";

/** Passes the client's address to the other process; what clients send under this name is dropped. */
export const CLIENT_ADDRESS_HEADER = "x-client-address";

export interface UpgradeProxy {
  /** Paths to proxy; the first capture group is passed to `find`. */
  path: RegExp;
  /** `host:port` of the process that serves it now; undefined when none does. The signal aborts when the client disconnects. */
  find: (id: string, signal: AbortSignal) => Promise<string | undefined>;
  clientAddress: ClientAddress;
  limits: ConnectionLimits;
  /** Those that the other process has not answered yet. */
  unanswered?: AnonymousConnections;
  log: Logger;
}

/**
 * Proxies WebSocket upgrades, byte for byte, to another process of this service. Connections are limited by network until that
 * process has answered, which limits those that do not authenticate. `stop` closes all proxied connections.
 */
export function proxyUpgrades(server: Server, options: UpgradeProxy): { stop(): void } {
  const { path, find, clientAddress, limits, unanswered = new AnonymousConnections(), log } = options;
  const sockets = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const id = path.exec(request.url?.split("?")[0] ?? "")?.[1];
    if (id === undefined) return;
    const address = clientAddress(request);
    const closed = limits.admit(address);
    if (!closed) return refuseSocket(socket, "TOO_MANY_REQUESTS");
    const answered = unanswered.add(address, () => socket.destroy());
    const disconnected = new AbortController();
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      closed();
      answered();
      disconnected.abort();
    });
    find(id, disconnected.signal)
      .then((found) => {
        if (!found) return refuse(socket);
        pipe({ request, socket, head, address }, found).once("data", answered);
      })
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

interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  /** The client's. */
  address: string;
}

function pipe({ request, socket, head, address }: Upgrade, to: string): Socket {
  const [host = "", port = ""] = to.split(/:(?=\d+$)/);
  // A small packet that waits for the one before it would cost adb 40 ms each.
  const onward = connect({ host, port: Number(port), noDelay: true });
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let index = 0; index < request.rawHeaders.length; index += 2)
    if (request.rawHeaders[index]?.toLowerCase() !== CLIENT_ADDRESS_HEADER)
      lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
  lines.push(`${CLIENT_ADDRESS_HEADER}: ${address}`);
  onward.once("connect", () => {
    onward.write(`${lines.join("\r\n")}\r\n\r\n`);
    if (head.length > 0) onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  onward.on("error", () => (onward.bytesRead === 0 ? refuse(socket) : socket.destroy()));
  onward.on("close", () => socket.destroy());
  socket.on("close", () => onward.destroy());
  return onward;
}
