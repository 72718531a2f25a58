/** Accounts as rows, for features that sign their owners in. */
export { findUser, findUserByEmail, lockUser, lockUserByEmail, updateUser } from "./users.store.ts";
export type { UserRow } from "./user-row.ts";
