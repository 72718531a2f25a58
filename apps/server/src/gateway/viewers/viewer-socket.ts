import { MAX_SIGNAL_CHARS } from "@terrarium/player";
import type { RawData, WebSocket } from "ws";

/** A viewer with this much unread is gone. */
const MAX_UNREAD_BYTES = 1024 * 1024;

export interface SocketEvents {
  /** A text message; undefined for a binary or overlong one. */
  onText: (text: string | undefined) => void;
  onPong: () => void;
  onClose: () => void;
}

/** The signalling socket of one viewer. Calls after its end do nothing. */
export interface ViewerSocket {
  listen(events: SocketEvents): void;
  send(text: string): void;
  /** Sends a binary message. */
  sendBytes(bytes: Uint8Array): void;
  ping(): void;
  close(code: number, reason: string): void;
  /** Closes without a handshake, because the other side is gone. */
  terminate(): void;
}

/** Wraps an accepted WebSocket. */
export function viewerSocket(socket: WebSocket): ViewerSocket {
  const send = (message: string | Uint8Array) => {
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.send(message);
  };
  return {
    listen({ onText, onPong, onClose }) {
      // Every error is followed by a close event.
      socket.on("error", () => undefined);
      socket.on("message", (data, isBinary) => onText(isBinary ? undefined : textOf(data)));
      socket.on("pong", onPong);
      socket.on("close", onClose);
    },
    send,
    sendBytes: send,
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
