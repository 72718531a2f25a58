import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Act } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { endSessionsOf } from "../sessions/end-all.ts";
import { type LockedUser, updateUser } from "./users.store.ts";

/** What was done to a user, for its record; undefined if nothing had to be. */
export type Done = Pick<Act, "action" | "details"> | undefined;

/** @throws AppError DISABLED_BY_OPERATOR: whom the operator has disabled, only the operator enables */
export async function enable(trx: Database, user: LockedUser, by: By): Promise<Done> {
  if (user.is_enabled) return undefined;
  if (by.kind !== "operator" && (user.disabled_by_operator || user.disabled_with_demo))
    throw new AppError("DISABLED_BY_OPERATOR");
  await updateUser(trx, user.uuid, { is_enabled: true, disabled_by_operator: false, disabled_with_demo: false });
  return { action: "user.enable" };
}

/** A manager who disables somebody whom the operator has disabled takes nothing back of that. */
export async function disable({ clock }: { clock: Clock }, trx: Database, user: LockedUser, by: By): Promise<Done> {
  const { uuid, is_enabled } = user;
  const sessions = await endSessionsOf(trx, uuid, new Date(clock.now()));
  if (by.kind === "operator")
    await updateUser(trx, uuid, { is_enabled: false, disabled_by_operator: true, disabled_with_demo: false });
  else if (is_enabled) await updateUser(trx, uuid, { is_enabled: false, disabled_by_operator: false });
  const isOperatorsNow = by.kind === "operator" && !user.disabled_by_operator;
  // Whoever was disabled with SQL may have sessions, which would work again as soon as they are enabled.
  if (!is_enabled && !isOperatorsNow && sessions === 0) return undefined;
  return { action: "user.disable", details: { sessions } };
}

export async function giveRole(
  trx: Database,
  { uuid, is_organization_manager }: LockedUser,
  role: "manager" | "user",
): Promise<Done> {
  if (is_organization_manager === (role === "manager")) return undefined;
  await updateUser(trx, uuid, { is_organization_manager: role === "manager" });
  return { action: "user.set_role", details: { role } };
}
