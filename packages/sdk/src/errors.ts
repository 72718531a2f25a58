import { AppError, type ErrorCode, errors, type FieldError, isErrorCode } from "@terrarium/contract";

/** What the service sends with an error; of anybody else's answer nothing is sure. */
interface ErrorBody {
  code?: unknown;
  message?: string;
  fields?: FieldError[];
  request_id?: string;
}

/** What a status means by itself, whoever answered: a proxy, or something else at the service's address. */
const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  401: "NOT_AUTHENTICATED",
  413: "BODY_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
};

/** The error that an answer stands for: the service's own, or what its status says when somebody else answered. */
export async function errorOf(response: Response): Promise<AppError> {
  const { status } = response;
  const body = ((await response.json().catch(() => undefined)) ?? {}) as ErrorBody;
  const { code, message, fields, request_id } = body;
  if (isErrorCode(code) && errors[code].status === status)
    return new AppError(code, { message, fields, requestId: request_id });
  const byStatus = codesByStatus[status] ?? (status >= 502 ? "SERVICE_UNAVAILABLE" : "INTERNAL_ERROR");
  return new AppError(byStatus, { facts: { status } });
}
