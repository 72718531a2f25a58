/** Accounts as rows, for features that sign their owners in. */
export { findUser, findUserByEmail, listUsers, lockUser, lockUserByEmail, updateUser } from "./users.store.ts";
export type { UserRow } from "./user-row.ts";
