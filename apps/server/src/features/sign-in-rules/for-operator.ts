import { transaction } from "../../platform/db/transaction.ts";
import { organizationCalled } from "../organizations/organization-called.ts";
import { setOrganization } from "../organizations/organizations.ts";
import { mailManagers } from "../organizations/mail-managers.ts";
import type { ManageDeps } from "../users/manage-user.ts";
import { rulesChange } from "./rules-change.ts";

/**
 * Lets the members of an organization sign in in any way again, for one whose managers no longer can; they get a mail.
 * @param called its uuid or its name
 * @param pagesAt the origin of the service's pages
 * @throws Error if it is not clear which one is meant, or there is none
 */
export async function allowAnySignIn(
  { db, clock, audit, by }: ManageDeps,
  called: string,
  pagesAt: string,
): Promise<void> {
  await transaction(db, async (trx) => {
    const uuid = await organizationCalled(trx, called);
    await setOrganization(trx, uuid, { allowed_sign_ins: null });
    await audit.record(trx, by, {
      action: "organization.set_sign_in_rules",
      subject: { kind: "organization", uuid },
      organization: uuid,
      details: { allowed_sign_ins: "any" },
    });
    const change = rulesChange({ allowed_sign_ins: null });
    await mailManagers(trx, clock, { organization: uuid, by: undefined, pagesAt, ...change });
  });
}
