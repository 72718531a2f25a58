import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  plan_requests: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'kind', kind, 'state', state, 'form', form,
      'organization', organization_uuid, 'requested_at', requested_at, 'decided_at', decided_at) AS row
    FROM plan_requests WHERE user_uuid = ${uuid}`,
};
