import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What one part of the service adds to the database, by the name of the migration that does it. */
export type MigrationSteps = Readonly<Record<string, Migration["up"]>>;

/** A step that runs these SQL statements, in order. */
export const statements =
  (...texts: string[]): Migration["up"] =>
  async (db) => {
    for (const text of texts) await sql.raw(text).execute(db);
  };

/**
 * Every migration under its name. Steps of one name run together, in one transaction and in the order of `parts`, so a part
 * comes after those whose tables it refers to.
 */
export function composeMigrations(parts: readonly MigrationSteps[]): Record<string, Migration> {
  const names = [...new Set(parts.flatMap((steps) => Object.keys(steps)))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        up: async (db) => {
          for (const steps of parts) await steps[name]?.(db);
        },
      },
    ]),
  );
}
