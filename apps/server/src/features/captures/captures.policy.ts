import { type Maker, ownOf } from "./captures.ts";
import type { Owner } from "./captures.store.ts";

/** Those that somebody may list and delete: one's own, and for a manager those of the organization, as they use its space. */
export const manageableBy = (caller: Maker & { isManager: boolean }): Owner =>
  caller.isManager ? { organization: caller.organization } : ownOf(caller);
