import type { FastifyInstance, FastifyRequest } from "fastify";

/** Logs once when a request came through a proxy that is not trusted: all of its clients share one address, and thus the limits for it. */
export function reportUndeclaredProxies(app: FastifyInstance): void {
  let isReported = false;
  app.addHook("onRequest", (request, _reply, done) => {
    if (!isReported && request.headers["x-forwarded-for"] !== undefined && !cameThroughTrustedProxy(request)) {
      isReported = true;
      const address = request.socket.remoteAddress;
      app.log.warn(
        { address },
        `requests come through a proxy at ${address} that TERRARIUM_TRUSTED_PROXIES does not name: ` +
          "all its clients count as one address, and share its limits for sign-ins and connections",
      );
    }
    done();
  });
}

/** `ips` has the addresses up to the first that is not trusted, beginning with the connection's. */
const cameThroughTrustedProxy = ({ ips }: FastifyRequest): boolean => ips !== undefined && ips.length > 1;
