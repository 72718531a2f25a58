import { z } from "zod";
import {
  Arch,
  ByUuid,
  Flag,
  FormFactor,
  GivenUuid,
  integerWithin,
  listOf,
  Name,
  orderingOf,
  pageOf,
  Paging,
  Search,
  Time,
  Uuid,
} from "./fields.ts";
import type { ErrorCode } from "./errors.ts";
import { displayModes } from "./hardware-rules.ts";
import { announcedStops, instanceStates } from "./instance-life.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { OsVersion, Status } from "./os-images.ts";
import { Timeouts } from "./organizations.ts";
import { Recipe } from "./recipe.ts";
import { routes } from "./routes.ts";
import { Person } from "./users.ts";

const State = z.enum(instanceStates);

/** Unlike in a recipe, the hardware profile is flat here. */
export const InstanceHardware = z.object({
  uuid: Uuid,
  name: z.string(),
  is_official: z.boolean(),
  form_factor: FormFactor,
  display_mode: z.enum(displayModes),
  width: z.int(),
  height: z.int(),
  density: z.int(),
  hw_navigation_keys: z.boolean(),
  cpu_count: z.int(),
  ram_size: z.int(),
  data_disk_size: z.int(),
});

export const InstanceImage = z.object({
  uuid: Uuid,
  name: z.string(),
  is_official: z.boolean(),
  is_beta: z.boolean(),
  status: Status,
  arch: Arch,
  image_version: z.string(),
  os_version: OsVersion,
});

export const InstanceRecipe = z.object({
  uuid: Uuid,
  name: z.string(),
  status: Status,
  /** That of the recipe, not of the device. */
  revision: z.int(),
  source: z.enum(["DEFAULT", "CUSTOM"]),
  owner: Person.extend({ organization: z.object({ uuid: Uuid }).nullable() }).nullable(),
  ova: z.object({ name: z.string(), is_official: z.boolean() }),
  items: z.array(z.object({ type: z.enum(["hardware_profile", "os_image"]), uuid: Uuid })),
});

/** `update` saves into the recipe that the device was started from, `save_as` into a new one. */
export const saveActions = ["update", "save_as"] as const;
export type SaveAction = (typeof saveActions)[number];

/** Why a device was not saved: the save was too large, its organization may not store as much, or anything else. */
export const saveErrors = ["SAVE_FAILED", "SAVE_TOO_LARGE", "TOO_MUCH_SAVED"] as const satisfies readonly ErrorCode[];
export type SaveError = (typeof saveErrors)[number];

/** How far the saving of a device is, or its outcome. */
export const InstanceSave = z.object({
  action: z.enum(saveActions),
  /** The recipe that it is saved into. */
  recipe_uuid: Uuid,
  /** In percent. */
  progress: z.int().min(0).max(100),
  /** Why it was not saved. The device is ONLINE again then, and the recipe as it was; a new one is in ERROR. */
  error: z.enum(saveErrors).nullable(),
});

/** What clients call the actions, in any case. */
const actionWords: ReadonlyMap<string, SaveAction> = new Map([
  ["save", "update"],
  ["save-as", "save_as"],
]);

export const SaveInstance = z.object({
  /** `SAVE` and `SAVE_AS` are accepted as well. */
  action: z.preprocess((value: SaveAction | "SAVE" | "SAVE_AS") => {
    const word = typeof value === "string" ? value.toLowerCase() : value;
    return actionWords.get(word) ?? word;
  }, z.enum(saveActions)),
  /** For a new recipe; by default it is called a copy of the device's. Ignored if none has to be created. */
  new_recipe_name: Name.nullish(),
  /** For a new OS image; by default it is called a copy of the device's. Ignored if none has to be created. */
  new_os_image_name: Name.nullish(),
});
export type SaveInstance = z.output<typeof SaveInstance>;

/** Where it stands among those that wait for the same machines. */
export const InstanceQueue = z.object({
  since: Time,
  /** 1 is next. Organizations with fewer devices come first. Null in the moment before it is known. */
  place: z.int().nullable(),
  /** When it may start, as devices have ended lately; null while that is not known. */
  starts_at: Time.nullable(),
});

export const Instance = z.object({
  uuid: Uuid,
  name: z.string(),
  state: State,
  /** Incremented with each change of the device, so that one can see which of two versions is newer. */
  revision: z.int(),
  /**
   * Why the device ended, unless somebody stopped it: `inactivity`, `max_run_duration`, `machine_gone`, `gateway_gone`,
   * `budget_used_up`, `minutes_used_up`, `license_expired`, `plan_suspended`, `plan_ended`, ...
   */
  reason: z.string().nullable(),
  owner: Person,
  created_at: Time,
  updated_at: Time,
  online_at: Time.nullable(),
  /**
   * When it will be stopped for inactivity, for its maximum run time, as a budget or the free minutes are used up, or as a plan or a license
   * does not cover it any more; and which of these.
   */
  stops_at: Time.nullable(),
  stops_because: z.enum(["inactivity", "max_run_duration", ...announcedStops]).nullable(),
  timeouts: Timeouts,
  queue: InstanceQueue.nullable().meta({
    description: "Null unless it was started with `queue` and waits, in CREATING, until something has room for it",
  }),
  /** Whether its runtime can save it; false until the device has a machine. Who may save it is another matter. */
  can_save: z.boolean(),
  /** Null unless somebody has asked to save it. */
  save: InstanceSave.nullable(),
  recipe: InstanceRecipe.nullable(),
  hardware_profile: InstanceHardware,
  os_image: InstanceImage,
  gpu: z.string(),
  provider: z.string(),
  webrtc_url: z.url(),
  /** The same, for the player's example page before 4.3. */
  publicWebrtcUrl: z.url(),
  /** A WebSocket that takes files: APKs are installed, others are put into Download. */
  file_upload_url: z.url(),
  /** A WebSocket with the bytes of its adb, for whoever may open its display. */
  adb_url: z.url(),
  /** The same, for the daemon of `gmsaas` before 1.16. */
  publicAdbUrl: z.url(),
  /** A WebSocket for its log, a shell, its files and apps, for its owner. */
  tools_url: z.url(),
  /** A WebSocket with its picture in small, for whoever may open its display. */
  miniature_url: z.url(),
});
export type Instance = z.infer<typeof Instance>;

/** The data of a device event: enough to update a known row, and to decide whether an unknown one is of interest. */
export const InstanceChange = Instance.pick({
  uuid: true,
  name: true,
  state: true,
  revision: true,
  reason: true,
  created_at: true,
  updated_at: true,
  online_at: true,
  stops_at: true,
  stops_because: true,
  queue: true,
  can_save: true,
  save: true,
}).extend({ owner_uuid: Uuid });
export type InstanceChange = z.infer<typeof InstanceChange>;

export const InstalledApp = z.object({
  /** Null if the device does not say which one it is. */
  package_name: z.string().nullable(),
  /** Whether it is on the screen now. What has no entry in a launcher cannot be opened. */
  is_open: z.boolean(),
});
export type InstalledApp = z.infer<typeof InstalledApp>;

/** A server that relays video where no direct way is found, as browsers take it. Its credentials are of an hour. */
export const IceServer = z.object({ urls: z.array(z.string()), username: z.string(), credential: z.string() });
export type IceServer = z.infer<typeof IceServer>;

export const instancesTag = tag("Devices", "Devices", "The devices that run, and those that have just ended.");

export const instances = routes({
  list: {
    method: "GET",
    path: "/v2/instances",
    summary: "Your devices, or those of your organization",
    access: "user",
    query: Paging.extend({
      organization_uuid: GivenUuid.optional(),
      /** For managers: all devices of the organization instead of one's own. */
      organization_wide: Flag.optional(),
      state: listOf(State),
      search: Search.optional(),
      ordering: orderingOf(["updated_at", "created_at", "name", "state", "owner"], "-updated_at"),
    }),
    reply: pageOf(Instance),
    fails: ["PAGE_TOO_LARGE", "FORBIDDEN"],
  },
  get: {
    method: "GET",
    path: "/v1/instances/:uuid",
    summary: "One device",
    access: "user",
    params: ByUuid,
    reply: Instance,
    fails: ["INSTANCE_NOT_FOUND", "INSTANCE_ENDED", "INSTANCE_NOT_ALLOWED"],
  },
  stop: {
    method: "POST",
    path: "/v1/instances/:uuid/stop-disposable",
    summary: "Stop a device; what was not saved is lost",
    access: "user",
    audit: ["instance.stop"],
    params: ByUuid,
    reply: Instance,
    fails: ["INSTANCE_NOT_FOUND", "INSTANCE_ENDED", "INSTANCE_STOP_NOT_ALLOWED", "INSTANCE_NOT_RUNNING"],
  },
  save: {
    method: "POST",
    path: "/v1/instances/:uuid/save",
    summary: "Save a device into its recipe or a new one; this stops the device",
    access: "user",
    audit: ["instance.save"],
    params: ByUuid,
    body: SaveInstance,
    status: 201,
    reply: Recipe,
    idempotent: true,
    fails: [
      "INSTANCE_NOT_FOUND",
      "INSTANCE_ENDED",
      "INSTANCE_SAVE_NOT_ALLOWED",
      "INSTANCE_NOT_ONLINE",
      "INSTANCE_HAS_NO_RECIPE",
      "RUNTIME_CANNOT_SAVE",
      "TOO_MANY_RECIPES",
      "TOO_MANY_OS_IMAGES",
      "TOO_MUCH_SAVED",
      "RECIPE_NOT_OWNED",
      "FORM_FACTOR_MISMATCH",
      "RECIPE_MUST_NOT_BE_SAVING",
      "IDEMPOTENCY_KEY_REUSED",
    ],
  },
  dismiss: {
    method: "POST",
    path: "/v1/instances/:uuid/dismiss",
    summary: "Take a device that ended by itself off the list",
    access: "user",
    audit: ["instance.dismiss"],
    params: ByUuid,
    status: 204,
    fails: ["INSTANCE_NOT_FOUND", "INSTANCE_ENDED", "INSTANCE_DISMISS_NOT_ALLOWED", "INSTANCE_NOT_DISMISSABLE"],
  },
  extend: {
    method: "POST",
    path: "/v1/instances/:uuid/extend",
    summary:
      "Let an online device run on for some minutes from now, whatever its timeouts say. A budget that is used up stops it nevertheless",
    access: "user",
    audit: ["instance.extend"],
    params: ByUuid,
    body: z.object({
      minutes: integerWithin({ min: 1, max: limits.inactivityMinutesMax }).default(limits.extensionMinutes),
    }),
    reply: Instance,
    fails: ["INSTANCE_NOT_FOUND", "INSTANCE_ENDED", "INSTANCE_NOT_ALLOWED", "INSTANCE_NOT_ONLINE"],
  },
  installApp: {
    method: "POST",
    path: "/v1/instances/:uuid/apps",
    summary: "Install an app on a device that is online, and open it",
    access: "user",
    audit: ["instance.install_app"],
    params: ByUuid,
    body: { kind: "stream", types: ["application/vnd.android.package-archive", "application/octet-stream"] },
    maxBodyBytes: limits.appBytes,
    reply: InstalledApp,
    fails: [
      "INSTANCE_NOT_FOUND",
      "INSTANCE_ENDED",
      "INSTANCE_NOT_ALLOWED",
      "INSTANCE_NOT_ONLINE",
      "INSTANCE_BUSY",
      "NOT_AN_APP",
      "APP_REFUSED",
      "TOO_MANY_REQUESTS",
    ],
  },
  accessToken: {
    method: "POST",
    path: "/v1/instances/access-token",
    summary: "A short-lived token for the display of one device",
    access: "user",
    audit: { none: "it only opens a view of a device" },
    /** Old clients send no body; the token is then for the caller's newest device. */
    body: z.object({ instance_uuid: GivenUuid.optional() }),
    reply: z.object({ access_token: z.string(), expires_at: Time, ice_servers: z.array(IceServer).optional() }),
    fails: ["INSTANCE_NOT_FOUND", "INSTANCE_ENDED", "INSTANCE_NOT_ALLOWED", "INSTANCE_NOT_RUNNING"],
  },
});
