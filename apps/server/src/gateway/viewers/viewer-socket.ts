import { MAX_SIGNAL_CHARS } from "@terrarium/player";
import type { RawData, WebSocket } from "ws";

/** A viewer that does not read this much is not there. */
const MAX_UNREAD_BYTES = 1024 * 1024;

export interface SocketEvents {
  /** One text; undefined for what is no text or too long. */
  onText: (text: string | undefined) => void;
  onPong: () => void;
  onClose: () => void;
}

/** The signalling socket of one viewer. After its end nothing happens on any call. */
export interface ViewerSocket {
  listen(events: SocketEvents): void;
  send(text: string): void;
  ping(): void;
  close(code: number, reason: string): void;
  /** Without a farewell: the other side is gone. */
  terminate(): void;
}

/** The same over a WebSocket that was accepted already. */
export function viewerSocket(socket: WebSocket): ViewerSocket {
  return {
    listen({ onText, onPong, onClose }) {
      // An error is always followed by the close.
      socket.on("error", () => undefined);
      socket.on("message", (data, isBinary) => onText(isBinary ? undefined : textOf(data)));
      socket.on("pong", onPong);
      socket.on("close", onClose);
    },
    send(text) {
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(text);
    },
    ping() {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
}

function textOf(data: RawData): string | undefined {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer);
  return bytes.length > MAX_SIGNAL_CHARS ? undefined : bytes.toString("utf8");
}
