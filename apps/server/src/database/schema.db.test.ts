import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { migrate } from "../platform/db/migrate.ts";
import { composeMigrations, type MigrationSteps, statements } from "../platform/db/migrations.ts";
import { createTestDatabase } from "../testing/database.ts";
import { inOrder, migrations } from "./schema.ts";

/** The migrations that installed databases have run, with a hash of their SQL. A release adds those that are new in it. */
const released = {
  "0001-foundation": "d203155d3f50d930",
  "0002-jobs": "433fe0842e74d940",
  "0002-state-since-unused": "a253720516980283",
  "0003-mails": "a5938316f496b7ee",
};

/** A hash of the SQL that a migration runs. */
async function hashOf({ up }: Migration): Promise<string> {
  const hash = createHash("sha256");
  const recorder = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void hash.update(`${query.sql.replaceAll(/\s+/g, " ")};`),
  });
  await up(recorder);
  return hash.digest("hex").slice(0, 16);
}

describe("the migrations", () => {
  it("do what they did when they were released: installed databases do not run them again", async () => {
    const hashes: Record<string, string> = {};
    for (const [name, step] of Object.entries(migrations)) if (name in released) hashes[name] = await hashOf(step);
    expect(hashes).toEqual(released);
  });

  it("sort after all released ones: an installed database refuses any other", () => {
    const names = Object.keys(released);
    expect(Object.keys(migrations).slice(0, names.length)).toEqual(names);
  });

  it("belong to one feature each, but for these, whose features have an order", async () => {
    const featuresOf: Record<string, string[]> = {};
    for (const file of globSync("../features/*/*.migrations.ts", { cwd: import.meta.dirname })) {
      const steps = Object.values(
        (await import(new URL(file, import.meta.url).href)) as Record<string, MigrationSteps>,
      );
      for (const name of steps.flatMap(Object.keys)) (featuresOf[name] ??= []).push(basename(file, ".migrations.ts"));
    }
    const shared = Object.entries(featuresOf).filter(([, features]) => features.length > 1);
    expect(shared.map(([name]) => name).toSorted()).toEqual([
      "0001-foundation",
      "0020-saving",
      "0036-catalogue-events",
      "0051-parts-in-order",
      "0056-sessions-and-places",
      "0072-organization-settings",
      "0082-provisioning",
      "0103-budgets",
      "0105-prices",
    ]);
    expect(new Set(inOrder)).toEqual(new Set(shared.flatMap(([, features]) => features)));
  });
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
