import { AppError, basePath, type Route } from "@terrarium/contract";
import type { FastifyInstance, HTTPMethods } from "fastify";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] as const satisfies HTTPMethods[];

/** Answers 405, with an `Allow` header, to the methods that the path of a route does not have. */
export function refuseOtherMethods(app: FastifyInstance, routes: Route[]): void {
  for (const [path, those] of Map.groupBy(routes, (route) => route.path)) {
    const taken = new Set<string>(those.map((route) => route.method));
    const allow = methods.filter((method) => taken.has(method)).join(", ");
    app.route({
      method: methods.filter((method) => !taken.has(method)),
      url: basePath + path,
      handler: (_request, reply) => {
        void reply.header("allow", allow);
        throw new AppError("METHOD_NOT_ALLOWED");
      },
    });
  }
}
