import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createDatabase } from "./database.ts";
import { lockMigrations, migrate, migrateWithin, NewerDatabaseError } from "./migrate.ts";
import { migrations } from "../../database/schema.ts";

const run = (statement: string): Migration => ({
  up: async (db) => {
    await sql.raw(statement).execute(db);
  },
});

const plants = run("CREATE TABLE plants (name text PRIMARY KEY)");
const fern = run("INSERT INTO plants VALUES ('fern')");

describe("migrate", () => {
  it("runs each migration once when several servers start at the same time", async () => {
    const { url } = await createTestDatabase();
    const servers = Array.from({ length: 4 }, () => createDatabase(url));
    const list = { ...migrations, "9001-plants": plants, "9002-fern": fern };
    const ran = await Promise.all(servers.map((db) => migrate(db, list)));
    expect(ran.filter((names) => names.length > 0)).toEqual([["9001-plants", "9002-fern"]]);
    const { rows } = await sql`SELECT name FROM plants`.execute(servers[0]!);
    expect(rows).toEqual([{ name: "fern" }]);
    await Promise.all(servers.map((db) => db.destroy()));
  });

  it("continues after a run that was interrupted during a migration", async () => {
    const { db, url } = await createTestDatabase();
    const cutOff = createDatabase(url, { max: 1 });
    const list = { ...migrations, "9001-plants": plants };
    const halfDone: Migration = {
      up: async (trx) => {
        await fern.up(trx);
        // As when the server is killed.
        await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(trx);
      },
    };
    await expect(migrate(cutOff, { ...list, "9002-fern": halfDone })).rejects.toThrow(/discarded|terminat/);
    await cutOff.destroy();
    expect((await sql`SELECT name FROM plants`.execute(db)).rows).toEqual([]);

    expect(await migrate(db, { ...list, "9002-fern": fern })).toEqual(["9002-fern"]);
    expect((await sql`SELECT name FROM plants`.execute(db)).rows).toEqual([{ name: "fern" }]);
  });

  /** A migration that ends with an error so many times before it works. */
  const busy = (code: string, times: number) => {
    const step = {
      tries: 0,
      up: async (trx: Kysely<unknown>) => {
        await fern.up(trx);
        if (++step.tries <= times)
          await sql`DO ${sql.lit(`BEGIN RAISE EXCEPTION 'busy' USING ERRCODE = '${code}'; END`)}`.execute(trx);
      },
    };
    return step;
  };

  it.each(["40P01", "55P03"])("runs one again that met a server at work: %s", async (code) => {
    const { db } = await createTestDatabase();
    const step = busy(code, 3);
    const list = { ...migrations, "9001-plants": plants, "9002-busy": step };
    expect(await migrate(db, list)).toEqual(["9001-plants", "9002-busy"]);
    expect((await sql`SELECT name FROM plants`.execute(db)).rows).toEqual([{ name: "fern" }]);
  });

  it.each([
    ["40P01", 10],
    ["23505", 1],
  ])("gives up one that fails for good: %s after %i tries", async (code, tries) => {
    const { db } = await createTestDatabase();
    const step = busy(code, 100);
    const list = { ...migrations, "9001-plants": plants, "9002-busy": step };
    await expect(migrate(db, list)).rejects.toThrow("busy");
    expect(step.tries).toBe(tries);
    step.tries = 0;
    await expect(db.transaction().execute((trx) => migrateWithin(trx, list))).rejects.toThrow("busy");
    expect(step.tries).toBe(1);
  });

  it("refuses a database that a newer version has migrated, without changing it", async () => {
    const { db } = await createTestDatabase();
    await migrate(db, { ...migrations, "9001-plants": plants });
    const downgrade = migrate(db, { ...migrations, "9000-other": run("DROP TABLE plants") });
    await expect(downgrade).rejects.toThrow(NewerDatabaseError);
    await expect(downgrade).rejects.toThrow("9001-plants");
    expect((await sql`SELECT * FROM plants`.execute(db)).rows).toEqual([]);
  });

  it("refuses a database that has later migrations without an earlier one", async () => {
    const { db } = await createTestDatabase();
    await migrate(db, { ...migrations, "9002-plants": plants });
    await expect(migrate(db, { ...migrations, "9001-fern": fern, "9002-plants": plants })).rejects.toThrow("9001-fern");
    expect((await sql`SELECT * FROM plants`.execute(db)).rows).toEqual([]);
  });

  it("waits while a transaction holds the lock, as a restore does", async () => {
    const { db, url } = await createTestDatabase();
    const starting = createDatabase(`${url}${url.includes("?") ? "&" : "?"}options=-c%20lock_timeout%3D20`);
    await db.transaction().execute(async (trx) => {
      await lockMigrations(trx);
      await expect(migrate(starting, migrations)).rejects.toThrow("lock timeout");
    });
    expect(await migrate(starting, migrations)).toEqual([]);
    await starting.destroy();
  });

  it("restores the statement timeout of the connection", async () => {
    const { url } = await createTestDatabase();
    const db = createDatabase(url, { max: 1, statementTimeoutMs: 1234 });
    await migrate(db, migrations);
    expect((await sql`SHOW statement_timeout`.execute(db)).rows).toEqual([{ statement_timeout: "1234ms" }]);
    await db.destroy();
  });
});
