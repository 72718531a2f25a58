export const userStatuses = ["pending", "enabled", "disabled"] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Pending until the invitation is accepted, or the address confirmed. After that, a manager may deny somebody access. */
export const statusOf = ({ is_validated, is_enabled }: { is_validated: boolean; is_enabled: boolean }): UserStatus =>
  is_validated ? (is_enabled ? "enabled" : "disabled") : "pending";
