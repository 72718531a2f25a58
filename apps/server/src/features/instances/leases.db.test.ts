import { supervisedStates } from "@terrarium/contract";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";

it("finds the devices that have to be supervised by an index, however many have ended", async () => {
  const { db } = await createTestApp();
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'instances' AND indexname LIKE 'instances_supervised%'`.execute(db);
  const [index] = rows;
  expect(rows.map(({ name }) => name)).toEqual(["instances_supervised"]);
  const states = [...(index?.definition ?? "").matchAll(/'([A-Z]+)'/g)].map(([, state]) => state);
  expect(new Set(states)).toEqual(new Set(supervisedStates));
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(trx);
    const plan = await sql`EXPLAIN SELECT uuid FROM instances
      WHERE state = ANY(${supervisedStates}::text[]) AND lease_holder = ${"one"}`.execute(trx);
    expect(JSON.stringify(plan.rows)).toContain("instances_supervised");
  });
});
