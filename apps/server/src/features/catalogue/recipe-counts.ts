import type { Database } from "../../database/schema.ts";
import type { Reader } from "./owned.ts";
import { countRecipes, type Part } from "./recipe-counts.store.ts";

/** Hardware profiles or OS images, with how many recipes that the reader may use are made with each. */
export async function withRecipeCounts<Row extends { uuid: string }>(
  db: Database,
  reader: Reader,
  part: Part,
  rows: readonly Row[],
): Promise<(Row & { recipe_count: number })[]> {
  const counts = await countRecipes(
    db,
    reader,
    part,
    rows.map(({ uuid }) => uuid),
  );
  return rows.map((row) => ({ ...row, recipe_count: counts.get(row.uuid) ?? 0 }));
}

/** As `withRecipeCounts`, of one. */
export const withRecipeCount = async <Row extends { uuid: string }>(
  db: Database,
  reader: Reader,
  part: Part,
  row: Row,
): Promise<Row & { recipe_count: number }> => ({
  ...row,
  recipe_count: (await countRecipes(db, reader, part, [row.uuid])).get(row.uuid) ?? 0,
});
