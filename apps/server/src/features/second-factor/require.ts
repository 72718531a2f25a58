import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { mailManagers } from "../organizations/mail-managers.ts";
import type { Actor } from "../sessions/actor.ts";
import { lockProven, proveSelf } from "../users/prove-self.ts";
import { ruleChange } from "./second-factor-mails.ts";
import { endSessionsOfFactorless, findFactors, setRequired } from "./second-factor.store.ts";
import type { FeatureDeps } from "../deps.ts";

export { countFactorless } from "./second-factor.store.ts";

export interface RuleDeps extends FeatureDeps {
  /** The origin of the service's pages. */
  pagesAt: () => string;
}

/** For a manager's own organization. */
export type OwnRuleDeps = RuleDeps & Parameters<typeof proveSelf>[0];

interface Rule {
  organization: string;
  is_required: boolean;
}

/** A manager, with the hash of the password that they have proved who they are by; null if they have none. */
interface Manager {
  uuid: string;
  password_hash: string | null;
}

/**
 * Sets whether the members of an organization need a second factor. When they do, the sessions of those who have none end; they set one up
 * when they next sign in. Sessions that began at the organization's own provider go on, and so do API tokens, as programs have no second
 * factor. All its managers get a mail.
 * @param manager who wants it, unless it is the operator; they must have one themselves, so that they are not locked out first
 * @throws AppError SECOND_FACTOR_MISSING; WRONG_PASSWORD if the manager's password was replaced since they proved who they are
 */
export async function requireSecondFactor(
  { db, clock, audit, pagesAt: origin }: RuleDeps,
  { organization, manager, is_required }: Rule & { manager?: Manager },
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    if (!(await setRequired(trx, organization, is_required))) return;
    const pagesAt = origin();
    const ended_at = new Date(clock.now());
    const sessions = is_required ? await endSessionsOfFactorless(trx, organization, { pagesAt, ended_at }) : 0;
    const email = manager && (await checkManager(trx, manager, { is_required, pagesAt }));
    await audit.record(trx, by, {
      action: "organization.require_second_factor",
      subject: { kind: "organization", uuid: organization },
      organization,
      details: { is_required, sessions },
    });
    await mailManagers(trx, clock, { organization, by: email, pagesAt, ...ruleChange(is_required) });
  });
}

/**
 * As `requireSecondFactor`, by one of its managers, who proves who they are: whoever finds their browser must not lock others out.
 * @throws AppError SECOND_FACTOR_MISSING, what `proveSelf` throws
 */
export async function requireOfOwn(
  deps: OwnRuleDeps,
  actor: Actor,
  { password, ...rule }: Rule & { password?: string | undefined },
  by: By,
): Promise<void> {
  const password_hash = await proveSelf(deps, actor, password);
  await requireSecondFactor(deps, { ...rule, manager: { uuid: actor.uuid, password_hash } }, by);
}

/** Returns the address of a manager who may set the rule. Only now, as whoever waits for others' accounts has locked the organization. */
async function checkManager(
  trx: Database,
  { uuid, password_hash }: Manager,
  { is_required, pagesAt }: { is_required: boolean; pagesAt: string },
): Promise<string> {
  const user = await lockProven(trx, uuid, password_hash);
  if (is_required && (await findFactors(trx, uuid, pagesAt)).length === 0) throw new AppError("SECOND_FACTOR_MISSING");
  return user.email;
}
