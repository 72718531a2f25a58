import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

export interface OrganizationTable {
  uuid: string;
  name: string;
  /** Minutes; 0 is none. */
  timeout_inactivity: WithDefault<number>;
  timeout_global: WithDefault<number>;
  supported_arch: WithDefault<string[]>;
  is_debtor: WithDefault<boolean>;
  license_type: WithDefault<"metered" | "pending" | "fixed">;
  license_is_active: WithDefault<boolean>;
  license_expires_at: OptionalTime;
  instances_max: WithDefault<number>;
  /** How many it may have of its own. */
  recipes_max: WithDefault<number>;
  hardware_profiles_max: WithDefault<number>;
  os_images_max: WithDefault<number>;
  /** How much the saved states of its OS images may take up together. */
  saved_bytes_max: WithDefault<number>;
  zone: WithDefault<string>;
  zone_type: WithDefault<"shared" | "dedicated">;
  /** Whether its members sign in with a second factor. */
  requires_second_factor: WithDefault<boolean>;
  created_at: Time;
}

export interface OrganizationTables {
  organizations: OrganizationTable;
}
