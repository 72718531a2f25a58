/**
 * Why something failed.
 * - `PROTOCOL`: the peer broke the protocol; the whole connection is closed.
 * - `AUTH_REQUIRED`: the device asks for a key and none was given, or for TLS, which this package does not speak.
 * - `AUTH_REFUSED`: the device does not accept the host's key.
 * - `CLOSED`: the connection is over.
 * - `STREAM_CLOSED`: this stream is over; the connection goes on.
 * - `REFUSED`: the peer does not offer that service.
 * - `TOO_MANY_STREAMS`: one more stream would pass the limit of the connection.
 * - `INVALID_ARGUMENT`: nothing was sent, because the protocol cannot carry it (a NUL in a command, a path too long).
 * - `FAILED`: the peer understood and said no; the message is the peer's.
 * - `TOO_LARGE`: the peer's answer is larger than the caller wants to hold.
 */
export type AdbErrorCode =
  | "PROTOCOL"
  | "AUTH_REQUIRED"
  | "AUTH_REFUSED"
  | "CLOSED"
  | "STREAM_CLOSED"
  | "REFUSED"
  | "TOO_MANY_STREAMS"
  | "INVALID_ARGUMENT"
  | "FAILED"
  | "TOO_LARGE";

/** Every error that this package throws, on either end. */
export class AdbError extends Error {
  override readonly name = "AdbError";
  readonly code: AdbErrorCode;

  constructor(code: AdbErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const PEER_FAULTS: ReadonlySet<AdbErrorCode> = new Set(["PROTOCOL", "CLOSED", "STREAM_CLOSED", "REFUSED"]);

/**
 * True when the other side caused the error: it left, refused, or broke the protocol. Whoever serves a connection must
 * not take such an error for a defect of its own, or a hostile peer could end more than that connection.
 */
export function isPeerFault(error: unknown): boolean {
  return error instanceof AdbError && PEER_FAULTS.has(error.code);
}
