import type { FormFactor, HardwareProfile, StoredDisplay } from "@terrarium/contract";
import type { JSONColumnType } from "kysely";
import type { Time, WithDefault } from "../../platform/db/columns.ts";

export interface HardwareProfileTable {
  uuid: string;
  name: string;
  is_official: boolean;
  owner_uuid: string | null;
  organization_uuid: string | null;
  form_factor: FormFactor;
  display_mode: HardwareProfile["display_mode"];
  displays: JSONColumnType<StoredDisplay[]>;
  hw_navigation_keys: boolean;
  /** Incremented with each change, by a trigger. */
  revision: WithDefault<number>;
  properties: JSONColumnType<Record<string, string>>;
  cpu_count: number;
  ram_size: number;
  data_disk_size: number;
  /** Official rows are in the order of the catalogue. */
  position: WithDefault<number>;
  created_at: Time;
  updated_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    hardware_profiles: HardwareProfileTable;
  }
}
