/** PostgreSQL's five-character error code, https://www.postgresql.org/docs/current/errcodes-appendix.html; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !NODE_CODES.has(code) ? code : undefined;
}

/** The transaction conflicted with another one; a retry may succeed. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** A lock was not to be had within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === LOCK_NOT_AVAILABLE;

/** A unique constraint was violated; with `constraint`, that one. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}

/** A column has changed its type since the statement was prepared. */
export function isStalePlan(error: unknown): boolean {
  return (
    sqlState(error) === FEATURE_NOT_SUPPORTED && (error as { routine?: string }).routine === "RevalidateCachedQuery"
  );
}

/** A statement took longer than `statement_timeout`, or was ended by an administrator. */
export const isCancelled = (error: unknown): boolean => sqlState(error) === QUERY_CANCELED;

/** No answer came within the connection's `query_timeout`: a database whose machine is gone does not say so. */
export const isUnanswered = (error: unknown): boolean => error instanceof Error && error.message === UNANSWERED;

/** The database cannot be reached or is unable to serve at the moment: starting, stopping, out of connections, disk full. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  // 08: connection, 53: out of disk, memory or connections, 57P: shut down, crashed or starting.
  if (state) return state.startsWith("08") || state.startsWith("53") || state.startsWith("57P");
  if ("code" in error && NODE_CODES.has(String(error.code))) return true;
  return DRIVER_MESSAGES.some((message) => error.message.includes(message)) || isUnavailable(error.cause);
}

const FEATURE_NOT_SUPPORTED = "0A000";
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
const UNIQUE_VIOLATION = "23505";
const QUERY_CANCELED = "57014";

const NODE_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

/** These errors of pg 8 have no code. */
const UNANSWERED = "Query read timeout";
const DRIVER_MESSAGES = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
  UNANSWERED,
];
