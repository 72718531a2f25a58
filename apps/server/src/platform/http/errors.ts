import { AppError, type ErrorCode } from "@terrarium/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isUnavailable } from "../db/database-errors.ts";

/** Codes of the server library that mean the caller's mistake. */
const libraryErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_request",
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_request",
};

/** The one place that turns an error into an answer: `{ code, message }`, with the field of a bad input. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asAppError(error);
    if (!known) request.log.error({ err: error }, "request failed");
    return sendError(request, reply, known ?? new AppError("INTERNAL_ERROR"));
  });
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { retryAfterSeconds } = error.facts as { retryAfterSeconds?: number };
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", retryAfterSeconds);
  return reply.status(error.status).send({
    code: error.code,
    message: error.message,
    ...(error.fields.length > 0 ? { fields: error.fields } : {}),
    request_id: request.id,
  });
}

function asAppError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return invalidRequest(error);
  const code = libraryErrors[error.code];
  if (code) return new AppError(code, { cause: error });
  if (isUnavailable(error)) return new AppError("SERVICE_UNAVAILABLE", { cause: error });
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new AppError("invalid_request", { cause: error });
  return undefined;
}

/** A bad identifier in the address has a code of its own, so that a page can say so. */
function invalidRequest(error: z.ZodError): AppError {
  const fields = error.issues.map((issue) => ({ field: issue.path.join("."), message: issue.message }));
  const inAddress = fields.some(({ message }) => message === "This identifier is not valid.");
  return new AppError(inAddress ? "INVALID_IDENTIFIER" : "invalid_request", { fields });
}
