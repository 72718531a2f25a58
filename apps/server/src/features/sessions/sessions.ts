import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { FreshCache } from "../../platform/fresh-cache.ts";
import type { Guard } from "../../platform/http/implement.ts";
import { notifyCredentialEnded } from "./credentials.ts";
import { type Actor, actorOf, checkAccess } from "./actor.ts";
import { endSession, findApiTokenUser, findSessionUser, insertSession } from "./sessions.store.ts";
import type { SessionClaims, SessionTokens } from "./session-tokens.ts";
import type { UserRow } from "../users/user-row.ts";

/** Rights are read from the database at most this often: a change of them holds everywhere after a second. */
const RIGHTS_FRESH_MS = 1_000;
/** A token's signature does not change; only its age is looked at again. */
const CLAIMS_FRESH_MS = 60_000;
const MAX_ENTRIES = 10_000;
/** Ours have some 300 characters. */
const MAX_TOKEN_LENGTH = 1_000;

export interface SessionDeps {
  db: Database;
  clock: Clock;
  tokens: SessionTokens;
}

export interface Found {
  actor: Actor;
  /** True when it is time for a new token. */
  old: boolean;
  expiresAt: number;
}

/** Who is calling: sessions opened, read and closed. One for each process. */
export class Sessions {
  readonly #deps: SessionDeps;
  readonly #claims: FreshCache<SessionClaims | undefined>;
  readonly #users: FreshCache<UserRow | undefined>;
  readonly #apiUsers: FreshCache<Awaited<ReturnType<typeof findApiTokenUser>>>;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#claims = new FreshCache({ clock: deps.clock, freshMs: CLAIMS_FRESH_MS, maxEntries: MAX_ENTRIES });
    this.#users = new FreshCache({ clock: deps.clock, freshMs: RIGHTS_FRESH_MS, maxEntries: MAX_ENTRIES });
    this.#apiUsers = new FreshCache({ clock: deps.clock, freshMs: RIGHTS_FRESH_MS, maxEntries: MAX_ENTRIES });
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
    this.forget(actor.session);
    await notifyCredentialEnded(this.#deps.db, actor.session);
  }

  /** A session or an API token is over, for whatever process ended it. */
  forget(credential: string): void {
    this.#users.forget(credential);
    // They are remembered by what they look like, not by who they are; seldom is one revoked.
    this.#apiUsers.forgetAll();
  }

  /** What is remembered of a person's rights is read again. */
  renew(actor: Actor): void {
    if (actor.session) this.#users.forget(actor.session);
  }

  /** Who a bearer token is for; undefined when it is for nobody any more. */
  async ofToken(token: string): Promise<Found | undefined> {
    const { db, clock, tokens } = this.#deps;
    // What is remembered by it must not fill the memory.
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const claims = await this.#claims.get(token, () => tokens.read(token));
    if (!claims || claims.expiresAt <= clock.now()) return undefined;
    const user = await this.#users.get(claims.session, () => findSessionUser(db, claims.session));
    if (!user?.is_enabled || user.uuid !== claims.user) return undefined;
    return {
      actor: actorOf(user, { session: claims.session }),
      old: clock.now() >= claims.renewAt,
      expiresAt: claims.expiresAt,
    };
  }

  /** Who an API token is for. */
  async ofApiToken(token: string): Promise<Actor | undefined> {
    const { db, clock } = this.#deps;
    const hash = hashApiToken(token);
    const user = await this.#apiUsers.get(hash.toString("base64"), () =>
      findApiTokenUser(db, hash, new Date(clock.now())),
    );
    return user?.is_enabled ? actorOf(user, { apiToken: user.api_token_uuid }) : undefined;
  }

  /** A token for the next day of a session. */
  renewToken(actor: Actor & { session: string }): Promise<string> {
    return this.#deps.tokens.issue({ uuid: actor.session, user_uuid: actor.uuid });
  }
}

/** API tokens have 256 random bits: a plain hash is enough to keep them by. */
export const hashApiToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Admits calls: exactly one of an API token and a bearer token, of someone who may use the route. */
export function sessionGuard(sessions: Sessions): Guard<Actor> {
  return {
    async admit(request, reply, access) {
      const actor = await identify(sessions, request, reply);
      checkAccess(actor, access);
      return actor;
    },
  };
}

async function identify(sessions: Sessions, request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
  const apiToken = request.headers["x-api-token"];
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (apiToken !== undefined && request.headers.authorization !== undefined) throw new AppError("BOTH_CREDENTIALS");
  if (apiToken !== undefined) {
    const actor = await sessions.ofApiToken(String(apiToken));
    if (actor) return actor;
  }
  const found = bearer ? await sessions.ofToken(bearer) : undefined;
  if (!found) throw new AppError("NOT_AUTHENTICATED");
  const { actor, old } = found;
  if (old && actor.session)
    reply.header("x-renewed-token", await sessions.renewToken({ ...actor, session: actor.session }));
  return actor;
}
