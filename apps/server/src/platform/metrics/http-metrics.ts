import type { FastifyInstance } from "fastify";
import type { Metrics } from "./metrics.ts";

const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests and measures how long they take, by the template of their route: never by a path, which names customers' things. */
export function addHttpMetrics(metrics: Metrics, app: FastifyInstance): void {
  const requests = metrics.counter("terrarium_http_requests_total", "Requests by route and status.");
  const durations = metrics.histogram(
    "terrarium_http_request_duration_seconds",
    "From the arrival of a request to the end of its reply.",
    BOUNDS_S,
  );
  app.addHook("onResponse", (request, reply, done) => {
    const route = { method: methodOf(request.method), route: request.routeOptions.url ?? "none" };
    requests.add({ ...route, status: String(reply.statusCode) });
    durations.observe(route, reply.elapsedTime / 1000);
    done();
  });
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** A client may send any word. */
const methodOf = (method: string): string => (methods.has(method) ? method : "other");
