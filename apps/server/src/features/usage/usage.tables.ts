import type { Time, WithDefault } from "../../platform/db/columns.ts";

/**
 * A time that a device was online without a break: it had come online, or went on after a save that failed. A trigger writes these rows
 * whenever a device becomes ONLINE or leaves that state, whoever wrote it; they end with the device.
 */
export interface RunTable {
  instance_uuid: string;
  /** That of the device when it came online. */
  revision: number;
  /** Whose usage it is. */
  organization_uuid: string;
  owner_uuid: string;
  /** Whose groups it counts for, as `allocated_to` of the device. */
  counted_for: string;
  /** Stays when the recipe is deleted, as its name does. */
  recipe_uuid: string | null;
  recipe_name: string | null;
  began_at: Time;
  /** `infinity` while it is online. */
  ended_at: WithDefault<Date>;
  /** Whether it went on after a save that failed, and so is no start. */
  continues: WithDefault<boolean>;
}

export interface UsageTables {
  runs: RunTable;
}
