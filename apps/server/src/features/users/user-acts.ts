import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Act } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { endSessionsOf } from "../sessions/end-all.ts";
import { type LockedUser, updateUser } from "./users.store.ts";
import type { DisabledBy } from "./users.tables.ts";

/** What was done to a user, for its record; undefined if nothing had to be. */
export type Done = Pick<Act, "action" | "details"> | undefined;

/** Each takes over from those before it. */
const ranks: readonly DisabledBy[] = ["directory", "manager", "demo", "operator"];
const rankOf = (who: DisabledBy | null): number => (who === null ? -1 : ranks.indexOf(who));

const whoIs = ({ kind }: By): DisabledBy =>
  kind === "operator" ? "operator" : kind === "provisioning" ? "directory" : "manager";

/**
 * Nothing is done for a directory where somebody else has disabled the user: it passes on what it was given, not what a manager has found
 * out.
 * @throws AppError DISABLED_BY_OPERATOR: whom the operator has disabled, only the operator enables
 */
export async function enable(trx: Database, { uuid, is_enabled, disabled_by }: LockedUser, by: By): Promise<Done> {
  if (is_enabled) return undefined;
  const who = whoIs(by);
  if (who !== "operator" && rankOf(disabled_by) > rankOf("manager")) throw new AppError("DISABLED_BY_OPERATOR");
  if (who === "directory" && disabled_by !== "directory") return undefined;
  await updateUser(trx, uuid, { is_enabled: true, disabled_by: null });
  return { action: "user.enable" };
}

/** A manager who disables somebody whom the operator has disabled takes nothing back of that. */
export async function disable({ clock }: { clock: Clock }, trx: Database, user: LockedUser, by: By): Promise<Done> {
  const { uuid, is_enabled, disabled_by } = user;
  const sessions = await endSessionsOf(trx, uuid, new Date(clock.now()));
  const who = whoIs(by);
  const isTheirsNow = is_enabled || rankOf(who) > rankOf(disabled_by);
  if (isTheirsNow) await updateUser(trx, uuid, { is_enabled: false, disabled_by: who });
  // Whoever was disabled with SQL may have sessions, which would work again as soon as they are enabled.
  return isTheirsNow || sessions > 0 ? { action: "user.disable", details: { sessions } } : undefined;
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
