import type { Clock } from "@terrarium/clock";
import { type ApiToken, AppError, limits } from "@terrarium/contract";
import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Actor } from "../sessions/actor.ts";
import { hashApiToken } from "../sessions/sessions.ts";
import { checkApiToken } from "./api-tokens.policy.ts";
import {
  type ApiTokenRow,
  deleteApiToken,
  findApiToken,
  insertApiToken,
  listApiTokens,
  lockUser,
} from "./api-tokens.store.ts";

export interface ApiTokenDeps {
  db: Database;
  clock: Clock;
}

/**
 * Makes a token of 256 random bits. This answer is the only place it is ever seen in: the database has its hash.
 * Both the limit and the rule that descriptions differ hold for parallel calls too.
 * @throws API_TOKEN_EXISTS, TOO_MANY_API_TOKENS
 */
export async function createApiToken(
  { db, clock }: ApiTokenDeps,
  actor: Actor,
  description: string,
): Promise<ApiToken & { token: string }> {
  const token = `tt_${randomBytes(32).toString("base64url")}`;
  const row = {
    uuid: randomUUID(),
    user_uuid: actor.uuid,
    description,
    token_hash: hashApiToken(token),
    created_at: new Date(clock.now()),
    last_access: null,
  };
  await transaction(db, async (trx) => {
    await lockUser(trx, actor.uuid);
    const held = await listApiTokens(trx, actor.uuid);
    if (held.some((other) => other.description === description)) throw new AppError("API_TOKEN_EXISTS");
    if (held.length >= limits.apiTokens) throw new AppError("TOO_MANY_API_TOKENS");
    await insertApiToken(trx, row);
  });
  return { ...presentApiToken(row), token };
}

/** The actor's own tokens, without their secrets. */
export async function getApiTokens({ db }: ApiTokenDeps, actor: Actor): Promise<ApiToken[]> {
  return (await listApiTokens(db, actor.uuid)).map(presentApiToken);
}

/**
 * Ends a token: no call that comes later is admitted with it, and the sockets and viewers that were opened with it are cut at once.
 * @throws API_TOKEN_NOT_FOUND
 */
export async function revokeApiToken({ db }: ApiTokenDeps, actor: Actor, uuid: string): Promise<void> {
  checkApiToken(actor, await findApiToken(db, uuid));
  await deleteApiToken(db, uuid);
}

const presentApiToken = (row: ApiTokenRow): ApiToken => ({
  uuid: row.uuid,
  description: row.description,
  created_at: row.created_at.toISOString(),
  last_access: row.last_access?.toISOString() ?? null,
});
