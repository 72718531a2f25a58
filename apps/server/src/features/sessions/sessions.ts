import { AppError } from "@terrarium/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hash } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { FreshCache } from "../../platform/fresh-cache.ts";
import type { Guard } from "../../platform/http/implement.ts";
import type { Audit } from "../audit/audit.ts";
import { type By, byUser, type Requested } from "../audit/by.ts";
import { type Actor, checkAccess } from "./actor.ts";
import { noteAdmitted } from "./admitted.ts";
import { bearerTokenOf } from "./bearer-token.ts";
import { type Caller, type CallerDeps, Callers } from "./callers.ts";
import { isReused } from "./rotation.ts";
import { endSession, endSessionsBeyond, insertSession, noteRotation, type OwnerRow } from "./sessions.store.ts";
import type { RefusedToken, SessionClaims, SessionTokens } from "./session-tokens.ts";

/**
 * The most that one account has at once; the oldest ends when another begins, so that nobody is locked out by sign-ins they forgot. As an
 * account may open as many within an hour, each can be used for an hour at least.
 */
const MAX_SESSIONS = 300;

/** A token's signature does not change; only its age is looked at again. */
const CLAIMS_FRESH_MS = 60_000;
const MAX_ENTRIES = 10_000;
/** Ours have some 300 characters. */
const MAX_TOKEN_LENGTH = 1_000;

const MAX_USER_AGENT_LENGTH = 500;

export interface SessionDeps extends CallerDeps {
  tokens: SessionTokens;
  audit: Audit;
}

/**
 * A credential that is not valid, and why, for the audit log; callers do not learn it. `ended` also if its owner is disabled, `reused` if
 * it was rotated out, `unknown` if no token is this one, for instance because it was revoked, or it expired.
 */
export interface RefusedCredential {
  kind: "session" | "api_token" | "provisioning_token";
  reason: "expired" | "forged" | "ended" | "reused" | "unknown";
  /** The session of a genuine token. */
  session?: string;
}

/** A caller with a credential. */
export interface CredentialCaller extends Caller {
  /** What is wrong with the credential if there is no actor. */
  refused: RefusedCredential;
}

/** A caller with a session token. */
export interface TokenCaller extends CredentialCaller {
  /** When it is time for a new token: makes one for an actor that this token is for. */
  renew: ((actor: Actor) => Promise<string>) | undefined;
  expiresAt: number;
}

/** A user as they were when they proved who they are. */
interface SignedInUser {
  uuid: string;
  organization_uuid: string | null;
  password_hash: string | null;
}

/** Where somebody signs in from. */
export interface Origin extends Requested {
  /** In which way they have proved it. */
  way?: string | undefined;
  /** The organization whose own provider has proved who it is. */
  vouched_by?: string | null;
}

const nobody = (reason: RefusedCredential["reason"], session?: string): TokenCaller => ({
  expected: undefined,
  actor: Promise.resolve(undefined),
  refused: { kind: "session", reason, ...(session === undefined ? {} : { session }) },
  renew: undefined,
  expiresAt: 0,
});

/** Who is calling: sessions opened, read and closed. One for each process. */
export class Sessions {
  readonly #deps: SessionDeps;
  readonly #claims: FreshCache<SessionClaims | RefusedToken>;
  readonly #callers: Callers;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#claims = new FreshCache({ clock: deps.clock, freshMs: CLAIMS_FRESH_MS, maxEntries: MAX_ENTRIES });
    this.#callers = new Callers(deps);
  }

  /**
   * Opens a session for a user who has just proved who they are; returns its first token. `also` runs in the same transaction.
   * @throws AppError BAD_USERNAME_PASSWORD if the password was replaced meanwhile, or the user disabled
   */
  async open(user: SignedInUser, from: Origin, also?: (trx: Database) => Promise<void>): Promise<string> {
    const { db, clock, tokens, audit } = this.#deps;
    const session = await transaction(db, async (trx) => {
      const now = new Date(clock.now());
      const user_agent = (from.userAgent ?? "").slice(0, MAX_USER_AGENT_LENGTH);
      const opened = await insertSession(trx, user, {
        created_at: now,
        address: from.ip,
        user_agent,
        way: from.way ?? null,
        vouched_by: from.vouched_by ?? null,
      });
      if (!opened) throw new AppError("BAD_USERNAME_PASSWORD");
      const by = byUser(from, user);
      const ended = await endSessionsBeyond(trx, user.uuid, MAX_SESSIONS, now);
      const end = { action: "session.end", details: { reason: "limit" } } as const;
      await audit.record(
        trx,
        by,
        { action: "session.open", subject: { kind: "session", uuid: opened.uuid } },
        ...ended.map(({ uuid }) => ({ ...end, subject: { kind: "session", uuid } as const })),
      );
      await also?.(trx);
      return opened;
    });
    return tokens.issue(session);
  }

  /** Ends the session, for every process at once. The call of an API token has none to end. */
  async close(session: string | undefined, by: By): Promise<void> {
    const { db, clock, audit } = this.#deps;
    if (session === undefined) return;
    await transaction(db, async (trx) => {
      if (await endSession(trx, session, new Date(clock.now())))
        await audit.record(trx, by, { action: "session.end", subject: { kind: "session", uuid: session } });
    });
  }

  /** Who a bearer token is for. `address` is where it was sent from. */
  async byToken(token: string, address: string): Promise<TokenCaller> {
    const { db, clock, tokens } = this.#deps;
    // What is remembered by it must not fill the memory.
    if (token.length > MAX_TOKEN_LENGTH) return nobody("forged");
    const claims = await this.#claims.get(token, () => tokens.read(token));
    if ("refused" in claims) return nobody(claims.refused, claims.session);
    if (claims.expiresAt <= clock.now()) return nobody("expired", claims.session);
    const { session, generation } = claims;
    const refused: RefusedCredential = { kind: "session", reason: "ended", session };
    const admits = async (row: OwnerRow) => {
      if (row.user_uuid !== claims.user) return false;
      if (isReused(generation, row, clock.now())) {
        refused.reason = "reused";
        await this.#endReused(session, { kind: "nobody", address });
        return false;
      }
      // That a renewed token was sent is not enough to rotate the former one out: the reply may have been lost.
      if (generation > row.generation) await noteRotation(db, session, generation, new Date(clock.now()));
      return true;
    };
    const renew = ({ uuid: user_uuid }: Actor) => tokens.issue({ uuid: session, user_uuid }, generation + 1);
    return {
      ...this.#callers.bySession(session, { address, admits }),
      refused,
      renew: clock.now() >= claims.renewAt ? renew : undefined,
      expiresAt: claims.expiresAt,
    };
  }

  async #endReused(uuid: string, by: By): Promise<void> {
    const { db, clock, audit } = this.#deps;
    await transaction(db, async (trx) => {
      const end = { action: "session.end", subject: { kind: "session", uuid }, details: { reason: "reuse" } } as const;
      if (await endSession(trx, uuid, new Date(clock.now()))) await audit.record(trx, by, end);
    });
  }

  /** Who an API token is for. */
  byApiToken(token: string): CredentialCaller {
    const caller = this.#callers.byApiToken(hashApiToken(token).toString("hex"));
    return { ...caller, refused: { kind: "api_token", reason: "unknown" } };
  }
}

/** API tokens have 256 random bits: storing a plain hash is safe. */
export const hashApiToken = (token: string): Buffer => hash("sha256", token, "buffer");

/** Admits calls: exactly one of an API token and a bearer token, of someone who may use the route. */
export function sessionGuard(sessions: Sessions): Guard<Actor> {
  return {
    async admit(request, reply, route) {
      const { expected, actor, refused } = await identify(sessions, request, reply);
      return {
        expected,
        actor: actor.then((found) => {
          if (!found) throw new AppError("NOT_AUTHENTICATED", { facts: { credential: refused } });
          checkAccess(noteAdmitted(request, found), route);
          return found;
        }),
      };
    },
  };
}

async function identify(
  sessions: Sessions,
  { headers, clientAddress }: FastifyRequest,
  reply: FastifyReply,
): Promise<CredentialCaller> {
  const apiToken = headers["x-api-token"];
  if (apiToken !== undefined && headers.authorization !== undefined) throw new AppError("BOTH_CREDENTIALS");
  if (apiToken !== undefined) return sessions.byApiToken(String(apiToken));
  const bearer = bearerTokenOf(headers.authorization);
  if (bearer === undefined) throw new AppError("NOT_AUTHENTICATED");
  const caller = await sessions.byToken(bearer, clientAddress);
  const { renew } = caller;
  if (!renew) return caller;
  const actor = caller.actor.then(async (found) => {
    if (found) reply.header("x-renewed-token", await renew(found));
    return found;
  });
  return { ...caller, actor };
}
