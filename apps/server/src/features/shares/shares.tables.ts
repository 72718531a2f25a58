import type { Time } from "../../platform/db/columns.ts";

/** That a recipe is shared. A recipe has one at most. */
export interface ShareTable {
  uuid: string;
  recipe_uuid: string;
  message: string;
  /** Who shared it first; null if their account is gone. */
  shared_by: string | null;
  created_at: Time;
  updated_at: Time;
}

/** Whom a recipe is shared with: a user or an organization. */
export interface ShareRecipientTable {
  recipe_uuid: string;
  user_uuid: string | null;
  organization_uuid: string | null;
}

declare module "../../database/schema.ts" {
  interface Schema {
    shares: ShareTable;
    share_recipients: ShareRecipientTable;
  }
}
