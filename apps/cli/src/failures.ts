import { AppError } from "@terrarium/contract";

/** What the process exits with, by its name in JSON. Where a code of gmsaas means the same, it is the same number. */
export const exitCodes = {
  NO_ERROR: 0,
  DEFAULT_ERROR: 1,
  USAGE_ERROR: 2,
  AUTHENTICATION_ERROR: 3,
  API_ERROR: 4,
  CONFIGURATION_ERROR: 6,
  INSTANCE_ERROR: 10,
  ADB_TUNNEL_PORT_BUSY: 11,
  ADB_TUNNEL_TIMEOUT: 12,
  ADB_TUNNEL_RUNNING_ON_DIFFERENT_PORT: 13,
  INSTANCE_NOT_READY: 14,
  NETWORK_ERROR: 15,
  SAVE_ERROR: 17,
  /** As shells say it of Ctrl-C. */
  INTERRUPTED: 130,
} as const;
export type ExitCodeName = keyof typeof exitCodes;

/** Something that cannot be done, in words for the person at the terminal. */
export class Failure extends Error {
  readonly exit: ExitCodeName;
  readonly details: string;

  constructor(exit: ExitCodeName, message: string, details = "") {
    super(message);
    this.exit = exit;
    this.details = details;
  }
}

/** Anything that was thrown, as what the process says and exits with. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof AppError) return new Failure(exitOf(error), error.message, detailsOf(error));
  return new Failure("DEFAULT_ERROR", error instanceof Error ? error.message : String(error));
}

/** What ends a command after its signal aborted: what that was for, or what was said on purpose. */
export function interrupted({ reason }: AbortSignal, error: unknown): Failure {
  if (reason instanceof Failure) return reason;
  return error instanceof Failure ? error : new Failure("INTERRUPTED", "Interrupted.");
}

function exitOf({ code, status, facts }: AppError): ExitCodeName {
  if (status === 401) return "AUTHENTICATION_ERROR";
  // Nobody has answered, or something else than the service.
  return code === "SERVICE_UNAVAILABLE" || facts["isPage"] ? "NETWORK_ERROR" : "API_ERROR";
}

function detailsOf(error: AppError): string {
  const { code, fields, requestId } = error;
  const wrong = fields?.map(({ field, message }) => `${field}: ${message}`) ?? [];
  const causes = code === "SERVICE_UNAVAILABLE" ? [causeOf(error)] : [];
  return [code, ...wrong, ...causes.filter(Boolean), ...(requestId ? [`request ${requestId}`] : [])].join("; ");
}

/** Why nobody was reached, as Node says it below "fetch failed": a name, a port or a certificate is not as it should be. */
function causeOf({ cause }: Error): string {
  if (!(cause instanceof Error)) return "";
  // One for each address that was tried.
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause.cause];
  return first instanceof Error ? causeOf(new Error("", { cause: first })) : cause.message.trim();
}
