import { routeRules } from "../session/routes.ts";

/** Where the audit log shows what somebody did (an address, a name or a uuid), or what happened to something. */
export const auditAddress = (of: { search: string } | { subject: string }): string =>
  `${routeRules.audit.path}?${new URLSearchParams(of).toString()}`;
