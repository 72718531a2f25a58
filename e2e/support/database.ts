import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client as Connection, type QueryResultRow } from "pg";

/** Asks the embedded database of the server with this data directory. */
export async function query<Row extends QueryResultRow>(dataDir: string, sql: string): Promise<Row[]> {
  const connection = new Connection({ connectionString: await readFile(join(dataDir, "database-url"), "utf8") });
  await connection.connect();
  try {
    return (await connection.query<Row>(sql)).rows;
  } finally {
    await connection.end();
  }
}
