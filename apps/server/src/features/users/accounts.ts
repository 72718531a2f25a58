/** Accounts as rows, for features that create them or sign their owners in. */
export { findUser, findUserByEmail, insertUser, lockUser, lockUserByEmail, updateUser } from "./users.store.ts";
export type { UserRow } from "./user-row.ts";
