import type { Arch, Ordering } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { Reader } from "../catalogue/owned.ts";
import { type OwnedFilter, ownedRows, ownerOf, readOwnedPage, usableBy } from "../catalogue/owned-rows.store.ts";
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
  "saved_size",
  "checksum",
  "boot_p50_ms",
  "boot_p95_ms",
  sql<boolean>`previous_layers IS NOT NULL`.as("has_previous_layers"),
] as const;

const shownRows = (db: Database) => db.selectFrom("os_images").select(osImageColumns).select(ownerOf("os_images"));

const usableRow = (db: Database, reader: Reader, uuid: string) =>
  shownRows(db).where(usableBy(reader, "os_images")).where("uuid", "=", uuid);

export const findOsImage = (db: Database, reader: Reader, uuid: string): Promise<OsImageRow | undefined> =>
  usableRow(db, reader, uuid).executeTakeFirst();

/** As `findOsImage`; whoever changes it, saves into it or makes a recipe of it waits until the transaction ends. */
export const lockOsImage = (trx: Database, reader: Reader, uuid: string): Promise<OsImageRow | undefined> =>
  usableRow(trx, reader, uuid).forUpdate("os_images").executeTakeFirst();

export function listOsImages(
  db: Database,
  reader: Reader,
  filter: OwnedFilter & { arch?: Arch[] | undefined; ordering: Ordering<"name" | "updated_at">[] },
  window: Window,
): Promise<Rows<OsImageRow>> {
  let found = db.selectFrom("os_images").where(ownedRows(reader, filter, "os_images"));
  if (filter.arch) found = found.where("arch", "in", filter.arch);
  return readOwnedPage("os_images", { found, shown: shownRows(db) }, filter.ordering, window);
}

interface Copy {
  uuid: string;
  name: string;
  owner: { uuid: string; organization: string };
  now: Date;
}

/** Inserts a copy of an image with its layers, which may be megabytes and stay in the database. */
export async function copyOsImage(trx: Database, original: string, { uuid, name, owner, now }: Copy): Promise<void> {
  await sql`INSERT INTO os_images (uuid, name, is_official, owner_uuid, organization_uuid, status, created_at, updated_at,
      is_beta, arch, os_version, sdk_version, image_version, form_factors, runtime, artefact, layers)
    SELECT ${uuid}, ${name}, false, ${owner.uuid}::uuid, ${owner.organization}::uuid, 'READY', ${now}, ${now},
      is_beta, arch, os_version, sdk_version, image_version, form_factors, runtime, artefact, layers
    FROM os_images WHERE uuid = ${original}`.execute(trx);
}

export async function renameOsImage(trx: Database, uuid: string, name: string, now: Date): Promise<void> {
  await trx.updateTable("os_images").set({ name, updated_at: now }).where("uuid", "=", uuid).execute();
}

/** Recipes made of it lose it, by their foreign key. */
export async function deleteOsImageRow(trx: Database, uuid: string): Promise<void> {
  await trx.deleteFrom("os_images").where("uuid", "=", uuid).execute();
}

/** The saved state that devices of an image start from; undefined if the image is gone. */
export const findLayers = async (db: Database, image: string) =>
  (await db.selectFrom("os_images").select("layers").where("uuid", "=", image).executeTakeFirst())?.layers;

const officialImages = (db: Database) =>
  db.selectFrom("os_images").select(osImageColumns).where("is_official", "=", true).orderBy("position").orderBy("name");

export const listOfficialImages = (db: Database) => officialImages(db).execute();

/** Those with this identifier, or this name. */
export const lockOfficialImages = (trx: Database, called: string) =>
  officialImages(trx)
    .where((eb) => eb.or([eb("name", "=", called), eb(eb.cast<string>("uuid", "text"), "=", called.toLowerCase())]))
    .forUpdate()
    .execute();

export async function setChecksum(trx: Database, uuid: string, checksum: string | null): Promise<void> {
  await trx.updateTable("os_images").set({ checksum }).where("uuid", "=", uuid).execute();
}

/** Where devices of an artefact can run; everywhere without zones. */
export async function setImageZones(
  trx: Database,
  { runtime, artefact, zones }: { runtime: string; artefact: string; zones: string[] | undefined },
): Promise<void> {
  await trx.deleteFrom("image_zones").where("runtime", "=", runtime).where("artefact", "=", artefact).execute();
  if (zones) await trx.insertInto("image_zones").values({ runtime, artefact, zones }).execute();
}

/** The zones that alone have an artefact; undefined if all do. */
export const findImageZones = async (
  db: Database,
  { runtime, artefact }: { runtime: string; artefact: string },
): Promise<string[] | undefined> => {
  const found = db.selectFrom("image_zones").select("zones").where("runtime", "=", runtime);
  return (await found.where("artefact", "=", artefact).executeTakeFirst())?.zones;
};

/** Those made with it, and those that can go back to it. */
export async function countRecipesOf(db: Database, image: string): Promise<number> {
  const count = db.selectFrom("recipes").select((eb) => eb.fn.countAll<number>().as("count"));
  const uses = count.where((eb) => eb.or([eb("os_image_uuid", "=", image), eb("previous_os_image_uuid", "=", image)]));
  return (await uses.executeTakeFirstOrThrow()).count;
}
