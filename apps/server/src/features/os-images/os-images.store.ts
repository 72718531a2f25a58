import type { OsImageRow } from "./os-image-row.ts";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { OwnedFilter } from "../catalogue/owned-filter.ts";
import { likeText } from "../../platform/db/like-text.ts";

/** What an organisation may use: the official ones and its own. */
export const osImagesFor = (db: Database, organization: string) =>
  db
    .selectFrom("os_images")
    .where((where) => where.or([where("is_official", "=", true), where("organization_uuid", "=", organization)]));

export async function listOsImages(
  db: Database,
  filter: OwnedFilter & { arch?: OsImageRow["arch"][] | undefined },
  { limit, offset }: Window,
): Promise<Rows<OsImageRow>> {
  let query = osImagesFor(db, filter.organization);
  if (filter.search) query = query.where("name", "ilike", `%${likeText(filter.search)}%`);
  if (filter.arch) query = query.where("arch", "in", filter.arch);
  if (filter.source === "official") query = query.where("is_official", "=", true);
  if (filter.source === "custom") query = query.where("is_official", "=", false);
  if (filter.source === "owner") query = query.where("owner_uuid", "=", filter.owner);
  const results = await query
    .selectAll()
    .orderBy("is_official")
    .orderBy("position")
    .orderBy("name")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}
