import type {
  Arch,
  FormFactor,
  HardwareProfile,
  InstanceEvent,
  InstanceState,
  OsImage,
  Possibility,
  SaveAction,
  SaveError,
  StopReason,
  StoredDisplay,
} from "@terrarium/contract";
import type { Generated, JSONColumnType } from "kysely";
import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

/** What a device was made of when it started; a recipe that changes later does not change it. */
export interface InstanceSnapshot {
  hardwareProfile: {
    uuid: string;
    name: string;
    isOfficial: boolean;
    formFactor: FormFactor;
    displayMode: HardwareProfile["display_mode"];
    displays: StoredDisplay[];
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
    status: OsImage["status"];
    arch: Arch;
    osVersion: string;
    sdkVersion: number;
    imageVersion: string;
    runtime: string;
    artefact: string;
    /** The saved state that the device started from. Devices that were started by earlier versions have none. */
    layers: readonly { sha256: string; size: number }[] | undefined;
  };
}

/** A snapshot without its layers, which may be megabytes: all that anything but a start needs. */
export interface ShownSnapshot extends Omit<InstanceSnapshot, "osImage"> {
  osImage: Omit<InstanceSnapshot["osImage"], "layers">;
}

/** The saving of a device. */
export interface InstanceSaveColumn {
  action: SaveAction;
  recipeUuid: string;
  /** The image whose layers are written: the recipe's own, or one that was created for this. */
  osImageUuid: string;
  /** In percent. */
  progress: number;
  /** Why it has failed. */
  error?: SaveError;
}

export interface InstanceTable {
  uuid: string;
  name: string;
  owner_uuid: string;
  /** Whose limit it counts against: the owner's organization, or for a guest the recipe's. */
  organization_uuid: string;
  /** Whose groups' allocations it counts against: the owner, or for somebody from outside the owner of the recipe. */
  allocated_to: WithDefault<string | null>;
  recipe_uuid: string | null;
  snapshot: JSONColumnType<InstanceSnapshot>;
  state: InstanceState;
  /** Counts every change; of two versions, clients take the higher. */
  revision: WithDefault<number>;
  reason: string | null;
  /** The number of its run in a runtime. */
  boot: WithDefault<number>;
  timeout_inactivity: number;
  timeout_global: number;
  /** Which machines may run it: that of its organization when it started. */
  zone: WithDefault<string>;
  created_at: Time;
  updated_at: Time;
  online_at: OptionalTime;
  ended_at: OptionalTime;
  /** How long it has been starting or online, and how long nobody has used it, as its gateway measured at `measured_at`. */
  ran_ms: WithDefault<number>;
  idle_ms: WithDefault<number>;
  measured_at: OptionalTime;
  /** Until when its timeouts do not stop it, by `ran_ms`, as somebody extended it. */
  kept_until_ms: WithDefault<number>;
  /** When it is to stop, as a budget is used up. */
  budget_stops_at: OptionalTime;
  /** When it is to stop, as no plan and no free minutes cover it any more, and why. */
  cover_stops_at: OptionalTime;
  cover_stops_because: WithDefault<StopReason | null>;
  /** The gateway that looks after it, for as long as that has a row; `lease_epoch` fences the writes of one that lost it. */
  lease_holder: string | null;
  lease_epoch: WithDefault<number>;
  /** Where its machine is: only gateways whose runtime reaches this place may look after it. Null before the first one did. */
  place: string | null;
  /** It boots or has booted ahead of time, and is nobody's until it is handed out; see `hand-out.ts`. */
  is_warm: WithDefault<boolean>;
  /** What one was made of that is or was warm; see `madeHash`. */
  made_hash: WithDefault<string | null>;
  /** It waits if nothing has room for it, and since when it does; the rest is what `queue.jobs.ts` last found. */
  may_queue: WithDefault<boolean>;
  queued_at: OptionalTime;
  queue_place: WithDefault<number | null>;
  queue_starts_at: OptionalTime;
  /** Where the machine answers adb, for the gateway and the operator; never leaves the service. */
  machine: JSONColumnType<{ host: string; port: number } | null, { host: string; port: number } | null>;
  /** Whether the machine can be saved. */
  can_save: WithDefault<boolean>;
  /** The last time that it was asked to be saved. */
  save: JSONColumnType<InstanceSaveColumn, string | undefined> | null;
}

/** Every change of state, in order; sockets, usage and audit come from these rows. */
export interface InstanceEventTable {
  id: Generated<number>;
  instance_uuid: string;
  revision: number;
  /** `ask` for the first row. */
  event: InstanceEvent | "ask";
  from_state: InstanceState | null;
  to_state: InstanceState;
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

/** As its runtimes have found it; `image` and `hardware` are what a recipe for it is made of. */
export interface GatewayDevice {
  runtime: string;
  key: string;
  name: string;
  isFree: boolean;
  problem?: string | undefined;
  image?: { artefact: string; osVersion: string; sdkVersion: number; arch: Arch; imageVersion: string } | undefined;
  hardware?:
    | {
        formFactor: FormFactor | "FOLDABLE";
        displays: { width: number; height: number; density: number }[];
        hwNavigationKeys: boolean;
        cpuCount: number;
        ramMb: number;
        dataDiskMb: number;
        properties: Record<string, string>;
      }
    | undefined;
}

export interface GatewayFound {
  machine: Possibility[];
  devices: GatewayDevice[];
}

/** Gateways that are up and where their viewers are led. Each changes its `beat` all the time; one that stands still is gone. */
export interface GatewayTable {
  id: string;
  address: string;
  beat: WithDefault<string>;
  /** Where its machines are; null for everywhere. */
  zones: string[] | null;
  /** What its machine could run Android with, and the devices that are there already. */
  found: JSONColumnType<GatewayFound, string | undefined>;
}

/** How many devices a zone may have, whatever its machines could run. */
export interface ZoneLimitTable {
  zone: string;
  devices_max: number;
}

/** A gateway that takes no new devices, whether it is up or not. */
export interface DrainingGatewayTable {
  id: string;
}

declare module "../../database/schema.ts" {
  interface Schema {
    instances: InstanceTable;
    instance_events: InstanceEventTable;
    idempotency_keys: IdempotencyKeyTable;
    gateways: GatewayTable;
    draining_gateways: DrainingGatewayTable;
    zone_limits: ZoneLimitTable;
  }
}
