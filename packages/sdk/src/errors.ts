import { AppError, type ErrorCode, errors, type FieldError, isErrorCode } from "@terrarium/contract";

/** The body of an error from our server. Responses of others, such as proxies, may be anything. */
interface ErrorBody {
  code?: unknown;
  message?: string;
  fields?: FieldError[];
  details?: Record<string, string>;
  request_id?: string;
}

/** The codes for the statuses of foreign responses, for instance from a proxy. */
const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  401: "NOT_AUTHENTICATED",
  413: "BODY_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
};

/**
 * Converts an error response: with the code in its body if there is one of ours, else with a code for its status. Only a 401 ends
 * a session, so there status and code have to agree.
 */
export async function errorOf(response: Response): Promise<AppError> {
  const { status } = response;
  const body = ((await response.json().catch(() => undefined)) ?? {}) as ErrorBody;
  const { code, message, fields, details, request_id } = body;
  if (isErrorCode(code) && (errors[code].status === 401) === (status === 401))
    return new AppError(code, { message, fields, details, requestId: request_id });
  const byStatus = codesByStatus[status] ?? (status >= 502 ? "SERVICE_UNAVAILABLE" : "INTERNAL_ERROR");
  return new AppError(byStatus, { facts: { status } });
}
