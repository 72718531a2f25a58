export interface DuplexEvents {
  /** Bytes from the peer, cut anywhere. The receiver does not retain the array. */
  data(chunk: Uint8Array): void;
  /** Called once, when no more will come. */
  close(error?: Error): void;
}

/** A pipe of bytes to the peer: a socket, a WebSocket, or a queue in a test. */
export interface Duplex {
  /** Registers the receiver; called once, before anything is written. */
  listen(events: DuplexEvents): void;
  /**
   * Sends the bytes, in order. Returns a promise when the pipe is full, which resolves when there is room again (and may
   * never settle when the pipe closes first).
   */
  write(bytes: Uint8Array): undefined | Promise<void>;
  /** Closes both directions at once. Safe to call twice. */
  close(): void;
}
