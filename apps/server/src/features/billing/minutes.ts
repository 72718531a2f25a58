import { AppError, limits } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { lockLimits, type OrganizationRow } from "../organizations/limits.ts";
import { setOrganization } from "../organizations/change-organization.ts";
import { closePeriod, coverRuns, insertEntry, lockRuns, type Owed, sumUsed } from "./minutes.store.ts";

/** Before anything ran. */
const NEVER = new Date(0);

type Account = Pick<OrganizationRow, "uuid" | "minutes_settled_at">;

const owedBy = ({ uuid, minutes_settled_at }: Account, until: Date, now: Date): Owed => ({
  organization: uuid,
  since: minutes_settled_at ?? NEVER,
  until,
  now,
});

export interface Used {
  /** All that are not settled yet, each begun minute of a run. */
  minutes: number;
  /** Those of them that the balance covers, and what it has beyond. */
  free: number;
  left: number;
}

/** What an organization's metered devices have used since it was last settled, and its free minutes. */
export async function usedMinutes(db: Database, account: Account, now: Date, until: Date = now): Promise<Used> {
  const { balance, minutes } = await sumUsed(db, owedBy(account, until, now));
  return { minutes, free: Math.min(balance, minutes), left: Math.max(0, balance - minutes) };
}

/** Whether an organization without a plan has used up what it had for free. Its last minute is whole before its devices stop. */
export const isUsedUp = ({ minutes, free, left }: Used, isRunning: boolean): boolean =>
  isRunning ? minutes > free : left === 0;

/**
 * Takes what was used until a time from the balance, free minutes first; with `bill`, that and what it does not cover are lines of an invoice
 * that is yet to be written. After that nothing until then is owed any more, which `account` then says. The caller has locked the organization.
 */
export async function settle(
  trx: Database,
  account: Account,
  { until, now, bill }: { until: Date; now: Date; bill?: { invoice: string; price: number } },
): Promise<Used> {
  await lockRuns(trx, account.uuid);
  const owed = owedBy(account, until, now);
  const used = await usedMinutes(trx, account, now, until);
  await closePeriod(trx, owed, bill && { ...bill, free: used.free });
  if (used.free > 0)
    await insertEntry(trx, {
      uuid: randomUUID(),
      organization_uuid: account.uuid,
      kind: "use",
      minutes: -used.free,
      at: until,
    });
  // A clock that was set back does not open again what is settled.
  if (until > owed.since) {
    account.minutes_settled_at = until;
    await setOrganization(trx, account.uuid, { minutes_settled_at: until });
  }
  return used;
}

/** Settles what was used until now, and covers what goes on by a plan that is paid in advance. */
export async function settleAndCover(trx: Database, account: Account, now: Date): Promise<void> {
  await settle(trx, account, { until: now, now });
  await coverRuns(trx, account.uuid);
}

/**
 * Gives an organization free minutes, at most `limits.grantMax` at once.
 * @throws AppError ORGANIZATION_NOT_FOUND, invalid_request
 */
export async function grantMinutes(
  { db, audit, by, now }: { db: Database; audit: Audit; by: By; now: Date },
  organization: string,
  minutes: number,
): Promise<void> {
  if (!Number.isInteger(minutes) || minutes <= 0 || minutes > limits.grantMax) throw new AppError("invalid_request");
  await transaction(db, async (trx) => {
    const account = await lockLimits(trx, organization);
    // What was used without cover is forgiven, and not taken from what comes.
    if (account.license_type === "pending") await settle(trx, account, { until: now, now });
    await addGrant(trx, organization, minutes, now);
    await audit.record(trx, by, {
      action: "organization.grant_minutes",
      subject: { kind: "organization", uuid: organization },
      organization,
      details: { minutes },
    });
  });
}

/** The free minutes of a new organization, which are part of founding it. */
export const addGrant = (trx: Database, organization: string, minutes: number, at: Date): Promise<void> =>
  insertEntry(trx, { uuid: randomUUID(), organization_uuid: organization, kind: "grant", minutes, at });
