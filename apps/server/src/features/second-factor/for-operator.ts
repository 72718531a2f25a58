import { sendMail } from "../../platform/mail/send-mail.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { organizationCalled } from "../organizations/organization-called.ts";
import { endSessionsOf } from "../sessions/end-all.ts";
import { findUserByEmail, lockUserByEmail } from "../users/accounts.ts";
import type { ManageDeps } from "../users/manage-user.ts";
import { requireSecondFactor } from "./require.ts";
import { removedMail } from "./second-factor-mails.ts";
import { deleteFactors, isRequiredOf } from "./second-factor.store.ts";

/**
 * Removes every second factor of somebody who has lost theirs, passkeys too, and ends their sessions; they sign in without it again.
 * Returns whether there was one. It also does so where their organization requires one: they set up another at the next sign-in.
 * @param pagesAt where the link in the mail to them leads
 * @throws Error if nobody has the address
 */
export function removeSecondFactors(
  { db, clock, audit, by }: ManageDeps,
  email: string,
  pagesAt: string,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    await lockUserByEmail(trx, email.trim().toLowerCase());
    const user = await findUserByEmail(trx, email.trim().toLowerCase());
    if (!user) throw new Error(`Nobody has the address ${email}.`);
    const factors = await deleteFactors(trx, user.uuid);
    if (factors.length === 0) return false;
    const sessions = await endSessionsOf(trx, user.uuid, new Date(clock.now()));
    await audit.record(trx, by, {
      action: "second_factor.remove",
      subject: { kind: "user", uuid: user.uuid },
      organization: user.organization_uuid,
      details: { factor: factors.join(" "), sessions },
    });
    const isPasswordEnough = user.password_hash !== null && !(await isRequiredOf(trx, user.uuid));
    const mail = removedMail(factors, isPasswordEnough, { email: user.email, pagesAt });
    await sendMail(trx, clock, { to: { address: user.email }, ...mail });
    return true;
  });
}

/**
 * As `requireSecondFactor`, for an organization by its name or uuid.
 * @param pagesAt the origin of the service's pages
 * @throws Error if it is not clear which one is meant, or there is none
 */
export async function requireOfOrganization(
  deps: ManageDeps,
  called: string,
  is_required: boolean,
  pagesAt: string,
): Promise<void> {
  const organization = await organizationCalled(deps.db, called);
  await requireSecondFactor({ ...deps, pagesAt: () => pagesAt }, { organization, is_required }, deps.by);
}
