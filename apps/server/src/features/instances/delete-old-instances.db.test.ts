import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { deleteOldInstances } from "./instances.jobs.ts";
import { moveInstance } from "./move-instance.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const retention = { historyDays: 30 };

async function devices() {
  const test = await createTestApp();
  const { db, clock } = test;
  const robin = await test.as();
  const start = async () => (await robin.start()).json<{ uuid: string }>().uuid;
  /** Ends a device as if that had happened so many days ago. */
  const end = async (uuid: string, daysAgo: number, event: "fail" | "expire") => {
    if (event === "expire")
      await db.updateTable("instances").set({ state: "ONLINE" }).where("uuid", "=", uuid).execute();
    await moveInstance(db, { uuid, event, now: new Date(clock.now() - daysAgo * DAY_MS) });
  };
  const left = async () => new Set((await db.selectFrom("instances").select("uuid").execute()).map(({ uuid }) => uuid));
  const history = async (uuid: string) =>
    (await db.selectFrom("instance_events").select("id").where("instance_uuid", "=", uuid).execute()).length;
  return { ...test, robin, start, end, left, history, run: () => deleteOldInstances.run({ db, clock, retention }) };
}

it("deletes devices that ended longer ago than the setting says, and their history", async () => {
  const { robin, start, end, left, history, run, db, clock } = await devices();
  const [old, expired, recent, running] = [await start(), await start(), await start(), await start()];
  await end(old, 31, "fail");
  await end(expired, 31, "expire");
  await end(recent, 30, "fail");
  // One that has run for longer has not ended.
  const long = new Date(clock.now() - 400 * DAY_MS);
  await db.updateTable("instances").set({ created_at: long, updated_at: long }).where("uuid", "=", running).execute();
  await run();
  expect(await left()).toEqual(new Set([recent, running]));
  expect([await history(old), await history(expired), await history(recent)]).toEqual([0, 0, 2]);
  expect((await robin.get(`/v1/instances/${old}`)).statusCode).toBe(404);
  await clock.advance(1);
  await run();
  expect(await left()).toEqual(new Set([running]));
});

it("deletes any number of them, and none that has not ended", async () => {
  const { start, left, run, db, clock } = await devices();
  const uuid = await start();
  const ended_at = new Date(clock.now() - 31 * DAY_MS);
  await sql`INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, snapshot, state, timeout_inactivity,
      timeout_global, created_at, updated_at, ended_at)
    SELECT gen_random_uuid(), name, owner_uuid, organization_uuid, snapshot, 'DELETED', 0, 0, created_at, updated_at, ${ended_at}
    FROM instances, generate_series(1, 1001)`.execute(db);
  await db.updateTable("instances").set({ ended_at }).where("uuid", "=", uuid).execute();
  await run();
  expect(await left()).toEqual(new Set([uuid]));
});
