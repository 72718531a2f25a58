import type { Clock } from "@terrarium/clock";
import type { FastifyInstance } from "fastify";
import { refuseSocket } from "./refuse-socket.ts";

/** How long a body may take to arrive, to which the time for its size is added. */
const BODY_TIMEOUT_MS = 30_000;

/** The slowest upload that still succeeds: about half a megabit per second, applied to the route's limit. */
const SLOWEST_BYTES_PER_MS = 64;

/** Answers 408 and disconnects clients that send their body too slowly. Node's own `requestTimeout` is the same for all routes. */
export function refuseSlowBodies(app: FastifyInstance, clock: Clock): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { raw } = request;
    if (raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0) {
      const arrived = new AbortController();
      raw.once("end", () => arrived.abort()).once("close", () => arrived.abort());
      clock.sleep(BODY_TIMEOUT_MS + request.routeOptions.bodyLimit / SLOWEST_BYTES_PER_MS, arrived.signal).then(
        () => refuseSocket(raw.socket, "REQUEST_TIMEOUT"),
        () => undefined,
      );
    }
    done();
  });
}
