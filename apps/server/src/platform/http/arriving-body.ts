import { AppError, type ArrivingBody } from "@terrarium/contract";
import type { FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";

/**
 * The body of a request that nobody has read yet.
 * @throws AppError BODY_TOO_LARGE; invalid_request without a length, which is needed to know a whole file from a part of it
 */
export function arrivingBody({ raw, routeOptions: { bodyLimit } }: FastifyRequest): ArrivingBody {
  const declared = raw.headers["content-length"];
  if (declared === undefined || raw.headers["transfer-encoding"] !== undefined)
    throw new AppError("invalid_request", { fields: [{ field: "Content-Length", message: "Required" }] });
  const bytes = Number(declared);
  if (bytes > bodyLimit) throw new AppError("BODY_TOO_LARGE");
  const gone = new AbortController();
  const leave = () => gone.abort(new AppError("REQUEST_TIMEOUT", { message: "The client left." }));
  if (raw.destroyed) leave();
  else raw.once("close", () => raw.complete || leave());
  return { bytes, gone: gone.signal, each: (take, signal) => each(raw, take, AbortSignal.any([signal, gone.signal])) };
}

/** Reads with events: what iterates over a request destroys its connection when it stops early, and the client would see no reply. */
async function each(
  raw: IncomingMessage,
  take: (part: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(signal.reason as Error);
  let last = Promise.resolve();
  const onData = (part: Uint8Array) => {
    raw.pause();
    last = take(part).then(() => void raw.resume());
    last.catch(reject);
  };
  const onEnd = () => void last.then(resolve, reject);
  signal.addEventListener("abort", fail);
  // Whoever leaves is noticed by the end of the connection.
  raw.on("error", () => undefined);
  raw.on("data", onData).once("end", onEnd);
  try {
    signal.throwIfAborted();
    await promise;
  } finally {
    signal.removeEventListener("abort", fail);
    raw.off("data", onData).off("end", onEnd);
    // Read to its end all the same: only then can a reply follow, and the next request.
    raw.resume();
  }
}
