import type { Person } from "@terrarium/contract";
import { expressionBuilder, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Schema } from "../../database/schema.ts";
import type { Reader } from "../catalogue/owned.ts";

/** That a recipe is shared, as JSON has it. */
export interface ShareOfRecipe {
  uuid: string;
  message: string;
  created_at: string;
  shared_by: Person | null;
}

/** The column `share` of a recipe: null if it is shared with nobody. */
export const shareOfRecipe = () =>
  jsonObjectFrom(
    expressionBuilder<Schema, "recipes">()
      .selectFrom("shares as share")
      .select((share) => [
        "share.uuid",
        "share.message",
        sql<string>`share.created_at`.as("created_at"),
        jsonObjectFrom(
          share
            .selectFrom("users as sharer")
            .select(["sharer.uuid", "sharer.email", "sharer.first_name", "sharer.last_name"])
            .whereRef("sharer.uuid", "=", "share.shared_by"),
        ).as("shared_by"),
      ])
      .whereRef("share.recipe_uuid", "=", "recipes.uuid"),
  ).as("share");

/** The column `is_shared_by_name` of a recipe. */
export const isSharedByName = ({ uuid }: Reader) =>
  sql<boolean>`EXISTS (SELECT FROM share_recipients WHERE recipe_uuid = recipes.uuid AND user_uuid = ${uuid})`.as(
    "is_shared_by_name",
  );
