import { randomBytes } from "node:crypto";
import { type QueryExecutorProvider, sql } from "kysely";
import { type MigrationSteps, statements } from "./db/migrations.ts";

export const secretMigrations: MigrationSteps = {
  "0001-foundation": statements(`CREATE TABLE secrets (name text PRIMARY KEY, value text NOT NULL)`),
};

/** A random 32-byte key of this installation, created on first use and stored in the database, so that all processes share it. */
export async function secretFor(db: QueryExecutorProvider, name: string): Promise<Uint8Array> {
  const made = randomBytes(32).toString("base64");
  await sql`INSERT INTO secrets (name, value) VALUES (${name}, ${made}) ON CONFLICT DO NOTHING`.execute(db);
  const { rows } = await sql<{ value: string }>`SELECT value FROM secrets WHERE name = ${name}`.execute(db);
  return Buffer.from(rows[0]?.value ?? made, "base64");
}
