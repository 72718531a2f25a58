import { type ErrorCode, errors } from "@terrarium/contract";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Answers on a bare socket, where there is no request to reply to, and hangs up. The body is that of every other error. */
export function refuseSocket(socket: Duplex, code: ErrorCode): void {
  const { status, message } = errors[code];
  const body = JSON.stringify({ code, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  // A client that is gone by now is not told.
  socket.on("error", () => undefined);
  // A client that does not hang up in turn would hold the socket.
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
