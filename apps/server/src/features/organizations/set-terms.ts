import { AppError, type AuditAction } from "@terrarium/contract";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { hasRunningPlan, lockOrganization, type OrganizationRow, updateOrganization } from "./organizations.store.ts";

/** What the operator decides of an organization, by what it is recorded as. */
const terms = {
  "organization.set_license": ["license_type", "license_is_active", "license_expires_at"],
  "organization.set_limit": [
    "instances_max",
    "recipes_max",
    "hardware_profiles_max",
    "os_images_max",
    "saved_bytes_max",
  ],
  "organization.set_tax": ["tax_percentage"],
  "organization.set_zone": ["zone", "zone_type"],
} as const satisfies Partial<Record<AuditAction, readonly (keyof OrganizationRow)[]>>;

type TermsAction = keyof typeof terms;
export type Terms = Pick<OrganizationRow, (typeof terms)[TermsAction][number]>;

/**
 * Changes what the operator decides of an organization; what is missing stays as it is. What has changed is recorded.
 * @throws AppError ORGANIZATION_NOT_FOUND
 */
export async function setTerms(
  { db, audit, by }: { db: Database; audit: Audit; by: By },
  uuid: string,
  wanted: Partial<Terms>,
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await lockOrganization(trx, uuid);
    if (!row) throw new AppError("ORGANIZATION_NOT_FOUND");
    const changed = Object.fromEntries(
      Object.entries(wanted).filter(
        ([name, value]) => value !== undefined && !isDeepStrictEqual(value, row[name as keyof Terms]),
      ),
    ) as Partial<Terms>;
    if (Object.keys(changed).length === 0) return;
    const isGiven =
      terms["organization.set_license"].some((column) => column in changed) &&
      (changed.license_is_active ?? row.license_is_active) &&
      !(await hasRunningPlan(trx, uuid));
    // What the operator gives holds in place of a plan that has ended unpaid. One that is suspended is to be paid.
    await updateOrganization(trx, uuid, { ...changed, ...(isGiven && { is_unpaid: false }) });
    const subject = { kind: "organization", uuid } as const;
    for (const action of Object.keys(terms) as TermsAction[]) {
      const columns = terms[action].filter((column) => column in changed);
      if (columns.length === 0) continue;
      const details = Object.fromEntries(columns.map((column) => [column, recorded(changed[column])]));
      await audit.record(trx, by, { action, subject, organization: uuid, details });
    }
  });
}

const recorded = (value: Terms[keyof Terms] | undefined) =>
  value instanceof Date ? value.toISOString() : (value ?? null);
