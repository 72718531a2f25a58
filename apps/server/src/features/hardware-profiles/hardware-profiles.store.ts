import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { Reader } from "../catalogue/owned.ts";
import { type OwnedFilter, ownedRows, ownerOf, usableBy } from "../catalogue/owned-rows.store.ts";
import type { HardwareProfileRow } from "./hardware-profile-row.ts";

export const findHardwareProfile = (
  db: Database,
  reader: Reader,
  uuid: string,
): Promise<HardwareProfileRow | undefined> =>
  db
    .selectFrom("hardware_profiles")
    .selectAll()
    .select(ownerOf("hardware_profiles"))
    .where(usableBy(reader, "hardware_profiles"))
    .where("uuid", "=", uuid)
    .executeTakeFirst();

export async function listHardwareProfiles(
  db: Database,
  reader: Reader,
  filter: OwnedFilter,
  { limit, offset }: Window,
): Promise<Rows<HardwareProfileRow>> {
  const query = db.selectFrom("hardware_profiles").where(ownedRows(reader, filter, "hardware_profiles"));
  const results = await query
    .selectAll()
    .select(ownerOf("hardware_profiles"))
    .orderBy("is_official")
    .orderBy("position")
    .orderBy("name")
    .orderBy("uuid")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}
