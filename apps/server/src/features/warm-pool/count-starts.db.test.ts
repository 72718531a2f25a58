import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { countStarts, startsOf } from "./warm-pool.store.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

it("counts the starts of ten minutes, now, a day and a week ago, and reads no others", async () => {
  const { db, clock, as } = await createTestApp();
  const robin = await as();
  const now = new Date(clock.now());
  const ago = [MINUTE_MS, 20 * MINUTE_MS, DAY_MS - MINUTE_MS, DAY_MS, 7 * DAY_MS - MINUTE_MS, 7 * DAY_MS];
  for (const ms of ago) {
    const { uuid } = (await robin.start({ rename_on_conflict: true })).json<{ uuid: string }>();
    await sql`UPDATE instances SET state = 'DELETED', created_at = ${new Date(now.getTime() - ms)} WHERE uuid = ${uuid}`.execute(
      db,
    );
  }
  const { recipe_uuid } = await db.selectFrom("instances").select("recipe_uuid").limit(1).executeTakeFirstOrThrow();
  const pool = { recipe_uuid: recipe_uuid ?? "", zone: "europe" };
  expect(await countStarts(db, pool, now)).toEqual({ lately: 1, dayAgo: 1, weekAgo: 1 });
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(trx);
    const { rows } = await sql`EXPLAIN ${startsOf(pool, now)}`.execute(trx);
    const conditions = JSON.stringify(rows).match(/Index Cond: [^"]*created_at/g);
    expect(JSON.stringify(rows)).toContain("instances_started");
    expect(conditions).toHaveLength(3);
  });
});
