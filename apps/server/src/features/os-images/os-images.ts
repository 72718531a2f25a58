import { type Arch, type OsImage } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { checkKnown, type Reader } from "../catalogue/owned.ts";
import { withRecipeCount, withRecipeCounts } from "../catalogue/recipe-counts.ts";
import type { OsImageRow } from "./os-image-row.ts";
import { findOsImage } from "./os-images.store.ts";

/** An official OS image, or one of the reader's organization; any other is unknown. */
export async function getOsImage(db: Database, reader: Reader, uuid: string): Promise<OsImageRow> {
  const row = await findOsImage(db, reader, uuid);
  checkKnown("os_images", row);
  return row;
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
  runtime: row.runtime,
  is_runtime_configured: runtimes.has(row.runtime),
});
