import { statusOf, type User } from "@terrarium/contract";

const userActions = ["edit", "setUser", "setManager", "resend", "cancel", "audit"] as const;
export type UserAction = (typeof userActions)[number];

/** What a manager may do with somebody: nobody takes the role from themselves, and whoever is denied access is let in first. */
export function actionsOf(user: User, me: Pick<User, "uuid">): UserAction[] {
  const status = statusOf(user);
  const isManager = user.is_organization_manager;
  const may: Record<UserAction, boolean> = {
    edit: status === "enabled",
    setUser: status === "enabled" && isManager && user.uuid !== me.uuid,
    setManager: status === "enabled" && !isManager,
    resend: status === "pending",
    cancel: status === "pending",
    audit: status !== "pending",
  };
  return userActions.filter((action) => may[action]);
}

/** Whether a manager may let somebody in or deny them access. Nobody locks themselves out. */
export const hasSwitch = (user: User, me: Pick<User, "uuid">): boolean =>
  statusOf(user) !== "pending" && user.uuid !== me.uuid;
