import type { Role } from "../../session/session.ts";

/** Codes with words of their own. Any other is "Fail to start virtual device." */
const known = [
  "TOO_MANY_RUNNING_VDS",
  "GROUP_ALLOCATION_REACHED",
  "LICENSE_EXPIRED",
  "INVALID_LICENSE",
  "RECIPE_NOT_READY",
  "RECIPE_NOT_FOUND",
  "NO_SLOT_AVAILABLE",
  "ARCH_NOT_SUPPORTED",
  "RUNTIME_NOT_CONFIGURED",
  "TOO_MANY_REQUESTS",
  "SERVICE_UNAVAILABLE",
] as const;
/** To a guest it is the recipe's owner who has a limit and a licence. */
const differsForGuests = ["TOO_MANY_RUNNING_VDS", "LICENSE_EXPIRED", "INVALID_LICENSE"] as const;

type Known = (typeof known)[number];
type StartErrorKey = Known | "other" | `guest.${(typeof differsForGuests)[number]}`;

const isOneOf = <Code extends string>(codes: readonly Code[], code: string): code is Code =>
  codes.some((each) => each === code);

/** The key below `recipes.startErrors` of what is said when a device could not be started. */
export function startErrorKey(code: string | undefined, role: Role): StartErrorKey {
  if (code === undefined) return "other";
  if (role === "guest" && isOneOf(differsForGuests, code)) return `guest.${code}`;
  return isOneOf(known, code) ? code : "other";
}

/** A limit was reached: that takes more than a line to say. */
export const isLimitReached = (code: string): boolean =>
  code === "TOO_MANY_RUNNING_VDS" || code === "GROUP_ALLOCATION_REACHED";
