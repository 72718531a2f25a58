import { AppError } from "@terrarium/contract";
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";

/** Whether a request has at most one `Host` header. Of several, Node would use the first and a proxy perhaps the last. */
export function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  // Names and values alternate.
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts++;
  return hosts <= 1;
}

/** Answers 400 to requests with several `Host` headers. */
export function refuseSeveralHosts(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) =>
    hasOneHost(request.raw)
      ? done()
      : done(new AppError("invalid_request", { fields: [{ field: "Host", message: "Must be sent once" }] })),
  );
}
