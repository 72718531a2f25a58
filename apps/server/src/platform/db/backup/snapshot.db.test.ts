import { sql } from "kysely";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrations } from "../../../database/schema.ts";
import { createTestDatabase } from "../../../testing/database.ts";
import { loadInto } from "./load-tables.ts";
import { openSnapshot } from "./snapshot.ts";

async function aDatabase(...statements: string[]) {
  const { db, url } = await createTestDatabase();
  for (const statement of statements) await sql.raw(statement).execute(db);
  return { db, url };
}

async function snapshotOf(url: string) {
  const snapshot = await openSnapshot(url);
  onTestFinished(() => snapshot.close());
  return snapshot;
}

async function rowsIn({ tables, copy }: Awaited<ReturnType<typeof snapshotOf>>, name: string): Promise<string> {
  return text(copy(tables.find((table) => table.name === name)!));
}

describe("openSnapshot", () => {
  it("reads all tables as they were at one moment", async () => {
    const { db, url } = await aDatabase("CREATE TABLE beds AS SELECT 1 AS n", "CREATE TABLE plants AS SELECT 1 AS n");
    const snapshot = await snapshotOf(url);
    await sql`UPDATE plants SET n = 2`.execute(db);
    await sql`INSERT INTO beds VALUES (2)`.execute(db);
    expect([await rowsIn(snapshot, "plants"), await rowsIn(snapshot, "beds")]).toEqual(["1\n", "1\n"]);
  });

  it("keeps migrations from changing a table meanwhile", async () => {
    const { db, url } = await aDatabase("CREATE TABLE plants AS SELECT 1 AS n");
    await snapshotOf(url);
    await db.connection().execute(async (connection) => {
      await sql`SET lock_timeout = '20ms'`.execute(connection);
      await expect(sql`ALTER TABLE plants ADD COLUMN m int`.execute(connection)).rejects.toThrow("lock timeout");
    });
  });

  it("lists each table after those that it references, without Kysely's own", async () => {
    const { url } = await aDatabase();
    const { tables, migrations: ran } = await snapshotOf(url);
    const names = tables.map(({ name }) => name);
    expect(names.indexOf("organizations")).toBeLessThan(names.indexOf("users"));
    expect(names.indexOf("users")).toBeLessThan(names.indexOf("instances"));
    expect(names.filter((name) => name.startsWith("kysely"))).toEqual([]);
    expect(ran).toEqual(Object.keys(migrations));
  });
});

describe("loadInto", () => {
  const columns = `(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text, at timestamptz, amount double precision,
    bytes bytea, words text[], doubled double precision GENERATED ALWAYS AS (amount * 2) STORED)`;
  const rows = `INSERT INTO plants (note, at, amount, bytes, words) VALUES
    (NULL, '2026-03-02 01:02:03.456789+00', 0.1, '\\x00ff', '{"a,b",NULL,"\\\\"}'),
    (E'tab\\tline\\nback\\\\slash \\\\. ü', '0044-01-01 00:00:00+00 BC', 'NaN', '', '{}')`;

  it("gives every value back, and continues to number where the old database was", async () => {
    const from = await aDatabase(`CREATE TABLE plants ${columns}`, rows);
    // A server may be set to write dates in a way that another would misread.
    const { rows: named } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(from.db);
    await sql`ALTER DATABASE ${sql.id(named[0]!.name)} SET "DateStyle" = 'German'`.execute(from.db);
    const to = await aDatabase(`CREATE TABLE plants ${columns}`);
    const snapshot = await snapshotOf(from.url);
    const table = snapshot.tables.find(({ name }) => name === "plants")!;
    await loadInto(to.url, async ({ load, setSequence }) => {
      expect(await load(table, snapshot.copy(table))).toBe(2);
      for (const sequence of snapshot.sequences) await setSequence(sequence);
    });
    const all = sql`SELECT *, at::text AS at FROM plants ORDER BY id`;
    expect((await all.execute(to.db)).rows).toEqual((await all.execute(from.db)).rows);
    const next = await sql`INSERT INTO plants (note) VALUES ('third') RETURNING id`.execute(to.db);
    expect(next.rows).toEqual([{ id: 3 }]);
  });

  it("changes nothing when it fails", async () => {
    const { db, url } = await aDatabase("CREATE TABLE plants (n int PRIMARY KEY)");
    const table = { name: "plants", columns: ["n"] };
    const failed = loadInto(url, async ({ load }) => {
      await load(
        table,
        (async function* () {
          yield Buffer.from("1\n2\n");
          throw new Error("the file is gone");
        })(),
      );
    });
    await expect(failed).rejects.toThrow("the file is gone");
    expect((await sql`TABLE plants`.execute(db)).rows).toEqual([]);
  });
});
