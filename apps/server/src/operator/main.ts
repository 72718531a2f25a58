import { readFile } from "node:fs/promises";
import { z } from "zod";
import { loadRuntimes } from "../runtimes.ts";
import { databaseUrlFile, readSettings, type Settings } from "../settings.ts";
import type { Installation } from "./command.ts";
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

/** Loads what only few commands need. */
const createRuntimes =
  (settings: Settings): Installation["runtimes"] =>
  async ({ db, clock }) => {
    const [{ FileLayers }, { openFileStore }, { createLog }] = await Promise.all([
      import("../features/layers/layer-store.ts"),
      import("../platform/files/open-file-store.ts"),
      import("../platform/log.ts"),
    ]);
    const { dataDir, keepDevicesMs: keepMs, logLevel } = settings;
    const layers = new FileLayers(await openFileStore(settings), db);
    const deps = { dataDir, keepMs, layers, clock, log: createLog(logLevel, "operator", process.stderr) };
    const runtimes = await loadRuntimes(settings.runtimes, process.env);
    return new Map(runtimes.map(({ name, create }) => [name, create(deps)]));
  };

try {
  const work = readCommand(process.argv.slice(2));
  if (work === "help") console.log(help);
  else {
    const settings = readSettings(process.env);
    await work({ settings, url: () => findDatabase(settings), runtimes: createRuntimes(settings) });
  }
} catch (error) {
  console.error(explain(error));
  if (error instanceof UsageError) console.error(help);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
