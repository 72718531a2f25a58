import type { Selectable } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { UserTable } from "../../platform/db/schema.ts";

/** A user with the name of their organisation, as every signed-in call needs it. */
export type UserRow = Selectable<UserTable> & { organization_name: string | null };

export const userColumns = (db: Database) =>
  db
    .selectFrom("users")
    .leftJoin("organizations", "organizations.uuid", "users.organization_uuid")
    .selectAll("users")
    .select("organizations.name as organization_name");
