import { AppError, type Body, type FormBody, isJson, limits, type RawBody, type StreamBody } from "@terrarium/contract";
import multipart from "@fastify/multipart";
import type { FastifyInstance } from "fastify";

/**
 * Registers parsers for bodies that are not JSON in a Fastify scope: raw bytes are buffered, a stream is left for `arrivingBody` to read, and
 * a form for `receiveForm`.
 */
export async function takeBodies(scope: FastifyInstance, body: RawBody | StreamBody | FormBody): Promise<void> {
  scope.removeAllContentTypeParsers();
  const types = body.kind === "form" ? ["multipart/form-data"] : [...body.types];
  if (body.kind === "form") await scope.register(multipart, { throwFileSizeLimit: false });
  else if (body.kind === "stream") scope.addContentTypeParser(types, (_request, _payload, done) => done(null));
  else scope.addContentTypeParser(types, { parseAs: "buffer" }, (_request, bytes, done) => done(null, bytes));
  // A form of another type is refused by `receiveForm`, so that whoever may not send any learns that first.
  scope.addContentTypeParser("*", (_request, _payload, done) =>
    done(body.kind === "form" ? null : mediaTypeError(types)),
  );
}

export const mediaTypeError = (types: readonly string[]): AppError =>
  new AppError("UNSUPPORTED_MEDIA_TYPE", { message: `Send ${types.join(" or ")}.` });

/** The maximum size of a route's body in bytes; for a form, all of its files and fields together. */
export function maxBytesOf(body: Body | undefined, maxBodyBytes: number = limits.bodyBytes): number {
  if (!body || isJson(body) || body.kind !== "form") return maxBodyBytes;
  const files = Object.values(body.files).reduce((sum, { max, maxBytes }) => sum + max * maxBytes, 0);
  return files + limits.formFields * limits.formFieldBytes;
}
