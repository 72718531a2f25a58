import { type Actor, isManager } from "./actor.ts";
import { findRoles, ROLE_CHANGED } from "./credentials.ts";
import { listenAndCheck, type WatchDeps } from "./listen-and-check.ts";

/** Holds what was opened with the rights of a role. */
export interface RoleHolder {
  /** Those who have something open, with the role they had when they opened it. */
  actors(): Iterable<Actor>;
  /** Gives what the user has open the rights of the present role. */
  roleChanged(user: string): void;
}

/**
 * Calls `roleChanged` as soon as the role or the organization of a user changes; within 30 s if the notification was lost. Resolves
 * when it listens; `stopped` resolves when the signal has ended it.
 */
export function watchRoles(deps: WatchDeps, holder: RoleHolder): Promise<{ stopped: Promise<unknown> }> {
  const check = async () => {
    const held = [...holder.actors()];
    if (held.length === 0) return;
    const rows = await findRoles(deps.db, [...new Set(held.map(({ uuid }) => uuid))]);
    const present = new Map(rows.map((row) => [row.uuid, row]));
    const isOld = (actor: Actor) => {
      const row = present.get(actor.uuid);
      return row && (actor.organization !== row.organization_uuid || actor.isManager !== isManager(row));
    };
    for (const user of new Set(held.filter(isOld).map(({ uuid }) => uuid))) holder.roleChanged(user);
  };
  return listenAndCheck(deps, ROLE_CHANGED, (user) => holder.roleChanged(user), check);
}
