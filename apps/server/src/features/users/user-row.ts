import type { Selectable } from "kysely";
import type { UserTable } from "./users.tables.ts";

/** A user with their groups and the name of their organization. */
export type UserRow = Selectable<UserTable> & {
  organization_name: string | null;
  groups: { uuid: string; name: string }[];
};
