import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrate } from "../platform/db/migrate.ts";
import { composeMigrations, statements } from "../platform/db/migrations.ts";
import { createTestDatabase } from "../testing/database.ts";
import { migrations } from "./migrations.ts";

it("keeps the name of the first migration, which installed databases have recorded", () => {
  expect(Object.keys(migrations)[0]).toBe("0001-foundation");
});

it("merges the steps that several features have under one name into one migration, in the order of the features", async () => {
  const { db } = await createTestDatabase();
  const composed = composeMigrations([
    { "9001-plants": statements("CREATE TABLE beds (name text PRIMARY KEY)") },
    {
      "9002-moss": statements("INSERT INTO plants VALUES ('moss', NULL)"),
      "9001-plants": statements("CREATE TABLE plants (name text, bed text REFERENCES beds)"),
    },
    { "9002-moss": statements("INSERT INTO nowhere VALUES (1)") },
  ]);
  await expect(migrate(db, { ...migrations, ...composed })).rejects.toThrow("nowhere");
  const { rows } = await sql`SELECT name FROM kysely_migration WHERE name LIKE '9%'`.execute(db);
  expect(rows).toEqual([{ name: "9001-plants" }]);
  expect((await sql`SELECT * FROM plants`.execute(db)).rows).toEqual([]);
});
