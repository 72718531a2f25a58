import type { FormFactor, Ordering } from "@terrarium/contract";
import { type Insertable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { Reader } from "../catalogue/owned.ts";
import { type OwnedFilter, ownedRows, ownerOf, readOwnedPage, usableBy } from "../catalogue/owned-rows.store.ts";
import type { HardwareProfileRow } from "./hardware-profile-row.ts";
import type { HardwareProfileTable } from "./hardware-profiles.tables.ts";

export interface HardwareProfileFilter extends OwnedFilter {
  ordering: Ordering<"name" | "updated_at">[];
}

const shownRows = (db: Database) => db.selectFrom("hardware_profiles").selectAll().select(ownerOf("hardware_profiles"));

const usableRow = (db: Database, reader: Reader, uuid: string) =>
  shownRows(db).where(usableBy(reader, "hardware_profiles")).where("uuid", "=", uuid);

export const findHardwareProfile = (
  db: Database,
  reader: Reader,
  uuid: string,
): Promise<HardwareProfileRow | undefined> => usableRow(db, reader, uuid).executeTakeFirst();

/** As `findHardwareProfile`; whoever changes it, or makes a recipe of it, waits until the transaction ends. */
export const lockHardwareProfile = (
  trx: Database,
  reader: Reader,
  uuid: string,
): Promise<HardwareProfileRow | undefined> =>
  usableRow(trx, reader, uuid).forUpdate("hardware_profiles").executeTakeFirst();

export function listHardwareProfiles(
  db: Database,
  reader: Reader,
  filter: HardwareProfileFilter,
  window: Window,
): Promise<Rows<HardwareProfileRow>> {
  const found = db.selectFrom("hardware_profiles").where(ownedRows(reader, filter, "hardware_profiles"));
  return readOwnedPage("hardware_profiles", { found, shown: shownRows(db) }, filter.ordering, window);
}

/** A recipe of the profile whose image does not support a form factor, if there is one. */
export const findUnfitRecipe = (db: Database, profile: string, formFactor: FormFactor) =>
  db
    .selectFrom("recipes")
    .innerJoin("os_images", "os_images.uuid", "recipes.os_image_uuid")
    .select("recipes.uuid")
    .where("recipes.hardware_profile_uuid", "=", profile)
    .where(sql<boolean>`NOT ${formFactor} = ANY (os_images.form_factors)`)
    .executeTakeFirst();

export async function insertHardwareProfile(db: Database, row: Insertable<HardwareProfileTable>): Promise<void> {
  await db.insertInto("hardware_profiles").values(row).execute();
}

export async function updateHardwareProfile(
  trx: Database,
  uuid: string,
  columns: Updateable<HardwareProfileTable>,
): Promise<void> {
  await trx.updateTable("hardware_profiles").set(columns).where("uuid", "=", uuid).execute();
}

/** Recipes made of it lose it, by their foreign key. */
export async function deleteHardwareProfileRow(trx: Database, uuid: string): Promise<void> {
  await trx.deleteFrom("hardware_profiles").where("uuid", "=", uuid).execute();
}
