/**
 * Why something failed.
 * - `PROTOCOL`: the peer broke the protocol; the socket is of no further use.
 * - `SCRCPY_VERSION`: the other side has an unsupported version.
 * - `STREAM_REFUSED`: the device cannot provide this stream, for instance because it has no such encoder.
 * - `INVALID_ARGUMENT`: nothing was encoded, because a value does not fit the format.
 */
export type ScrcpyErrorCode = "PROTOCOL" | "SCRCPY_VERSION" | "STREAM_REFUSED" | "INVALID_ARGUMENT";

/** Every error this package throws, on either end. */
export class ScrcpyError extends Error {
  override readonly name = "ScrcpyError";
  readonly code: ScrcpyErrorCode;

  constructor(code: ScrcpyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
