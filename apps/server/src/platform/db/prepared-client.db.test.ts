import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Database } from "../../database/schema.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { transaction } from "./transaction.ts";

describe("PreparedClient", () => {
  it("prepares a SELECT once and runs it with different values", async () => {
    const { db } = await createTestDatabase();
    await db.connection().execute(async (one) => {
      const twice = async (value: number) =>
        (await sql<{ twice: number }>`select 2 * ${value}::int as twice`.execute(one)).rows[0]?.twice;
      expect([await twice(1), await twice(21)]).toEqual([2, 42]);
      const { rows } =
        await sql`SELECT 1 FROM pg_prepared_statements WHERE statement = 'select 2 * $1::int as twice'`.execute(one);
      expect(rows).toHaveLength(1);
    });
  });

  it("can read a table after a column was added", async () => {
    const { db } = await createTestDatabase();
    await sql`CREATE TABLE growing (id int)`.execute(db);
    await sql`INSERT INTO growing VALUES (1)`.execute(db);
    await db.connection().execute(async (one) => {
      const all = async () => (await sql`select * from growing where id = ${1}`.execute(one)).rows;
      const ours = async () => (await sql`select growing.* from growing where id = ${1}`.execute(one)).rows;
      await all();
      await ours();
      await sql`ALTER TABLE growing ADD COLUMN name text DEFAULT 'new'`.execute(db);
      expect([await all(), await ours()]).toEqual([[{ id: 1, name: "new" }], [{ id: 1, name: "new" }]]);
    });
  });

  it("answers as before once a column has changed its type, also in a transaction", async () => {
    const { db } = await createTestDatabase({ max: 1 });
    await sql`CREATE TABLE plants (name text)`.execute(db);
    await sql`INSERT INTO plants VALUES ('fern')`.execute(db);
    const names = async (on: Database) => (await sql`SELECT name FROM plants WHERE name <> ${""}`.execute(on)).rows;
    await names(db);
    await sql`ALTER TABLE plants ALTER name TYPE varchar(20)`.execute(db);
    expect(await names(db)).toEqual([{ name: "fern" }]);
    await sql`ALTER TABLE plants ALTER name TYPE varchar(30)`.execute(db);
    expect(await transaction(db, names)).toEqual([{ name: "fern" }]);
    expect(await names(db)).toEqual([{ name: "fern" }]);
  });
});
