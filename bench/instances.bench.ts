import { startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { demo } from "@terrarium/e2e/support/server.ts";
import { setImmediate } from "node:timers/promises";
import { Pool } from "pg";
import { listInstances } from "../apps/server/src/features/instances/list-instances.store.ts";
import { Lists } from "../apps/server/src/platform/db/lists.ts";
import { benchLists } from "./support/list-bench.ts";
import { type PlanNode, readsOf, refuseScans } from "./support/plans.ts";

/** Lists of devices of somebody with up to 10,000 that are listed, ten times as many that were deleted, and a neighbour with as many. */

const PAGE = 10;

await benchLists({
  title: "Lists of devices",
  path: "/v2/instances",
  queries: (rows) => ({
    "first page": `page_size=${PAGE}`,
    "last page": `page_size=${PAGE}&page=${Math.floor(rows / PAGE)}`,
    "of the organization": `page_size=${PAGE}&organization_wide=true`,
    search: `page_size=${PAGE}&search=99`,
    "search for nothing": `page_size=${PAGE}&search=zzz`,
    "one state": `page_size=${PAGE}&state=EXPIRED`,
    "by name": `page_size=${PAGE}&ordering=name`,
  }),
  async prepare(server) {
    // What the others are copies of.
    const { client } = await server.signIn(demo.manager);
    const { uuid } = await startDevice(client);
    await untilState(client, uuid, "ONLINE");
    await client.instances.stop({ params: { uuid } });
  },
  async seed({ sql, from, to, owner, organization, other }) {
    for (const whose of [{ owner, organization }, other])
      await sql.query(
        `INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, recipe_uuid, snapshot, state, reason, timeout_inactivity,
            timeout_global, created_at, updated_at, ended_at)
          SELECT gen_random_uuid(), 'Device ' || n, $1, $2, recipe_uuid, snapshot,
            CASE WHEN n % 11 > 0 THEN 'DELETED' WHEN n % 2 = 0 THEN 'ERROR' ELSE 'EXPIRED' END, 'machine_gone', 30, 0,
            now() - n * interval '1 second', now() - n * interval '1 second', now() - n * interval '1 second'
          FROM generate_series($3::int, $4::int) AS n, (SELECT * FROM instances ORDER BY created_at LIMIT 1) AS first`,
        [whose.owner, whose.organization, from * 11 + 1, to * 11],
      );
  },
  async plans(url, reader) {
    const pool = new Pool({ connectionString: url, max: 1 });
    const texts: string[] = [];
    const lists = new Lists({
      query: async (text, values) => {
        texts.push(text);
        // As the service's: the values are known when the query is sent.
        await setImmediate();
        return (await pool.query(text, typeof values === "function" ? values() : values)).rows;
      },
    });
    const orders = { "newest first": "updated_at", "by name": "name" } as const;
    const lines: string[] = [];
    try {
      for (const [label, field] of Object.entries(orders)) {
        await listInstances(
          lists,
          { of: { owner: reader.uuid }, ordering: [{ field, descending: true }] },
          { limit: PAGE, offset: 0 },
        );
        // As the service plans it: once, whatever the values are.
        const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
          `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${texts.at(-1) ?? ""}`,
        );
        const reads = readsOf(rows[0]!["QUERY PLAN"][0].Plan);
        lines.push(`plan of ${label}: ${reads.join("; ")}`);
        refuseScans(label, reads, "instances");
      }
    } finally {
      await pool.end();
    }
    return lines;
  },
});
