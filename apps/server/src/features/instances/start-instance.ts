import { AppError, type Instance, limits, runningStates, type StartInstance } from "@terrarium/contract";
import type { Insertable } from "kysely";
import { createHash, randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import type { InstanceSnapshot, InstanceTable } from "./instances.tables.ts";
import { isUsedUp, usedMinutes } from "../billing/minutes.ts";
import { checkBudgets } from "../budgets/budgets.ts";
import { lockLimits, type OrganizationRow } from "../organizations/limits.ts";
import { type CompleteRecipeRow, getCompleteRecipe } from "../recipes/recipes.ts";
import type { Actor } from "../sessions/actor.ts";
import { checkTaken } from "./gateways.ts";
import { handOut } from "./hand-out.ts";
import { once } from "./idempotency-keys.ts";
import { findInstance } from "./instances.store.ts";
import { notifyInserted } from "./move-instance.store.ts";
import { presentInstance } from "./present-instance.ts";
import { checkTurn, checkZoneLimit, writePlaceOf } from "./queue.ts";
import { countRunning, findImageZones, findLayers, insertInstance, takenNames } from "./start-instance.store.ts";
import type { LimitedDeps } from "../deps.ts";

export { findLayers } from "./start-instance.store.ts";

export interface StartDeps extends LimitedDeps {
  /** Names of the runtimes this installation has. */
  runtimes: ReadonlySet<string>;
}

/** A loop that starts and stops costs a machine each time; a pipeline that fills an organization stays well below. */
const startsOfUser: Limit = { name: "starts of a user", max: 300, windowMs: 60_000 };

export interface StartRequest {
  recipe: string;
  body: StartInstance;
  idempotencyKey: string | undefined;
  origin: string;
  by: By;
}

/**
 * Asks for a device: one row in CREATING, which a gateway then makes true. The limit of the organization holds for
 * parallel calls, since they take turns at its row. With an idempotency key a repeated call answers what the first did.
 */
export async function startInstance(
  { db, clock, audit, runtimes, limiter }: StartDeps,
  actor: Actor,
  request: StartRequest,
): Promise<Instance> {
  await limiter.take(startsOfUser, actor.uuid);
  const now = new Date(clock.now());
  const { idempotencyKey: key, recipe: wanted, body } = request;
  const start = async (trx: Database): Promise<Instance> => {
    const recipe = await getCompleteRecipe(trx, actor, wanted);
    // A device of a shared recipe counts for the organization that has shared it, whoever starts it.
    const payer = recipe.organization_uuid ?? actor.organization;
    if (payer === null) throw new AppError("RECIPE_NOT_FOUND");
    const organization = await lockLimits(trx, payer);
    checkStart(recipe, organization, runtimes, now);
    await checkMinutes(trx, organization, now);
    await checkImageZone(trx, recipe, organization.zone);
    await checkTaken(trx, organization.zone);
    const running = await countRunning(trx, organization.uuid);
    const { queue: mayQueue = organization.queues } = body;
    const { os_image: image, hardware_profile: profile } = recipe;
    const made = { runtime: image.runtime, artefact: image.artefact, hardware_profile: profile.uuid };
    const allocated_to = payer === actor.organization ? actor.uuid : recipe.owner?.uuid;
    const turn = await checkTurn(trx, { organization, user: allocated_to, running, made, mayQueue });

    await checkBudgets(trx, { organization: organization.uuid, user: allocated_to });

    const layers = await findLayers(trx, recipe.os_image.uuid);
    if (!layers) throw new AppError("RECIPE_INCOMPLETE");
    const asked = {
      name: await freeName(trx, actor, body),
      owner_uuid: actor.uuid,
      organization_uuid: organization.uuid,
      allocated_to,
      recipe_uuid: recipe.uuid,
      snapshot: JSON.stringify(snapshotOf(recipe, layers)),
      ...timeoutsOf(body, organization, { isProgram: actor.session === undefined }),
      zone: organization.zone,
    };
    const handed =
      turn === "now" ? await handOut(trx, { ...asked, made_hash: madeHash(asked.snapshot), now }) : undefined;
    const uuid = handed ?? (await createDevice(trx, asked, now, { mayQueue, turn }));
    await audit.record(trx, request.by, {
      action: "instance.start",
      subject: { kind: "instance", uuid },
      organization: organization.uuid,
      details: { recipe: recipe.uuid },
    });
    const row = await findInstance(trx, uuid);
    if (!row) throw new Error("a device that was just inserted is not there");
    return presentInstance(row, request.origin);
  };
  return transaction(db, (trx) => once(trx, actor, { key, content: { recipe: wanted, body }, now }, () => start(trx)));
}

/** A device that has to be started, now or when its turn comes. @throws AppError NO_SLOT_AVAILABLE */
export async function createDevice(
  trx: Database,
  asked: Omit<Insertable<InstanceTable>, "uuid" | "state" | "created_at" | "updated_at"> & { zone: string },
  now: Date,
  { mayQueue = false, turn = "now" }: { mayQueue?: boolean; turn?: "now" | "later" } = {},
): Promise<string> {
  const uuid = randomUUID();
  const waits = turn === "later" || (await checkZoneLimit(trx, asked.zone, mayQueue)) === "later";
  const queued = { may_queue: mayQueue, queued_at: waits ? now : null };
  await insertInstance(trx, { ...asked, ...queued, uuid, state: "CREATING", created_at: now, updated_at: now });
  if (waits) await writePlaceOf(trx, { ...asked, uuid }, now);
  await notifyInserted(trx, uuid);
  return uuid;
}

/** What the organization or the recipe has against a start, whoever asks. */
function checkStart(
  recipe: CompleteRecipeRow,
  organization: OrganizationRow,
  runtimes: ReadonlySet<string>,
  now: Date,
): void {
  if (recipe.status !== "READY" || recipe.os_image.status !== "READY")
    throw new AppError("RECIPE_NOT_READY", { facts: { status: recipe.status } });
  if (organization.license_expires_at && organization.license_expires_at <= now) throw new AppError("LICENSE_EXPIRED");
  if (!organization.license_is_active || organization.is_unpaid) throw new AppError("INVALID_LICENSE");
  if (!organization.supported_arch.includes(recipe.os_image.arch))
    throw new AppError("ARCH_NOT_SUPPORTED", { facts: { arch: recipe.os_image.arch } });
  if (!runtimes.has(recipe.os_image.runtime))
    throw new AppError("RUNTIME_NOT_CONFIGURED", { facts: { runtime: recipe.os_image.runtime } });
}

/** @throws AppError ZONE_NOT_AVAILABLE if the machines of a zone do not have what devices of the recipe run */
export async function checkImageZone(trx: Database, { os_image }: CompleteRecipeRow, zone: string): Promise<void> {
  const zones = await findImageZones(trx, os_image);
  if (zones && !zones.includes(zone))
    throw new AppError("ZONE_NOT_AVAILABLE", { facts: { zone, zones: zones.join(", ") } });
}

/** Without a plan, devices start for as long as there are free minutes. @throws AppError LICENSE_EXPIRED */
async function checkMinutes(trx: Database, organization: OrganizationRow, now: Date): Promise<void> {
  if (organization.license_type !== "pending") return;
  if (isUsedUp(await usedMinutes(trx, organization, now), false)) throw new AppError("LICENSE_EXPIRED");
}

/**
 * The newest generation of stop policy that the request names; what it does not say is the organization's. What programs start has a maximum
 * of its own, as nobody may look at it: the shorter of both.
 */
function timeoutsOf(
  body: StartInstance,
  { timeout_inactivity, ...most }: Pick<OrganizationRow, `timeout_${"inactivity" | "global" | "api"}`>,
  { isProgram }: { isProgram: boolean },
) {
  const limited = [most.timeout_global, ...(isProgram ? [most.timeout_api] : [])].filter((minutes) => minutes > 0);
  const timeout_global = limited.length > 0 ? Math.min(...limited) : 0;
  if (body.automatic_release) return { timeout_inactivity, timeout_global };
  if (body.timeouts)
    return {
      timeout_inactivity: body.timeouts.inactivity ?? timeout_inactivity,
      timeout_global: body.timeouts.global ?? timeout_global,
    };
  if (body.stop_when_inactive === false) return { timeout_inactivity: 0, timeout_global };
  return { timeout_inactivity, timeout_global };
}

/** The asked name, or `name (2)` and so on when a device of the same owner has it already. */
async function freeName(
  db: Database,
  actor: Actor,
  { instance_name, rename_on_conflict }: StartInstance,
): Promise<string> {
  const taken = new Set(await takenNames(db, actor.uuid, runningStates));
  if (!taken.has(instance_name)) return instance_name;
  if (!rename_on_conflict) throw new AppError("INSTANCE_NAME_TAKEN");
  return uniqueName(instance_name, taken);
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const ending = ` (${number})`;
    const candidate =
      Array.from(name)
        .slice(0, limits.textLength - ending.length)
        .join("") + ending;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Devices whose snapshots have the same were made alike. */
export const madeHash = (snapshot: string): string => createHash("sha256").update(snapshot).digest("base64url");

export function snapshotOf(
  { hardware_profile: profile, os_image: image }: CompleteRecipeRow,
  layers: NonNullable<InstanceSnapshot["osImage"]["layers"]>,
): InstanceSnapshot {
  return {
    hardwareProfile: {
      uuid: profile.uuid,
      name: profile.name,
      isOfficial: profile.is_official,
      formFactor: profile.form_factor,
      displayMode: profile.display_mode,
      displays: profile.displays,
      hwNavigationKeys: profile.hw_navigation_keys,
      properties: profile.properties,
      cpuCount: profile.cpu_count,
      ramSize: profile.ram_size,
      dataDiskSize: profile.data_disk_size,
    },
    osImage: {
      uuid: image.uuid,
      name: image.name,
      isOfficial: image.is_official,
      isBeta: image.is_beta,
      status: image.status,
      arch: image.arch,
      osVersion: image.os_version,
      sdkVersion: image.sdk_version,
      imageVersion: image.image_version,
      runtime: image.runtime,
      artefact: image.artefact,
      layers,
    },
  };
}
