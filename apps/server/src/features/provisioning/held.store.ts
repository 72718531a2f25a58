import type { OrganizationTable } from "../../database/held.ts";

export const endsWithOrganization = ["provisioning_tokens"] as const satisfies OrganizationTable[];
