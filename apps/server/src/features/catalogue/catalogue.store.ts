import type { Kysely } from "kysely";
import type { Schema } from "../../platform/db/schema.ts";
import type { CatalogueRows } from "./catalogue.ts";

/** Inserts what is new and overwrites what is known; rows that the files no longer name stay for the devices made of them. */
export async function keepCatalogue(db: Kysely<Schema>, { profiles, images, recipes }: CatalogueRows): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const [table, rows] of [
      ["hardware_profiles", profiles],
      ["os_images", images],
      ["recipes", recipes],
    ] as const) {
      if (rows.length === 0) continue;
      const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== "uuid" && column !== "created_at");
      await trx
        .insertInto(table)
        .values(rows as never)
        .onConflict((conflict) =>
          conflict
            .column("uuid")
            .doUpdateSet(
              (set) =>
                Object.fromEntries(columns.map((column) => [column, set.ref(`excluded.${column}` as never)])) as never,
            ),
        )
        .execute();
    }
  });
}
