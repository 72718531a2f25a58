/** For whoever takes a person's access away; triggers notify of what ended. */
export type { Begun } from "./sessions.tables.ts";
export { deleteTokensOf, endSessionsOf, endSessionsUnless, findBegun, listCredentialsOf } from "./end-all.store.ts";
