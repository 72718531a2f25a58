export { findLiveCredentials, findOwners, findRoles } from "./sessions.store.ts";

/**
 * The channel on which every process hears that a session or an API token no longer works: it ended, was deleted, or its owner was
 * disabled. Triggers notify, in the transaction of the change. The payload is the identifier of the session or token.
 */
export const CREDENTIAL_ENDED = "credential_ended";

/** Likewise for the role or the organization of a user, who is the payload. */
export const ROLE_CHANGED = "role_changed";
