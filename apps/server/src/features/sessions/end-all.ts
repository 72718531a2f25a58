/** For whoever takes a person's access away; triggers notify of what ended. */
export { deleteTokensOf, endSessionsOf, listCredentialsOf } from "./end-all.store.ts";
