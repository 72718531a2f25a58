import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** Locks a recipe, then its image, until the transaction ends. */
export async function lockParts(trx: Database, uuid: string): Promise<void> {
  const recipe = trx.selectFrom("recipes").select("os_image_uuid").where("uuid", "=", uuid);
  const image = (await recipe.forUpdate().executeTakeFirst())?.os_image_uuid;
  if (image) await trx.selectFrom("os_images").select("uuid").where("uuid", "=", image).forUpdate().execute();
}

/** An image gets back the layers that it had before. */
export async function restoreLayers(trx: Database, image: string, now: Date): Promise<void> {
  await sql`UPDATE os_images SET layers = previous_layers, previous_layers = NULL, updated_at = ${now}
    WHERE uuid = ${image}`.execute(trx);
}

/** A recipe gets back the image that it had before. */
export async function restoreImage(trx: Database, recipe: string, now: Date): Promise<void> {
  await sql`UPDATE recipes SET os_image_uuid = previous_os_image_uuid, previous_os_image_uuid = NULL, updated_at = ${now}
    WHERE uuid = ${recipe}`.execute(trx);
}
