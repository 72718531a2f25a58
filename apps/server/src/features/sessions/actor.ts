import { AppError, type Access } from "@terrarium/contract";
import type { UserRow } from "../users/user-row.ts";

/** Whoever a call is made by. */
export interface Actor {
  uuid: string;
  user: UserRow;
  organization: string | null;
  isManager: boolean;
  /** The session it signed in with; an API token has none. */
  session: string | undefined;
  /** The session or the API token: what was opened with it ends with it. */
  credential: string;
}

export const actorOf = (user: UserRow, by: { session: string } | { apiToken: string }): Actor => ({
  uuid: user.uuid,
  user,
  organization: user.organization_uuid,
  isManager: isManager(user),
  session: "session" in by ? by.session : undefined,
  credential: "session" in by ? by.session : by.apiToken,
});

/** A manager belongs to an organization and manages it. */
export const isManager = (user: Pick<UserRow, "organization_uuid" | "is_organization_manager">): boolean =>
  user.organization_uuid !== null && user.is_organization_manager;

/** A guest belongs to no organization. */
export const isGuest = (actor: Pick<Actor, "organization">): boolean => actor.organization === null;

/** Throws when a route asks for more than the actor has. */
export function checkAccess(actor: Actor, access: Exclude<Access, "public">): void {
  if (access === "signed-in") return;
  if (actor.user.tnc_accepted_at === null) throw new AppError("TERMS_NOT_ACCEPTED");
  if (access === "user") return;
  if (isGuest(actor)) throw new AppError("FORBIDDEN");
  if (access === "manager" && !actor.isManager) throw new AppError("FORBIDDEN");
}
