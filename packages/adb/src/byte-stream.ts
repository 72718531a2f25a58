/**
 * Bytes both ways between a host and a service of a device, over one adb stream.
 * adb has no half-close: ending it ends both directions. A reader that does not read stalls this stream and no other.
 */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /**
   * Reads the next bytes as they arrived, or undefined once the other side has ended. One read at a time.
   * Rejects with `AdbError` when the connection was lost or the stream was closed with an error.
   */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Resolves when the other side has taken all of `bytes`; leave them unchanged until then. Writes arrive in order. Rejects with `AdbError`
   * `STREAM_CLOSED` or `CLOSED` when that can no longer happen.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes once what was written before has been taken. Never rejects. */
  end(): Promise<void>;
  /** Closes at once. Reads and writes that wait reject with `error`, or without one end as if the other side had closed. */
  close(error?: Error): void;
  /** Resolves when the stream is over, whatever ended it. */
  readonly closed: Promise<void>;
}
