import { AppError, type Deletion, endedStates, statesThatTake } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import type { By } from "../audit/by.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { forgetCards } from "../payments/cards.ts";
import type { Actor } from "../sessions/actor.ts";
import { proveSelf } from "../users/prove-self.ts";
import { checkSelf } from "../users/users.ts";
import {
  countBelongings,
  emptyOrganization,
  endShares,
  type EndingAccount,
  findAccount,
  findDevices,
  forgetAddress,
  lockAccount,
  replaceByNobody,
} from "./delete-account.store.ts";
import { deletedMail } from "./profile-mails.ts";
import type { LimitedDeps } from "../deps.ts";

export type ProfileDeps = LimitedDeps;

/** What would happen if somebody deleted their account now. */
export async function previewDeletion(deps: ProfileDeps, actor: Actor, uuid: string): Promise<Deletion> {
  await checkSelf(deps, actor, uuid);
  const account = await findAccount(deps.db, uuid, new Date(deps.clock.now()));
  if (!account) throw new AppError("USER_NOT_FOUND");
  const { devices, recipes, api_tokens } = await countBelongings(deps.db, uuid, statesThatTake("stop"));
  const ends = endsOrganization(account);
  return {
    refusal: refusalOf(account) ?? null,
    devices,
    recipes: ends ? { deleted: recipes, kept: 0 } : { deleted: 0, kept: recipes },
    api_tokens,
    ends_organization: ends,
  };
}

/**
 * Deletes the account of somebody who has proved who they are.
 * @throws AppError LAST_MANAGER, what `checkSelf` and `proveSelf` throw
 */
export async function deleteOwnAccount(
  deps: ProfileDeps,
  actor: Actor,
  { uuid, password }: { uuid: string; password?: string | undefined },
  by: By,
): Promise<void> {
  await checkSelf(deps, actor, uuid);
  const proven = await proveSelf(deps, actor, password);
  await transaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, uuid, new Date(deps.clock.now()));
    if (account?.password_hash !== proven) throw new AppError("WRONG_PASSWORD");
    await endAccount(trx, deps, account, by);
  });
}

/** Why an account may not end: its organization would be left without a manager, or with a plan that nobody can end. */
export function refusalOf({ organization, is_organization_manager }: EndingAccount): "members" | "plan" | undefined {
  if (!organization) return undefined;
  // With its only member an organization ends, whatever their role.
  if (organization.others === 0) return organization.hasPlan ? "plan" : undefined;
  return is_organization_manager && organization.otherManagers === 0 ? "members" : undefined;
}

const endsOrganization = ({ organization }: EndingAccount): boolean => organization?.others === 0;

/**
 * Ends an account that is locked: its devices are stopped, its sessions and API tokens end in every process at once, and what
 * belongs to nobody else is deleted. Its owner gets a mail.
 * @throws AppError LAST_MANAGER
 */
export async function endAccount(
  trx: Database,
  { clock, audit }: Pick<ProfileDeps, "clock" | "audit">,
  account: EndingAccount,
  by: By,
  reason?: "unused",
): Promise<void> {
  const refusal = refusalOf(account);
  if (refusal) throw new AppError("LAST_MANAGER", { details: { reason: refusal } });
  const { uuid, email, organization } = account;
  const now = new Date(clock.now());
  const ending = organization && endsOrganization(account) ? organization : undefined;

  const devices = await stopDevices(trx, { owner: uuid, organization: ending?.uuid }, now);
  if (ending) {
    await forgetCards(trx, clock, ending.uuid);
    await emptyOrganization(trx, ending.uuid);
  }
  await forgetAddress(trx, email);
  await endShares(trx, { person: uuid, organization: ending?.uuid });
  await replaceByNobody(trx, uuid, now);
  await audit.record(trx, by, {
    action: "user.delete",
    subject: { kind: "user", uuid },
    organization: organization?.uuid ?? null,
    details: { devices, ends_organization: ending !== undefined, ...(reason && { reason }) },
  });
  await sendMail(trx, clock, { to: { address: email }, ...deletedMail({ email, organization: ending?.name, reason }) });
}

/** Stops devices and takes those that have ended off the lists; returns how many. One that is being saved is stopped after that. */
async function stopDevices(trx: Database, whose: Parameters<typeof findDevices>[1], now: Date): Promise<number> {
  const about = { now, reason: "account_deleted" };
  const running = await findDevices(trx, whose, statesThatTake("stop"));
  for (const { uuid } of running) await moveInstance(trx, { uuid, event: "stop", ...about });
  const over = await findDevices(trx, whose, endedStates);
  for (const { uuid } of over) await moveInstance(trx, { uuid, event: "dismiss", ...about });
  return running.length;
}
