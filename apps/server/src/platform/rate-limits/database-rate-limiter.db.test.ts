import { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { deleteOldAttempts, type Limit, DatabaseRateLimiter } from "./database-rate-limiter.ts";

const two: Limit = { name: "two", max: 2, windowMs: 60_000 };

async function open() {
  const { db } = await createTestDatabase();
  const clock = new TestClock();
  const inProcess = (size: { maxRows?: number } = {}) =>
    new DatabaseRateLimiter({ db, clock, secret: new Uint8Array(32), ...size });
  const rows = async () => (await sql<{ bucket: number }>`SELECT bucket FROM attempts`.execute(db)).rows;
  return { db, clock, attempts: inProcess(), inProcess, rows };
}

describe("DatabaseRateLimiter", () => {
  it("counts for all processes together, by key and limit, and says how long to wait", async () => {
    const { clock, attempts, inProcess } = await open();
    await attempts.count(two, "a");
    await clock.advance(15_000);
    expect(await inProcess().count(two, "a")).toMatchObject({ isOver: false });
    expect(await inProcess().count(two, "a")).toMatchObject({ isOver: true, retryAfterSeconds: 45 });
    expect(await attempts.count(two, "b")).toMatchObject({ isOver: false });
    expect(await attempts.count({ ...two, name: "other" }, "a")).toMatchObject({ isOver: false });
    await clock.advance(45_000);
    expect(await attempts.count(two, "a")).toMatchObject({ isOver: false, retryAfterSeconds: 60 });
  });

  it("counts each of many at once", async () => {
    const { attempts } = await open();
    const all = await Promise.all(Array.from({ length: 20 }, () => attempts.count(two, "a")));
    expect(all.filter(({ isOver }) => !isOver).length).toBe(2);
  });

  it("counts several that are made at once", async () => {
    const { attempts } = await open();
    expect(await attempts.count(two, "a", 2)).toMatchObject({ isOver: false });
    expect(await attempts.count(two, "a")).toMatchObject({ isOver: true });
    expect(await attempts.count(two, "b", 3)).toMatchObject({ isOver: true });
    await expect(attempts.take(two, "c", 3)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  });

  it("does not count what was taken back", async () => {
    const { attempts } = await open();
    const counted = [await attempts.count(two, "a"), await attempts.count(two, "b")];
    await attempts.count(two, "a");
    await attempts.refund(counted);
    expect(await attempts.count(two, "a")).toMatchObject({ isOver: false });
    expect(await attempts.count(two, "a")).toMatchObject({ isOver: true });
  });

  it("makes nobody wait after the clock was set back", async () => {
    const { clock, attempts } = await open();
    for (let count = 0; count < 3; count++) await attempts.count(two, "a");
    clock.step(-3_600_000);
    expect(await attempts.count(two, "a")).toMatchObject({ isOver: false });
  });

  it("remembers a key however many others come, in a table that does not grow beyond its size", async () => {
    const { inProcess, rows } = await open();
    const attempts = inProcess({ maxRows: 50 });
    for (let count = 0; count < 3; count++) await attempts.count(two, "victim");
    for (let name = 0; name < 500; name++) await attempts.count(two, `name ${name}`);
    expect(await attempts.count(two, "victim")).toMatchObject({ isOver: true });
    expect((await rows()).length).toBeLessThanOrEqual(50);
  });

  it("deletes counters once no window can be open", async () => {
    const { db, clock, attempts, rows } = await open();
    await attempts.count(two, "a");
    await clock.advance(3_600_000);
    await attempts.count(two, "b");
    await deleteOldAttempts.run({ db, clock });
    expect((await rows()).length).toBe(2);
    await clock.advance(1);
    await deleteOldAttempts.run({ db, clock });
    expect((await rows()).length).toBe(1);
    clock.step(-3 * 3_600_000);
    await deleteOldAttempts.run({ db, clock });
    expect(await rows()).toEqual([]);
  });
});
