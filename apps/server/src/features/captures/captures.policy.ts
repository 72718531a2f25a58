import type { Owner } from "./captures.store.ts";

interface Caller {
  uuid: string;
  organization: string;
  isManager: boolean;
}

/** One's own captures: what is in them is for nobody else. */
export const ownOf = ({ uuid: user, organization }: Caller): Required<Owner> => ({ user, organization });

/** Those that somebody may know of and delete: one's own, and a manager's organization's, whose room they take. */
export const manageableBy = (caller: Caller): Owner =>
  caller.isManager ? { organization: caller.organization } : ownOf(caller);
