import { AppError, type HardwareProfile } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Actor } from "../sessions/actor.ts";
import type { HardwareProfileRow } from "./hardware-profile-row.ts";
import { findHardwareProfile } from "./hardware-profiles.store.ts";

/** An official hardware profile, or one of the actor's organization; any other is unknown. */
export async function getHardwareProfile(db: Database, actor: Actor, uuid: string): Promise<HardwareProfileRow> {
  const row = await findHardwareProfile(db, actor.organization, uuid);
  if (!row) throw new AppError("HARDWARE_PROFILE_NOT_FOUND");
  return row;
}

export const presentHardwareProfile = (row: HardwareProfileRow): HardwareProfile => ({
  uuid: row.uuid,
  name: row.name,
  is_official: row.is_official,
  owner: null,
  form_factor: row.form_factor,
  display_mode: row.display_mode,
  display_settings: { displays: row.displays, hw_navigation_keys: row.hw_navigation_keys },
  device_properties: row.properties,
  cpu_count: row.cpu_count,
  ram_size: row.ram_size,
  data_disk_size: row.data_disk_size,
});
