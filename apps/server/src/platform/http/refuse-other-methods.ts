import { AppError, basePath, type Route } from "@terrarium/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { sendError } from "./errors.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] as const satisfies HTTPMethods[];
type Method = (typeof methods)[number];

const PARAMETERS = /:\w+/g;

/**
 * Every path of some routes: those with fewer parameters before those that match them too, as the router has it. `crossed` are the methods
 * that a path lacks and a parameter in another path would take: GET of `/users/login` is not that of a user.
 */
function pathsOf(routes: readonly Route[]) {
  const paths = [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, routes]) => ({
      url: basePath + path,
      pattern: new RegExp(`^${(basePath + path).split(PARAMETERS).map(escaped).join("[^/]+")}/?$`),
      parameters: path.match(PARAMETERS)?.length ?? 0,
      taken: new Set<Method>(routes.map(({ method }) => method)),
    }))
    .toSorted((one, other) => one.parameters - other.parameters);
  return paths.map((path) => {
    const others = paths.filter(({ url, pattern }) => url !== path.url && pattern.test(path.url));
    return {
      ...path,
      crossed: methods.filter((each) => !path.taken.has(each) && others.some(({ taken }) => taken.has(each))),
    };
  });
}

/** Every path is compared with every other, once for all the servers of a process. */
const known = new WeakMap<readonly Route[], ReturnType<typeof pathsOf>>();

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/**
 * Answers 405, with an `Allow` header, to the methods that a path of these routes lacks, and 404 where there is no such path. Paths are
 * only compared when no route was found: a route for each method that a path lacks would cost more than all that there are.
 */
export function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  const paths = known.get(routes) ?? pathsOf(routes);
  known.set(routes, paths);
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
  for (const { url, crossed } of paths) if (crossed.length > 0) app.route({ url, method: crossed, handler: refuse });
}
