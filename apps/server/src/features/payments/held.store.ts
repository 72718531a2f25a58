import type { OrganizationTable } from "../../database/held.ts";

export const endsWithOrganization = ["billing_addresses", "customers"] as const satisfies OrganizationTable[];
