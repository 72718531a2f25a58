import { AppError, basePath, type Route } from "@terrarium/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { sendError } from "./errors.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] as const satisfies HTTPMethods[];
type Method = (typeof methods)[number];

const PARAMETERS = /:\w+/g;

/** Every path of some routes: those with fewer parameters before those that match them too, as the router has it. */
const pathsOf = (routes: readonly Route[]) =>
  [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, routes]) => ({
      url: basePath + path,
      pattern: new RegExp(`^${(basePath + path).split(PARAMETERS).map(escaped).join("[^/]+")}/?$`),
      parameters: path.match(PARAMETERS)?.length ?? 0,
      taken: new Set<Method>(routes.map(({ method }) => method)),
    }))
    .toSorted((one, other) => one.parameters - other.parameters);

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/**
 * Answers 405, with an `Allow` header, to the methods that a path of these routes lacks, and 404 where there is no such path. Paths are
 * only compared when no route was found: a route for each method that a path lacks would cost more than all that there are.
 */
export function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  const paths = pathsOf(routes);
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const { method } = request;
    // As the router reads it, which has refused what cannot be decoded.
    const url = decodeURI(request.url.split("?")[0] ?? "");
    const found = paths.find(({ pattern }) => pattern.test(url));
    if (!found || method === "OPTIONS" || found.taken.has(method as Method))
      return sendError(request, reply, new AppError("ROUTE_NOT_FOUND"));
    void reply.header("allow", methods.filter((each) => found.taken.has(each)).join(", "));
    return sendError(request, reply, new AppError("METHOD_NOT_ALLOWED"));
  };
  app.setNotFoundHandler(refuse);
  // The methods that a path lacks and a parameter in another path would take: GET of `/users/login` is not that of a user.
  for (const { url, taken } of paths) {
    const others = paths.filter((other) => other.url !== url && other.pattern.test(url));
    const method = methods.filter((each) => !taken.has(each) && others.some((other) => other.taken.has(each)));
    if (method.length > 0) app.route({ url, method, handler: refuse });
  }
}
