import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import type { Guard } from "../../platform/http/implement.ts";
import { type Actor, actorOf, checkAccess } from "./actor.ts";
import { endSession, findApiTokenUser, findSessionUser, insertSession, tellSessionEnded } from "./sessions.store.ts";
import type { SessionTokens } from "./session-tokens.ts";

export interface SessionDeps {
  db: Database;
  clock: Clock;
  tokens: SessionTokens;
}

/** Opens a session for a user whose password was right; answers its first token. */
export async function openSession({ db, clock, tokens }: SessionDeps, user: string): Promise<string> {
  return tokens.issue(await insertSession(db, user, new Date(clock.now())));
}

/** Ends the session for every process at once; an API token's call has none to end. */
export async function closeSession({ db, clock }: SessionDeps, actor: Actor): Promise<void> {
  if (!actor.session) return;
  await endSession(db, actor.session, new Date(clock.now()));
  await tellSessionEnded(db, actor.session);
}

/** Who a bearer token is for, and whether it is time for a new one. */
export async function actorOfToken(
  deps: SessionDeps,
  token: string,
): Promise<{ actor: Actor; old: boolean; expiresAt: number } | undefined> {
  const claims = await deps.tokens.read(token);
  const user = claims && (await findSessionUser(deps.db, claims.session));
  if (!user?.is_enabled || user.uuid !== claims?.user) return undefined;
  return { actor: actorOf(user, claims.session), old: claims.old, expiresAt: claims.expiresAt };
}

/** Who an API token is for. */
export async function actorOfApiToken({ db, clock }: SessionDeps, token: string): Promise<Actor | undefined> {
  const user = await findApiTokenUser(db, hashApiToken(token), new Date(clock.now()));
  return user?.is_enabled ? actorOf(user) : undefined;
}

/** API tokens have 256 random bits: a plain hash is enough to keep them by. */
export const hashApiToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Admits calls: exactly one of an API token and a bearer token, of someone who may use the route. */
export function sessionGuard(deps: SessionDeps): Guard<Actor> {
  return {
    async admit(request, reply, access) {
      const actor = await identify(deps, request, reply);
      checkAccess(actor, access);
      return actor;
    },
  };
}

async function identify(deps: SessionDeps, request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
  const apiToken = request.headers["x-api-token"];
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (apiToken !== undefined && request.headers.authorization !== undefined) throw new AppError("BOTH_CREDENTIALS");
  if (apiToken !== undefined) {
    const actor = await actorOfApiToken(deps, String(apiToken));
    if (actor) return actor;
  }
  if (bearer) {
    const found = await actorOfToken(deps, bearer);
    if (found) {
      if (found.old && found.actor.session) {
        reply.header(
          "x-renewed-token",
          await deps.tokens.issue({ uuid: found.actor.session, user_uuid: found.actor.uuid }),
        );
      }
      return found.actor;
    }
  }
  throw new AppError("NOT_AUTHENTICATED");
}
