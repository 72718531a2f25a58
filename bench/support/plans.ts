import { Pool } from "pg";
import type { Database, Schema } from "../../apps/server/src/database/schema.ts";
import { createDatabase } from "../../apps/server/src/platform/db/database.ts";

/** A node of a query plan, as `EXPLAIN (FORMAT JSON)` has it. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: PlanNode[];
}

/** How each table is read, from the outside in: `recipes by Index Scan of recipes_in_order`. */
export function readsOf(node: PlanNode): string[] {
  const { "Node Type": type, "Relation Name": table, "Index Name": index, Plans: below = [] } = node;
  const own = table ? [`${table} by ${type}${index ? ` of ${index}` : ""}`] : [];
  return [...own, ...below.flatMap(readsOf)];
}

/** @throws Error if a table is read from its beginning to its end */
export function refuseScans(query: string, reads: readonly string[], table: string): void {
  if (reads.includes(`${table} by Seq Scan`))
    throw new Error(`${query}: sequential scan of ${table}: ${reads.join("; ")}`);
}

/** How the queries of some reads read their tables: for each query of each read, in their order. */
export async function plansOf(
  url: string,
  reads: Record<string, (db: Database) => Promise<unknown>>,
): Promise<{ label: string; tables: string[] }[]> {
  const queries: { sql: string; parameters: readonly unknown[] }[] = [];
  const pool = new Pool({ connectionString: url, max: 1 });
  const plain = createDatabase<Schema>(url, { max: 1 });
  const db = plain.withPlugin({
    transformQuery({ node, queryId }) {
      queries.push(plain.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const plans: { label: string; tables: string[] }[] = [];
  try {
    for (const [label, read] of Object.entries(reads)) {
      queries.length = 0;
      await read(db);
      for (const { sql, parameters } of queries) {
        const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${sql}`, [
          ...parameters,
        ]);
        plans.push({ label, tables: readsOf(rows[0]!["QUERY PLAN"][0].Plan) });
      }
    }
  } finally {
    await Promise.all([plain.destroy(), pool.end()]);
  }
  return plans;
}

/**
 * How the lists of `readPage` read their tables: a line for the keys of a page, one for the page and one for the count.
 * @throws Error if the page reads all of `table`
 */
export async function plansOfPages(
  url: string,
  table: string,
  lists: Record<string, (db: Database) => Promise<unknown>>,
): Promise<string[]> {
  // The first query is the part of the second by which the page finds its rows.
  const parts = ["keys", "page", "count"];
  return (await plansOf(url, lists)).map(({ label, tables }, index) => {
    const what = parts[index % parts.length];
    if (what !== "count") refuseScans(label, tables, table);
    return `plan of ${label}, ${what}: ${tables.join("; ")}`;
  });
}
