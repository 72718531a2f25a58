import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** A time, written and read as a Date. */
type Time = ColumnType<Date, Date, Date>;
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
type WithDefault<Value> = ColumnType<Value, Value | undefined, Value>;

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
  zone: WithDefault<string>;
  zone_type: WithDefault<"shared" | "dedicated">;
  created_at: Time;
}

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
  is_enabled: WithDefault<boolean>;
  is_validated: WithDefault<boolean>;
  tnc_accepted_at: OptionalTime;
  front_preferences: WithDefault<Record<string, unknown>>;
  created_at: Time;
}

/** A sign-in. Its token stays valid until it expires or this row says that the session ended. */
export interface SessionTable {
  uuid: string;
  user_uuid: string;
  created_at: Time;
  ended_at: OptionalTime;
}

export interface ApiTokenTable {
  uuid: string;
  user_uuid: string;
  description: string;
  /** SHA-256 of the token; the token itself is not kept. */
  token_hash: Buffer;
  created_at: Time;
  last_access: OptionalTime;
}

export interface DisplayColumn {
  width: number;
  height: number;
  density: number;
}

export interface HardwareProfileTable {
  uuid: string;
  name: string;
  is_official: boolean;
  owner_uuid: string | null;
  organization_uuid: string | null;
  form_factor: "PHONE" | "TABLET" | "CAR" | "WATCH" | "TV";
  display_mode: "REGULAR" | "FOLDABLE" | "MULTI_DISPLAY";
  displays: JSONColumnType<DisplayColumn[]>;
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

export type CatalogueStatus = "CREATING" | "READY" | "UPDATING" | "ERROR";

export interface OsImageTable {
  uuid: string;
  name: string;
  is_official: boolean;
  is_beta: WithDefault<boolean>;
  owner_uuid: string | null;
  organization_uuid: string | null;
  status: CatalogueStatus;
  arch: "arm64" | "x86" | "x86_64";
  os_version: string;
  sdk_version: number;
  image_version: string;
  form_factors: string[];
  /** Which way of running devices it is for, and what that runtime is to run. */
  runtime: string;
  artefact: string;
  position: WithDefault<number>;
  created_at: Time;
  updated_at: Time;
}

export interface RecipeTable {
  uuid: string;
  name: string;
  description: WithDefault<string>;
  status: CatalogueStatus;
  is_official: boolean;
  owner_uuid: string | null;
  organization_uuid: string | null;
  hardware_profile_uuid: string | null;
  os_image_uuid: string | null;
  position: WithDefault<number>;
  created_at: Time;
  updated_at: Time;
}

/** What a device was made of when it started; a recipe that changes later does not change it. */
export interface InstanceSnapshot {
  hardwareProfile: {
    uuid: string;
    name: string;
    isOfficial: boolean;
    formFactor: HardwareProfileTable["form_factor"];
    displayMode: HardwareProfileTable["display_mode"];
    displays: DisplayColumn[];
    hwNavigationKeys: boolean;
    properties: Record<string, string>;
    cpuCount: number;
    ramSize: number;
    dataDiskSize: number;
  };
  osImage: {
    uuid: string;
    name: string;
    isOfficial: boolean;
    isBeta: boolean;
    status: CatalogueStatus;
    arch: OsImageTable["arch"];
    osVersion: string;
    sdkVersion: number;
    imageVersion: string;
    runtime: string;
    artefact: string;
  };
}

export interface InstanceTable {
  uuid: string;
  name: string;
  owner_uuid: string;
  /** Whose limit it counts against: the owner's organisation, or for a guest the recipe's. */
  organization_uuid: string;
  recipe_uuid: string | null;
  snapshot: JSONColumnType<InstanceSnapshot>;
  state: string;
  /** Counts every change; clients keep the higher. */
  revision: WithDefault<number>;
  reason: string | null;
  /** The number of its run in a runtime. */
  boot: WithDefault<number>;
  timeout_inactivity: number;
  timeout_global: number;
  created_at: Time;
  updated_at: Time;
  /** When the state was entered; a boot that takes too long is measured from it. */
  state_since: Time;
  online_at: OptionalTime;
  last_active_at: OptionalTime;
  ended_at: OptionalTime;
  /** The gateway that looks after it; `lease_epoch` fences the writes of one that lost it. */
  lease_holder: string | null;
  lease_epoch: WithDefault<number>;
  lease_expires_at: OptionalTime;
  /** Where the machine answers adb, for the gateway and the operator; never leaves the service. */
  machine: JSONColumnType<{ host: string; port: number } | null, { host: string; port: number } | null>;
}

/** Every change of state, in order; sockets, usage and audit come from these rows. */
export interface InstanceEventTable {
  id: Generated<number>;
  instance_uuid: string;
  revision: number;
  event: string;
  from_state: string | null;
  to_state: string;
  reason: string | null;
  actor_uuid: string | null;
  at: Time;
}

/** The first answer to a request that may be repeated. */
export interface IdempotencyKeyTable {
  user_uuid: string;
  key: string;
  request_hash: Buffer;
  reply: JSONColumnType<object | null, string | null>;
  created_at: Time;
}

/** Gateways that are up and where their viewers are led. */
export interface GatewayTable {
  id: string;
  address: string;
  expires_at: Time;
}

/** Keys that this installation made for itself. */
export interface SecretTable {
  name: string;
  value: string;
}

export interface Schema {
  organizations: OrganizationTable;
  users: UserTable;
  sessions: SessionTable;
  api_tokens: ApiTokenTable;
  hardware_profiles: HardwareProfileTable;
  os_images: OsImageTable;
  recipes: RecipeTable;
  instances: InstanceTable;
  instance_events: InstanceEventTable;
  idempotency_keys: IdempotencyKeyTable;
  gateways: GatewayTable;
  secrets: SecretTable;
}
