import type { HardwareProfile } from "@terrarium/contract";
import type { HardwareProfileRow } from "./hardware-profile-row.ts";

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
