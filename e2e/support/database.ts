import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Pool, type QueryResultRow } from "pg";

/** One connection to the embedded database of the server with this data directory, opened when it is used. */
export async function databaseOf(dataDir: string): Promise<Pool> {
  const pool = new Pool({ connectionString: await readFile(join(dataDir, "database-url"), "utf8"), max: 1 });
  // The database ends with its server.
  return pool.on("error", () => undefined);
}

/** Asks it over a connection of its own. */
export async function query<Row extends QueryResultRow>(dataDir: string, sql: string): Promise<Row[]> {
  const database = await databaseOf(dataDir);
  try {
    return (await database.query<Row>(sql)).rows;
  } finally {
    await database.end();
  }
}
