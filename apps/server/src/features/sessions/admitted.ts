import type { FastifyRequest } from "fastify";
import type { Actor } from "./actor.ts";

const actors = new WeakMap<FastifyRequest, Actor>();

export function noteAdmitted(request: FastifyRequest, actor: Actor): Actor {
  actors.set(request, actor);
  return actor;
}

/** Who makes a request, if that was found out already. They may still not be allowed to make it. */
export const actorOfRequest = (request: FastifyRequest): Actor | undefined => actors.get(request);
