import type { Socket } from "node:net";
import { MAX_LINE_BYTES } from "./control-protocol.ts";

/** Calls `onValue` for each line of JSON; a line that is none, or too long, closes the socket. */
export function readJsonLines(socket: Socket, onValue: (value: unknown) => void): void {
  let held = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = (held + text).split("\n");
    held = lines.pop()!;
    if (held.length > MAX_LINE_BYTES) return void socket.destroy();
    for (const line of lines) {
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        return void socket.destroy();
      }
      onValue(value);
    }
  });
}

export const writeJsonLine = (socket: Socket, value: unknown): void => {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
};
