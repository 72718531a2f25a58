import { AppError } from "@terrarium/contract";
import type { FastifyRequest } from "fastify";
import { cannotBeRebound } from "./hosts.ts";

export interface Origins {
  /** How clients reach the service, if not at the address in their requests. */
  publicUrl?: string | undefined;
  /** Origins of others whose pages may do what ours may. */
  allowedOrigins?: readonly string[] | undefined;
}

/**
 * A check for requests that only our own pages, or those of allowed origins, may make. Programs that are not browsers send no `Origin`
 * header and pass. Without a public URL, a page is ours if its origin is where the request went to, unless that host name may be a
 * stranger's.
 * @throws AppError (the check) ORIGIN_NOT_ALLOWED
 */
export function ownPagesOnly({ publicUrl, allowedOrigins = [] }: Origins): (request: FastifyRequest) => void {
  const known = new Set(allowedOrigins);
  const ownOrigin = publicUrl && new URL(publicUrl).origin;
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined || known.has(origin)) return;
    const own = ownOrigin ?? trustedOriginOf(request);
    if (origin !== own) throw new AppError("ORIGIN_NOT_ALLOWED", { facts: { origin } });
  };
}

function trustedOriginOf({ protocol, host }: FastifyRequest): string | undefined {
  const url = URL.parse(`${protocol}://${host}`);
  return url && cannotBeRebound(url.hostname) ? url.origin : undefined;
}
