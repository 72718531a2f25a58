import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import type { UserRow } from "../users/user-row.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { addedMail, removedMail } from "./second-factor-mails.ts";
import {
  countRecoveryCodes,
  type Factor,
  findFactors,
  isRequiredOf,
  replaceRecoveryCodes,
} from "./second-factor.store.ts";

export interface ChangeDeps {
  clock: Clock;
  audit: Audit;
  /** Where mailed links lead: never what a request says of itself. */
  pagesAt: () => string;
}

type Owner = Pick<UserRow, "uuid" | "email" | "organization_uuid" | "password_hash">;

/**
 * Call it when a second factor was added, in the same transaction: records it, and tells its owner. Returns recovery codes if they had none,
 * which are shown only now.
 */
export async function factorAdded(
  trx: Database,
  deps: ChangeDeps,
  { uuid, email, organization_uuid }: Owner,
  factor: Factor,
  by: By,
): Promise<string[]> {
  const { clock, audit, pagesAt } = deps;
  await audit.record(trx, by, {
    action: "second_factor.add",
    subject: { kind: "user", uuid },
    organization: organization_uuid,
    details: { factor },
  });
  await sendMail(trx, clock, { to: { address: email }, ...addedMail(factor, { email, pagesAt: pagesAt() }) });
  return (await countRecoveryCodes(trx, uuid)) > 0 ? [] : renewCodes(trx, clock, uuid);
}

/**
 * Call it when a second factor was removed, in the same transaction: records it, and tells its owner. The recovery codes go with the last.
 * @throws AppError LAST_SECOND_FACTOR, which must undo it, if their organization requires one
 */
export async function factorRemoved(
  trx: Database,
  { clock, audit, pagesAt }: ChangeDeps,
  { uuid, email, organization_uuid, password_hash }: Owner,
  factor: Factor,
  by: By,
): Promise<void> {
  const isLast = (await findFactors(trx, uuid)).length === 0;
  if (isLast && (await isRequiredOf(trx, uuid))) throw new AppError("LAST_SECOND_FACTOR");
  if (isLast) await replaceRecoveryCodes(trx, uuid, [], new Date(clock.now()));
  await audit.record(trx, by, {
    action: "second_factor.remove",
    subject: { kind: "user", uuid },
    organization: organization_uuid,
    details: { factor },
  });
  const mail = removedMail([factor], isLast && password_hash !== null, { email, pagesAt: pagesAt() });
  await sendMail(trx, clock, { to: { address: email }, ...mail });
}

/** Replaces the recovery codes of somebody, and returns the new ones. */
export async function renewCodes(trx: Database, clock: Clock, user: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(trx, user, codes.map(hashRecoveryCode), new Date(clock.now()));
  return codes;
}
