import type { ColumnType } from "kysely";
import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

export type DisabledBy = "directory" | "manager" | "demo" | "operator";

export interface UserTable {
  uuid: string;
  /** Lower case. */
  email: string;
  first_name: WithDefault<string>;
  last_name: WithDefault<string>;
  password_hash: string | null;
  /** Null for a guest. */
  organization_uuid: string | null;
  is_organization_manager: WithDefault<boolean>;
  /** Runs the service, and belongs to no organization. Given once, when the account is made, by the operator tool alone. */
  is_operator: ColumnType<boolean, boolean | undefined, never>;
  is_enabled: WithDefault<boolean>;
  /**
   * While disabled, by whom, as far as that is known. What the operator or the demonstration, which was closed, have disabled, managers cannot
   * enable; what managers have, no directory can.
   */
  disabled_by: WithDefault<DisabledBy | null>;
  is_validated: WithDefault<boolean>;
  /** False for a member whom a server from before there were groups has added, until they are given the default group. */
  has_joined_groups: WithDefault<boolean>;
  tnc_accepted_at: OptionalTime;
  front_preferences: WithDefault<Record<string, unknown>>;
  created_at: Time;
  /** Written by a trigger with each session that begins. */
  last_sign_in_at: OptionalTime;
  /** The mail that announces to them that their account will be deleted because nobody uses it. */
  deletion_notice_mail: WithDefault<string | null>;
  /** When that mail was sent. */
  deletion_notice_at: OptionalTime;
  /** The account is gone; the row stays for what refers to it, and says nothing of the person. */
  deleted_at: OptionalTime;
}

/** Where a person has signed in before, for recognising a new place. */
export interface SignInPlaceTable {
  user_uuid: string;
  /** A keyed hash of network and device, which reveals neither. */
  mark: Buffer;
  created_at: Time;
  seen_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    users: UserTable;
    sign_in_places: SignInPlaceTable;
  }
}
