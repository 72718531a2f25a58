import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";

/** The tables whose rows are official or belong to somebody of an organization. */
type OwnedTable = "hardware_profiles" | "os_images" | "recipes";

export interface OwnedFilter {
  /** Null for a guest, who sees only what is shared with them: nothing yet. */
  organization: string | null;
  owner: string;
  search?: string | undefined;
  /** `custom` and `shared` are all that is not official: one's own and what was shared. */
  source: "all" | "official" | "owner" | "shared" | "custom";
}

/** The rows an organization may use: the official ones and its own. */
export function usableBy(organization: string | null, table: OwnedTable): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, OwnedTable>();
  if (organization === null) return eb.lit(false);
  return eb.or([eb(`${table}.is_official`, "=", true), eb(`${table}.organization_uuid`, "=", organization)]);
}

/** The rows of a list: what its caller may use, from the wanted source, whose name or identifier is searched for. */
export function ownedRows({ organization, owner, search, source }: OwnedFilter, table: OwnedTable) {
  const eb = expressionBuilder<Schema, OwnedTable>();
  const conditions = [usableBy(organization, table)];
  if (source !== "all") conditions.push(eb(`${table}.is_official`, "=", source === "official"));
  if (source === "owner") conditions.push(eb(`${table}.owner_uuid`, "=", owner));
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
