import type { Clock } from "@terrarium/clock";
import { type ApiToken, AppError, limits } from "@terrarium/contract";
import type { Selectable } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { ApiTokenTable } from "./api-tokens.tables.ts";
import type { Actor } from "../sessions/actor.ts";
import { hashApiToken } from "../sessions/sessions.ts";
import { tellCredentialEnded } from "../sessions/credentials.ts";
import { deleteApiToken, insertApiToken, listApiTokens, lockUser } from "./api-tokens.store.ts";

interface Deps {
  db: Database;
  clock: Clock;
}

/** Makes a token of 256 random bits and keeps only its hash. The limit holds for parallel calls too. */
export async function createApiToken(
  { db, clock }: Deps,
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

/** Revoked within a second, and what was opened with it at once; someone else's token is unknown. */
export async function revokeApiToken({ db }: Deps, actor: Actor, uuid: string): Promise<void> {
  if (!(await deleteApiToken(db, actor.uuid, uuid))) throw new AppError("API_TOKEN_NOT_FOUND");
  await tellCredentialEnded(db, uuid);
}

export const presentApiToken = (row: Selectable<ApiTokenTable>): ApiToken => ({
  uuid: row.uuid,
  description: row.description,
  created_at: row.created_at.toISOString(),
  last_access: row.last_access?.toISOString() ?? null,
});
