import { type HardwareProfile } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { checkKnown, type Reader } from "../catalogue/owned.ts";
import type { HardwareProfileRow } from "./hardware-profile-row.ts";
import { findHardwareProfile } from "./hardware-profiles.store.ts";

/** An official hardware profile, or one of the reader's organization; any other is unknown. */
export async function getHardwareProfile(db: Database, reader: Reader, uuid: string): Promise<HardwareProfileRow> {
  const row = await findHardwareProfile(db, reader, uuid);
  checkKnown("hardware_profiles", row);
  return row;
}

export const presentHardwareProfile = (row: HardwareProfileRow): HardwareProfile => ({
  uuid: row.uuid,
  name: row.name,
  is_official: row.is_official,
  owner: row.owner,
  form_factor: row.form_factor,
  display_mode: row.display_mode,
  display_settings: { displays: row.displays, hw_navigation_keys: row.hw_navigation_keys },
  device_properties: row.properties,
  cpu_count: row.cpu_count,
  ram_size: row.ram_size,
  data_disk_size: row.data_disk_size,
});
