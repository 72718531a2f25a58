import type { Recipe } from "@terrarium/contract";
import type { JSONColumnType } from "kysely";
import type { Time, WithDefault } from "../../platform/db/columns.ts";

export interface RecipeTable {
  uuid: string;
  name: string;
  description: WithDefault<string>;
  status: Recipe["status"];
  /** Incremented with each change, by a trigger. */
  revision: WithDefault<number>;
  /** The revision of the last change of the recipe itself; later ones are of its share. */
  edited_revision: WithDefault<number>;
  is_official: boolean;
  owner_uuid: string | null;
  organization_uuid: string | null;
  hardware_profile_uuid: string | null;
  os_image_uuid: string | null;
  /** The image before the last save, if that gave it a new one, for going back to. */
  previous_os_image_uuid: WithDefault<string | null>;
  position: WithDefault<number>;
  created_at: Time;
  updated_at: Time;
}

/** Who can no longer use a recipe that they could use, and since when. */
export interface RecipeGoneTable {
  at: Time;
  /** A `ChangedRow` of the catalogue. */
  change: JSONColumnType<object>;
}

declare module "../../database/schema.ts" {
  interface Schema {
    recipes: RecipeTable;
    recipes_gone: RecipeGoneTable;
  }
}
