import type { OrganizationTable } from "../../database/held.ts";

export const endsWithOrganization = ["webhook_endpoints"] as const satisfies OrganizationTable[];
