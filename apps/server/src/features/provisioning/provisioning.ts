import { AppError, basePath, limits, type Provisioning, type ProvisioningToken } from "@terrarium/contract";
import { randomBytes, randomUUID } from "node:crypto";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { lockLimits } from "../organizations/limits.ts";
import type { Actor } from "../sessions/actor.ts";
import { hashApiToken } from "../sessions/sessions.ts";
import { getClaim } from "../sso/groups-claim.ts";
import { lockProven, proveSelf } from "../users/prove-self.ts";
import { deleteToken, findToken, insertToken, listTokens, noteUse, type TokenRow } from "./provisioning.store.ts";
import type { LinkingDeps } from "../deps.ts";

/** Where the SCIM service is, below the origin of the service. */
export const SCIM_PATH = `${basePath}/scim/v2`;

/** `tp_` and 24 of the 256 bits: enough to distinguish two tokens, and no help in guessing the rest. */
const PREFIX_LENGTH = 7;
const USE_NOTED_EVERY_MS = 60_000;

export type ProvisioningDeps = LinkingDeps;

/** @throws ORGANIZATION_NOT_FOUND for any but one's own */
export async function getProvisioning(
  { db, pagesAt }: Pick<ProvisioningDeps, "db" | "pagesAt">,
  actor: Actor,
  uuid: string,
): Promise<Provisioning> {
  checkOwn(actor, uuid);
  const { domain, claim, groups } = await getClaim(db, uuid);
  return {
    base_url: pagesAt() + SCIM_PATH,
    own_provider: domain,
    tokens: (await listTokens(db, uuid)).map(present),
    claim,
    groups,
  };
}

/** @throws ORGANIZATION_NOT_FOUND for any but one's own */
export function checkOwn(actor: Actor, uuid: string): void {
  if (actor.organization !== uuid) throw new AppError("ORGANIZATION_NOT_FOUND");
}

const present = ({ uuid, prefix, created_at, last_access }: TokenRow): ProvisioningToken => ({
  uuid,
  prefix,
  created_at: created_at.toISOString(),
  last_access: last_access?.toISOString() ?? null,
});

/**
 * Creates a token of 256 random bits, for a manager who has proved who they are. This reply is the only place where it is ever seen: the
 * database stores its hash.
 * @throws ORGANIZATION_NOT_FOUND, TOO_MANY_PROVISIONING_TOKENS, FORBIDDEN if they are no manager any more, what `proveSelf` throws
 */
export async function createToken(
  deps: ProvisioningDeps,
  actor: Actor,
  { uuid: organization, password }: { uuid: string; password?: string | undefined },
  by: By,
): Promise<ProvisioningToken & { token: string }> {
  const { db, clock, audit } = deps;
  checkOwn(actor, organization);
  const proven = await proveSelf(deps, actor, password);
  const token = `tp_${randomBytes(32).toString("base64url")}`;
  const row = {
    uuid: randomUUID(),
    organization_uuid: organization,
    token_hash: hashApiToken(token),
    prefix: token.slice(0, PREFIX_LENGTH),
    created_at: new Date(clock.now()),
    last_access: null,
  };
  await transaction(db, async (trx) => {
    await lockLimits(trx, organization);
    const manager = await lockProven(trx, actor.uuid, proven);
    if (!manager.is_organization_manager || !manager.is_enabled || manager.organization_uuid !== organization)
      throw new AppError("FORBIDDEN");
    const held = await listTokens(trx, organization);
    if (held.length >= limits.provisioningTokens) throw new AppError("TOO_MANY_PROVISIONING_TOKENS");
    await insertToken(trx, row);
    const subject = { kind: "provisioning_token", uuid: row.uuid } as const;
    await audit.record(trx, by, { action: "provisioning_token.create", subject, details: { prefix: row.prefix } });
  });
  return { ...present(row), token };
}

/** @throws ORGANIZATION_NOT_FOUND, PROVISIONING_TOKEN_NOT_FOUND */
export async function revokeToken(
  { db, audit }: Pick<ProvisioningDeps, "db" | "audit">,
  actor: Actor,
  { uuid: organization, token }: { uuid: string; token: string },
  by: By,
): Promise<void> {
  checkOwn(actor, organization);
  await transaction(db, async (trx) => {
    const gone = await deleteToken(trx, organization, token);
    if (!gone) throw new AppError("PROVISIONING_TOKEN_NOT_FOUND");
    const subject = { kind: "provisioning_token", uuid: token } as const;
    await audit.record(trx, by, {
      action: "provisioning_token.revoke",
      subject,
      details: { prefix: gone.prefix },
    });
  });
}

/**
 * Whose directory sends this token, and which token it is. It is looked up each time, so a revocation holds for the next request.
 * @throws NOT_AUTHENTICATED
 */
export async function admitDirectory(
  { db, clock }: Pick<ProvisioningDeps, "db" | "clock">,
  token: string | undefined,
): Promise<{ organization: string; token: string }> {
  const message = "Send a provisioning token of your organization as Bearer.";
  if (token === undefined) throw new AppError("NOT_AUTHENTICATED", { message });
  const row = await findToken(db, hashApiToken(token));
  const facts = { credential: { kind: "provisioning_token", reason: "unknown" } };
  if (!row) throw new AppError("NOT_AUTHENTICATED", { message, facts });
  const now = clock.now();
  if (row.last_access === null || Math.abs(now - row.last_access.getTime()) >= USE_NOTED_EVERY_MS)
    await noteUse(db, row.uuid, new Date(now));
  return { organization: row.organization_uuid, token: row.uuid };
}
