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
  404: "ROUTE_NOT_FOUND",
  413: "BODY_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
};

/**
 * Converts an error response: with the code in its body if there is one of ours, else with a code for its status. Only a 401 ends
 * a session, so there status and code have to agree.
 */
export async function errorOf(response: Response): Promise<AppError> {
  const { status } = response;
  const body = (await response.json().catch(() => undefined)) as ErrorBody | null | undefined;
  const { code, message, fields, details, request_id } = body ?? {};
  if (isErrorCode(code) && (errors[code].status === 401) === (status === 401))
    return new AppError(code, { message, fields, details, requestId: request_id });
  return foreignAnswer(status, body === undefined);
}

/** The answer of something else where our server should be; `facts.isPage` if it is no JSON. */
export function foreignAnswer(status: number, isPage = true): AppError {
  const code = codesByStatus[status] ?? (status >= 502 ? "SERVICE_UNAVAILABLE" : "INTERNAL_ERROR");
  const asks = isPage && (status === 404 || code === "INTERNAL_ERROR");
  return new AppError(code, {
    facts: { status, isPage },
    message: asks ? `The server answered ${status} with a page instead of data; is the address right?` : undefined,
  });
}
