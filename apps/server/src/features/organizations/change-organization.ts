/** For features that keep something of an organization, and on which its presentation depends. */
export { minuteAccount, updateOrganization as setOrganization } from "./organizations.store.ts";
