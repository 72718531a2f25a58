import { type Instance, type InstanceChange } from "@terrarium/contract";
import { Presented } from "../../platform/presented.ts";
import type { ShownInstance } from "./instances.store.ts";
import type { ListedInstance } from "./list-instances.store.ts";
import type { InstanceFields } from "./move-instance.ts";
import { adbPathOf, miniaturePathOf, playerPathOf, toolsPathOf, uploadPathOf } from "./visit-path.ts";
import { timeLeft } from "./next-step.ts";
import type { Snapshots } from "./snapshots.ts";

/** The devices of lists. */
export const presentedInstances = (snapshots: Snapshots): Presented<ListedInstance, Instance> =>
  new Presented(async (rows, origin) => {
    const snapshotOf = await snapshots.of(rows.map(({ uuid }) => uuid));
    return rows.map((row) => {
      const snapshot = snapshotOf(row.uuid);
      return snapshot && presentInstance({ ...row, snapshot }, origin);
    });
  });

/** A device as every client reads it. `origin` is the service as this caller sees it. */
export function presentInstance(row: ShownInstance, origin: string): Instance {
  const { hardwareProfile: profile, osImage: image } = row.snapshot;
  const { width, height, density } = profile.displays[0] ?? { width: 0, height: 0, density: 0 };
  const sockets = origin.replace(/^http/, "ws");
  const player = `${sockets}${playerPathOf(row.uuid)}`;
  const adb = `${sockets}${adbPathOf(row.uuid)}`;
  return {
    ...presentChange(row),
    owner: {
      uuid: row.owner_uuid,
      email: row.owner_email,
      first_name: row.owner_first_name,
      last_name: row.owner_last_name,
    },
    timeouts: { inactivity: row.timeout_inactivity, global: row.timeout_global },
    recipe: presentInstanceRecipe(row),
    hardware_profile: {
      uuid: profile.uuid,
      name: profile.name,
      is_official: profile.isOfficial,
      form_factor: profile.formFactor,
      display_mode: profile.displayMode,
      width,
      height,
      density,
      hw_navigation_keys: profile.hwNavigationKeys,
      cpu_count: profile.cpuCount,
      ram_size: profile.ramSize,
      data_disk_size: profile.dataDiskSize,
    },
    os_image: {
      uuid: image.uuid,
      name: image.name,
      is_official: image.isOfficial,
      is_beta: image.isBeta,
      status: image.status,
      arch: image.arch,
      image_version: image.imageVersion,
      os_version: { os_version: image.osVersion, sdk_version: image.sdkVersion },
    },
    gpu: "software",
    provider: image.runtime,
    webrtc_url: player,
    publicWebrtcUrl: player,
    file_upload_url: `${sockets}${uploadPathOf(row.uuid)}`,
    adb_url: adb,
    publicAdbUrl: adb,
    tools_url: `${sockets}${toolsPathOf(row.uuid)}`,
    miniature_url: `${sockets}${miniaturePathOf(row.uuid)}`,
  };
}

type Stopping = Parameters<typeof timeLeft>[0] &
  Pick<InstanceFields, "measured_at" | "budget_stops_at" | "cover_stops_at" | "cover_stops_because">;

type Changed = Pick<InstanceFields, Exclude<keyof ShownInstance & keyof InstanceFields, "recipe_uuid" | "snapshot">>;

/** What changes while a device lives: part of its answer, and all of its event. */
export function presentChange(row: Changed): InstanceChange {
  return {
    uuid: row.uuid,
    owner_uuid: row.owner_uuid,
    name: row.name,
    state: row.state,
    revision: row.revision,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    online_at: row.online_at?.toISOString() ?? null,
    ...stopOf(row),
    queue: row.queued_at && {
      since: row.queued_at.toISOString(),
      place: row.queue_place,
      starts_at: row.queue_starts_at?.toISOString() ?? null,
    },
    can_save: row.can_save,
    save: row.save && {
      action: row.save.action,
      recipe_uuid: row.save.recipeUuid,
      progress: row.save.progress,
      error: row.save.error ?? null,
    },
  };
}

/** When an online device stops by itself, and why: by its timeouts, for a budget, or as nothing covers it, whichever is first. */
export function stopOf(row: Stopping): Pick<InstanceChange, "stops_at" | "stops_because"> {
  if (row.state !== "ONLINE") return { stops_at: null, stops_because: null };
  const left = timeLeft(row);
  const stops = [
    {
      at: row.measured_at && left ? new Date(row.measured_at.getTime() + left.ms) : null,
      because: left?.reason ?? null,
    },
    { at: row.budget_stops_at, because: "budget_used_up" as const },
    { at: row.cover_stops_at, because: row.cover_stops_because },
  ];
  const [first] = stops.filter(({ at }) => at !== null).toSorted((a, b) => Number(a.at) - Number(b.at));
  return { stops_at: first?.at?.toISOString() ?? null, stops_because: first?.because ?? null };
}

function presentInstanceRecipe(row: ShownInstance): Instance["recipe"] {
  if (row.recipe_uuid === null || row.recipe_name === null) return null;
  const official = row.recipe_is_official ?? false;
  return {
    uuid: row.recipe_uuid,
    name: row.recipe_name,
    status: row.recipe_status ?? "READY",
    revision: row.recipe_revision ?? 0,
    source: official ? "DEFAULT" : "CUSTOM",
    owner: official ? null : recipeOwnerOf(row),
    ova: { name: row.snapshot.osImage.name, is_official: official },
    items: [
      { type: "hardware_profile", uuid: row.snapshot.hardwareProfile.uuid },
      { type: "os_image", uuid: row.snapshot.osImage.uuid },
    ],
  };
}

/** Whose recipe it is, and their organization, which decides who may save to it. */
function recipeOwnerOf(row: ShownInstance): NonNullable<Instance["recipe"]>["owner"] {
  if (row.recipe_owner_uuid === null) return null;
  return {
    uuid: row.recipe_owner_uuid,
    email: row.recipe_owner_email ?? "",
    first_name: row.recipe_owner_first_name ?? "",
    last_name: row.recipe_owner_last_name ?? "",
    organization: row.recipe_organization_uuid === null ? null : { uuid: row.recipe_organization_uuid },
  };
}
