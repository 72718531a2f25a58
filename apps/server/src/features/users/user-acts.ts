import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Act } from "../audit/audit.ts";
import { endSessionsOf } from "../sessions/end-all.ts";
import { type LockedUser, updateUser } from "./users.store.ts";

/** What was done to a user, for its record; undefined if nothing had to be. */
export type Done = Pick<Act, "action" | "details"> | undefined;

export async function enable(trx: Database, { uuid, is_enabled }: LockedUser): Promise<Done> {
  if (is_enabled) return undefined;
  await updateUser(trx, uuid, { is_enabled: true, disabled_with_demo: false });
  return { action: "user.enable" };
}

export async function disable(
  { clock }: { clock: Clock },
  trx: Database,
  { uuid, is_enabled }: LockedUser,
): Promise<Done> {
  const sessions = await endSessionsOf(trx, uuid, new Date(clock.now()));
  await updateUser(trx, uuid, { is_enabled: false, disabled_with_demo: false });
  // Whoever was disabled with SQL may have sessions, which would work again as soon as they are enabled.
  if (!is_enabled && sessions === 0) return undefined;
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
