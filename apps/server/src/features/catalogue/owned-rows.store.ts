import type { Ordering } from "@terrarium/contract";
import { type Expression, expressionBuilder, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Schema } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import { likeText } from "../../platform/db/like-text.ts";
import { readPage } from "../../platform/db/lists.ts";
import type { OwnedTable, Reader } from "./owned.ts";

export interface OwnedFilter {
  search?: string | undefined;
  /** `custom` and `shared` are all that is not official: the organization's own and what others have shared. */
  source: "all" | "official" | "owner" | "shared" | "custom";
}

/** The rows that somebody may use: the official ones, those of their organization, and recipes that are shared with them. */
export function usableBy(reader: Reader, table: OwnedTable): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, OwnedTable>();
  const { organization } = reader;
  const shared = table === "recipes" ? [sharedWith(reader)] : [];
  if (organization === null) return eb.or(shared);
  // Official rows are those without an organization: so both kinds are found by one index.
  const own = [eb(`${table}.organization_uuid`, "is", null), eb(`${table}.organization_uuid`, "=", organization)];
  return eb.or([...own, ...shared]);
}

/** As an array, which is read once: the recipes in it are then found by their index. */
const sharedWith = ({ uuid, organization }: Reader): Expression<SqlBool> =>
  sql<SqlBool>`recipes.uuid = ANY (ARRAY(SELECT recipe_uuid FROM share_recipients
    WHERE user_uuid = ${uuid} OR organization_uuid = ${organization}))`;

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

/** One page of the rows that `found` has: custom ones first; official ones are in the order of the catalogue. */
export const readOwnedPage = <Table extends OwnedTable, Row>(
  table: Table,
  {
    found,
    shown,
  }: Record<"found", SelectQueryBuilder<Schema, Table, object>> &
    Record<"shown", SelectQueryBuilder<Schema, Table, Row>>,
  ordering: readonly Ordering<"name" | "updated_at">[],
  window: Window,
): Promise<Rows<Row>> => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const fields = ordering.map(({ field, descending }) => (descending ? sql`${column(field)} DESC` : column(field)));
  const orderBy = sql.join([column("is_official"), column("position"), ...fields, column("uuid")]);
  return readPage({ found, shown, key: `${table}.uuid`, orderBy }, window);
};

/** The column `owner`: who a row belongs to, or null. */
export function ownerOf(table: OwnedTable) {
  const eb = expressionBuilder<Schema, OwnedTable>();
  return jsonObjectFrom(
    eb.selectFrom("users as owner").select(personColumns).whereRef("owner.uuid", "=", `${table}.owner_uuid`),
  ).as("owner");
}

/** The column `owner` of a part of a recipe: null for readers of other organizations, with whom only the recipe is shared. */
export function ownerOfPart({ organization }: Reader) {
  const eb = expressionBuilder<Schema & { part: Schema[OwnedTable] }, "part">();
  return jsonObjectFrom(
    eb
      .selectFrom("users as owner")
      .select(personColumns)
      .whereRef("owner.uuid", "=", "part.owner_uuid")
      .where("part.organization_uuid", "=", organization),
  ).as("owner");
}

const personColumns = ["owner.uuid", "owner.email", "owner.first_name", "owner.last_name"] as const;
