import type { Arch, Person } from "@terrarium/contract";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { Reader } from "../catalogue/owned.ts";
import {
  type OwnedFilter,
  ownedRows,
  ownerOf,
  ownerOfPart,
  readOwnedPage,
  usableBy,
} from "../catalogue/owned-rows.store.ts";
import type { HardwareProfileRow } from "../hardware-profiles/hardware-profile-row.ts";
import type { OsImageRow } from "../os-images/os-image-row.ts";
import { osImageColumns } from "../os-images/os-images.store.ts";
import { isSharedByName, type ShareOfRecipe, shareOfRecipe } from "../shares/share-of-recipe.store.ts";
import type { RecipeTable } from "./recipes.tables.ts";

/** A recipe with what it is made of; a part that was deleted is null. */
export interface RecipeRow extends Selectable<RecipeTable> {
  owner: Person | null;
  hardware_profile: HardwareProfileRow | null;
  os_image: OsImageRow | null;
  /** Null if it is shared with nobody. */
  share: ShareOfRecipe | null;
  /** Whether it is shared with the reader by name. */
  is_shared_by_name: boolean;
}

export interface RecipeFilter extends OwnedFilter {
  arch?: Arch[] | undefined;
  formFactors?: string[] | undefined;
  os_image_uuid?: string | undefined;
}

const withParts = (db: Database, reader: Reader) =>
  db
    .selectFrom("recipes")
    .selectAll("recipes")
    .select((select) => [
      ownerOf("recipes"),
      jsonObjectFrom(
        select
          .selectFrom("hardware_profiles as part")
          .selectAll()
          .select(ownerOfPart(reader))
          .whereRef("part.uuid", "=", "recipes.hardware_profile_uuid"),
      ).as("hardware_profile"),
      jsonObjectFrom(
        select
          .selectFrom("os_images as part")
          .select(osImageColumns)
          .select(ownerOfPart(reader))
          .whereRef("part.uuid", "=", "recipes.os_image_uuid"),
      ).as("os_image"),
      shareOfRecipe(),
      isSharedByName(reader),
    ]);

export const findRecipe = (db: Database, reader: Reader, uuid: string): Promise<RecipeRow | undefined> =>
  withParts(db, reader).where(usableBy(reader, "recipes")).where("recipes.uuid", "=", uuid).executeTakeFirst();

/**
 * As `findRecipe`; whoever changes the recipe waits until the transaction ends. It is read by a second statement: one that waits for the
 * lock goes on with the recipients and parts of before the wait, and the reader's rights may have ended meanwhile.
 */
export async function lockRecipe(trx: Database, reader: Reader, uuid: string): Promise<RecipeRow | undefined> {
  await trx.selectFrom("recipes").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
  return findRecipe(trx, reader, uuid);
}

/** Until the transaction ends, nobody deletes these parts. */
export async function holdParts(trx: Database, parts: { hardware_profile_uuid: string; os_image_uuid: string }) {
  const { hardware_profile_uuid, os_image_uuid } = parts;
  await trx
    .selectFrom("hardware_profiles")
    .select("uuid")
    .where("uuid", "=", hardware_profile_uuid)
    .forKeyShare()
    .execute();
  await trx.selectFrom("os_images").select("uuid").where("uuid", "=", os_image_uuid).forKeyShare().execute();
}

export function listRecipes(
  db: Database,
  reader: Reader,
  filter: RecipeFilter,
  window: Window,
): Promise<Rows<RecipeRow>> {
  const { arch, formFactors, os_image_uuid: image } = filter;
  let query = db.selectFrom("recipes").where(ownedRows(reader, filter, "recipes"));
  if (image) query = query.where("recipes.os_image_uuid", "=", image);
  if (arch)
    query = query.where("recipes.os_image_uuid", "in", (select) =>
      select.selectFrom("os_images").select("os_images.uuid").where("os_images.arch", "in", arch),
    );
  if (formFactors)
    query = query.where("recipes.hardware_profile_uuid", "in", (select) =>
      select.selectFrom("hardware_profiles").select("hardware_profiles.uuid").where(formFactorOf, "in", formFactors),
    );
  const byName = [{ field: "name", descending: false }] as const;
  return readOwnedPage("recipes", { found: query, shown: withParts(db, reader) }, byName, window);
}

/** The recipes that have both parts: official ones, or those of the reader's organization and what is shared with them. */
export const listComplete = (db: Database, reader: Reader, source: "official" | "custom", limit: number) =>
  db
    .selectFrom("recipes")
    .select(["uuid", "name"])
    .where(ownedRows(reader, { source }, "recipes"))
    .where("hardware_profile_uuid", "is not", null)
    .where("os_image_uuid", "is not", null)
    .orderBy("position")
    .orderBy("name")
    .orderBy("uuid")
    .limit(limit)
    .execute();

export async function insertRecipe(trx: Database, row: Insertable<RecipeTable>): Promise<void> {
  await trx.insertInto("recipes").values(row).execute();
}

export async function updateRecipe(trx: Database, uuid: string, fields: Updateable<RecipeTable>): Promise<void> {
  await trx.updateTable("recipes").set(fields).where("uuid", "=", uuid).execute();
}

/** Deletes a part that no recipe uses. Returns false if one does; no other can begin to meanwhile. */
export async function deleteUnusedPart(trx: Database, part: "hardware_profile" | "os_image", uuid: string) {
  const table = `${part}s` as const;
  await trx.selectFrom(table).select("uuid").where("uuid", "=", uuid).forUpdate().execute();
  const user = await trx
    .selectFrom("recipes")
    .select("uuid")
    .where(`${part}_uuid`, "=", uuid)
    .limit(1)
    .executeTakeFirst();
  if (user) return false;
  await trx.deleteFrom(table).where("uuid", "=", uuid).execute();
  return true;
}

export async function deleteRecipeRow(trx: Database, uuid: string): Promise<void> {
  await trx.deleteFrom("recipes").where("uuid", "=", uuid).execute();
}

/** A foldable is a phone to its image, but not to whoever looks for one. */
const formFactorOf = sql<string>`CASE hardware_profiles.display_mode WHEN 'FOLDABLE' THEN 'FOLDABLE' ELSE hardware_profiles.form_factor END`;
