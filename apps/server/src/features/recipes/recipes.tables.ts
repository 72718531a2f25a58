import type { Recipe } from "@terrarium/contract";
import type { Time, WithDefault } from "../../platform/db/columns.ts";

export interface RecipeTable {
  uuid: string;
  name: string;
  description: WithDefault<string>;
  status: Recipe["status"];
  /** Incremented with each change, by a trigger. */
  revision: WithDefault<number>;
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

export interface RecipeTables {
  recipes: RecipeTable;
}
