import type { FormFactor, HardwareProfile } from "@terrarium/contract";
import type { JSONColumnType } from "kysely";
import type { Time, WithDefault } from "../../platform/db/columns.ts";

type Display = HardwareProfile["display_settings"]["displays"][number];

/** A display as it was given: profiles of catalogues, and those of older versions, name only their sizes. */
export type StoredDisplay = Pick<Display, "width" | "height" | "density"> &
  Partial<Pick<Display, "physical_size" | "show_navigation_bar">>;

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
  properties: JSONColumnType<Record<string, string>>;
  cpu_count: number;
  ram_size: number;
  data_disk_size: number;
  /** Official rows keep the order of the catalogue. */
  position: WithDefault<number>;
  created_at: Time;
  updated_at: Time;
}

export interface HardwareProfileTables {
  hardware_profiles: HardwareProfileTable;
}
