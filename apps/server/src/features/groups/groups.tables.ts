import type { Time, WithDefault } from "../../platform/db/columns.ts";

/** A group of people of an organization. */
export interface GroupTable {
  uuid: string;
  organization_uuid: string;
  /** Of the same organization; null at the top. */
  parent_uuid: string | null;
  /** Unique in the organization, whatever the case of its letters. */
  name: string;
  description: WithDefault<string>;
  /** New members join it; an organization has one such group at most. */
  is_default: WithDefault<boolean>;
  /** How many devices may run for it; null: its parent's pool. */
  group_allocation: WithDefault<number | null>;
  created_at: Time;
}

export interface GroupUserTable {
  group_uuid: string;
  user_uuid: string;
}

declare module "../../database/schema.ts" {
  interface Schema {
    groups: GroupTable;
    group_users: GroupUserTable;
  }
}
