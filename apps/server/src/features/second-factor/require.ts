import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { endSessionsOfFactorless, findFactors, setRequired } from "./second-factor.store.ts";

export interface RuleDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
}

/**
 * Sets whether the members of an organization need a second factor. When they do, the sessions of those who have none end; they set one up
 * when they next sign in. API tokens continue to work, as programs have no second factor.
 * @param manager who wants it, unless it is the operator; they must have one themselves, so that they are not locked out first
 * @throws AppError SECOND_FACTOR_MISSING
 */
export async function requireSecondFactor(
  { db, clock, audit }: RuleDeps,
  { organization, manager, is_required }: { organization: string; manager?: string; is_required: boolean },
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    if (!(await setRequired(trx, organization, is_required))) return;
    const sessions = is_required ? await endSessionsOfFactorless(trx, organization, new Date(clock.now())) : 0;
    if (is_required && manager !== undefined && (await findFactors(trx, manager)).length === 0)
      throw new AppError("SECOND_FACTOR_MISSING");
    await audit.record(trx, by, {
      action: "organization.require_second_factor",
      subject: { kind: "organization", uuid: organization },
      organization,
      details: { is_required, sessions },
    });
  });
}
