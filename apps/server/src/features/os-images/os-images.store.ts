import type { Arch, Ordering } from "@terrarium/contract";
import type { Insertable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { Reader } from "../catalogue/owned.ts";
import { type OwnedFilter, ownedRows, ownerOf, usableBy } from "../catalogue/owned-rows.store.ts";
import type { OsImageRow } from "./os-image-row.ts";
import type { OsImageTable } from "./os-images.tables.ts";

const usableRow = (db: Database, reader: Reader, uuid: string) =>
  db
    .selectFrom("os_images")
    .selectAll()
    .select(ownerOf("os_images"))
    .where(usableBy(reader, "os_images"))
    .where("uuid", "=", uuid);

export const findOsImage = (db: Database, reader: Reader, uuid: string): Promise<OsImageRow | undefined> =>
  usableRow(db, reader, uuid).executeTakeFirst();

/** As `findOsImage`; whoever changes it, saves into it or makes a recipe of it waits until the transaction ends. */
export const lockOsImage = (trx: Database, reader: Reader, uuid: string): Promise<OsImageRow | undefined> =>
  usableRow(trx, reader, uuid).forUpdate("os_images").executeTakeFirst();

export async function listOsImages(
  db: Database,
  reader: Reader,
  filter: OwnedFilter & { arch?: Arch[] | undefined; ordering: Ordering<"name" | "updated_at">[] },
  { limit, offset }: Window,
): Promise<Rows<OsImageRow>> {
  let query = db.selectFrom("os_images").where(ownedRows(reader, filter, "os_images"));
  if (filter.arch) query = query.where("arch", "in", filter.arch);
  const ordered = filter.ordering.reduce(
    (sorted, { field, descending }) => sorted.orderBy(field, descending ? "desc" : "asc"),
    // Custom images first; official ones keep the order of the catalogue.
    query.orderBy("is_official").orderBy("position"),
  );
  const results = await ordered
    .selectAll()
    .select(ownerOf("os_images"))
    .orderBy("uuid")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}

export async function insertOsImage(trx: Database, row: Insertable<OsImageTable>): Promise<void> {
  await trx.insertInto("os_images").values(row).execute();
}

export async function renameOsImage(trx: Database, uuid: string, name: string, now: Date): Promise<void> {
  await trx.updateTable("os_images").set({ name, updated_at: now }).where("uuid", "=", uuid).execute();
}

/** Recipes made of it lose it, by their foreign key. */
export async function deleteOsImageRow(trx: Database, uuid: string): Promise<void> {
  await trx.deleteFrom("os_images").where("uuid", "=", uuid).execute();
}
