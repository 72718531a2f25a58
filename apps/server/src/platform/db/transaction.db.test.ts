import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { sqlState } from "./database-errors.ts";
import { transaction } from "./transaction.ts";

async function counters() {
  const { db } = await createTestDatabase();
  await sql`CREATE TABLE counters (name text PRIMARY KEY, n int NOT NULL)`.execute(db);
  await sql`INSERT INTO counters VALUES ('a', 0), ('b', 0)`.execute(db);
  const read = async () =>
    (await sql<{ n: number }>`SELECT n FROM counters ORDER BY name`.execute(db)).rows.map(({ n }) => n);
  return { db, read };
}

describe("transaction", () => {
  it("retries after a deadlock, so that both succeed", async () => {
    const { db, read } = await counters();
    let tries = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const add = (first: string, second: string) =>
      transaction(db, async (trx) => {
        await sql`UPDATE counters SET n = n + 1 WHERE name = ${first}`.execute(trx);
        if (++tries === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await sql`UPDATE counters SET n = n + 1 WHERE name = ${second}`.execute(trx);
      });
    await Promise.all([add("a", "b"), add("b", "a")]);
    expect(await read()).toEqual([2, 2]);
    // On a busy machine the database may abort both.
    expect(tries).toBeGreaterThan(2);
  });

  it("retries after a serialization failure", async () => {
    const { db, read } = await counters();
    const addOne = () =>
      transaction(
        db,
        async (trx) => {
          const { rows } = await sql<{ n: number }>`SELECT n FROM counters WHERE name = 'a'`.execute(trx);
          await sql`UPDATE counters SET n = ${(rows[0]?.n ?? 0) + 1} WHERE name = 'a'`.execute(trx);
        },
        "serializable",
      );
    await Promise.all([addOne(), addOne(), addOne()]);
    expect(await read()).toEqual([3, 0]);
  });

  it("gives up after five attempts, and does not retry after other errors", async () => {
    const { db, read } = await counters();
    const fail = (state: string) => {
      let tries = 0;
      const failing = transaction(db, async (trx) => {
        tries++;
        await sql`UPDATE counters SET n = n + 1`.execute(trx);
        await sql.raw(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`).execute(trx);
      });
      return failing.catch((error: unknown) => ({ state: sqlState(error), tries }));
    };
    expect(await fail("40001")).toEqual({ state: "40001", tries: 5 });
    expect(await fail("23514")).toEqual({ state: "23514", tries: 1 });
    expect(await read()).toEqual([0, 0]);
  });

  it("joins an outer transaction", async () => {
    const { db, read } = await counters();
    const outer = transaction(db, async (trx) => {
      await transaction(trx, (inner) => sql`UPDATE counters SET n = 9`.execute(inner));
      throw new Error("changed my mind");
    });
    await expect(outer).rejects.toThrow("changed my mind");
    expect(await read()).toEqual([0, 0]);
  });
});
