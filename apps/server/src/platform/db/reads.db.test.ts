import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { isUnavailable } from "./database-errors.ts";
import { Reads, type ReadsOptions } from "./reads.ts";

async function aReader(options: Partial<ReadsOptions> = {}) {
  const { db, url } = await createTestDatabase();
  const reads = new Reads(url, { max: 1, ...options });
  onTestFinished(() => reads.stop());
  const ask = async (value: number) => (await reads.query<{ n: number }>("SELECT $1::int AS n", [value]))[0]?.n;
  return { db, reads, ask };
}

describe("Reads", () => {
  it("returns the rows of each read, also when many are sent together", async () => {
    const { ask } = await aReader();
    const all = Array.from({ length: 50 }, (_, n) => n);
    expect(await Promise.all(all.map(ask))).toEqual(all);
  });

  it("prepares a statement once, for any values", async () => {
    const { reads, ask } = await aReader();
    await ask(1);
    await ask(2);
    const plans = "SELECT generic_plans::int, custom_plans::int FROM pg_prepared_statements WHERE statement = $1";
    expect(await reads.query(plans, ["SELECT $1::int AS n"])).toEqual([{ generic_plans: 2, custom_plans: 0 }]);
  });

  it("calls a values function when the read is sent", async () => {
    const { reads } = await aReader();
    const numbers = [1];
    const result = reads.query("SELECT unnest($1::int[]) AS n", () => [numbers]);
    numbers.push(2);
    expect(await result).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("isolates a failure from other reads that are sent together", async () => {
    const { reads, ask } = await aReader();
    const noValues = () => {
      throw new Error("no values");
    };
    const together = await Promise.allSettled([
      reads.query("SELECT 1 / $1::int", [0]),
      ask(1),
      reads.query("SELECT 1", noValues),
      ask(2),
    ]);
    expect(together).toMatchObject([
      { reason: { message: "division by zero" } },
      { value: 1 },
      { reason: { message: "no values" } },
      { value: 2 },
    ]);
  });

  it("cannot write", async () => {
    const { db, reads } = await aReader();
    await sql`CREATE TABLE plants (name text)`.execute(db);
    await expect(reads.query("INSERT INTO plants VALUES ($1) RETURNING name", ["fern"])).rejects.toThrow("read-only");
  });

  it("recovers from a lost connection", async () => {
    const { db, reads, ask } = await aReader();
    const [backend] = await reads.query<{ pid: number }>("SELECT pg_backend_pid() AS pid", []);
    const [cut] = await Promise.allSettled([
      reads.query("SELECT pg_sleep($1)", [60]),
      sql`SELECT pg_terminate_backend(${backend?.pid})`.execute(db),
    ]);
    expect(cut).toMatchObject({ status: "rejected" });
    expect(await ask(1)).toBe(1);
  });

  it("answers as before once a column has changed its type, and plans anew", async () => {
    const { db, reads } = await aReader();
    const names = () => Promise.all([1, 2].map(() => reads.query("SELECT name FROM plants", [])));
    await sql`CREATE TABLE plants (name text)`.execute(db);
    await sql`INSERT INTO plants VALUES ('fern')`.execute(db);
    await names();
    await sql`ALTER TABLE plants ALTER name TYPE varchar(20)`.execute(db);
    expect(await names()).toEqual([[{ name: "fern" }], [{ name: "fern" }]]);
    const plans =
      "SELECT generic_plans::int FROM pg_prepared_statements WHERE statement = $1 ORDER BY prepare_time DESC";
    await names();
    expect((await reads.query(plans, ["SELECT name FROM plants"]))[0]).toEqual({ generic_plans: 4 });
  });

  it("gives up a connection on which no answer comes, and asks on a new one", async () => {
    const { reads, ask } = await aReader({ answerTimeoutMs: 200 });
    const unanswered = await reads.query("SELECT pg_sleep($1)", [5]).catch((error: unknown) => error);
    expect(unanswered).toMatchObject({ message: "Query read timeout" });
    expect(isUnavailable(unanswered)).toBe(true);
    expect(await ask(1)).toBe(1);
  });

  it("rejects when there is no database, and tries again the next time", async () => {
    const reads = new Reads("postgres://nobody@127.0.0.1:1/none", { max: 1 });
    onTestFinished(() => reads.stop());
    for (let tries = 0; tries < 2; tries++) await expect(reads.query("SELECT 1", [])).rejects.toThrow("ECONNREFUSED");
  });
});
