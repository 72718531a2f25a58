import type { Clock } from "@terrarium/clock";
import { isJson, type Route } from "@terrarium/contract";
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import { refuseSocket } from "./refuse-socket.ts";

/** How long a body may take to arrive, to which the time for its size is added. */
const BODY_TIMEOUT_MS = 30_000;

/** The same where the body is passed on, which the receiver may hold back for minutes: it is who knows whether the client stalls. */
const PASSED_ON_TIMEOUT_MS = 10 * 60_000;

/** The slowest upload that still succeeds: about half a megabit per second, applied to the length that was declared, or else to the route's limit. */
const SLOWEST_BYTES_PER_MS = 64;

/** Answers 408 and disconnects clients that send their body too slowly. Node's own `requestTimeout` is the same for all routes. */
export function refuseSlowBodies(app: FastifyInstance, clock: Clock): void {
  app.addHook("onRequest", ({ raw, routeOptions }, _reply, done) => {
    refuseSlowBody(raw, routeOptions.bodyLimit, clock, timeoutOf(routeOptions.config.route));
    done();
  });
  // Node reads what is left of a body to its end. Once the reply is sent, a body that was declared large does not hold the connection any
  // longer.
  app.addHook("onResponse", ({ raw }, _reply, done) => {
    refuseSlowBody(raw, 0, clock);
    done();
  });
}

/** Callers who are not admitted are answered at once, and then have no longer than others. */
const timeoutOf = ({ access, body }: Partial<Route> = {}): number =>
  access !== "public" && body && !isJson(body) && body.kind === "stream" ? PASSED_ON_TIMEOUT_MS : BODY_TIMEOUT_MS;

/** The same for one request, unless all of it has arrived. It counts even if the request has been answered: its connection is still in use. */
export function refuseSlowBody(
  request: IncomingMessage,
  maxBytes: number,
  clock: Clock,
  timeoutMs = BODY_TIMEOUT_MS,
): void {
  const { headers, socket } = request;
  if (request.complete || request.readableEnded || request.destroyed) return;
  if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"] ?? 0) > 0)) return;
  const arrived = new AbortController();
  const over = () => {
    socket.off("close", over);
    arrived.abort();
  };
  request.once("end", over).once("close", over);
  // A request that was answered says nothing of it.
  socket.once("close", over);
  const declared = Number(headers["content-length"] ?? maxBytes);
  clock.sleep(timeoutMs + Math.min(maxBytes, declared) / SLOWEST_BYTES_PER_MS, arrived.signal).then(
    () => refuseSocket(socket, "REQUEST_TIMEOUT"),
    () => undefined,
  );
}
