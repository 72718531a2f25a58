import type { Time, WithDefault } from "../../platform/db/columns.ts";

/**
 * A time that a device was online without a break: it had come online, or went on after a save that failed. A trigger writes these rows
 * whenever a device becomes ONLINE or leaves that state, whoever wrote it; they end with the device, or when they are settled.
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
  /** Whether its minutes count, as nothing was paid in advance when it began. */
  is_metered: WithDefault<boolean>;
  /** What the gateway had measured of the device when it began, and how long it was online by that; null while it is. */
  ran_from_ms: WithDefault<number>;
  used_ms: WithDefault<number | null>;
  /** Of a run that goes on after its period was settled: its minutes until then. */
  billed_minutes: WithDefault<number>;
  billed_until: WithDefault<Date | null>;
}

declare module "../../database/schema.ts" {
  interface Schema {
    runs: RunTable;
  }
}
