import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** The organisation with the number of its devices in any of `states`. */
export const findOrganization = (db: Database, uuid: string, states: readonly string[]) =>
  db
    .selectFrom("organizations")
    .selectAll()
    .select((select) =>
      select
        .selectFrom("instances")
        .whereRef("instances.organization_uuid", "=", "organizations.uuid")
        .where("instances.state", "in", states)
        .select(sql<number>`count(*)`.as("count"))
        .as("running_instances"),
    )
    .where("uuid", "=", uuid)
    .executeTakeFirst();
