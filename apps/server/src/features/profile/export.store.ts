import { type RawBuilder, sql } from "kysely";
import { heldLists, type HeldRow, type Person } from "../../database/held.ts";
import type { Database } from "../../database/schema.ts";

/** Rows that are held at once. */
const PAGE = 500;

/** The lists of what is held on a person, each a page at a time. */
export function* exportedLists(
  db: Database,
  person: Person,
): Generator<{ name: string; pages: AsyncGenerator<unknown[]> }> {
  for (const [name, rowsOf] of Object.entries(heldLists)) yield { name, pages: pagesOf(db, rowsOf(person)) };
}

async function* pagesOf(db: Database, rowsOf: RawBuilder<HeldRow>): AsyncGenerator<unknown[]> {
  let after: unknown;
  for (;;) {
    const { rows } = await pageOf(rowsOf, after).execute(db);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    after = rows.at(-1)?.key;
    if (rows.length < PAGE) return;
  }
}

/** The first rows of a list, or those after a key. */
export const pageOf = (rowsOf: RawBuilder<HeldRow>, after: unknown): RawBuilder<HeldRow> => sql`
  SELECT key, row FROM (${rowsOf}) AS held ${after === undefined ? sql`` : sql`WHERE key > ${after}`} ORDER BY key LIMIT ${PAGE}`;
