import type { Arch, Person } from "@terrarium/contract";
import { type Selectable, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { Reader } from "../catalogue/owned.ts";
import { type OwnedFilter, ownedRows, ownerOf, usableBy } from "../catalogue/owned-rows.store.ts";
import type { HardwareProfileRow } from "../hardware-profiles/hardware-profile-row.ts";
import type { OsImageRow } from "../os-images/os-image-row.ts";
import type { RecipeTable } from "./recipes.tables.ts";

/** A recipe with what it is made of. */
export interface RecipeRow extends Selectable<RecipeTable> {
  owner: Person | null;
  hardware_profile: HardwareProfileRow;
  os_image: OsImageRow;
}

export interface RecipeFilter extends OwnedFilter {
  arch?: Arch[] | undefined;
  formFactors?: string[] | undefined;
}

/** Recipes that have both their parts: one that lost a part can be neither shown nor started. */
const wholeRecipes = (db: Database) =>
  db
    .selectFrom("recipes")
    .innerJoin("hardware_profiles", "hardware_profiles.uuid", "recipes.hardware_profile_uuid")
    .innerJoin("os_images", "os_images.uuid", "recipes.os_image_uuid");

const withParts = (query: ReturnType<typeof wholeRecipes>) =>
  query.selectAll("recipes").select((select) => [
    ownerOf("recipes"),
    jsonObjectFrom(
      select
        .selectFrom("hardware_profiles as part")
        .selectAll()
        .select(ownerOf("part"))
        .whereRef("part.uuid", "=", "recipes.hardware_profile_uuid"),
    )
      .$notNull()
      .as("hardware_profile"),
    jsonObjectFrom(
      select
        .selectFrom("os_images as part")
        .selectAll()
        .select(ownerOf("part"))
        .whereRef("part.uuid", "=", "recipes.os_image_uuid"),
    )
      .$notNull()
      .as("os_image"),
  ]);

export const findRecipe = (db: Database, reader: Reader, uuid: string): Promise<RecipeRow | undefined> =>
  withParts(wholeRecipes(db)).where(usableBy(reader, "recipes")).where("recipes.uuid", "=", uuid).executeTakeFirst();

export async function listRecipes(
  db: Database,
  reader: Reader,
  filter: RecipeFilter,
  { limit, offset }: Window,
): Promise<Rows<RecipeRow>> {
  const { arch, formFactors } = filter;
  let query = wholeRecipes(db).where(ownedRows(reader, filter, "recipes"));
  if (arch) query = query.where("os_images.arch", "in", arch);
  if (formFactors) query = query.where(formFactorOf, "in", formFactors);
  const results = await withParts(query)
    .orderBy("recipes.is_official")
    .orderBy("recipes.position")
    .orderBy("recipes.name")
    .orderBy("recipes.uuid")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}

/** A foldable is a phone to its image, but not to whoever looks for one. */
const formFactorOf = sql<string>`CASE hardware_profiles.display_mode WHEN 'FOLDABLE' THEN 'FOLDABLE' ELSE hardware_profiles.form_factor END`;
