import { AppError, type AuditAction } from "@terrarium/contract";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { findRunning, lockOrganization, type OrganizationRow, updateOrganization } from "./organizations.store.ts";

/** What the operator decides about an organization, by the action that is recorded. */
const terms = {
  "organization.set_license": ["license_type", "license_is_active", "is_unpaid", "license_expires_at"],
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
 * Changes what the operator decides about an organization; omitted fields stay as they are. Changes are recorded.
 * @throws AppError ORGANIZATION_NOT_FOUND, PLAN_RENEWS if the license is to end while a plan that is paid in advance is renewed,
 *   PLAN_SUSPENDED if unpaid invoices are to be ignored while there is a plan, whose invoices must be paid
 */
export async function setTerms(
  { db, audit, by }: { db: Database; audit: Audit; by: By },
  uuid: string,
  wanted: Partial<Terms>,
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await lockOrganization(trx, uuid);
    if (!row) throw new AppError("ORGANIZATION_NOT_FOUND");
    const running = await findRunning(trx, uuid);
    // A plan whose first payment is outstanding does not count yet.
    const plan = running?.status === "INCOMPLETE" ? undefined : running;
    const isGiven =
      terms["organization.set_license"].some((column) => wanted[column] !== undefined) &&
      (wanted.license_is_active ?? row.license_is_active);
    // What the operator grants replaces a plan that ended unpaid.
    const all = isGiven && !plan ? { ...wanted, is_unpaid: false } : wanted;
    const changed = Object.fromEntries(
      Object.entries(all).filter(
        ([name, value]) => value !== undefined && !isDeepStrictEqual(value, row[name as keyof Terms]),
      ),
    ) as Partial<Terms>;
    if (Object.keys(changed).length === 0) return;
    if (plan && changed.is_unpaid === false) throw new AppError("PLAN_SUSPENDED");
    if (plan && plan.plan !== "payg" && !plan.cancel_at_period_end && changed.license_expires_at)
      throw new AppError("PLAN_RENEWS");
    await updateOrganization(trx, uuid, changed);
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
