import {
  AppError,
  type CreateHardwareProfile,
  displayCountError,
  type EditHardwareProfile,
  type HardwareProfile,
} from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { checkKnown, checkMayEdit, checkRevision, type Reader } from "../catalogue/owned.ts";
import { withRecipeCount, withRecipeCounts } from "../catalogue/recipe-counts.ts";
import { checkRoom, lockLimits } from "../organizations/limits.ts";
import type { Actor } from "../sessions/actor.ts";
import type { HardwareProfileRow } from "./hardware-profile-row.ts";
import {
  deleteHardwareProfileRow,
  findHardwareProfile,
  findUnfitRecipe,
  insertHardwareProfile,
  lockHardwareProfile,
  updateHardwareProfile,
} from "./hardware-profiles.store.ts";
import type { FeatureDeps } from "../deps.ts";

export type HardwareProfileDeps = FeatureDeps;

/**
 * An official hardware profile, or one of the reader's organization; any other is unknown.
 * @throws HARDWARE_PROFILE_NOT_FOUND
 */
export async function getHardwareProfile(db: Database, reader: Reader, uuid: string): Promise<HardwareProfileRow> {
  const row = await findHardwareProfile(db, reader, uuid);
  checkKnown("hardware_profiles", row);
  return row;
}

/**
 * Creates a profile that belongs to the actor, for all of their organization to use.
 * @throws TOO_MANY_HARDWARE_PROFILES
 */
export function createHardwareProfile(
  { db, clock, audit }: HardwareProfileDeps,
  actor: Actor & { organization: string },
  body: CreateHardwareProfile,
  by: By,
): Promise<HardwareProfileRow> {
  const now = new Date(clock.now());
  const uuid = randomUUID();
  return transaction(db, async (trx) => {
    await checkRoom(trx, await lockLimits(trx, actor.organization), "hardware_profiles");
    await insertHardwareProfile(trx, {
      ...columnsOf(body),
      uuid,
      is_official: false,
      owner_uuid: actor.uuid,
      organization_uuid: actor.organization,
      created_at: now,
      updated_at: now,
    });
    await audit.record(trx, by, {
      action: "hardware_profile.create",
      subject: { kind: "hardware_profile", uuid },
    });
    return getHardwareProfile(trx, actor, uuid);
  });
}

/**
 * Changes a profile; what the body does not name stays. Devices that run keep what they were started with. With a `revision`, only that
 * one is changed: nobody overwrites what they have not seen.
 * @throws HARDWARE_PROFILE_CHANGED, invalid_request if the displays do not suit the mode, FORM_FACTOR_MISMATCH if the image of one of its recipes does not support
 *   the new form factor, and what `checkMayEdit` throws
 */
export function editHardwareProfile(
  { db, clock, audit }: HardwareProfileDeps,
  actor: Actor,
  uuid: string,
  { revision, ...body }: EditHardwareProfile,
  by: By,
): Promise<HardwareProfileRow> {
  return transaction(db, async (trx) => {
    const row = await lockHardwareProfile(trx, actor, uuid);
    checkMayEdit("hardware_profiles", actor, row);
    checkRevision("hardware_profiles", row, revision);
    const changed = { ...bodyOf(row), ...body };
    const message = displayCountError(changed);
    if (message) throw new AppError("invalid_request", { fields: [{ field: "display_settings.displays", message }] });
    if (body.form_factor && (await findUnfitRecipe(trx, uuid, body.form_factor)))
      throw new AppError("FORM_FACTOR_MISMATCH");
    await updateHardwareProfile(trx, uuid, { ...columnsOf(changed), updated_at: new Date(clock.now()) });
    await audit.record(trx, by, { action: "hardware_profile.edit", subject: { kind: "hardware_profile", uuid } });
    return getHardwareProfile(trx, actor, uuid);
  });
}

/**
 * Deletes a profile. Recipes made of it become incomplete; devices that run keep what they were started with.
 * @throws what `checkMayEdit` throws
 */
export async function deleteHardwareProfile(
  { db, audit }: HardwareProfileDeps,
  actor: Actor,
  uuid: string,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    checkMayEdit("hardware_profiles", actor, await lockHardwareProfile(trx, actor, uuid));
    await deleteHardwareProfileRow(trx, uuid);
    await audit.record(trx, by, { action: "hardware_profile.delete", subject: { kind: "hardware_profile", uuid } });
  });
}

/** What may be changed of a profile, in the words of the API. */
const bodyOf = (row: HardwareProfileRow) => ({
  name: row.name,
  form_factor: row.form_factor,
  display_mode: row.display_mode,
  display_settings: { displays: row.displays, hw_navigation_keys: row.hw_navigation_keys },
  device_properties: row.properties,
  cpu_count: row.cpu_count,
  ram_size: row.ram_size,
  data_disk_size: row.data_disk_size,
});

const columnsOf = ({
  display_settings: settings,
  device_properties: properties,
  ...body
}: ReturnType<typeof bodyOf>) => ({
  ...body,
  displays: JSON.stringify(settings.displays),
  hw_navigation_keys: settings.hw_navigation_keys,
  properties: JSON.stringify(properties),
});

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

function present(row: HardwareProfileRow & { recipe_count: number }): HardwareProfile {
  const { uuid, is_official, owner, recipe_count, revision, hw_navigation_keys } = row;
  const displays = row.displays.map(({ physical_size = null, show_navigation_bar = !hw_navigation_keys, ...size }) => ({
    ...size,
    physical_size,
    show_navigation_bar,
  }));
  const display_settings = { displays, hw_navigation_keys };
  return { uuid, is_official, owner, recipe_count, status: "READY", revision, ...bodyOf(row), display_settings };
}
