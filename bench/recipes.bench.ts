import { Pool } from "pg";
import type { Schema } from "../apps/server/src/database/schema.ts";
import { listRecipes, type RecipeFilter } from "../apps/server/src/features/recipes/recipes.store.ts";
import { createDatabase } from "../apps/server/src/platform/db/database.ts";
import { benchLists } from "./support/list-bench.ts";
import { type PlanNode, readsOf, refuseScans } from "./support/plans.ts";

/** Lists of recipes in an organization with up to 10,000, beside another one with as many. */

const PAGE = 12;

await benchLists({
  title: "Lists of recipes",
  path: "/v3/recipes",
  queries: (rows) => ({
    "first page": "",
    "last page": `page=${Math.ceil(rows / PAGE)}`,
    search: "search=99",
    "search for nothing": "search=zzz",
    "one architecture": "arch=arm64",
    "one form factor": "form_factor=PHONE",
    official: "source=official",
  }),
  async seed({ sql, from, to, owner, organization, other }) {
    await sql.query("ALTER TABLE recipes DISABLE TRIGGER USER");
    for (const whose of [{ owner, organization }, other])
      await sql.query(
        `INSERT INTO recipes (uuid, name, status, is_official, owner_uuid, organization_uuid, hardware_profile_uuid,
            os_image_uuid, created_at, updated_at)
          SELECT gen_random_uuid(), 'Recipe ' || n, 'READY', false, $1, $2, official.hardware_profile_uuid,
            official.os_image_uuid, now(), now()
          FROM generate_series($3::int, $4::int) AS n
          JOIN (SELECT *, row_number() OVER (ORDER BY position) AS at, count(*) OVER () AS count FROM recipes WHERE is_official)
            AS official ON official.at = n % count + 1`,
        [whose.owner, whose.organization, from + 1, to],
      );
    await sql.query("ALTER TABLE recipes ENABLE TRIGGER USER");
  },
  async plans(url, reader) {
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
    const filters: Record<string, Partial<RecipeFilter>> = {
      "any page": {},
      search: { search: "99" },
      "one architecture": { arch: ["arm64"] },
    };
    const lines: string[] = [];
    try {
      for (const [label, filter] of Object.entries(filters)) {
        queries.length = 0;
        await listRecipes(db, reader, { source: "all", ...filter }, { limit: PAGE, offset: 0 });
        // The first is the part of the second by which the page finds its rows.
        for (const [index, what] of ["keys", "page", "count"].entries()) {
          const { sql = "", parameters = [] } = queries[index] ?? {};
          const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${sql}`, [
            ...parameters,
          ]);
          const reads = readsOf(rows[0]!["QUERY PLAN"][0].Plan);
          lines.push(`plan of ${label}, ${what}: ${reads.join("; ")}`);
          if (what !== "count") refuseScans(label, reads, "recipes");
        }
      }
    } finally {
      await Promise.all([plain.destroy(), pool.end()]);
    }
    return lines;
  },
});
