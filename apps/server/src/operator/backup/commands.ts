import { systemClock } from "@terrarium/clock";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { migrations } from "../../database/schema.ts";
import { adbKeyFile } from "@terrarium/adb";
import { fileStoreExists, openFileStore } from "../../platform/files/open-file-store.ts";
import { startPostgres } from "../../platform/postgres/start-postgres.ts";
import type { Settings } from "../../settings.ts";
import { backUp } from "./back-up.ts";
import { openBackup, restore, type RestoreOptions } from "./restore.ts";

const say = (line: string): void => console.log(line);

/** Backs up an installation that runs, or one with its own PostgreSQL. */
export async function backUpTo(
  file: string,
  { settings, url }: { settings: Settings; url: () => Promise<string> },
): Promise<void> {
  const begun = systemClock.now();
  const files = (await fileStoreExists(settings)) ? await openFileStore(settings) : undefined;
  const options = { url: await url(), adbKeyFile: adbKeyFile(settings.dataDir), files, clock: systemClock, say };
  const bytes = await backUp(resolve(file), options);
  say(
    `${file} is complete: ${bytes} bytes, in ${secondsSince(begun)} s. It contains secrets: keep it as you keep keys.`,
  );
}

/** Restores to DATABASE_URL, or to a new embedded database, which is stopped again at the end. */
export async function restoreFrom(
  file: string,
  { settings }: { settings: Settings },
  how: Pick<RestoreOptions, "overwritesFiles" | "sendsMails">,
): Promise<void> {
  const begun = systemClock.now();
  const path = resolve(file);
  await access(path);
  const backup = await openBackup(path, migrations);
  const { made_at, version } = backup.content;
  say(`${file} is complete. It was made at ${made_at} by version ${version}.`);
  const postgres = settings.databaseUrl ? undefined : await startPostgres({ dataDir: settings.dataDir });
  try {
    await restore(backup, {
      ...how,
      url: settings.databaseUrl ?? postgres?.url ?? "",
      adbKeyFile: adbKeyFile(settings.dataDir),
      files: () => openFileStore(settings),
      migrations,
      clock: systemClock,
      say,
    });
  } finally {
    await postgres?.stop();
  }
  say(`Everything is restored, in ${secondsSince(begun)} s.`);
}

const secondsSince = (begun: number): string => ((systemClock.now() - begun) / 1000).toFixed(1);
