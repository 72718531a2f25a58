import type { Socket } from "node:net";
import type { Duplex } from "./duplex.ts";

/** A TCP or Unix socket of Node as the pipe under an adb connection. It must be connected, and is ours from now on. */
export function nodeSocketDuplex(socket: Socket): Duplex {
  // Small packets answer each other: waiting to fill a segment would cost 40 ms each.
  socket.setNoDelay(true);
  return {
    listen(events) {
      let cause: Error | undefined;
      socket.on("data", (chunk: Buffer) => events.data(chunk));
      socket.on("error", (error) => (cause = error));
      // The other end has ended its direction: adb has no use for the one that is left.
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
