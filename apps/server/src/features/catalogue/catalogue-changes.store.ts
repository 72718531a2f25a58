import type { Database } from "../../database/schema.ts";
import type { ChangedRow } from "./catalogue.topic.ts";

/** The OS images and recipes that were changed since a time, in this order. */
export async function listCatalogueChanges(db: Database, time: Date): Promise<ChangedRow[]> {
  const changed = async (table: ChangedRow["table"]) => {
    const rows = await db
      .selectFrom(table)
      .select(["uuid", "status", "revision", "organization_uuid"])
      .where("updated_at", ">=", time)
      .execute();
    return rows.map((row) => ({ table, ...row }));
  };
  return [...(await changed("os_images")), ...(await changed("recipes"))];
}
