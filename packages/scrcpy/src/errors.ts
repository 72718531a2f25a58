/**
 * Why something failed.
 * - `PROTOCOL`: the peer sent what no peer sends; the socket is of no more use.
 * - `SCRCPY_VERSION`: the other side is of a version that is not spoken.
 * - `STREAM_REFUSED`: the device cannot give this stream, for instance because it has no such encoder.
 * - `INVALID_ARGUMENT`: nothing was encoded, because it cannot be said.
 */
export type ScrcpyErrorCode = "PROTOCOL" | "SCRCPY_VERSION" | "STREAM_REFUSED" | "INVALID_ARGUMENT";

/** Every error this package makes, on either end. */
export class ScrcpyError extends Error {
  override readonly name = "ScrcpyError";
  readonly code: ScrcpyErrorCode;

  constructor(code: ScrcpyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
