import { type ApiToken, AppError, limits } from "@terrarium/contract";
import { randomBytes, randomUUID } from "node:crypto";
import { transaction } from "../../platform/db/transaction.ts";
import type { Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { findLiveCredentials } from "../sessions/credentials.ts";
import { hashApiToken } from "../sessions/sessions.ts";
import { type ApiTokenRow, deleteApiToken, insertApiToken, listApiTokens, lockUser } from "./api-tokens.store.ts";
import type { LimitedDeps } from "../deps.ts";

/** CI that makes a token for each of its jobs stays below. Revoking needs no limit, as there must be something to revoke. */
export const creationsOfUser: Limit = { name: "API tokens made by a user", max: 300, windowMs: 60 * 60_000 };

/** `tt_` and 24 of the 256 bits: enough to distinguish one's tokens, and no help in guessing the rest. */
const PREFIX_LENGTH = 7;

export type ApiTokenDeps = LimitedDeps;

/**
 * Creates a token of 256 random bits. This reply is the only place where it is ever seen: the database stores its hash.
 * The limit, and the rule that descriptions differ, hold for concurrent calls too. A call that was admitted before the actor was signed
 * out leaves no token behind.
 * @throws NOT_AUTHENTICATED, API_TOKEN_EXPIRY_PAST, API_TOKEN_EXISTS, TOO_MANY_API_TOKENS, TOO_MANY_REQUESTS
 */
export async function createApiToken(
  { db, clock, audit, limiter }: ApiTokenDeps,
  actor: Actor,
  { description, scope, expires_at }: Pick<ApiToken, "description" | "scope" | "expires_at">,
  by: By,
): Promise<ApiToken & { token: string }> {
  await limiter.take(creationsOfUser, actor.uuid);
  const token = `tt_${randomBytes(32).toString("base64url")}`;
  const created_at = new Date(clock.now());
  const expires = expires_at === null ? null : new Date(expires_at);
  if (expires && expires <= created_at) throw new AppError("API_TOKEN_EXPIRY_PAST");
  const row = {
    uuid: randomUUID(),
    user_uuid: actor.uuid,
    description,
    token_hash: hashApiToken(token),
    prefix: token.slice(0, PREFIX_LENGTH),
    scope,
    created_at,
    expires_at: expires,
    last_access: null,
  };
  await transaction(db, async (trx) => {
    await lockUser(trx, actor.uuid);
    const live = await findLiveCredentials(trx, [actor.credential], created_at);
    if (!live.has(actor.credential)) throw new AppError("NOT_AUTHENTICATED");
    const held = await listApiTokens(trx, actor.uuid);
    if (held.some((other) => other.description === description)) throw new AppError("API_TOKEN_EXISTS");
    if (held.length >= limits.apiTokens) throw new AppError("TOO_MANY_API_TOKENS");
    await insertApiToken(trx, row);
    const subject = { kind: "api_token", uuid: row.uuid } as const;
    const details = { description, scope, expires_at: expires?.toISOString() ?? null };
    await audit.record(trx, by, { action: "api_token.create", subject, details });
  });
  return { ...presentApiToken(row), token };
}

/** The actor's own tokens, without their secrets. */
export async function getApiTokens({ db }: ApiTokenDeps, actor: Actor): Promise<ApiToken[]> {
  return (await listApiTokens(db, actor.uuid)).map(presentApiToken);
}

/**
 * Ends a token: no later call is admitted with it, and the sockets and viewers that were opened with it are disconnected.
 * @throws API_TOKEN_NOT_FOUND
 */
export async function revokeApiToken({ db, audit }: ApiTokenDeps, actor: Actor, uuid: string, by: By): Promise<void> {
  await transaction(db, async (trx) => {
    await lockUser(trx, actor.uuid);
    const held = await listApiTokens(trx, actor.uuid);
    const token = held.find((other) => other.uuid === uuid);
    if (!token) throw new AppError("API_TOKEN_NOT_FOUND");
    await deleteApiToken(trx, uuid);
    const { description } = token;
    await audit.record(trx, by, {
      action: "api_token.revoke",
      subject: { kind: "api_token", uuid },
      details: { description },
    });
  });
}

const presentApiToken = (row: ApiTokenRow): ApiToken => ({
  uuid: row.uuid,
  description: row.description,
  prefix: row.prefix,
  scope: row.scope,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_access: row.last_access?.toISOString() ?? null,
});
