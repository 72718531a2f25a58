import { type HardwareProfile } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { checkKnown, type Reader } from "../catalogue/owned.ts";
import { withRecipeCount, withRecipeCounts } from "../catalogue/recipe-counts.ts";
import type { HardwareProfileRow } from "./hardware-profile-row.ts";
import { findHardwareProfile } from "./hardware-profiles.store.ts";

/** An official hardware profile, or one of the reader's organization; any other is unknown. */
export async function getHardwareProfile(db: Database, reader: Reader, uuid: string): Promise<HardwareProfileRow> {
  const row = await findHardwareProfile(db, reader, uuid);
  checkKnown("hardware_profiles", row);
  return row;
}

/** Hardware profiles as this reader sees them. */
export async function presentHardwareProfiles(
  { db }: { db: Database },
  reader: Reader,
  rows: readonly HardwareProfileRow[],
): Promise<HardwareProfile[]> {
  const counted = await withRecipeCounts(db, reader, "hardware_profile_uuid", rows);
  return counted.map(present);
}

/** As `presentHardwareProfiles`, one. */
export const presentHardwareProfile = async (
  { db }: { db: Database },
  reader: Reader,
  row: HardwareProfileRow,
): Promise<HardwareProfile> => present(await withRecipeCount(db, reader, "hardware_profile_uuid", row));

const present = (row: HardwareProfileRow & { recipe_count: number }): HardwareProfile => ({
  uuid: row.uuid,
  name: row.name,
  is_official: row.is_official,
  owner: row.owner,
  recipe_count: row.recipe_count,
  form_factor: row.form_factor,
  display_mode: row.display_mode,
  display_settings: { displays: row.displays, hw_navigation_keys: row.hw_navigation_keys },
  device_properties: row.properties,
  cpu_count: row.cpu_count,
  ram_size: row.ram_size,
  data_disk_size: row.data_disk_size,
});
