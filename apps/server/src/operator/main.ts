import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Schema } from "../database/schema.ts";
import { databaseUrlFile } from "../launch.ts";
import { createDatabase } from "../platform/db/database.ts";
import { readSettings } from "../settings.ts";
import { help, readCommand, UsageError, type Work } from "./commands.ts";

/** What went wrong, in words for the operator. */
function explain(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

/** Runs a command on DATABASE_URL, or on the database of the embedded server that is running. */
async function run(work: Work): Promise<void> {
  const { databaseUrl, dataDir } = readSettings(process.env);
  const url = databaseUrl ?? (await readFile(databaseUrlFile(dataDir), "utf8").catch(() => undefined));
  if (!url) throw new Error(`No running server was found in ${dataDir}. Start it, or set DATABASE_URL.`);
  const db = createDatabase<Schema>(url, { max: 1, applicationName: "terrarium-operator" });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

try {
  const work = readCommand(process.argv.slice(2));
  if (work === "help") console.log(help);
  else await run(work);
} catch (error) {
  console.error(explain(error));
  if (error instanceof UsageError) console.error(help);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
