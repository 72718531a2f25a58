import type { IncomingMessage, Server } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "../log.ts";
import { refuseSocket } from "./raw-answer.ts";

export interface Lead {
  /** Addresses that are led on; the first group is handed to `find`. */
  path: RegExp;
  /** `host:port` of who serves it now; undefined when nobody does. The signal aborts when the client has left. */
  find: (id: string, signal: AbortSignal) => Promise<string | undefined>;
  log: Logger;
}

/** Leads WebSocket upgrades of some paths, byte for byte, to another process of this service. `stop` hangs up on all of them. */
export function leadUpgrades(server: Server, { path, find, log }: Lead): { stop(): void } {
  const led = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const id = path.exec(request.url?.split("?")[0] ?? "")?.[1];
    if (id === undefined) return;
    const left = new AbortController();
    led.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      led.delete(socket);
      left.abort();
    });
    find(id, left.signal)
      .then((address) => (address ? pipe(request, socket, head, address) : refuse(socket)))
      .catch((error: unknown) => {
        if (left.signal.aborted) return;
        log.error({ err: error }, "a viewer could not be led to its gateway");
        refuse(socket);
      });
  });
  return {
    stop() {
      for (const socket of led) socket.destroy();
    },
  };
}

/** The other side is not there now; clients take it for a reason to try again. */
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
