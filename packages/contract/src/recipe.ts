import { z } from "zod";
import { Arch, Time, Uuid } from "./fields.ts";
import { HardwareProfile } from "./hardware-profiles.ts";
import { OsImage, Status } from "./os-images.ts";
import { Person } from "./users.ts";

/** What a person is to a recipe that is not official. */
export const recipeRights = ["owner", "collaborator", "organization", "guest"] as const;
export type RecipeRight = (typeof recipeRights)[number];

/** What can be done with a recipe. `save`: to save a device into it. */
export const recipeActions = ["start", "duplicate", "edit", "share", "save", "roll_back", "delete"] as const;
export type RecipeAction = (typeof recipeActions)[number];

export const Recipe = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  status: Status,
  /** Incremented with each change, so that one can see which of two versions is newer. */
  revision: z.int(),
  source: z.enum(["DEFAULT", "CUSTOM"]),
  is_official: z.boolean(),
  /** That of its OS image. */
  arch: Arch.nullable(),
  owner: Person.nullable(),
  /**
   * What the caller is to it, null for official recipes. `collaborator`: it is shared with them by name, and they belong to an
   * organization. `guest`: it is shared with them, and they belong to none.
   */
  right: z.enum(recipeRights).nullable(),
  /** What the caller may do with it. Whether it can be done now, such as during a save, is another matter. */
  actions: z.array(z.enum(recipeActions)),
  /** Null if it is shared with nobody. */
  share: z.object({ uuid: Uuid, shared_by: Person.nullable(), message: z.string(), created_at: Time }).nullable(),
  /** Null after it was deleted: the recipe is incomplete, and cannot be started. */
  hardware_profile: HardwareProfile.nullable(),
  /** Null after it was deleted, as the hardware profile. */
  os_image: OsImage.nullable(),
  /** Whether there is a state from before the last save, and nothing is being saved. */
  can_roll_back: z.boolean(),
  created_at: Time,
  updated_at: Time,
});
export type Recipe = z.infer<typeof Recipe>;
