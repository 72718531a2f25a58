import type { AppError, ErrorCode } from "@terrarium/contract";

/** What the service answers to who asks for the display of a device, and never answers otherwise later. */
const finalCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "INSTANCE_ENDED",
  "INSTANCE_NOT_RUNNING",
  "INSTANCE_NOT_FOUND",
  "INSTANCE_NOT_ALLOWED",
  "INVALID_IDENTIFIER",
  "NOT_AUTHENTICATED",
]);

/** True when an error of the service means that there is nothing to come back to. */
export const isFinal = (error: unknown): error is AppError =>
  error instanceof Error && "code" in error && finalCodes.has(String(error.code));
