import { sql } from "kysely";
import type { HeldLists, OrganizationTable } from "../../database/held.ts";

export const held: HeldLists = {
  budgets: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'organization', organization_uuid, 'unit', unit, 'amount', amount,
      'stops', stops, 'stops_at', stops_at, 'created_at', created_at) AS row
    FROM budgets WHERE user_uuid = ${uuid}`,
};

export const endsWithOrganization = ["budgets"] as const satisfies OrganizationTable[];
