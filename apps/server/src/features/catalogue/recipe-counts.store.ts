import type { Database } from "../../database/schema.ts";
import type { Reader } from "./owned.ts";
import { usableBy } from "./owned-rows.store.ts";

export type Part = "hardware_profile_uuid" | "os_image_uuid";

/** How many of the recipes that the reader may use are made with each of these parts. Those of others are not counted. */
export async function countRecipes(
  db: Database,
  reader: Reader,
  part: Part,
  uuids: readonly string[],
): Promise<Map<string, number>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom("recipes")
    .select([part, (select) => select.fn.countAll<number>().as("count")])
    .where(part, "in", uuids)
    .where(usableBy(reader, "recipes"))
    .groupBy(part)
    .execute();
  return new Map(rows.map((row) => [row[part] ?? "", row.count]));
}
