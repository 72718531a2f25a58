import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  sign_ups: ({ email }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'email', email, 'organization_name', organization_name,
      'zone', zone, 'tnc_accepted_at', tnc_accepted_at, 'created_at', created_at) AS row
    FROM sign_ups WHERE email = ${email}`,
  sign_up_links: ({ email }) => sql`
    SELECT key_hash AS key, json_build_object('email', email, 'sign_up', sign_up_uuid, 'expires_at', expires_at) AS row
    FROM sign_up_links WHERE email = ${email}`,
};
