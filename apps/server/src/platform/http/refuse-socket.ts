import { type ErrorCode, errors } from "@terrarium/contract";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Writes an error response to a bare socket, where Fastify has no reply object, and closes it. The body is like that of any other error. */
export function refuseSocket(socket: Duplex, code: ErrorCode): void {
  const { status, message } = errors[code];
  const body = JSON.stringify({ code, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  // The client may be gone already.
  socket.on("error", () => undefined);
  // Do not wait for the client to close its side.
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
