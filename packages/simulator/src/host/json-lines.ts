import type { Socket } from "node:net";
import { MAX_LINE_BYTES } from "./control-protocol.ts";

/** Calls `onValue` for each line of JSON; a line that is none, or too long, closes the socket. */
export function readJsonLines(socket: Socket, onValue: (value: unknown) => void): void {
  let held = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = (held + text).split("\n");
    held = lines.pop()!;
    try {
      if (held.length > MAX_LINE_BYTES) throw new RangeError("too long");
      for (const line of lines) onValue(JSON.parse(line));
    } catch {
      socket.destroy();
    }
  });
}

export const writeJsonLine = (socket: Socket, value: unknown): void => {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
};
