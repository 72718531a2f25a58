import type { Socket } from "node:net";
import type { Duplex } from "./duplex.ts";

/** Uses a TCP or Unix socket of Node as the pipe under an adb connection, which owns it from now on. */
export function nodeSocketDuplex(socket: Socket): Duplex {
  // Small packets answer each other, and waiting to fill a segment would cost 40 ms each time.
  socket.setNoDelay(true);
  return {
    listen(events) {
      let cause: Error | undefined;
      socket.on("data", (chunk: Buffer) => events.data(chunk));
      socket.on("error", (error) => (cause = error));
      // The other end has closed its direction, and adb has no use for the remaining one.
      socket.on("end", () => socket.destroy());
      socket.on("close", () => events.close(cause));
      if (socket.destroyed) events.close();
    },
    write(bytes) {
      if (socket.write(bytes)) return undefined;
      return new Promise((resolve) => socket.once("drain", resolve));
    },
    close: () => void socket.destroy(),
  };
}
