import { type Selectable, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Database } from "../../database/schema.ts";
import type { RecipeTable } from "./recipes.tables.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { HardwareProfileRow } from "../hardware-profiles/hardware-profile-row.ts";
import type { OsImageRow } from "../os-images/os-image-row.ts";
import { likeText } from "../../platform/db/like-text.ts";

/** A recipe with what it is made of; either part is null when it was deleted. */
export interface RecipeRow extends Selectable<RecipeTable> {
  hardware_profile: HardwareProfileRow | null;
  os_image: OsImageRow | null;
}

export interface RecipeFilter {
  /** Undefined for a guest, who sees what was shared only. */
  organization: string | undefined;
  search?: string | undefined;
  source: "all" | "official" | "shared" | "custom";
  arch?: OsImageRow["arch"][] | undefined;
  formFactors?: string[] | undefined;
}

/** Recipes an organisation may use: the official ones and its own. */
const recipesFor = (db: Database, organization: string | undefined) =>
  db
    .selectFrom("recipes")
    .innerJoin("hardware_profiles", "hardware_profiles.uuid", "recipes.hardware_profile_uuid")
    .innerJoin("os_images", "os_images.uuid", "recipes.os_image_uuid")
    .where((where) =>
      organization === undefined
        ? where.lit(false)
        : where.or([where("recipes.is_official", "=", true), where("recipes.organization_uuid", "=", organization)]),
    );

const withParts = (query: ReturnType<typeof recipesFor>) =>
  query
    .selectAll("recipes")
    .select((select) => [
      jsonObjectFrom(
        select
          .selectFrom("hardware_profiles as part")
          .selectAll()
          .whereRef("part.uuid", "=", "recipes.hardware_profile_uuid"),
      ).as("hardware_profile"),
      jsonObjectFrom(
        select.selectFrom("os_images as part").selectAll().whereRef("part.uuid", "=", "recipes.os_image_uuid"),
      ).as("os_image"),
    ]);

export async function findRecipe(
  db: Database,
  organization: string | undefined,
  uuid: string,
): Promise<RecipeRow | undefined> {
  return await withParts(recipesFor(db, organization)).where("recipes.uuid", "=", uuid).executeTakeFirst();
}

export async function listRecipes(
  db: Database,
  filter: RecipeFilter,
  { limit, offset }: Window,
): Promise<Rows<RecipeRow>> {
  let query = recipesFor(db, filter.organization);
  const { search, source, arch, formFactors } = filter;
  if (search) {
    const like = `%${likeText(search)}%`;
    // An identifier is a search term too: command-line clients look one recipe up this way.
    query = query.where((where) =>
      where.or([
        where("recipes.name", "ilike", like),
        where(where.cast<string>("recipes.uuid", "text"), "=", search.toLowerCase()),
      ]),
    );
  }
  if (source === "official") query = query.where("recipes.is_official", "=", true);
  if (source === "shared" || source === "custom") query = query.where("recipes.is_official", "=", false);
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
  return { count, results: results as unknown as RecipeRow[] };
}

/** A foldable is a phone to its image, but not to whoever looks for one. */
const formFactorOf = sql<string>`CASE hardware_profiles.display_mode WHEN 'FOLDABLE' THEN 'FOLDABLE' ELSE hardware_profiles.form_factor END`;
