import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { type ChangedRow, EVERY_MEMBER } from "./catalogue-change.ts";

/** Since a time: for whom recipes are gone, and then the OS images and recipes that were changed. */
export async function listCatalogueChanges(db: Database, time: Date): Promise<ChangedRow[]> {
  const changed = async (table: ChangedRow["table"], alsoTo = sql<string[]>`'{}'::text[]`) => {
    const rows = await db
      .selectFrom(table)
      .select(["uuid", "status", "revision"])
      .select(sql<string[]>`coalesce(organization_uuid::text, ${EVERY_MEMBER}) || ${alsoTo}`.as("recipients"))
      .where("updated_at", ">=", time)
      .execute();
    return rows.map((row) => ({ table, ...row }));
  };
  const sharedWith = sql<string[]>`ARRAY(SELECT coalesce(share.user_uuid, share.organization_uuid)::text
    FROM share_recipients AS share WHERE share.recipe_uuid = recipes.uuid)`;
  const gone = await db.selectFrom("recipes_gone").select("change").where("at", ">=", time).orderBy("at").execute();
  return [
    ...gone.map(({ change }) => change as ChangedRow),
    ...(await changed("os_images")),
    ...(await changed("recipes", sharedWith)),
  ];
}

export async function deleteGoneBefore(db: Database, time: Date): Promise<void> {
  await db.deleteFrom("recipes_gone").where("at", "<", time).execute();
}
