import type { Clock } from "@terrarium/clock";
import type { FastifyInstance } from "fastify";
import { refuseSocket } from "./raw-answer.ts";

/** A body of the usual size has this long to arrive. */
const BODY_TIMEOUT_MS = 30_000;

/** A route that takes more waits longer: this is half a megabit a second, which a slow line still sends. */
const SLOWEST_BYTES_PER_MS = 64;

/** Hangs up on clients whose body comes more slowly than its route can wait; Node has one time for all routes only. */
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
