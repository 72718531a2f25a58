import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { CatalogueRows } from "./catalogue.ts";

/** Inserts what is new and overwrites what is known; rows that the files no longer name stay for the devices made of them. */
export const upsertCatalogue = (db: Database, rows: CatalogueRows): Promise<void> =>
  transaction(db, (trx) => upsertRows(trx, rows));

/** The same in a transaction of the caller's. */
export async function upsertRows(trx: Database, { profiles, images, recipes }: CatalogueRows): Promise<void> {
  for (const [table, rows] of [
    ["hardware_profiles", profiles],
    ["os_images", images],
    ["recipes", recipes],
  ] as const) {
    if (rows.length === 0) continue;
    const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== "uuid" && column !== "created_at");
    await trx
      .insertInto(table)
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column("uuid")
          .doUpdateSet((set) =>
            Object.fromEntries(columns.map((column) => [column, set.ref(`excluded.${column}` as never)])),
          ),
      )
      .execute();
  }
}
