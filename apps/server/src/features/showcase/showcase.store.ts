import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** The owner's devices that are not over, or ended in an error, the newest first. */
export const listDevices = (db: Database, owner: string) =>
  db
    .selectFrom("instances")
    .select(["uuid", "state", "recipe_uuid", "updated_at", "online_at"])
    .where("owner_uuid", "=", owner)
    .where("state", "<>", "DELETED")
    .orderBy("created_at", "desc")
    .execute();

/** The device, if it is the owner's. */
export const findDevice = (db: Database, owner: string, uuid: string) =>
  db
    .selectFrom("instances")
    .select(["state", "online_at"])
    .where("uuid", "=", uuid)
    .where("owner_uuid", "=", owner)
    .executeTakeFirst();

/** An official recipe by its uuid or its name, or the first one for a simulated phone, with the form of its device. */
export const findRecipe = (db: Database, called: string | undefined) =>
  db
    .selectFrom("recipes")
    .innerJoin("hardware_profiles as profile", "profile.uuid", "recipes.hardware_profile_uuid")
    .innerJoin("os_images as image", "image.uuid", "recipes.os_image_uuid")
    .select([
      "recipes.uuid",
      "image.runtime",
      "profile.form_factor",
      "profile.display_mode",
      "profile.displays",
      "profile.hw_navigation_keys",
    ])
    .where("recipes.is_official", "=", true)
    .where((where) =>
      called === undefined
        ? // Nobody is asked then: a phone that lies on a desk is not for strangers.
          where.and([where("profile.form_factor", "=", "PHONE"), where("image.runtime", "=", "simulator")])
        : where.or([where("recipes.name", "=", called), where(sql<string>`recipes.uuid::text`, "=", called)]),
    )
    .orderBy("recipes.position")
    .limit(1)
    .executeTakeFirst();
