import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  devices: ({ uuid }) => sql`
    SELECT instances.uuid AS key, json_build_object('uuid', instances.uuid, 'name', name, 'state', state,
      'recipe', recipe_uuid, 'created_at', created_at, 'online_at', online_at, 'ended_at', ended_at,
      'online', (SELECT json_agg(json_build_object('from', began_at, 'to', nullif(runs.ended_at, 'infinity'),
        'recipe', recipe_name) ORDER BY began_at) FROM runs WHERE instance_uuid = instances.uuid),
      'history', (SELECT json_agg(json_build_object('at', at, 'event', event, 'state', to_state, 'reason', events.reason)
        ORDER BY id) FROM instance_events AS events WHERE instance_uuid = instances.uuid)) AS row
    FROM instances WHERE owner_uuid = ${uuid}`,
  idempotency_keys: ({ uuid }) => sql`
    SELECT key, json_build_object('key', key, 'reply', reply, 'created_at', created_at) AS row
    FROM idempotency_keys WHERE user_uuid = ${uuid}`,
};
