/** The five-character code PostgreSQL gives an error, https://www.postgresql.org/docs/current/errcodes-appendix.html; undefined for others. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !NODE_CODES.has(code) ? code : undefined;
}

/** Doing the same transaction again may well succeed: two of them stood in each other's way. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** A row with this key is there already. With `constraint`, only when it was that one. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}

/** The database cannot be reached or cannot serve now (starting, stopping, full of connections, disk full); later it may. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  // 08: connection, 53: out of disk, memory or connections, 57P: shut down, crashed or starting.
  if (state) return state.startsWith("08") || state.startsWith("53") || state.startsWith("57P");
  if ("code" in error && NODE_CODES.has(String(error.code))) return true;
  return DRIVER_MESSAGES.some((message) => error.message.includes(message)) || isUnavailable(error.cause);
}

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const UNIQUE_VIOLATION = "23505";

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

/** pg 8 gives these no code. */
const DRIVER_MESSAGES = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
];
