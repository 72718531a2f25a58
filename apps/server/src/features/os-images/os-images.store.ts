import type { Arch, Ordering } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { Reader } from "../catalogue/owned.ts";
import { type OwnedFilter, ownedRows, ownerOf, usableBy } from "../catalogue/owned-rows.store.ts";
import type { OsImageRow } from "./os-image-row.ts";

/** The columns of an `OsImageRow` that are not its owner. */
export const osImageColumns = [
  "uuid",
  "name",
  "is_official",
  "is_beta",
  "owner_uuid",
  "organization_uuid",
  "status",
  "revision",
  "arch",
  "os_version",
  "sdk_version",
  "image_version",
  "form_factors",
  "runtime",
  "artefact",
  sql<boolean>`previous_layers IS NOT NULL`.as("has_previous_layers"),
] as const;

export const findOsImage = (db: Database, reader: Reader, uuid: string): Promise<OsImageRow | undefined> =>
  db
    .selectFrom("os_images")
    .select(osImageColumns)
    .select(ownerOf("os_images"))
    .where(usableBy(reader, "os_images"))
    .where("uuid", "=", uuid)
    .executeTakeFirst();

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
    .select(osImageColumns)
    .select(ownerOf("os_images"))
    .orderBy("uuid")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}
