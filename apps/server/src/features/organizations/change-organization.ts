/** For features that store something about an organization, and on which its presentation depends. */
export { minuteAccount, updateOrganization as setOrganization } from "./organizations.store.ts";
