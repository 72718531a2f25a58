import proxyAddr from "@fastify/proxy-addr";
import type { FastifyInstance } from "fastify";
import { networkOf } from "../network-of.ts";

/** Anybody may pretend to be a proxy, and must not fill the log. */
const MAX_REPORTED = 50;

/**
 * Logs when a request came through a proxy that is not trusted, once for each proxy: all of its clients share one address, and thus the
 * limits for it.
 */
export function reportUndeclaredProxies(app: FastifyInstance, trustedProxies: string[]): void {
  const isTrusted = proxyAddr.compile(trustedProxies);
  const reported = new Set<string>();
  app.addHook("onRequest", ({ headers, socket }, _reply, done) => {
    const { remoteAddress: address = "" } = socket;
    if (headers["x-forwarded-for"] !== undefined && reported.size < MAX_REPORTED && !isTrusted(address, 0)) {
      const isNew = reported.size < reported.add(networkOf(address)).size;
      if (isNew)
        app.log.warn(
          { address },
          `requests come through a proxy at ${address} that TERRARIUM_TRUSTED_PROXIES does not name: ` +
            "all its clients count as one address, and share its limits for sign-ins and connections",
        );
    }
    done();
  });
}
