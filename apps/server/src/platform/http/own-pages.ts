import { AppError, type Route } from "@terrarium/contract";
import type { FastifyRequest } from "fastify";
import { cannotBeRebound } from "./hosts.ts";

export interface Origins {
  /** How clients reach the service, if not at the address in their requests. */
  publicUrl?: string | undefined;
  /** Origins of others whose pages may do what ours may. */
  allowedOrigins?: readonly string[] | undefined;
  /** Whether an organization allows pages of this origin to call routes that are declared with `organizationPages`. */
  isListedOrigin?: ((origin: string, pages: NonNullable<Route["organizationPages"]>) => Promise<boolean>) | undefined;
}

/** Whether a request comes from our own pages, from those of allowed origins, or from no page. */
export function isOwnPage({ publicUrl, allowedOrigins = [] }: Origins): (request: FastifyRequest) => boolean {
  const known = new Set(allowedOrigins);
  const ownOrigin = publicUrl && new URL(publicUrl).origin;
  return (request) => {
    const { origin } = request.headers;
    return origin === undefined || known.has(origin) || origin === (ownOrigin ?? trustedOriginOf(request));
  };
}

/**
 * A check for requests that only our own pages, or those of allowed origins, may make. Programs that are not browsers send no `Origin`
 * header and pass. Without a public URL, a page is ours if its origin is where the request went to, unless that host name may be a
 * stranger's.
 * @throws AppError (the check) ORIGIN_NOT_ALLOWED
 */
export function ownPagesOnly(origins: Origins): (request: FastifyRequest, route: Route) => Promise<void> {
  const isOwn = isOwnPage(origins);
  return async (request, { organizationPages }) => {
    const { origin = "" } = request.headers;
    if (isOwn(request) || (organizationPages && (await origins.isListedOrigin?.(origin, organizationPages)))) return;
    throw new AppError("ORIGIN_NOT_ALLOWED", { facts: { origin } });
  };
}

function trustedOriginOf({ protocol, host }: FastifyRequest): string | undefined {
  const url = URL.parse(`${protocol}://${host}`);
  return url && cannotBeRebound(url.hostname) ? url.origin : undefined;
}
