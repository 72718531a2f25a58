import { endedStates, type InstanceState } from "@terrarium/contract";
import { type Insertable, sql } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";

export async function insertOwner(db: Database, row: Insertable<Schema["users"]>): Promise<void> {
  await db
    .insertInto("users")
    .values(row)
    // Of its uuid or of its address: whoever else adds it at this moment adds the same.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

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

/** Deletes the owner's devices that ended before a time, and their history: nobody is billed for them. */
export async function deleteEnded(db: Database, owner: string, before: Date): Promise<void> {
  const states: readonly InstanceState[] = endedStates;
  await db
    .deleteFrom("instances")
    .where("owner_uuid", "=", owner)
    .where("state", "in", states)
    .where("ended_at", "<", before)
    .execute();
}

/** An official recipe by its uuid or its name, or the first one for a phone, with the form of its device. */
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
        ? where("profile.form_factor", "=", "PHONE")
        : where.or([where("recipes.name", "=", called), where(sql<string>`recipes.uuid::text`, "=", called)]),
    )
    .orderBy("recipes.position")
    .limit(1)
    .executeTakeFirst();
