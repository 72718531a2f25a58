import { recipes } from "../../en/recipes.ts";
import type { Role } from "../../session/session.ts";

/** To a guest it is the recipe's owner who has a limit and a licence. */
const { guest, ...others } = recipes.recipes.startErrors;

const isIn = <Words extends object>(words: Words, code: PropertyKey): code is keyof Words => Object.hasOwn(words, code);

/** The key below `recipes.startErrors` of what is said when a device could not be started. */
export function startErrorKey(code: string | undefined, role: Role) {
  if (code === undefined) return "other";
  if (role === "guest" && isIn(guest, code)) return `guest.${code}` as const;
  return isIn(others, code) ? code : "other";
}

/** A limit was reached: that takes more than a line to say. */
export const isLimitReached = (code: string): boolean =>
  code === "TOO_MANY_RUNNING_VDS" || code === "GROUP_ALLOCATION_REACHED";
