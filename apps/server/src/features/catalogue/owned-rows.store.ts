import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Schema } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";
import type { OwnedTable, Reader } from "./owned.ts";

export interface OwnedFilter {
  search?: string | undefined;
  /** `custom` and `shared` are all that is not official: one's own and what was shared. */
  source: "all" | "official" | "owner" | "shared" | "custom";
}

/** The rows that somebody may use: the official ones and those of their organization. */
export function usableBy({ organization }: Reader, table: OwnedTable): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, OwnedTable>();
  if (organization === null) return eb.lit(false);
  // Official rows are those without an organization: so both kinds are found by one index.
  return eb.or([eb(`${table}.organization_uuid`, "is", null), eb(`${table}.organization_uuid`, "=", organization)]);
}

/** The rows of a list: what its reader may use, from the wanted source, whose name or identifier is searched for. */
export function ownedRows(reader: Reader, { search, source }: OwnedFilter, table: OwnedTable) {
  const eb = expressionBuilder<Schema, OwnedTable>();
  const conditions = [usableBy(reader, table)];
  if (source !== "all") conditions.push(eb(`${table}.is_official`, "=", source === "official"));
  if (source === "owner") conditions.push(eb(`${table}.owner_uuid`, "=", reader.uuid));
  if (search)
    conditions.push(
      eb.or([
        eb(`${table}.name`, "ilike", `%${likeText(search)}%`),
        // Command-line clients look one row up by its identifier.
        eb(eb.cast<string>(`${table}.uuid`, "text"), "=", search.toLowerCase()),
      ]),
    );
  return eb.and(conditions);
}

/** The column `owner`: who a row belongs to, or null. `table` is the table's name or alias in the query. */
export function ownerOf(table: OwnedTable | "part") {
  const eb = expressionBuilder<Schema & { part: Schema[OwnedTable] }, OwnedTable | "part">();
  return jsonObjectFrom(
    eb
      .selectFrom("users as owner")
      .select(["owner.uuid", "owner.email", "owner.first_name", "owner.last_name"])
      .whereRef("owner.uuid", "=", `${table}.owner_uuid`),
  ).as("owner");
}
