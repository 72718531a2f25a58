import { runningStates } from "@terrarium/contract";
import { sql } from "kysely";

/** It waits for room, and no gateway tries it at this moment. */
export const waits = sql<boolean>`(instances.queued_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM gateways WHERE gateways.id = instances.lease_holder))`;

/** The device counts against its organization's limit. */
export const runs = sql<boolean>`(instances.state = ANY(${runningStates}::text[]) AND NOT ${waits})`;
