import { AppError, type ErrorCode, isIdentifierIssue } from "@terrarium/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Socket } from "node:net";
import { isUnavailable } from "../db/database-errors.ts";
import { refuseSocket } from "./refuse-socket.ts";

/** Codes for the statuses that Fastify itself rejects requests with; any other status below 500 is an invalid request. */
const libraryErrors: Record<number, ErrorCode> = { 413: "BODY_TOO_LARGE", 415: "UNSUPPORTED_MEDIA_TYPE" };

/**
 * Registers the only place that turns errors into responses: `{ code, message, request_id }`, with `fields` for invalid input and
 * `details` if the error has any.
 */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asAppError(error);
    if (known.code === "INTERNAL_ERROR") request.log.error({ err: error, reqId: request.id }, "request failed");
    return sendError(request, reply, known);
  });
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { retryAfterSeconds } = error.facts as { retryAfterSeconds?: number };
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", retryAfterSeconds);
  // The handler may have set headers for the reply it meant to send, such as a file to save.
  void reply.removeHeader("content-disposition").type("application/json; charset=utf-8");
  return reply.status(error.status).send({
    code: error.code,
    message: error.message,
    ...(error.fields.length > 0 ? { fields: error.fields } : {}),
    details: error.details,
    request_id: request.id,
  });
}

/** Error codes of Node's HTTP parser; any other means a malformed request. */
const parserErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "BODY_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** Answers bytes that could not be parsed as a request, and closes the connection. */
export function answerClientError(code: string | undefined, socket: Socket): void {
  if (!socket.writable) socket.destroy();
  else refuseSocket(socket, parserErrors[code ?? ""] ?? "invalid_request");
}

/** Maps any error to the one the caller sees. Unexpected errors become INTERNAL_ERROR. */
export function asAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return invalidRequest(error);
  if (isUnavailable(error)) return new AppError("SERVICE_UNAVAILABLE", { cause: error });
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new AppError(libraryErrors[error.statusCode] ?? "invalid_request", { cause: error });
  return new AppError("INTERNAL_ERROR", { cause: error });
}

function invalidRequest(error: z.ZodError): AppError {
  const fields = error.issues.map((issue) => ({ field: issue.path.join("."), message: issue.message }));
  return new AppError(error.issues.some(isIdentifierIssue) ? "INVALID_IDENTIFIER" : "invalid_request", { fields });
}
