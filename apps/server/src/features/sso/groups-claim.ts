import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import { type By, byCaller, type Requested } from "../audit/by.ts";
import { joinDefaultGroup } from "../groups/default-group.ts";
import { addUsers, removeUsers } from "../groups/group-users.ts";
import type { GroupDeps } from "../groups/groups.ts";
import { lockLimits } from "../organizations/limits.ts";
import type { UserRow } from "../users/accounts.ts";
import { findProviderOf, hasGroups, listClaimGroups, replaceClaimGroups, setProviderClaim } from "./sso.store.ts";

interface Wanted {
  /** Null: none. */
  claim: string | null;
  groups: readonly { value: string; group_uuid: string }[];
}

/** By which claim of its own provider people join which groups of an organization; the domain is null if it has no provider. */
export async function getClaim(
  db: Database,
  organization: string,
): Promise<{ domain: string | null; claim: string | null; groups: { value: string; group_uuid: string }[] }> {
  const provider = await findProviderOf(db, { organization_uuid: organization });
  return {
    domain: provider?.domain ?? null,
    claim: provider?.groups_claim ?? null,
    groups: await listClaimGroups(db, organization),
  };
}

/** @throws AppError NO_OWN_PROVIDER, GROUP_NOT_FOUND */
export async function setClaim(
  { db, audit }: { db: Database; audit: Audit },
  organization: string,
  { claim, groups }: Wanted,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    await lockLimits(trx, organization);
    const uuids = [...new Set(groups.map(({ group_uuid }) => group_uuid))];
    if (!(await hasGroups(trx, organization, uuids))) throw new AppError("GROUP_NOT_FOUND");
    if (!(await setProviderClaim(trx, organization, claim))) throw new AppError("NO_OWN_PROVIDER");
    await replaceClaimGroups(trx, organization, groups);
    await audit.record(trx, by, {
      action: "organization.set_groups_claim",
      subject: { kind: "organization", uuid: organization },
      details: { claim, groups: uuids.length },
    });
  });
}

/**
 * Puts a member who signs in with the own provider of their organization into the groups that the claim names, and out of those of the
 * mapping that it names no longer. Groups that no value is mapped to are left alone. Who would be in no group joins the default one.
 * Whatever is refused, they sign in all the same, and the groups stay as they are.
 * @param values of the claim; undefined if the provider did not send it
 * @returns whether something was changed
 */
export async function followClaim(
  { db, ...deps }: GroupDeps,
  { uuid, organization_uuid: organization, groups }: UserRow,
  values: readonly string[] | undefined,
  from: Requested,
): Promise<boolean> {
  if (organization === null || values === undefined) return false;
  const mapped = await listClaimGroups(db, organization);
  const now = new Set(groups.map((group) => group.uuid));
  const all = mapped.map(({ group_uuid }) => group_uuid);
  const wanted = new Set(mapped.filter(({ value }) => values.includes(value)).map(({ group_uuid }) => group_uuid));
  const joined = [...wanted].filter((group) => !now.has(group));
  const left = [...new Set(all)].filter((group) => now.has(group) && !wanted.has(group));
  if (joined.length === 0 && left.length === 0) return false;
  const by = { ...byCaller(from), kind: "service", organization } as const;
  return transaction(db, async (trx) => {
    const within = { ...deps, db: trx };
    for (const group of joined) await addUsers(within, { organization }, group, [uuid], by);
    for (const group of left) await removeUsers(within, { organization }, group, [uuid], by);
    const isNowhere = joined.length === 0 && [...now].every((group) => left.includes(group));
    if (isNowhere) await joinDefaultGroup(trx, { uuid, organization_uuid: organization });
    return true;
  }).catch((error: unknown) => {
    if (error instanceof AppError) return false;
    throw error;
  });
}
