import type { Kysely } from "kysely";
import type { ApiTokenTables } from "../features/api-tokens/api-tokens.tables.ts";
import type { HardwareProfileTables } from "../features/hardware-profiles/hardware-profiles.tables.ts";
import type { InstanceTables } from "../features/instances/instances.tables.ts";
import type { OrganizationTables } from "../features/organizations/organizations.tables.ts";
import type { OsImageTables } from "../features/os-images/os-images.tables.ts";
import type { RecipeTables } from "../features/recipes/recipes.tables.ts";
import type { SessionTables } from "../features/sessions/sessions.tables.ts";
import type { UserTables } from "../features/users/users.tables.ts";

/** All tables by name; each feature declares its own. */
export interface Schema
  extends
    ApiTokenTables,
    HardwareProfileTables,
    InstanceTables,
    OrganizationTables,
    OsImageTables,
    RecipeTables,
    SessionTables,
    UserTables {}

/** The service's database, or a transaction in it. */
export type Database = Kysely<Schema>;
