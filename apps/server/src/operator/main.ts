import { readFile } from "node:fs/promises";
import { z } from "zod";
import { databaseUrlFile, readSettings, type Settings } from "../settings.ts";
import { help, readCommand, UsageError } from "./commands.ts";

/** What went wrong, in words for the operator. */
function explain(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

/** The URL of the database: DATABASE_URL, or that of the embedded server that is running. */
async function findDatabase({ databaseUrl, dataDir }: Settings): Promise<string> {
  const url = databaseUrl ?? (await readFile(databaseUrlFile(dataDir), "utf8").catch(() => undefined));
  if (!url) throw new Error(`No running server was found in ${dataDir}. Start it, or set DATABASE_URL.`);
  return url;
}

try {
  const work = readCommand(process.argv.slice(2));
  if (work === "help") console.log(help);
  else {
    const settings = readSettings(process.env);
    await work({ settings, url: () => findDatabase(settings) });
  }
} catch (error) {
  console.error(explain(error));
  if (error instanceof UsageError) console.error(help);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
