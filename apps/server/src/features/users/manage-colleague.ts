import { AppError, type User } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { lockLimits } from "../organizations/limits.ts";
import type { Actor } from "../sessions/actor.ts";
import { disable, type Done, enable, giveRole } from "./user-acts.ts";
import { getUser, type UserChange, type UserDeps } from "./users.ts";
import { lockUsers, type LockedUser, updateUser } from "./users.store.ts";

/**
 * Changes the names, the role and the status of somebody else in one's organization. As nobody changes their own role or status, and
 * managers are asked one at a time, at least one of them always remains. Who is disabled is signed out everywhere.
 * @throws AppError USER_NOT_FOUND, TERMS_NOT_ACCEPTED, FORBIDDEN if the caller is no manager (any more) or if it is about preferences,
 *   DISABLED_BY_OPERATOR
 */
export async function manageColleague(
  deps: Pick<UserDeps, "db" | "audit" | "clock">,
  actor: Actor,
  uuid: string,
  change: UserChange,
  by: By,
): Promise<User> {
  const { db, audit } = deps;
  const { organization } = actor;
  await getUser(deps, actor, uuid);
  if (organization === null || !actor.isManager || change.front_preferences) throw new AppError("FORBIDDEN");
  if (!actor.hasAcceptedTerms) throw new AppError("TERMS_NOT_ACCEPTED");
  await transaction(db, async (trx) => {
    await lockLimits(trx, organization);
    const locked = await lockUsers(trx, [actor.uuid, uuid]);
    const manager = locked.find((user) => user.uuid === actor.uuid);
    const user = locked.find((each) => each.uuid === uuid);
    // Another manager may have been faster.
    if (!manager?.is_organization_manager || !manager.is_enabled || manager.organization_uuid !== organization)
      throw new AppError("FORBIDDEN");
    if (user?.organization_uuid !== organization) throw new AppError("USER_NOT_FOUND");
    const subject = { kind: "user", uuid } as const;
    for (const done of [
      await rename(trx, user, change),
      change.is_enabled === undefined
        ? undefined
        : await (change.is_enabled ? enable(trx, user, by) : disable(deps, trx, user, by)),
      change.is_organization_manager === undefined
        ? undefined
        : await giveRole(trx, user, change.is_organization_manager ? "manager" : "user"),
    ])
      if (done) await audit.record(trx, by, { ...done, subject, organization });
  });
  return getUser(deps, actor, uuid);
}

async function rename(
  trx: Parameters<typeof updateUser>[0],
  { uuid, ...now }: LockedUser,
  { first_name = now.first_name, last_name = now.last_name }: UserChange,
): Promise<Done> {
  if (first_name === now.first_name && last_name === now.last_name) return undefined;
  await updateUser(trx, uuid, { first_name, last_name });
  return { action: "user.rename" };
}
