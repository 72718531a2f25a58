import type { Selectable } from "kysely";
import type { UserTable } from "./users.tables.ts";

/** A user with the name of their organization, as every signed-in call needs it. */
export type UserRow = Selectable<UserTable> & { organization_name: string | null };
