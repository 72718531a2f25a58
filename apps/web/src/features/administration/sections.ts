import type { common } from "../../en/common.ts";
import type { ScreenName } from "../../session/routes.ts";

/** What the administration of an organization has pages for, in their order. Each is named after its route and its title. */
export const sections = [
  "dashboard",
  "users",
  "groups",
  "billing",
  "invoices",
  "settings",
  "webhooks",
  "audit",
] as const satisfies readonly (ScreenName & keyof typeof common.titles)[];

export type Section = (typeof sections)[number];
