import { AppError, type Arch, type OsImage } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { isSaving } from "../catalogue/is-saving.ts";
import { checkKnown, checkMayEdit, type Reader } from "../catalogue/owned.ts";
import { withRecipeCount, withRecipeCounts } from "../catalogue/recipe-counts.ts";
import { checkRoom, lockLimits } from "../organizations/limits.ts";
import type { Actor } from "../sessions/actor.ts";
import type { OsImageRow } from "./os-image-row.ts";
import { copyOsImage, deleteOsImageRow, findOsImage, lockOsImage, renameOsImage } from "./os-images.store.ts";
import type { FeatureDeps } from "../deps.ts";

export type ChangeOsImageDeps = FeatureDeps;

/**
 * An official OS image, or one of the reader's organization; any other is unknown.
 * @throws OS_IMAGE_NOT_FOUND
 */
export async function getOsImage(db: Database, reader: Reader, uuid: string): Promise<OsImageRow> {
  const row = await findOsImage(db, reader, uuid);
  checkKnown("os_images", row);
  return row;
}

/**
 * Creates an image of the actor's that runs the same artefact and starts from the same saved state, whose layers it shares.
 * @throws TOO_MANY_OS_IMAGES, OS_IMAGE_NOT_FOUND, OS_IMAGE_NOT_READY
 */
export function duplicateOsImage(
  { db, clock, audit }: ChangeOsImageDeps,
  actor: Actor & { organization: string },
  original: string,
  name: string,
  by: By,
): Promise<OsImageRow> {
  const now = new Date(clock.now());
  const uuid = randomUUID();
  return transaction(db, async (trx) => {
    await checkRoom(trx, await lockLimits(trx, actor.organization), "os_images");
    // While it is locked its layers stay in use, so that none of them is collected.
    const row = await lockOsImage(trx, actor, original);
    checkKnown("os_images", row);
    if (row.status !== "READY") throw new AppError("OS_IMAGE_NOT_READY");
    await copyOsImage(trx, original, { uuid, name, owner: actor, now });
    await audit.record(trx, by, { action: "os_image.duplicate", subject: { kind: "os_image", uuid } });
    return getOsImage(trx, actor, uuid);
  });
}

/** Renames an image. @throws what `checkMayEdit` throws */
export function editOsImage(
  { db, clock, audit }: ChangeOsImageDeps,
  actor: Actor,
  uuid: string,
  { name }: { name: string },
  by: By,
): Promise<OsImageRow> {
  return transaction(db, async (trx) => {
    checkMayEdit("os_images", actor, await lockOsImage(trx, actor, uuid));
    await renameOsImage(trx, uuid, name, new Date(clock.now()));
    await audit.record(trx, by, { action: "os_image.edit", subject: { kind: "os_image", uuid } });
    return getOsImage(trx, actor, uuid);
  });
}

/**
 * Deletes an image. Recipes made of it become incomplete; devices that run keep what they were started with. Layers that nothing else
 * uses are collected later.
 * @throws OS_IMAGE_MUST_NOT_BE_SAVING, and what `checkMayEdit` throws
 */
export async function deleteOsImage(
  { db, audit }: ChangeOsImageDeps,
  actor: Actor,
  uuid: string,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await lockOsImage(trx, actor, uuid);
    checkMayEdit("os_images", actor, row);
    if (isSaving(row)) throw new AppError("OS_IMAGE_MUST_NOT_BE_SAVING");
    await deleteOsImageRow(trx, uuid);
    await audit.record(trx, by, { action: "os_image.delete", subject: { kind: "os_image", uuid } });
  });
}

/** The wanted architectures; undefined is any. `all` among them wants all. */
export function archesOf(wanted: (Arch | "all")[] | undefined): Arch[] | undefined {
  if (!wanted || wanted.includes("all")) return undefined;
  return wanted.filter((arch) => arch !== "all");
}

export interface OsImageDeps {
  db: Database;
  /** Names of the runtimes this installation has. */
  runtimes: ReadonlySet<string>;
}

/** OS images as this reader sees them. */
export async function presentOsImages(
  { db, runtimes }: OsImageDeps,
  reader: Reader,
  rows: readonly OsImageRow[],
): Promise<OsImage[]> {
  const counted = await withRecipeCounts(db, reader, "os_image_uuid", rows);
  return counted.map((row) => present(row, runtimes));
}

/** As `presentOsImages`, one. */
export const presentOsImage = async (
  { db, runtimes }: OsImageDeps,
  reader: Reader,
  row: OsImageRow,
): Promise<OsImage> => present(await withRecipeCount(db, reader, "os_image_uuid", row), runtimes);

const present = (row: OsImageRow & { recipe_count: number }, runtimes: ReadonlySet<string>): OsImage => ({
  uuid: row.uuid,
  name: row.name,
  os_type: "ANDROID",
  status: row.status,
  revision: row.revision,
  is_official: row.is_official,
  is_beta: row.is_beta,
  owner: row.owner,
  recipe_count: row.recipe_count,
  arch: row.arch,
  os_version: { os_version: row.os_version, sdk_version: row.sdk_version },
  image_version: row.image_version,
  form_factors: row.form_factors as OsImage["form_factors"],
  supported_form_factors: row.form_factors as OsImage["form_factors"],
  runtime: row.runtime,
  is_runtime_configured: runtimes.has(row.runtime),
  saved_size: row.saved_size,
  boot_ms: row.boot_p50_ms === null || row.boot_p95_ms === null ? null : { p50: row.boot_p50_ms, p95: row.boot_p95_ms },
});
