import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The steps of one module, by the name of the migration that each belongs to. */
export type MigrationSteps = Readonly<Record<string, Migration["up"]>>;

/** A step that runs SQL statements in order. */
export const statements =
  (...texts: string[]): Migration["up"] =>
  async (db) => {
    for (const text of texts) await sql.raw(text).execute(db);
  };

/**
 * Composes migrations from the steps of all modules. Steps with the same name become one migration, in the order of `parts`, so list a
 * module after those whose tables it references.
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
