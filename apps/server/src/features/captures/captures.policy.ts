import { type Maker, ownOf } from "./captures.ts";
import type { Owner } from "./captures.store.ts";

/** Those that somebody may know of and delete: one's own, and a manager's organization's, whose room they take. */
export const manageableBy = (caller: Maker & { isManager: boolean }): Owner =>
  caller.isManager ? { organization: caller.organization } : ownOf(caller);
