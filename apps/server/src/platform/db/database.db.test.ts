import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createDatabase, type DatabaseOptions, type QueryDone } from "./database.ts";
import { isUnavailable, sqlState } from "./database-errors.ts";

async function open(options: DatabaseOptions) {
  const { url, db: other } = await createTestDatabase();
  const db = createDatabase(url, options);
  onTestFinished(() => db.destroy());
  return { db, other };
}

describe("createDatabase", () => {
  it("converts numbers, times and dates", async () => {
    const { db } = await createTestDatabase();
    const { rows } = await sql`
      SELECT count(*) AS count, 9007199254740991::bigint AS largest, '2026-03-02 09:00+02'::timestamptz AS time,
        '2026-03-02'::date AS day, 12.50::numeric AS exact, NULL::bigint AS none`.execute(db);
    expect(rows).toEqual([
      {
        count: 1,
        largest: 9007199254740991,
        time: new Date("2026-03-02T07:00:00Z"),
        day: "2026-03-02",
        exact: "12.50",
        none: null,
      },
    ]);
  });

  it("throws instead of rounding a bigint", async () => {
    const { db } = await createTestDatabase();
    await expect(sql`SELECT 9007199254740993::bigint`.execute(db)).rejects.toThrow(
      "9007199254740993 is not a safe integer",
    );
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it("cancels a statement that runs too long", async () => {
    const { db } = await open({ statementTimeoutMs: 50 });
    const error = await sql`SELECT pg_sleep(30)`.execute(db).catch((error: unknown) => error);
    expect(sqlState(error)).toBe("57014");
  });

  it("reports as unavailable when all connections are in use", async () => {
    const { db } = await open({ max: 1, connectTimeoutMs: 500 });
    await db.transaction().execute(async (trx) => {
      await sql`SELECT 1`.execute(trx);
      const error = await sql`SELECT 1`.execute(db).catch((error: unknown) => error);
      expect(isUnavailable(error)).toBe(true);
    });
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it("tells of each query, without its values", async () => {
    const asked: QueryDone[] = [];
    const { db } = await open({ onQuery: (query) => asked.push(query) });
    await sql`SELECT ${"secret"}::text`.execute(db);
    await sql`SELECT 1 / ${0}::integer`.execute(db).catch(() => undefined);
    const took = expect.any(Number);
    expect(asked).toEqual([
      { text: "SELECT $1::text", tookMs: took, hasFailed: false },
      { text: "SELECT 1 / $1::integer", tookMs: took, hasFailed: true },
    ]);
  });

  it("survives the loss of connections, idle or in use", async () => {
    const lost: Error[] = [];
    const { promise: reported, resolve } = Promise.withResolvers<void>();
    const onConnectionLost = (error: Error) => {
      lost.push(error);
      resolve();
    };
    const { db, other } = await open({ max: 2, applicationName: "cut-me", onConnectionLost });
    const cut = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut-me'`;

    await sql`SELECT 1`.execute(db);
    await cut.execute(other);
    await reported;
    expect(lost).toHaveLength(1);
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);

    const inUse = db.transaction().execute(async (trx) => {
      await sql`SELECT 1`.execute(trx);
      await cut.execute(other);
      await sql`SELECT 1`.execute(trx);
    });
    await expect(inUse).rejects.toSatisfy(isUnavailable);
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it("gives up a connection on which no answer comes, and asks on a new one", async () => {
    const { db } = await open({ max: 1, answerTimeoutMs: 200 });
    await expect(sql`SELECT pg_sleep(5)`.execute(db)).rejects.toSatisfy(isUnavailable);
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it("reports as unavailable when there is no server", async () => {
    const db = createDatabase("postgres://nobody:x@localhost:5432/none?host=/nonexistent");
    await expect(sql`SELECT 1`.execute(db)).rejects.toSatisfy(isUnavailable);
    await db.destroy();
  });
});
