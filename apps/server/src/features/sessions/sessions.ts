import { AppError } from "@terrarium/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hash } from "node:crypto";
import { FreshCache } from "../../platform/fresh-cache.ts";
import type { Guard } from "../../platform/http/implement.ts";
import { type Actor, checkAccess } from "./actor.ts";
import { type Caller, type CallerDeps, Callers } from "./callers.ts";
import { endSession, insertSession } from "./sessions.store.ts";
import type { SessionClaims, SessionTokens } from "./session-tokens.ts";

/** A token's signature does not change; only its age is looked at again. */
const CLAIMS_FRESH_MS = 60_000;
const MAX_ENTRIES = 10_000;
/** Ours have some 300 characters. */
const MAX_TOKEN_LENGTH = 1_000;

export interface SessionDeps extends CallerDeps {
  tokens: SessionTokens;
}

/** A caller with a session token. */
export interface TokenCaller extends Caller {
  /** True when it is time for a new token. */
  old: boolean;
  expiresAt: number;
}

const nobody: TokenCaller = { expected: undefined, actor: Promise.resolve(undefined), old: false, expiresAt: 0 };

/** Who is calling: sessions opened, read and closed. One for each process. */
export class Sessions {
  readonly #deps: SessionDeps;
  readonly #claims: FreshCache<SessionClaims | undefined>;
  readonly #callers: Callers;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#claims = new FreshCache({ clock: deps.clock, freshMs: CLAIMS_FRESH_MS, maxEntries: MAX_ENTRIES });
    this.#callers = new Callers(deps);
  }

  /** Opens a session for a user whose password was right; answers its first token. */
  async open(user: string): Promise<string> {
    const { db, clock, tokens } = this.#deps;
    return tokens.issue(await insertSession(db, user, new Date(clock.now())));
  }

  /** Ends the session for every process at once; an API token's call has none to end. */
  async close(actor: Actor): Promise<void> {
    if (!actor.session) return;
    await endSession(this.#deps.db, actor.session, new Date(this.#deps.clock.now()));
  }

  /** Who a bearer token is for. */
  async byToken(token: string): Promise<TokenCaller> {
    const { clock, tokens } = this.#deps;
    // What is remembered by it must not fill the memory.
    if (token.length > MAX_TOKEN_LENGTH) return nobody;
    const claims = await this.#claims.get(token, () => tokens.read(token));
    if (!claims || claims.expiresAt <= clock.now()) return nobody;
    const { expected, actor } = this.#callers.bySession(claims.session);
    return {
      expected,
      actor: actor.then((found) => (found?.uuid === claims.user ? found : undefined)),
      old: clock.now() >= claims.renewAt,
      expiresAt: claims.expiresAt,
    };
  }

  /** Who an API token is for. */
  byApiToken(token: string): Caller {
    return this.#callers.byApiToken(hashApiToken(token).toString("hex"));
  }

  /** A token for the next day of a session. */
  renewToken(actor: Actor & { session: string }): Promise<string> {
    return this.#deps.tokens.issue({ uuid: actor.session, user_uuid: actor.uuid });
  }
}

/** API tokens have 256 random bits: a plain hash is enough to keep them by. */
export const hashApiToken = (token: string): Buffer => hash("sha256", token, "buffer");

/** Admits calls: exactly one of an API token and a bearer token, of someone who may use the route. */
export function sessionGuard(sessions: Sessions): Guard<Actor> {
  return {
    async admit(request, reply, access) {
      const { expected, actor } = await identify(sessions, request, reply);
      return {
        expected,
        actor: actor.then((found) => {
          if (!found) throw new AppError("NOT_AUTHENTICATED");
          checkAccess(found, access);
          return found;
        }),
      };
    },
  };
}

async function identify(sessions: Sessions, { headers }: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const apiToken = headers["x-api-token"];
  if (apiToken !== undefined && headers.authorization !== undefined) throw new AppError("BOTH_CREDENTIALS");
  if (apiToken !== undefined) return sessions.byApiToken(String(apiToken));
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer === undefined) throw new AppError("NOT_AUTHENTICATED");
  const { expected, actor, old } = await sessions.byToken(bearer);
  return { expected, actor: old ? actor.then((found) => renew(sessions, reply, found)) : actor };
}

async function renew(sessions: Sessions, reply: FastifyReply, actor: Actor | undefined): Promise<Actor | undefined> {
  if (actor?.session) reply.header("x-renewed-token", await sessions.renewToken({ ...actor, session: actor.session }));
  return actor;
}
