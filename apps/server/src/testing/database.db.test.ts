import { sql } from "kysely";
import { expect, it, describe } from "vitest";
import { createTestDatabase } from "./database.ts";

describe("createTestDatabase", () => {
  it("creates 50 independent databases concurrently", async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => createTestDatabase({ max: 1 })));
    await Promise.all(made.map(({ db }, index) => sql`CREATE TABLE mine AS SELECT ${sql.lit(index)} AS n`.execute(db)));
    const found = await Promise.all(made.map(({ db }) => sql<{ n: number }>`SELECT n FROM mine`.execute(db)));
    expect(found.map(({ rows }) => rows[0]?.n)).toEqual(made.map((_, index) => index));
  });

  it("drops a database that is in use", async () => {
    const { db, drop } = await createTestDatabase();
    await sql`SELECT 1`.execute(db);
    await drop();
    await drop();
    const other = await createTestDatabase();
    const { rows } = await sql`SELECT 1 AS one`.execute(other.db);
    expect(rows).toEqual([{ one: 1 }]);
  });
});
