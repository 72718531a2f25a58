import type { OptionalTime, Time } from "../../platform/db/columns.ts";

/** What the directory of an organization calls a member. Members whom it has never changed have no row. */
export interface DirectoryUserTable {
  user_uuid: string;
  user_name: string;
  external_id: string | null;
  /** By the directory: what managers change is not counted. */
  changed_at: Time;
  /** The directory has removed them: it is not shown them for as long as they are disabled. */
  removed_at: OptionalTime;
}

export interface DirectoryGroupTable {
  group_uuid: string;
  external_id: string | null;
  /** By the directory, as of users. */
  changed_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    directory_users: DirectoryUserTable;
    directory_groups: DirectoryGroupTable;
  }
}
